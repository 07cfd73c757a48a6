"""A commented first game of every kind: its line can be played, and what it points at is there."""

from __future__ import annotations

import pytest

from skerry.engine.game import Game
from skerry.engine.tutorial import tutorial_positions
from skerry.games import all_games
from skerry.server.renderer import renderer_for


@pytest.mark.parametrize("game", all_games(), ids=lambda game: game.name)
def test_the_line_of_a_guide_can_be_played_to_its_last_comment(game: Game) -> None:
    spots = tutorial_positions(game)
    comments = game.tutorial.steps
    assert 8 <= len(comments) <= 15
    assert {spot.step for spot in spots.values()} == set(range(len(comments)))
    ((content, last),) = [(content, spot) for content, spot in spots.items() if spot.action is None]
    assert last.step == len(comments) - 1
    assert 0 in waiting_at(game, content), "the last comment stays until the reader has read it and acts"
    mine = {spot.step for spot in spots.values() if spot.seat == 0}
    assert mine == set(range(len(comments) - 1)), "every comment but the last has something to do for the reader"


def waiting_at(game: Game, content: bytes) -> tuple[int, ...]:
    """Whom the game waits for at a position of its line."""
    match = game.configure(game.tutorial.options).new(game.tutorial.seed)
    spots = tutorial_positions(game)
    while match.content != content:
        spot = spots[match.content]
        assert spot.seat is not None and spot.action is not None
        match.play(spot.seat, spot.action)
    return match.waiting


@pytest.mark.parametrize("game", all_games(), ids=lambda game: game.name)
def test_what_a_guide_points_at_is_on_the_page(game: Game) -> None:
    renderer = renderer_for(game, "en")
    match = game.configure(game.tutorial.options).new(game.tutorial.seed)
    scene = game.scene(match.view(0))
    seats = [renderer.macro("seat", scene, seat) for seat in range(match.variant.players)]
    page = "".join([renderer.macro("board", scene), renderer.macro("side", scene), *seats])
    for comment in game.tutorial.steps:
        for look in comment.highlights:
            wanted = f'id="{look[1:]}"' if look.startswith("#") else f'data-touch="{look}"'
            assert wanted in page, look
