"""The page of Hashi: every part has an id and renders alone, and every legal action can be clicked."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html.parser import HTMLParser
from importlib.resources import files

import pytest

import skerry
from skerry.bots import find
from skerry.engine.match import Match
from skerry.engine.scene import PartFamily, Scene
from skerry.games.hashi import GAME
from skerry.games.hashi.daily import daily_boards
from skerry.games.hashi.rules import components
from skerry.games.hashi.ui.page.layout import ISLANDS_AREA, RADIUS, layout_of
from skerry.server.renderer import Renderer, parts_by_id, renderer_for
from tests.games.hashi.positions import Paper


class Reader(HTMLParser):
    """Parse HTML: the ids in their order, what can be clicked, and whether every element is closed."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.ids: list[str] = []
        self.touches: set[str] = set()
        self.roots = 0
        self.open: list[str] = []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        self._note(attributes)
        self.roots += not self.open
        self.open.append(tag)

    def handle_startendtag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        self._note(attributes)
        self.roots += not self.open

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def _note(self, attributes: list[tuple[str, str | None]]) -> None:
        found = dict(attributes)
        assert "style" not in found, "the page's policy allows no style attributes"
        assert not [name for name in found if name.startswith("on")]
        if found.get("id"):
            self.ids.append(str(found["id"]))
        if found.get("data-touch"):
            self.touches.add(str(found["data-touch"]))


def page_of(drawn: Renderer, scene: Scene, players: int) -> str:
    regions = [drawn.macro("strip", scene["strip"]), drawn.macro("board", scene), drawn.macro("side", scene)]
    return "".join([*regions, *(drawn.macro("seat", scene, seat) for seat in range(players))])


def positions(players: int, board: str, seed: int, every: int) -> Iterator[Match]:
    """Positions of a game by the skilled bot, every few steps and at the end."""
    table = skerry.game("hashi", players=players, board=board)
    match, bot = table.new(seed=seed), find(table.game, "skilled")
    step = 0
    while not match.result:
        if step % every == 0:
            yield match
        seat = match.waiting[step % len(match.waiting)]
        match.play(seat, bot.choose(match, seat, step))
        step += 1
    yield match


GAMES = [(1, "A", 1, 9), (2, "B", 2, 19), (3, "A", 3, 41), (4, "B", 4, 53)]


def viewers(players: int) -> list[int | None]:
    return [None, *range(players)]


@pytest.mark.parametrize(("players", "board", "seed", "every"), GAMES)
def test_every_part_renders_alone_as_on_the_page(players: int, board: str, seed: int, every: int) -> None:
    drawn = renderer_for(skerry.game("hashi").game, "en")
    known = set()
    for match in positions(players, board, seed, every):
        for seat in viewers(players):
            scene = drawn.scene(match.view(seat))
            page = page_of(drawn, scene, players)
            found = Reader(page)
            assert not found.open
            ids = [name for name in found.ids if not name.startswith("hashi-")]
            assert len(ids) == len(set(ids)) and set(ids) == set(parts_by_id(scene))
            for name, piece in parts_by_id(scene).items():
                part = drawn.render_part(piece).strip()
                assert part in page
                if part not in known:
                    known.add(part)
                    alone = Reader(part)
                    assert alone.ids[0] == name and alone.roots == 1 and not alone.open


@pytest.mark.parametrize(("players", "board", "seed", "every"), GAMES)
def test_every_legal_action_can_be_clicked(players: int, board: str, seed: int, every: int) -> None:
    drawn = renderer_for(skerry.game("hashi").game, "en")
    for match in positions(players, board, seed, every):
        for seat in range(players):
            touches = Reader(page_of(drawn, drawn.scene(match.view(seat)), players)).touches
            for action in match.legal(seat):
                names = [f"{kind}:{slug}" for kind, slug in action.entities] or [f"verb:{action.verb}"]
                assert touches.issuperset(names), action


@pytest.mark.parametrize(("players", "board", "seed", "every"), GAMES)
def test_part_families_keep_their_members_during_a_game(players: int, board: str, seed: int, every: int) -> None:
    for seat in viewers(players):
        members = {tuple(_members(GAME.scene(match.view(seat)))) for match in positions(players, board, seed, every)}
        assert len(members) == 1


def _members(scene: Scene) -> Iterator[tuple[str, tuple[str, ...]]]:
    for name, data in scene.items():
        yield name, tuple(data) if isinstance(data, PartFamily) else ()


def test_the_cover_is_an_svg_picture() -> None:
    cover = renderer_for(skerry.game("hashi").game, "en").macro("cover")
    assert Reader(cover).roots == 1 and 'viewBox="0 0 320 200"' in cover


def test_every_style_rule_is_scoped_to_the_game_and_loads_nothing_external() -> None:
    style = (files("skerry.games.hashi") / "ui" / "page" / "style.css").read_text(encoding="utf-8")
    plain = re.sub(r"/\*.*?\*/|@media[^{]*\{", "", style, flags=re.DOTALL)
    selectors = [one.strip() for one in re.findall(r"([^{}]+)\{", plain)]
    assert selectors and all(".game-hashi" in one for one in selectors)
    assert all(name.startswith("#hashi-") for name in re.findall(r"url\(([^)]*)\)", style))


