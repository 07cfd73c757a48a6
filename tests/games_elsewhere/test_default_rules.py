"""The rules that a game does not write: turns, results, what agents observe, and what verbs tell."""

from __future__ import annotations

import dataclasses
from typing import Any

import numpy as np
import pytest

from skerry import toolkit as tk
from skerry.engine.errors import BadGame, Illegal
from skerry.engine.game import Game
from skerry.engine.kernel import kernel_array
from skerry.engine.match import Match
from skerry.engine.rules import rules_of

GUST, RED = 4, 0


@pytest.fixture
def tic_tac_toe(example_games: list[Game]) -> Match:
    return example_games[0].configure({}).new(seed=1)


@pytest.fixture
def lanterns(example_games: list[Game]) -> Match:
    return example_games[1].configure({"players": 3}).new(seed=1)


def observed(match: Match, seat: int) -> dict[str, list[float]]:
    """The observation of a seat, by its blocks."""
    out = np.zeros(match.game.observation_size, np.float32)
    match.game.rules.observe(match.state, seat, kernel_array(out))
    blocks = match.game.observation
    return {block.name: out[blocks.offset(block.name) :][: block.size].tolist() for block in blocks}


def test_seats_take_turns_until_one_wins(tic_tac_toe: Match) -> None:
    for number, cell in enumerate((5, 1, 2, 3)):
        assert tic_tac_toe.waiting == (number % 2,) and not tic_tac_toe.legal(1 - number % 2)
        tic_tac_toe.play(number % 2, f"mark {cell}")
    tic_tac_toe.play(0, "mark 8")
    assert tic_tac_toe.waiting == () and not tic_tac_toe.legal(0) and not tic_tac_toe.legal(1)
    assert tic_tac_toe.result is not None
    assert tic_tac_toe.result.scores == (1.0, 0.0) and tic_tac_toe.result.reason == "line"


def test_interrupts_are_all_that_is_legal_in_anothers_turn(lanterns: Match) -> None:
    lanterns.state.hands[2, GUST] = 1
    assert [str(action) for action in lanterns.legal(2)] == ["gust"]
    assert "gust" not in map(str, lanterns.legal(0))
    lanterns.play(2, "gust")
    assert lanterns.waiting == (0,)
    lanterns.state.ending = 1
    assert not lanterns.legal(2)


def test_a_verb_tells_what_is_done_to_everybody(tic_tac_toe: Match, lanterns: Match) -> None:
    (event,) = tic_tac_toe.play(0, "mark 5")
    assert str(event) == "Player 1 marks cell 5"
    assert event.as_dict() == {"event": "mark", "player": "1", "cell": "5"}
    lanterns.state.hands[0, RED] = 3
    lanterns.play(0, "light red-lantern")
    assert [[str(event) for event in step] for step in lanterns.events(None)] == [["Ada lights a red lantern"]]


def test_an_agent_observes_what_the_layout_shows(tic_tac_toe: Match, lanterns: Match) -> None:
    tic_tac_toe.play(0, "mark 5")
    tic_tac_toe.play(1, "mark 9")
    crosses, noughts = [0.0] * 9, [0.0] * 9
    crosses[4], noughts[8] = 1.0, 1.0
    assert observed(tic_tac_toe, 0) == {"my-seat": [1, 0], "my-turn": [1], "cells": [*crosses, *noughts]}
    assert observed(tic_tac_toe, 1)["my-turn"] == [0]
    lanterns.state.scores[1] = 2
    mine = observed(lanterns, 1)
    assert mine["hands"] == list(lanterns.view(1)["hands"][1]["cards"])
    assert mine["hands-sizes"] == [3, 3, 3, 0] and mine["scores"] == [2, 0, 0, 0]
    assert mine["bag"] == [27]


