"""The browser page: every part renders alone and on the page, and every legal action can be touched."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from xml.etree import ElementTree

import numpy as np
import pytest

import skerry
from skerry.engine.conformance import random_play
from skerry.engine.match import Match
from skerry.engine.scene import PartFamily, Scene
from skerry.engine.struct import StructBuffer
from skerry.games.forbidden_island.rules import components
from skerry.server.renderer import Renderer, parts_by_id, renderer_for
from tests.games.forbidden_island.positions import Island


def positions(players: int, seed: int, layout: str = "forbidden-island", every: int = 12) -> Iterator[Match]:
    """The first and last position of a random game, and some between."""
    match = skerry.game("forbidden-island", players=players, layout=layout).new(seed=seed)
    for step, _ in enumerate(random_play(match, random.Random(seed))):
        if step % every == 0:
            yield match
    yield match


def drawn(renderer: Renderer, scene: Scene) -> str:
    """All regions of a page, one after another."""
    seats = [renderer.macro("seat", scene, number) for number in range(len(scene["role"]))]
    regions = [renderer.macro("strip", scene["strip"]), renderer.macro("board", scene), renderer.macro("side", scene)]
    return "".join([*regions, *seats])


def touches(page: str) -> set[str]:
    return set(re.findall(r'data-(?:touch|also)="([^"]*)"', page))


@pytest.fixture(scope="module")
def english() -> Renderer:
    return renderer_for(skerry.game("forbidden-island").game, "en")


@pytest.mark.parametrize("players", [2, 3, 4])
def test_every_part_renders_alone_as_on_the_page(english: Renderer, players: int) -> None:
    for match in positions(players, seed=players):
        for seat in (*range(players), None):
            scene = english.scene(match.view(seat))
            page = drawn(english, scene)
            for name, piece in parts_by_id(scene).items():
                alone = english.render_part(piece).strip()
                assert ElementTree.fromstring(alone).get("id") == name
                assert alone in page


def test_the_page_is_well_formed_with_unique_ids_and_no_inline_code(english: Renderer) -> None:
    for match in positions(4, seed=7, every=25):
        page = drawn(english, english.scene(match.view(0)))
        ids = [element.get("id") for element in ElementTree.fromstring(f"<p>{page}</p>").iter() if element.get("id")]
        assert len(ids) == len(set(ids))
        assert not re.search(r"\sstyle=|<style|<script|\son\w+=", page)
        assert {link[1:] for link in re.findall(r'href="([^"]*)"', page)} <= set(ids)


def test_families_of_parts_keep_their_members_and_order(english: Renderer) -> None:
    members = [
        {name: list(part) for name, part in english.scene(match.view(1)).items() if isinstance(part, PartFamily)}
        for match in positions(3, seed=2)
    ]
    assert members[0].keys() == {"tile", "pawn", "role", "hand"}
    assert all(later == members[0] for later in members)


@pytest.mark.parametrize("layout", components.LAYOUT_SHAPES)
def test_tiles_of_every_layout_do_not_overlap_and_are_inside_the_picture(english: Renderer, layout: str) -> None:
    scene = english.scene(next(positions(4, seed=1, layout=layout)).view(None))
    spots = {(tile["x"], tile["y"]) for tile in scene["tile"].values()}
    assert len(spots) == components.TILES
    assert all(0 < x < scene["sea"]["width"] - 100 and 0 < y < scene["sea"]["height"] - 104 for x, y in spots)
    assert not spots & {(x - 50, y - 52) for x, y in scene["sea"]["compass"]}
    ElementTree.fromstring(english.macro("board", scene))


@pytest.mark.parametrize("players", [2, 4])
def test_every_legal_action_can_be_touched(english: Renderer, players: int) -> None:
    """Except ``end``, which is only in the list of actions."""
    for match in positions(players, seed=30 + players, every=3):
        for seat in range(players):
            found = touches(drawn(english, english.scene(match.view(seat))))
            for action in match.legal(seat):
                named = {f"{kind}:{slug}" for kind, slug in action.entities}
                by_verb = action.verb in {"draw", "flood", "sandbags", "lift", "lift off"}
                assert named | ({f"verb:{action.verb}"} if by_verb else set()) <= found, str(action)


def test_only_the_readers_own_cards_can_be_touched(english: Renderer) -> None:
    island = Island().hand(0, stone=2).hand(1, crystal=1, lift=1)
    scene = english.scene(island.match.view(0))
    assert "treasure:earth-stone" in touches(english.macro("seat", scene, 0))
    assert touches(english.macro("seat", scene, 1)) == {"pawn:messenger"}
    assert "treasure:earth-stone" not in touches(drawn(english, english.scene(island.match.view(None))))


def test_a_scene_does_not_depend_on_hidden_information(english: Renderer) -> None:
    for match in positions(3, seed=11, every=20):
        other = StructBuffer(match.game.state_struct)
        for seat in (0, 2, None):
            other.content = match.content
            match.game.rules.determinize(other.struct, -1 if seat is None else seat, np.uint64(5))
            assert english.scene(match.game.ui.view(other.struct, seat)) == english.scene(match.view(seat))


def test_the_helicopter_is_drawn_when_all_are_ready_and_gone_when_they_have_left(english: Renderer) -> None:
    island = Island()
    assert english.scene(island.match.view(0))["helicopter"]["state"] == "away"
    island.captured("stone", "statue", "crystal", "chalice")
    for seat in range(2):
        island.state.pawn[seat] = island.state.place_of[components.FOOLS_LANDING]
    island.hand(1, lift=1)
    assert english.scene(island.match.view(0))["helicopter"]["state"] == "here"
    island.match.play(1, "lift off")
    assert english.scene(island.match.view(0))["helicopter"]["state"] == "gone"


def test_pawns_on_the_same_tile_are_drawn_side_by_side(english: Renderer) -> None:
    island = Island("pilot,engineer,diver,messenger")
    pawns = english.scene(island.match.view(0))["pawn"].values()  # all of them stand on the last place
    assert len({pawn["x"] for pawn in pawns}) == 4 and len({pawn["y"] for pawn in pawns}) == 1


def test_every_role_has_a_letter_and_every_tile_and_card_a_picture(english: Renderer) -> None:
    assert len({role.letter for role in components.ROLES}) == components.N_ROLES
    board = english.macro("board", english.scene(Island().match.view(0)))
    pictures = [*components.TILE_NAMES, *components.CARDS, *(f"pawn-{role.name}" for role in components.ROLES)]
    assert all(f'id="island-{name}"' in board for name in pictures)


def test_a_tiles_title_has_its_name_place_and_condition(english: Renderer) -> None:
    island = Island(board=". ~ " + "- " * 22)
    scene = english.scene(island.match.view(0))
    drawings = "".join(english.macro("tile", place, scene["tile"][place]) for place in ("C1", "D1", "B2", "B5"))
    assert re.findall("<title>(.*)</title>", drawings) == [
        "Breakers Bridge (C1), dry",
        "Cliffs of Abandon (D1), flooded",
        "Crimson Forest (B2), sunk",
        "Fools&#39; Landing (B5), sunk; start: Pilot",
    ]


def test_the_cover_is_a_standalone_picture(english: Renderer) -> None:
    cover = ElementTree.fromstring(english.macro("cover"))
    assert cover.get("viewBox") == "0 0 320 200"
    assert not [element for element in cover.iter() if element.get("href") or element.get("class") or element.get("id")]
