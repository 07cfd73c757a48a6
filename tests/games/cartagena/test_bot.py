"""The bots: obviously right choices, no use of hidden information, and playing strength."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import skerry
from skerry import bots
from skerry.engine.kernel import INTERPRETED
from skerry.games.cartagena import GAME
from skerry.lab.simulate import Series, play, simulate
from skerry.lab.statistics import wilson_interval
from tests.modes import only_compiled

from ..hidden_information import check_choices_ignore_hidden_information, simulated_positions
from .positions import Passage

GAMES = 2 if INTERPRETED else 40
VARIANTS: list[dict[str, Any]] = [
    {},
    {"players": 2, "parts": 8},
    {"players": 5, "draw": "morgan"},
    {"story": "full", "draw": "back"},
    {"story": "full", "draw": "morgan"},
    {"story": "full", "draw": "back-then-morgan", "magic": "on", "flibusters": "on", "players": 3},
    {"story": "tortuga", "draw": "both", "magic": "on"},
]


def choice(passage: Passage, bot: str = "skilled") -> str:
    """The bot's choice for the seat that the game waits for."""
    action = bots.find(GAME, bot).choose(passage.match, passage.seat, seed=7)
    return GAME.actions.action(action, passage.match.names).text


def play_turn(passage: Passage) -> list[str]:
    """Play the rest of a turn with the skilled bot, but for ending it."""
    done: list[str] = []
    while passage.match.waiting and (text := choice(passage)) != "end":
        done.append(text)
        passage.play(text)
    return done


def test_skilled_wins_with_the_last_pirate() -> None:
    passage = Passage("red sloop sloop sloop sloop sloop 36", red="rum", players=2)
    assert choice(passage) == "play rum 36"


def test_skilled_wins_with_the_last_two_pirates_in_one_turn() -> None:
    passage = Passage("red sloop sloop sloop sloop 35 36", red="rum hook parrot parrot", players=2)
    play_turn(passage)
    assert passage.winner == "red"


def test_skilled_jumps_over_taken_spaces() -> None:
    """Rum is at 5, 11, 15, 21 and so on. Those before 21 are taken; other cards move only a few spaces."""
    passage = Passage("green 5 11 15, red 1", red="rum pistol", players=2)
    assert choice(passage) == "play rum prison"


def test_skilled_takes_a_space_to_jump_over_it_next() -> None:
    """Of the hooks before 28 only 1 is empty: the first hook moves one space, so that the second moves far."""
    passage = Passage("green 9 14 24", red="hook hook rum", players=2)
    passage.state.left = 2
    assert play_turn(passage) == ["play hook prison", "play hook prison"]


def test_skilled_moves_back_for_two_cards_rather_than_one() -> None:
    passage = Passage("red 9 20, green 8 19 19", players=2)
    assert choice(passage) == "back 20"


def test_skilled_does_not_move_an_opponent_to_victory() -> None:
    """Green needs one more pirate aboard, and Morgan's move would bring it there."""
    crews = "green sloop sloop sloop sloop sloop 30, red 35, yellow 2 3"
    passage = Passage(crews, players=3, draw="morgan", parts="abcdef", red="rum")
    assert not any(text.startswith("morgan green") for text in play_turn(passage))


def test_skilled_sails_with_a_full_sloop() -> None:
    crews = "red sloop sloop sloop 2 5 7"
    passage = Passage(crews, players=2, story="full", red="rum").sloop_at("cartagena", captain=True)
    assert choice(passage) == "sail free"


def test_skilled_waits_for_pirates_that_can_still_board() -> None:
    crews = "red sloop 18 17 5"
    passage = Passage(crews, players=2, story="full", red="rum rum rum").sloop_at("cartagena", captain=True)
    assert not choice(passage).startswith("sail")


def test_skilled_catches_a_full_hand_with_a_dark_card() -> None:
    cards = "rum rum rum rum rum hook hook hook hook hook"
    passage = Passage("red 3 4", players=2, flibusters="on", red="dark-rum rum", green=cards)
    assert any("dark-rum" in text for text in play_turn(passage)[:1])


def seats(players: int) -> tuple[str, ...]:
    return ("skilled", "novice", "skilled", "novice", "skilled")[:players]


@pytest.mark.parametrize("options", VARIANTS)
def test_bots_finish_games(options: dict[str, Any]) -> None:
    variant = skerry.game("cartagena", **options)
    states, steps = play(Series(variant, seats(variant.players), GAMES, seed=3, limit=1_500), 0, GAMES)
    assert (states["ending"] > 0).all() and np.median(steps) < 400


@pytest.mark.parametrize("bot", GAME.bots)
@pytest.mark.parametrize("options", VARIANTS[::2])
def test_choices_do_not_depend_on_hidden_cards(options: dict[str, Any], bot: str) -> None:
    """In determinizations of a position a bot makes the same choice."""
    variant, lengths = skerry.game("cartagena", **options), (3, 20, 41) if INTERPRETED else range(0, 200, 9)
    truths = simulated_positions(variant, seats(variant.players), 2 if INTERPRETED else 20, lengths)
    assert len(list(check_choices_ignore_hidden_information(bot, variant, truths))) > (2 if INTERPRETED else 100)


def win_rate(bot: str, against: str, players: int) -> tuple[float, float]:
    """How often a bot wins. The first seat is random, so that no seat has an advantage."""
    variant, games = skerry.game("cartagena", players=players), 500
    total = simulate(Series(variant, (bot, *(against,) * (players - 1)), games, seed=8), cores=1)
    return wilson_interval(float(total.wins[0]), games)


@only_compiled
@pytest.mark.parametrize(("players", "least"), [(2, 0.85), (4, 0.6)])
def test_skilled_beats_novices(players: int, least: float) -> None:
    assert win_rate("skilled", "novice", players)[0] > least


@only_compiled
@pytest.mark.parametrize(("players", "least"), [(2, 0.9), (4, 0.8)])
def test_novice_beats_random(players: int, least: float) -> None:
    assert win_rate("novice", "random", players)[0] > least
