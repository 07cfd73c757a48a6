"""Pages are rendered by parts: shared parts once for all readers, and only the parts that have changed."""

from __future__ import annotations

import pytest

from skerry.engine.conformance import random_positions
from skerry.engine.game import Game
from skerry.games import all_games
from skerry.server.renderer import Part, PartChanges, parts_by_id, renderer_for


@pytest.mark.parametrize("game", all_games(), ids=lambda game: game.name)
def test_shared_parts_are_the_same_from_every_seat(game: Game) -> None:
    for match, _ in random_positions(game, games=8, every=5):
        common = game.page.shared_parts(match.view(None))
        for seat in range(match.variant.players):
            assert game.page.shared_parts(match.view(seat)) == common
            assert not common.keys() & game.page.personal_parts(match.view(seat)).keys()


@pytest.mark.parametrize("game", all_games(), ids=lambda game: game.name)
def test_the_changed_parts_lead_from_one_page_to_the_next(game: Game) -> None:
    renderer = renderer_for(game, "en")
    for match, _ in random_positions(game, games=2, every=10**6):
        changes, start = PartChanges(), match.variant.new(match.seed)
        shown: dict[str, Part] = {}
        late: dict[str, Part] = {}  # of a client that gets every third version
        for version, step in enumerate([None, *match.steps], 1):
            if step is not None:
                start.apply(step)
            scene = renderer.scene(start.view(0))
            changes.update(scene, version)
            shown |= {part.element_id: part for part in changes.since(version - 1)}
            assert shown == parts_by_id(renderer.scene(start.view(0)))
            if version % 3 == 0:
                late |= {part.element_id: part for part in changes.since(version - 3)}
                assert late == shown
                changes.forget(version)
        assert not list(changes.since(version))


def test_changes_are_kept_for_readers_who_have_not_got_them() -> None:
    changes = PartChanges()
    for version, place in enumerate(("A1", "B1", "C1"), 1):
        changes.update({"pawn": place, "board": "same"}, version)
    changes.forget(2)
    assert list(changes.since(2)) == [Part("pawn", None, "C1")]
    changes.update({"pawn": "C1", "board": "other"}, 4)
    assert set(changes.since(2)) == {Part("pawn", None, "C1"), Part("board", None, "other")}
    assert list(changes.since(4)) == []