# -- what the sheet says


def test_a_draft_is_drawn_in_pencil_until_it_is_confirmed() -> None:
    paper = Paper("5x3", "C4:4", players=2)
    paper.play("write B5", "bridge B5-C5", "bridge B5-C5", "bridge C4-C5")
    scene = GAME.scene(paper.match.view(0))
    assert scene["island"]["B5"]["hand"] == "pencil" and scene["island"]["C4"]["hand"] == "ink"
    assert scene["line"]["B5-C5"]["strokes"] == ["pencil", "pencil"]
    assert scene["line"]["C4-C5"]["strokes"] == ["pencil", "none"]
    paper.play("confirm")
    scene = GAME.scene(paper.match.view(0))
    assert scene["island"]["B5"]["hand"] == "ink" and scene["seal"]["stamped"]
    assert scene["line"]["B5-C5"]["strokes"] == ["ink", "ink"]


def test_only_the_second_bridge_of_a_line_can_be_in_pencil() -> None:
    paper = Paper("5x1", "C4:4", "C4-C5")
    paper.play("bridge C4-C5")
    assert GAME.scene(paper.match.view(0))["line"]["C4-C5"]["strokes"] == ["ink", "pencil"]


def test_other_seats_do_not_see_a_draft() -> None:
    paper = Paper("5x1", "C4:4", players=2)
    before = GAME.scene(paper.match.view(1)), GAME.scene(paper.match.view(None))
    paper.play("bridge C4-C5")
    assert (GAME.scene(paper.match.view(1)), GAME.scene(paper.match.view(None))) == before


def test_a_start_number_is_on_the_writers_paper_until_all_have_confirmed() -> None:
    match = skerry.game("hashi", players=2).new(seed=1)
    match.play(0, "start 4 C1")
    scene = GAME.scene(match.view(0))
    assert (scene["island"]["C1"]["number"], scene["island"]["C1"]["hand"]) == (4, "pencil")
    assert scene["number"]["4"]["taken"] and scene["number"]["3"]["there"]
    assert GAME.scene(match.view(1))["island"]["C1"]["number"] is None


@pytest.mark.parametrize(("players", "board", "seed", "every"), GAMES)
def test_closed_lines_agree_with_the_rules(players: int, board: str, seed: int, every: int) -> None:
    for match in positions(players, board, seed, every):
        state = match.state
        for seat in range(players):
            closed = state.double[seat] | state.blocked[seat]
            for island in range(components.ISLANDS):
                closed |= 0 if state.room[seat, island] else state.at[island]
            lines = GAME.scene(match.view(seat))["line"].values()
            assert sum(line["closed"] << i for i, line in enumerate(lines)) == closed


def test_the_card_strip_shows_played_cards_and_in_the_end_the_card_set_aside() -> None:
    *_, match = positions(1, "A", 5, 1000)
    view = match.view(0)
    states = {name: cell["state"] for name, cell in GAME.scene(view)["deal"].items()}
    assert states == {**dict.fromkeys(view["shown"], "shown"), view["unseen"][0]: "aside"}


def test_a_solo_game_shows_the_ranks() -> None:
    *_, match = positions(1, "A", 5, 1000)
    view = match.view(0)
    ranks = GAME.scene(view)["ranks"]
    assert ranks["rank"] + 1 == view["rank"]["number"]
    drawn = renderer_for(skerry.game("hashi").game, "en").macro("ranks", ranks)
    assert drawn.count('aria-current="true"') == 1
    assert "ranks" not in GAME.scene(skerry.game("hashi", players=2).new(seed=1).view(0))


# -- where things lie

ONE_ROW = "r-r-r-r-b-b-b-o-o-o-o-o-o-o-o-o-o-o/"
STAIRS = "/".join(  # two islands a row, one column further each time
    f"{'..' * row}{pair}{'/' + '..' * (row + 1) + '|' if row < 8 else ''}"
    for row, pair in enumerate(("r-r", "r-r", "b-b", "b-o", *["o-o"] * 5))
)


@pytest.mark.parametrize("board", [ONE_ROW, STAIRS, *(board.text for board in daily_boards()[:20])])
def test_islands_do_not_overlap_and_lines_have_a_length(board: str) -> None:
    plan = layout_of(skerry.game("hashi", board=board).new(seed=1).view(0)["board"])
    reach = 2 * RADIUS * plan.scale
    places = [(island["x"], island["y"]) for island in plan.islands]
    for i, (x, y) in enumerate(places):
        assert ISLANDS_AREA[0] <= x <= ISLANDS_AREA[2] and ISLANDS_AREA[1] <= y <= ISLANDS_AREA[3]
        assert all(abs(x - x2) > reach or abs(y - y2) > reach for x2, y2 in places[:i])
    assert all(line["length"] > 0.3 * reach for line in plan.lines)
