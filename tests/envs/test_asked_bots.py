"""Bots that are asked outside of kernels play in environments as at a table."""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np
import pytest

import skerry
from skerry import bots
from skerry.engine.rng import advance, derive_seed
from skerry.envs.batch import Batch
from skerry.envs.config import prepare
from skerry.envs.gymnasium import SkerryEnv
from skerry.games import find_game
from skerry.lab.game_kernels import BOTS_STREAM
from tests.envs.by_hand import ByHand

GAMES = [find_game("forbidden-island"), find_game("hashi")]  # with interruptions, and all at the same time
two_games = pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)


@two_games
def test_an_expert_without_rollouts_at_another_seat_plays_as_at_a_table(game: skerry.Game) -> None:
    task = prepare(game.name, ("me", "expert:1"), limit=0)
    batch, by_hand = Batch(task, 1), ByHand(task.variant.new(7), bots=(1,))
    batch.reset(np.array([7], np.uint64))
    expert, rng, asked = bots.find(game, "expert:1"), np.uint64(derive_seed(np.uint64(7) ^ BOTS_STREAM, 0)), 0
    while asked < 12:
        while (decision := by_hand.decision()) and decision.seat == 1:
            if len(decision.legal) == 1:
                by_hand.answer(1, decision.legal[0])
                continue
            rng, asked = np.uint64(advance(rng)), asked + 1
            think = expert.interrupt if decision.interrupts else expert.choose
            action = think(by_hand.match, 1, int(rng))
            by_hand.answer(1, by_hand.pass_action if action is None else action)
        assert decision is not None and batch.seats[0] == 0
        assert batch.states.tobytes() == by_hand.match.content
        actions = batch.ask(bots.find(game, game.bots[0]))
        by_hand.answer(0, int(actions[0]))
        batch.step(actions)


@two_games
def test_games_with_an_expert_end_and_begin_anew_on_any_number_of_threads(game: skerry.Game) -> None:
    """And with both kinds of autoreset."""
    name, seats = f"skerry/{game.name}-v{game.version}", ("expert:1", "me")
    one: Any = gymnasium.make_vec(name, 3, seats=seats, limit=12)
    two: Any = gymnasium.make_vec(name, 3, seats=seats, limit=12, threads=2)
    for env in (one, two):
        env.reset(seed=3)
    ended = 0
    for _ in range(30):
        actions = one.sample()
        first, second = one.step(actions), two.step(actions)
        assert (first[0]["observation"] == second[0]["observation"]).all() and (one.batch.seats == 1).all()
        ended += int((first[2] | first[3]).sum())
        two.sample()
    assert ended >= 6
    two.close()


def test_an_expert_in_the_learners_place() -> None:
    """Its advice is legal, and the same as in a game of its own."""
    game = find_game("hashi")
    env: Any = gymnasium.make_vec("skerry/hashi-v1", 4, players=1)
    seen, _ = env.reset(seed=[1, 2, 3, 4])
    rng = advance(env.batch.slots["sample_rng"][0])
    actions = env.ask("expert:1")
    assert seen["action_mask"][np.arange(4), actions].all()
    match = game.configure({"players": 1}).new(1)
    decision = ByHand(match).decision()
    assert decision is not None and bots.find(game, "expert:1").choose(match, 0, int(rng)) == actions[0]


def test_an_expert_by_the_clock_would_play_other_games_elsewhere() -> None:
    with pytest.raises(skerry.BadOption, match="how many rollouts"):
        SkerryEnv("hashi", seats=("me", "expert"))
