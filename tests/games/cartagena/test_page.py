"""The page of Cartagena: every part renders alone, and every legal action can be clicked."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from html.parser import HTMLParser
from typing import Any

import numpy as np
import pytest

import skerry
from skerry.bots import find
from skerry.engine.event_log import new_event_log
from skerry.engine.kernel import kernel_array
from skerry.engine.match import Match
from skerry.engine.notation import Action
from skerry.engine.scene import PartFamily
from skerry.engine.struct import StructBuffer
from skerry.games.cartagena.rules import components
from skerry.games.cartagena.ui.page import table
from skerry.games.cartagena.ui.page.layout import CELL, layout
from skerry.server.renderer import Renderer, parts_by_id, renderer_for

from .positions import Passage

VARIANTS: list[dict[str, Any]] = [
    {"players": 2, "parts": 4, "pirates": 4},
    {"players": 5, "parts": 8, "draw": "morgan", "flibusters": "on"},
    {"players": 3, "story": "tortuga", "draw": "both", "magic": "on"},
    {"players": 4, "story": "full", "draw": "back-then-morgan", "magic": "on", "flibusters": "on"},
    {"players": 3, "story": "full", "tunnel": 5, "island": 3, "draw": "both"},
]
# Nothing that lies on the table stands for these: they are in the list of actions only.
NOT_THINGS = {"end", "parrots", "parrots mixed", "parrots dark"}


class Page(HTMLParser):
    """Parse HTML: the depth and the attributes of each element."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.ids: list[str] = []
        self.touches: set[str] = set()
        self.attributes: set[str] = set()
        self.roots: list[str | None] = []
        self.open: list[str] = []
        self.feed(html)
        self.close()
        assert not self.open, f"not closed: {self.open}"

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        self.attributes |= set(given)
        if not self.open:
            self.roots.append(given.get("id"))
        if given.get("id"):
            self.ids.append(str(given["id"]))
        if given.get("data-touch"):
            self.touches.add(str(given["data-touch"]))
        self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        self.open.pop()

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


def page_html(renderer: Renderer, scene: dict[str, Any], seats: int) -> str:
    regions = [renderer.macro("strip", scene["strip"]), renderer.macro("board", scene), renderer.macro("side", scene)]
    return "".join(map(str, [*regions, *(renderer.macro("seat", scene, seat) for seat in range(seats))]))


def positions(options: dict[str, Any], every: int = 50, steps: int = 300) -> Iterator[Match]:
    """Positions of a random game: some at regular intervals, and the first of every phase."""
    match = skerry.game("cartagena", **options).new(seed=5)
    bot, phases = find(match.game, "random"), set()
    for step in range(steps):
        if match.result:
            break
        phase = match.view(None)["turn"]["phase"]
        if step % every == 0 or phase not in phases:
            yield match
        phases.add(phase)
        seat = match.waiting[0]
        match.play(seat, bot.choose(match, seat, step))
    yield match


@pytest.mark.parametrize("options", VARIANTS, ids=str)
def test_every_part_renders_alone_as_on_the_page(options: dict[str, Any]) -> None:
    families: dict[str | None, list[Any]] = {}
    for match in positions(options):
        draw = renderer_for(match.game, "en")
        for seat in (None, *range(options["players"])):
            scene = draw.scene(match.view(seat))
            html = page_html(draw, scene, options["players"])
            page, parts = Page(html), parts_by_id(scene)
            assert len(page.ids) == len(set(page.ids)), "no id twice"
            assert not {"style", "onclick", "onload"} & page.attributes and "<script" not in html
            for name, piece in parts.items():
                alone = draw.render_part(piece).strip()
                assert Page(alone).roots == [name]
                assert alone in html
            members = [(name, list(data) if isinstance(data, PartFamily) else None) for name, data in scene.items()]
            assert families.setdefault(seat, members) == members


@pytest.mark.parametrize("options", VARIANTS, ids=str)
def test_every_legal_action_can_be_clicked(options: dict[str, Any]) -> None:
    for match in positions(options, every=7):
        draw = renderer_for(match.game, "en")
        for seat in match.waiting:
            page = Page(page_html(draw, draw.scene(match.view(seat)), options["players"]))
            for action in match.legal(seat):
                wanted = [f"{kind}:{slug}" for kind, slug in action.entities]
                if not wanted and action.text not in NOT_THINGS:
                    wanted = [f"verb:{action.text}"]
                assert page.touches.issuperset(wanted), action.text


@pytest.mark.parametrize("options", VARIANTS[2:4], ids=str)
def test_a_page_shows_no_more_than_its_view(options: dict[str, Any]) -> None:
    for match in positions(options, every=40):
        for seat in (None, 0):
            world = StructBuffer(match.game.state_struct, match.content)
            match.game.rules.determinize(world.struct, -1 if seat is None else seat, np.uint64(7))
            view = match.game.ui.view(world.struct, seat)
            assert match.game.scene(view) == match.game.scene(match.view(seat))


