"""The tutorials of all games: their lines can be played, and what they highlight is on the page."""

from __future__ import annotations

import pytest

from skerry.engine.game import Game
from skerry.engine.tutorial import tutorial_positions
from skerry.games import all_games
from skerry.server.renderer import renderer_for


@pytest.mark.parametrize("game", all_games(), ids=lambda game: game.name)
def test_a_tutorial_can_be_played_to_its_last_step(game: Game) -> None:
    positions = tutorial_positions(game)
    steps = game.tutorial.steps
    assert 8 <= len(steps) <= 15
    assert {position.step for position in positions.values()} == set(range(len(steps)))
    ((content, last),) = [(content, position) for content, position in positions.items() if position.action is None]
    assert last.step == len(steps) - 1
    assert 0 in seats_waited_for_at(game, content), "the last comment stays until the reader acts"
    own_steps = {position.step for position in positions.values() if position.seat == 0}
    assert own_steps == set(range(len(steps) - 1)), "the reader has something to do in every step but the last"


def seats_waited_for_at(game: Game, content: bytes) -> tuple[int, ...]:
    """The seats that the game waits for at a position of its tutorial."""
    match = game.configure(game.tutorial.options).new(game.tutorial.seed)
    positions = tutorial_positions(game)
    while match.content != content:
        position = positions[match.content]
        assert position.seat is not None and position.action is not None
        match.play(position.seat, position.action)
    return match.waiting


@pytest.mark.parametrize("game", all_games(), ids=lambda game: game.name)
def test_what_a_tutorial_highlights_is_on_the_page(game: Game) -> None:
    renderer = renderer_for(game, "en")
    match = game.configure(game.tutorial.options).new(game.tutorial.seed)
    scene = game.scene(match.view(0))
    seats = [renderer.macro("seat", scene, seat) for seat in range(match.variant.players)]
    page = "".join([renderer.macro("board", scene), renderer.macro("side", scene), *seats])
    for step in game.tutorial.steps:
        for highlight in step.highlights:
            wanted = f'id="{highlight[1:]}"' if highlight.startswith("#") else f'data-touch="{highlight}"'
            assert wanted in page, highlight
