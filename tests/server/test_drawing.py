"""Pages are drawn by parts: what all see alike once for all, and of the rest what has changed."""

from __future__ import annotations

import pytest

from skerry.engine.conformance import positions
from skerry.engine.game import Game
from skerry.games import every
from skerry.server.renderer import Marks, Parts, Piece, artist, element, pieces


@pytest.mark.parametrize("game", every(), ids=lambda game: game.name)
def test_what_is_common_looks_the_same_from_every_seat(game: Game) -> None:
    for match, _ in positions(game, games=8, every=5):
        common = game.page.common(match.view(None))
        for seat in range(match.variant.players):
            assert game.page.common(match.view(seat)) == common
            assert not common.keys() & game.page.own(match.view(seat)).keys()


@pytest.mark.parametrize("game", every(), ids=lambda game: game.name)
def test_the_changed_parts_lead_from_one_page_to_the_next(game: Game) -> None:
    art = artist(game, "en")
    for match, _ in positions(game, games=2, every=10**6):
        marks, start = Marks(), match.variant.new(match.seed)
        shown: dict[str, Piece] = {}
        late: dict[str, Piece] = {}  # of a reader who is told of every third step
        for version, step in enumerate([None, *match.steps], 1):
            if step is not None:
                start.take(step)
            scene = Parts(art.scene(start.view(0)))
            marks.note(scene, version)
            shown |= {element(piece): piece for piece in marks.since(scene, version - 1)}
            assert shown == pieces(art.scene(start.view(0)))
            if version % 3 == 0:
                late |= {element(piece): piece for piece in marks.since(scene, version - 3)}
                assert late == shown
        assert marks.since(scene, version) == []