def test_the_sheet_has_room_for_every_space_in_every_story() -> None:
    sizes = [("escape", 6 * parts, 0) for parts in range(4, 9)] + [("tortuga", 0, 6 * parts) for parts in range(4, 9)]
    sizes += [("full", 6 * t, 6 * i) for t in (3, 4, 5) for i in (3, 4, 5) if t + i <= 8]
    for size in sizes:
        sheet = layout(*size)
        spots = list(sheet.spaces.values())
        assert len(spots) == size[1] + size[2]
        assert all(CELL / 2 <= x <= sheet.width - CELL / 2 and 30 <= y <= sheet.height - 30 for x, y in spots)
        assert 360 * 16 / sheet.width > 8.5, "numbers can be read on a phone"
        for i, (x, y) in enumerate(spots):
            for other_x, other_y in spots[:i]:
                assert abs(x - other_x) >= 57 or abs(y - other_y) >= 60, "their edges do not overlap"


def test_pirates_keep_their_ids_while_they_move() -> None:
    passage = Passage("red 7 7, green 7", red="rum", players=2)
    before = passage.match.game.scene(passage.match.view(0))["pirate"]
    assert before["red-0"][1] == before["red-1"][1] == before["green-0"][1]
    assert len({before[name][0] for name in ("red-0", "red-1", "green-0")}) == 3
    passage.play("play rum 7")
    after = passage.match.game.scene(passage.match.view(0))["pirate"]
    moved = {name for name in after if after[name] != before[name]}
    assert moved == {"red-0", "red-1", "green-0"}, "one goes on, the two that stay close up"


def test_the_page_previews_where_a_move_would_end() -> None:
    passage = Passage("red 7 21, green 11 15, yellow 19 19", red="rum hook")
    view = passage.match.view(0)
    assert view["reach"]["cards"]["rum"]["7"] == "25", "rum 11 and 15 and 21 are taken"
    assert view["reach"]["back"]["21"] == ["19", 2] and view["reach"]["morgan"] == {}
    scene = passage.match.game.scene(view)
    assert set(scene["aims"]["landings"]) == {"rum", "hook"}, "only what the reader holds"
    assert scene["draws"]["21"][0][6] == 2
    spectator = passage.match.view(None)
    assert spectator["reach"] is None and not passage.match.game.scene(spectator)["aims"]["trips"]


@pytest.mark.parametrize("options", VARIANTS, ids=str)
def test_a_move_ends_where_its_preview_ended(options: dict[str, Any]) -> None:
    for match in positions(options, every=9):
        for seat in match.waiting:
            view = match.view(seat)
            for action in match.legal(seat):
                if action.verb in ("play", "back", "morgan"):
                    mover, place, target, cards = preview_of(view, action)
                    after = view_after(match, seat, action.id)
                    before, now = (Counter(seen["seats"][mover]["where"]) for seen in (view, after))
                    assert (set(before - now), set(now - before)) == ({place}, {target}), action.text
                    if cards is not None and view["deck"]["cards"] >= cards and after["ending"] is None:
                        assert after["seats"][seat]["cards"] == view["seats"][seat]["cards"] + cards


@pytest.mark.parametrize("options", VARIANTS, ids=str)
def test_only_moves_that_can_be_made_are_previewed(options: dict[str, Any]) -> None:
    for match in positions(options, every=5):
        for seat in match.waiting:
            reach = match.view(seat)["reach"] or {"back": {}, "morgan": {}, "cards": {}}
            legal = [(action.verb, *(slug for _, slug in action.entities)) for action in match.legal(seat)]
            assert {entities[0] for verb, *entities in legal if verb == "back"} == set(reach["back"])
            moved_on = {(colour, place) for colour, places in reach["morgan"].items() for place in places}
            assert {tuple(entities) for verb, *entities in legal if verb == "morgan"} == moved_on
            if not any(reach["cards"].values()):
                assert not [action for action in legal if action[0] == "play"]


@pytest.mark.rule("CA-10")
def test_nothing_is_previewed_after_the_third_action() -> None:
    passage = Passage("red 7 21 30, green 11 15, yellow 19 19", red="rum hook lantern")
    passage.state.left = 0
    view = passage.match.view(0)
    assert passage.legal() == {"end"} and view["reach"] is None
    scene = passage.match.game.scene(view)
    assert not scene["aims"]["trips"] and not any(scene["draws"].values())


def preview_of(view: dict[str, Any], action: Action) -> tuple[int, str, str, int | None]:
    """The preview of a move: seat, start, target, and how many cards it draws."""
    *first, place = (slug for _, slug in action.entities)
    if action.verb == "play":
        return view["seat"], place, view["reach"]["cards"][table.SYMBOL[first[0]]][place], None
    if action.verb == "back":
        return view["seat"], place, *view["reach"]["back"][place]
    return components.COLOURS.index(first[0]), place, *view["reach"]["morgan"][first[0]][place]


def view_after(match: Match, seat: int, action: int) -> dict[str, Any]:
    """The view after an action, played on a copy of the match."""
    world = StructBuffer(match.game.state_struct, match.content)
    match.game.rules.step(world.struct, seat, action, kernel_array(new_event_log(0)))
    return match.game.ui.view(world.struct, seat)


def test_dark_cards_look_different_from_light_ones() -> None:
    passage = Passage(flibusters="on", red="rum dark-rum")
    draw = renderer_for(passage.match.game, "en")
    hand = str(draw.macro("seat", draw.scene(passage.match.view(0)), 0))
    assert re.search(r'data-touch="card:rum"', hand) and re.search(r'data-touch="card:dark-rum"', hand)
    assert "dark rum" in hand
