"""The browser page: every part renders alone and on the page, from nothing but the view of its seat."""

from __future__ import annotations

from collections.abc import Iterator
from html.parser import HTMLParser
from random import Random

import numpy as np
import pytest

import skerry
from skerry.engine.match import Match
from skerry.engine.scene import PartFamily, Scene
from skerry.engine.struct import StructBuffer
from skerry.games.forbidden_desert import GAME
from skerry.games.forbidden_desert.rules.components import PARTS, PLACE_NAMES
from skerry.games.forbidden_desert.rules.state import State
from skerry.server.renderer import Renderer, parts_by_id, renderer_for
from tests.games.forbidden_desert.positions import desert

# Verbs without a thing of their own on the table: buttons beside the board offer them.
BUTTONS = {"end", "keep", "excavate", "calm", "forecast", "fill"}
VOID = {"br", "img"}

scene = GAME.scene


class Elements(HTMLParser):
    """The ids, touch targets and root elements of some HTML, and inline code, which must not occur."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.ids: list[str] = []
        self.touch: set[str] = set()
        self.roots: list[str | None] = []
        self.forbidden: list[str] = []
        self._open: list[str] = []
        self.feed(html)
        assert not self._open, f"{self._open} never closed"

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_startendtag(tag, attrs)
        if tag not in VOID:
            self._open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        found = dict(attrs)
        if not self._open:
            self.roots.append(found.get("id"))
        if identity := found.get("id"):
            self.ids.append(identity)
        for attribute in ("data-touch", "data-also"):
            if touch := found.get(attribute):
                self.touch.add(touch)
        self.forbidden += [name for name in found if name == "style" or name.startswith("on")]
        if tag in ("script", "style"):
            self.forbidden.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self._open.pop() == tag


def positions(players: int, seed: int, every: int = 7) -> Iterator[Match]:
    """Some positions of a random game and its end; other seats interrupt."""
    match, chance = skerry.game("forbidden-desert", players=players).new(seed=seed), Random(seed)
    count = 0
    while True:
        if count % every == 0 or match.result:
            yield match
        if match.result:
            return
        count += 1
        seat = chance.choice([match.waiting[0]] * 6 + [s for s in range(players) if match.legal_ids(s)])
        match.play(seat, chance.choice(match.legal_ids(seat)))


def page(painter: Renderer, drawn: Scene) -> str:
    seats = [painter.macro("seat", drawn, int(number)) for number in drawn["role"]]
    regions = [painter.macro("strip", drawn["strip"]), painter.macro("board", drawn), painter.macro("side", drawn)]
    return "".join([*regions, *seats])


def painter_of(match: Match, language: str = "en") -> Renderer:
    return renderer_for(match.game, language)


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_every_part_renders_alone_as_on_the_page(players: int) -> None:
    for match in positions(players, seed=players):
        painter = painter_of(match)
        for seat in (*range(players), None):
            drawn = scene(match.view(seat))
            html = page(painter, drawn)
            elements = Elements(html)
            assert elements.forbidden == [] and len(set(elements.ids)) == len(elements.ids)
            for identity, piece in parts_by_id(drawn).items():
                alone = painter.render_part(piece).strip()
                assert alone in html
                assert Elements(alone).roots == [identity]


@pytest.mark.parametrize("players", [2, 5])
def test_families_of_parts_keep_their_members_and_order(players: int) -> None:
    families = []
    for match in positions(players, seed=players + 20):
        drawn = scene(match.view(0))
        families.append({name: list(data) for name, data in drawn.items() if isinstance(data, PartFamily)})
    assert all(family == families[0] for family in families) and len(families) > 2
    assert families[0]["tile"] == list(PLACE_NAMES) and families[0]["part"] == list(PARTS)


@pytest.mark.parametrize("seed", range(4))
def test_every_legal_action_can_be_touched(seed: int) -> None:
    for match in positions(3 + seed % 3, seed + 50, every=3):
        painter = painter_of(match)
        for seat in range(match.variant.players):
            touch = Elements(page(painter, scene(match.view(seat)))).touch
            for action in match.legal(seat):
                wanted = {f"{kind}:{slug}" for kind, slug in action.entities}
                assert wanted <= touch, action
                assert wanted or action.verb in BUTTONS or f"verb:{action.verb}" in touch, action


def test_a_forecast_is_shown_to_the_meteorologist_only() -> None:
    table = desert("meteorologist,explorer", tick=2)
    table.play("meteorologist", "forecast")
    painter = painter_of(table.match)
    numbers = {f"number:{n}" for n in (1, 2, 3)}
    assert numbers <= Elements(page(painter, scene(table.view("meteorologist")))).touch
    for other in ("explorer", None):
        assert not numbers & Elements(page(painter, scene(table.view(other)))).touch


def test_only_the_readers_own_cards_can_be_touched() -> None:
    table = desert("archeologist,explorer", gear={"archeologist": "terrascope", "explorer": "jet-pack"})
    painter = painter_of(table.match)
    mine = Elements(page(painter, scene(table.view("archeologist")))).touch
    assert {"gear:terrascope", "verb:scope"} <= mine and not {"gear:jet-pack", "verb:jet"} & mine
    assert not {"gear:terrascope", "gear:jet-pack"} & Elements(page(painter, scene(table.view(None)))).touch


def test_a_tile_looked_at_is_shown_to_that_seat_only() -> None:
    table = desert("archeologist,explorer", gear={"archeologist": "terrascope"}, tiles={"D4": "launch-pad"})
    table.play("archeologist", "scope D4")
    painter = painter_of(table.match)

    def drawn(role: str | None) -> str:
        return painter.render_part(parts_by_id(scene(table.view(role)))["tile-D4"])

    assert "#fd-launch-pad" in drawn("archeologist") and "launch" not in drawn("explorer") + drawn(None)


def test_a_scene_does_not_depend_on_hidden_information() -> None:
    """It is the same in all determinizations for the seat."""
    for match in positions(4, seed=77, every=11):
        for seat in (0, 3, None):
            seen = scene(match.view(seat))
            for seed in range(3):
                world = StructBuffer(State, match.content)
                match.game.rules.determinize(world.struct, -1 if seat is None else seat, np.uint64(seed))
                assert scene(match.game.ui.view(world.struct, seat)) == seen


def test_pawns_and_parts_on_the_same_tile_are_drawn_apart() -> None:
    for match in positions(5, seed=8):
        drawn = scene(match.view(None))
        spots = [pawn["at"] for pawn in drawn["pawn"].values()]
        spots += [part["at"] for part in drawn["part"].values() if part["place"]]
        assert len(set(spots)) == len(spots)


def test_a_single_clue_is_drawn_as_a_line() -> None:
    tiles = {"A1": "engine-row", "C5": "engine-column"}
    table = desert("archeologist,explorer", tiles=tiles, excavated="A1", at={"archeologist": "C5"})
    before = scene(table.view(None))
    assert before["clue"]["engine"]["line"] == "row" and before["part"]["engine"]["state"] == "hidden"
    table.play("archeologist", "excavate")
    after = scene(table.view(None))
    assert after["clue"]["engine"]["line"] is None and after["part"]["engine"]["place"] == "C1"


def test_the_cover_is_a_standalone_picture() -> None:
    cover = str(renderer_for(skerry.game("forbidden-desert").game, "en").macro("cover"))
    assert Elements(cover).forbidden == [] and cover.strip().startswith("<svg") and 'href="#' not in cover