def test_what_chance_will_bring_is_drawn_anew_for_bots(lanterns: Match) -> None:
    worlds = [lanterns.determinized(0, seed).struct for seed in (1, 1, 2)]
    rngs = [int(world.rng) for world in worlds]
    assert rngs[0] == rngs[1] != rngs[2] and int(lanterns.state.rng) not in rngs
    hands = [np.asarray(world.hands).tolist() for world in worlds]
    assert hands[0][0] == np.asarray(lanterns.state.hands).tolist()[0]
    assert [sum(cards) for cards in hands[2]] == [3, 3, 3, 0] and hands[0] != hands[2]


def test_facts_that_follow_from_others_follow_them_in_a_changed_fact_sheet(example_games: list[Game]) -> None:
    small = example_games[1]
    large = dataclasses.replace(
        small,
        seats=range(2, 3),
        options=(tk.Choice("wind", "how strong it is", ("weak", "strong"), "weak"),),
        layout=small.layout[:1],
    )
    assert [option.name for option in large.options] == ["players", "wind"]
    assert large.options_struct.dtype.names == ("players", "wind")
    assert [block.name for block in large.observation] == ["my-seat", "my-turn", "bag"]
    assert [kind.name for kind in large.events] == [kind.name for kind in small.events] == ["drew", "blew", "light"]
    assert large.configure({"wind": "strong"}).encoded_options.struct.wind == 1


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (
            {"layout": (tk.Grid(field="squares", rows=3, columns=3, pieces=("", "X")),)},
            "the layout shows squares, which",
        ),
        (
            {"actions": tk.Actions(tk.Verb("swap", *[tk.One("cell", 2)] * 4, help="swaps", told="{player} swaps"))},
            "the verb swap names more than 3 things",
        ),
        ({"name": "Tic Tac Toe"}, "the name 'Tic Tac Toe' is not words of a-z joined by hyphens, such as my-game"),
        ({"seats": 2}, r"seats is a range of the numbers of players, such as range\(2, 5\) for 2 to 4, not 2"),
        ({"seats": range(2, 40)}, "seats must be a range of consecutive numbers from 1 to 8"),
        ({"actions": (tk.Verb("pass", help="passes"),)}, "actions must be Actions.*, not of type tuple"),
        ({"state_struct": object}, "the class of the state is no struct: write @tk.struct above it"),
        (
            {"endings": tk.Ending("end", "It is over")},
            "endings must be a tuple of Ending, not of type Ending; one of them",
        ),
        ({"endings": ()}, "endings are empty: a game needs at least one way to end"),
        ({"layout": ("cells",)}, "layout must be a tuple of Grid or Track or Counter or Pile or Hand; it has a str"),
        ({"names": {"cell": "abc"}}, "the names of cell must be a tuple of str, not of type str"),
        (
            {"layout": (tk.Grid(field="cells", rows=3, columns=3, pieces=("",)),)},
            "the grid cells needs two signs or more: the first is for the number 0",
        ),
        (
            {"layout": (tk.Grid(field="cells", rows=4, columns=3, pieces=("", "X")),)},
            "the grid cells has 4 x 3 squares, but the field 9 numbers",
        ),
    ],
)
def test_a_fact_sheet_that_does_not_fit_says_what_is_wrong(
    example_games: list[Game], change: dict[str, Any], said: str
) -> None:
    with pytest.raises(BadGame, match=f"(?i){said}"):
        dataclasses.replace(example_games[0], **change)


def test_rules_without_the_fields_of_turns_say_which_kernel_is_missing(example_games: list[Game]) -> None:
    @tk.struct
    class Bare:
        players: tk.i8
        turns: tk.i16
        cells: tk.i8

    bare = dataclasses.replace(example_games[0], state_struct=Bare, layout=(tk.Counter(field="cells", title="Cells"),))
    with pytest.raises(BadGame, match=r"(?i)has no kernel waiting; the default one reads the fields turn and ending"):
        rules_of(bare)


def test_a_refusal_of_an_interrupt_in_ones_own_turn_names_what_can_be_done(lanterns: Match) -> None:
    with pytest.raises(Illegal, match=r"(?i)blow a gust is not possible now; you can: draw a card"):
        lanterns.play(0, "gust")
