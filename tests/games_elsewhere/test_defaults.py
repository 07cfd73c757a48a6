"""The defaults of a game that brings its rules only: names, view, prompt, refusals, page and terminal board."""

from __future__ import annotations

import io
import json

import pytest
from rich.console import Console

import skerry
from skerry.engine.errors import Illegal, NotYourTurn, NoUndo
from skerry.engine.game import Game
from skerry.engine.match import Match


@pytest.fixture
def tic_tac_toe(example_games: list[Game]) -> Match:
    return example_games[0].configure({}).new(seed=1)


@pytest.fixture
def lanterns(example_games: list[Game]) -> Match:
    return example_games[1].configure({"players": 3}).new(seed=1)


def printed(match: Match, seat: int) -> str:
    console = Console(file=io.StringIO(), width=80)
    console.print(match.game.ui.board(match.view(seat), 80))
    assert isinstance(console.file, io.StringIO)
    return console.file.getvalue()


def test_a_seat_sees_its_own_hand_and_how_many_cards_the_others_hold(lanterns: Match) -> None:
    for reader in (0, 1, 2, None):
        hands = lanterns.view(reader)["hands"]
        assert [hand["total"] for hand in hands] == [3, 3, 3]
        assert [hand["cards"] is not None for hand in hands] == [owner == reader for owner in range(3)]
    assert sum(lanterns.view(1)["hands"][1]["cards"]) == 3


def test_of_a_pile_only_the_size_is_shown_and_nothing_that_no_component_names(lanterns: Match) -> None:
    view = lanterns.view(0)
    assert view["bag"] == 4 * 8 + 4 - 3 * 3
    assert set(view) == {"players", "seat", "bag", "scores", "hands"}
    assert str(lanterns.state.rng) not in json.dumps(view)


def test_names_come_from_the_fact_sheet_or_from_kind_and_number(tic_tac_toe: Match, lanterns: Match) -> None:
    assert [action.text for action in tic_tac_toe.legal(0)][:2] == ["mark 1", "mark 2"]
    assert str(tic_tac_toe.label(0)) == "Mark cell 1"
    assert lanterns.action("light red-lantern").id == 1
    assert str(lanterns.label(1)) == "Light red lantern"
    assert str(lanterns.names["player"][0].title) == "Ada"


def test_the_prompt_says_whose_turn_it_is_and_at_the_end_who_has_won(tic_tac_toe: Match) -> None:
    assert str(tic_tac_toe.prompt(0)) == "Your turn"
    assert str(tic_tac_toe.prompt(1)) == str(tic_tac_toe.prompt(None)) == "Waiting for Player 1"
    for seat, cell in (0, 5), (1, 1), (0, 2), (1, 3), (0, 8):
        tic_tac_toe.play(seat, f"mark {cell}")
    assert str(tic_tac_toe.prompt(0)) == "You win: Three in a row"
    assert str(tic_tac_toe.prompt(1)) == "Player 1 wins: Three in a row"


def test_a_draw_is_told_to_everybody(tic_tac_toe: Match) -> None:
    for number, cell in enumerate((1, 2, 3, 5, 4, 6, 8, 7, 9)):
        tic_tac_toe.play(number % 2, f"mark {cell}")
    assert tic_tac_toe.result is not None and tic_tac_toe.result.winners == (0, 1)
    assert str(tic_tac_toe.prompt(0)) == str(tic_tac_toe.prompt(None)) == "A draw: The board is full"


def test_a_refusal_says_whose_turn_it_is_or_what_can_be_done(tic_tac_toe: Match, lanterns: Match) -> None:
    with pytest.raises(NotYourTurn, match=r"(?i)it is not your turn: waiting for Player 1"):
        tic_tac_toe.play(1, "mark 1")
    tic_tac_toe.play(0, "mark 1")
    with pytest.raises(Illegal, match=r"(?i)Mark cell 1 is not possible now; there are 8 other actions"):
        tic_tac_toe.play(1, "mark 1")
    with pytest.raises(Illegal, match=r"(?i)Blow a gust is not possible now; you can: .*Draw a card"):
        lanterns.play(0, "gust")


def test_the_page_has_a_part_for_each_square_pile_counter_and_hand(tic_tac_toe: Match, lanterns: Match) -> None:
    squares = tic_tac_toe.game.scene(tic_tac_toe.view(0))["square"]
    assert {(square["x"], square["y"]) for square in squares.values()} == {
        (28 + 100 * column, 28 + 100 * row) for row in range(3) for column in range(3)
    }
    scene = lanterns.game.scene(lanterns.view(1))
    assert scene["pile"]["bag"]["count"] == 27
    assert scene["number"]["scores"]["values"] == [0, 0, 0]
    assert [hand["open"] for hand in scene["hand"].values()] == [False, True, False]
    assert "hand" not in lanterns.game.page.shared_parts(lanterns.view(None))


def test_the_terminal_shows_squares_to_type_and_the_readers_hand(tic_tac_toe: Match, lanterns: Match) -> None:
    tic_tac_toe.play(0, "mark 5")
    board = printed(tic_tac_toe, 1)
    assert "X" in board and "9" in board and "5" not in board
    board = printed(lanterns, 1)
    assert "Bag: 27" in board and "Ada: Hand 3" in board and "Ben: Hand" not in board


def test_whose_step_cannot_be_undone_is_said_by_name(lanterns: Match) -> None:
    match = lanterns.copy()
    match.play(0, "draw")
    with pytest.raises(NoUndo, match=r"another's: Ada$"):
        match.undo(1)


def test_a_record_replays(lanterns: Match) -> None:
    lanterns.play(0, "draw")
    assert skerry.replay(lanterns.record()).content == lanterns.content
