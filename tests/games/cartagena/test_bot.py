"""The players: what is plainly right, nothing that they cannot know, and as strong as they are said to be."""

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
from .passage import Passage

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
    """What the bot does for the seat that is asked."""
    action = bots.find(GAME, bot).choose(passage.match, passage.seat, seed=7)
    return GAME.actions.action(action, passage.match.names).text


def turn(passage: Passage) -> list[str]:
    """All the skilled player does in the rest of a turn, but for ending it."""
    done: list[str] = []
    while passage.match.waiting and (text := choice(passage)) != "end":
        done.append(text)
        passage.play(text)
    return done


def test_it_brings_the_last_pirate_home() -> None:
    passage = Passage("red sloop sloop sloop sloop sloop 36", red="rum", players=2)
    assert choice(passage) == "play rum 36"


def test_it_brings_the_last_two_home_in_one_turn() -> None:
    passage = Passage("red sloop sloop sloop sloop 35 36", red="rum hook parrot parrot", players=2)
    turn(passage)
    assert passage.winner == "red"


def test_it_jumps_over_what_is_taken() -> None:
    """Rum is at 5, 11, 15, 21 and on; those before 21 are taken, while the other cards go a few spaces only."""
    passage = Passage("green 5 11 15, red 1", red="rum pistol", players=2)
    assert choice(passage) == "play rum prison"


def test_it_fills_a_gap_to_jump_over_it() -> None:
    """Of the hooks before 28 only 1 is free: one space for the first hook, so that the second goes far."""
    passage = Passage("green 9 14 24", red="hook hook rum", players=2)
    passage.state.left = 2
    assert turn(passage) == ["play hook prison", "play hook prison"]


def test_an_empty_hand_goes_back_for_two_cards_rather_than_one() -> None:
    passage = Passage("red 9 20, green 8 19 19", players=2)
    assert choice(passage) == "back 20"


def test_it_does_not_carry_an_opponent_home() -> None:
    """Green needs one more pirate aboard, and Morgan's move would bring it there."""
    crews = "green sloop sloop sloop sloop sloop 30, red 35, yellow 2 3"
    passage = Passage(crews, players=3, draw="morgan", parts="abcdef", red="rum")
    assert not any(text.startswith("morgan green") for text in turn(passage))


def test_it_sails_with_a_full_boat() -> None:
    crews = "red sloop sloop sloop 2 5 7"
    passage = Passage(crews, players=2, story="full", red="rum").sloop_at("cartagena", captain=True)
    assert choice(passage) == "sail free"


def test_it_stays_for_those_who_still_come() -> None:
    crews = "red sloop 18 17 5"
    passage = Passage(crews, players=2, story="full", red="rum rum rum").sloop_at("cartagena", captain=True)
    assert not choice(passage).startswith("sail")


def test_a_dark_card_catches_a_full_hand() -> None:
    cards = "rum rum rum rum rum hook hook hook hook hook"
    passage = Passage("red 3 4", players=2, flibusters="on", red="dark-rum rum", green=cards)
    assert any("dark-rum" in text for text in turn(passage)[:1])


def seats(players: int) -> tuple[str, ...]:
    return ("skilled", "novice", "skilled", "novice", "skilled")[:players]


@pytest.mark.parametrize("options", VARIANTS)
def test_they_come_home(options: dict[str, Any]) -> None:
    variant = skerry.game("cartagena", **options)
    states, steps = play(Series(variant, seats(variant.players), GAMES, seed=3, limit=1_500), 0, GAMES)
    assert (states["ending"] > 0).all() and np.median(steps) < 400


@pytest.mark.parametrize("bot", GAME.bots)
@pytest.mark.parametrize("options", VARIANTS[::2])
def test_hidden_cards_change_nothing(options: dict[str, Any], bot: str) -> None:
    """The same knowledge, other hands and another deck: the same choice."""
    variant, lengths = skerry.game("cartagena", **options), (3, 20, 41) if INTERPRETED else range(0, 200, 9)
    truths = simulated_positions(variant, seats(variant.players), 2 if INTERPRETED else 20, lengths)
    assert len(list(check_choices_ignore_hidden_information(bot, variant, truths))) > (2 if INTERPRETED else 100)


def share(bot: str, against: str, players: int) -> tuple[float, float]:
    """How often a bot wins; who begins is drawn by lot, so that no seat is better than another."""
    variant, games = skerry.game("cartagena", players=players), 500
    total = simulate(Series(variant, (bot, *(against,) * (players - 1)), games, seed=8), cores=1)
    return wilson_interval(float(total.wins[0]), games)


@only_compiled
@pytest.mark.parametrize(("players", "least"), [(2, 0.85), (4, 0.6)])
def test_the_skilled_player_beats_novices(players: int, least: float) -> None:
    assert share("skilled", "novice", players)[0] > least


@only_compiled
@pytest.mark.parametrize(("players", "least"), [(2, 0.9), (4, 0.8)])
def test_a_novice_beats_chance(players: int, least: float) -> None:
    assert share("novice", "random", players)[0] > least
