"""What positions are worth: the network as it is written down, what it has learnt, and that it sees nothing hidden."""

from __future__ import annotations

import importlib
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from skerry.botkit.deep_sets import DeepSetsShape, EntityGroup
from skerry.bots import default_bot, find
from skerry.bots.value_net import ValueNet, value_kernel, value_net_of
from skerry.engine.game import Game, Variant
from skerry.engine.kernel import kernel, kernel_array
from skerry.engine.match import Match
from skerry.games import all_games
from tests.modes import told_in_both

JUDGED = pytest.mark.parametrize("game", [game for game in all_games() if game.value_net], ids=lambda game: game.name)
GAMES = 120


def judgement(game: Game) -> ValueNet:
    found = value_net_of(game)
    assert found is not None
    return found


def worth(match: Match) -> float:
    judged = judgement(match.game)
    return float(
        judged.worth(
            match.state, kernel_array(judged.weights[match.variant.players]), kernel_array(np.zeros(judged.shape.desk))
        )
    )


def sketched(match: Match) -> NDArray[np.float64]:
    desk = np.zeros(judgement(match.game).shape.desk)
    module = importlib.import_module(f"{match.game.package}.bot.state_features")
    module.write_state_features(match.state, kernel_array(desk))
    return desk[: judgement(match.game).shape.inputs]


def least(game: Game) -> Variant:
    """With as few players as there can be: positions of such games are judged."""
    return game.configure({"players": game.seats[0]})


def turns(variant: Variant, seed: int) -> tuple[list[Match], float]:
    """The beginnings of the turns of a game as the game's own best player plays it; and whether it is won, or alone
    its points."""
    match, bot = variant.new(seed=seed), find(variant.game, default_bot(variant.game))
    begun: list[Match] = []
    while match.result is None:
        if not begun or match.state.turns != begun[-1].state.turns:
            begun.append(match.copy())
        seat = match.waiting[0]
        match.play(seat, bot.choose(match, seat, len(match.steps)))
    return begun, float(match.result.ending.won if variant.game.cooperative else match.result.scores[0])


def by_hand(shape: DeepSetsShape, weights: NDArray[np.float64], seen: NDArray[np.float64]) -> float:
    """The network in matrices."""
    layers, at = [], 0
    for numbers, size in shape.layers:
        matrix = weights[at : at + numbers * size].reshape(numbers, size)
        layers.append((matrix, weights[at + numbers * size : at + (numbers + 1) * size]))
        at += (numbers + 1) * size
    parts, start = [], 0
    for (things, numbers, _), (matrix, bias) in zip(shape.groups, layers, strict=False):
        mine = seen[start : start + things * numbers].reshape(things, numbers)
        parts.append((np.maximum(mine @ matrix + bias, 0) * (mine[:, :1] != 0)).sum(0))
        start += things * numbers
    inside = np.concatenate(parts)
    for matrix, bias in layers[-3:-1]:
        inside = np.maximum(inside @ matrix + bias, 0)
    out = float((inside @ layers[-1][0] + layers[-1][1])[0])
    return 0.5 + 0.5 * out / (1 + abs(out))


def test_the_network_is_the_one_that_is_written_down() -> None:
    shape = DeepSetsShape((EntityGroup(3, 4, 5), EntityGroup(1, 6, 2)), 7, 3)
    chance = np.random.default_rng(1)
    weights, seen = chance.normal(size=shape.size), chance.normal(size=shape.inputs)
    seen[4:8] = 0  # the second thing is not there

    @kernel
    def sketch(state: Any, out: Any) -> float:
        for i in range(len(state)):
            out[i] = state[i]
        return 3.0

    desk = kernel_array(np.zeros(shape.desk))
    told = value_kernel(sketch, shape, 20.0)(kernel_array(seen), kernel_array(weights), desk)
    share = by_hand(shape, weights, seen)
    assert 0 < share < 1
    assert told == pytest.approx(3 + 20 * share, abs=1e-12)


@JUDGED
def test_it_looks_at_what_all_know(game: Game) -> None:
    for seed in range(3):
        begun, _ = turns(least(game), seed)
        for match in begun[1::5]:
            other = match.copy()
            game.rules.determinize(other.state, -1, np.uint64(seed))
            assert other.content != match.content
            assert sketched(other).tolist() == sketched(match).tolist()


@JUDGED
def test_a_sketch_has_numbers_of_about_one(game: Game) -> None:
    for players in game.seats:
        begun, _ = turns(game.configure({"players": players}), 2)
        seen = np.array([sketched(match) for match in begun])
        assert np.isfinite(seen).all() and np.abs(seen).max() <= 5


@JUDGED
def test_it_tells_good_games_from_bad_ones(game: Game) -> None:
    """By far more than chance would: so the weights belong to the sketch that is there. (How many it expects to be won
    is another matter: it was taught by stronger play than this.)"""
    hopes, ends = [], []
    for seed in range(GAMES):
        begun, end = turns(least(game), seed)
        hopes += [worth(match) for match in begun]
        ends += [end] * len(begun)
    guessed, true = np.array(hopes), np.array(ends)
    assert true.std() > 0.2  # some are won and some lost, at least one in twenty
    assert np.corrcoef(guessed, true)[0, 1] ** 2 > 0.15


@JUDGED
def test_it_comes_to_the_same_when_interpreted(game: Game) -> None:
    code = f"""
from skerry.games import find_game
from tests.bots.test_value_net import least, turns, worth
begun, _ = turns(least(find_game({game.name!r})), 1)
print([worth(match).hex() for match in begun[:3]])
"""
    compiled, interpreted = told_in_both(code)
    assert compiled and compiled == interpreted
