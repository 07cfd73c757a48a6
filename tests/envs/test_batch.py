"""Many games in one call are the games that a match plays by hand."""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import skerry
from skerry import bots
from skerry.bots.bot import Bot
from skerry.engine.conformance import variants
from skerry.engine.kernel import INTERPRETED, kernel, kernel_array
from skerry.engine.loop import PASS
from skerry.engine.rng import derive_seed
from skerry.engine.struct import StructBuffer
from skerry.envs import config
from skerry.envs.batch import HIGHEST_OBSERVED, LOWEST_OBSERVED, Batch
from skerry.envs.config import EnvConfig, prepare
from skerry.games import find_game
from skerry.lab.game_kernels import BOTS_STREAM
from tests.envs.by_hand import ByHand, Decision


def seeds(count: int) -> NDArray[np.uint64]:
    return np.arange(7, 7 + count, dtype=np.uint64)


def begun(task: EnvConfig, count: int = 4, **more: Any) -> Batch:
    played = Batch(task, count, **more)
    played.reset(seeds(count))
    return played


def team(game: skerry.Game, **more: Any) -> EnvConfig:
    """The learner at every seat, which needs nothing compiled but the game."""
    players = min(3, game.seats[-1])
    return prepare(game.name, ("me",) * players, **more)


def test_a_batch_plays_what_a_match_plays(game: skerry.Game) -> None:
    """Seats that may interrupt are asked first, then the lowest waiting one; forced steps go by themselves."""
    task = team(game, limit=0)
    played = begun(task, 3)
    by_hand = [ByHand(task.variant.new(int(seed))) for seed in seeds(3)]
    for _ in range(60):
        for i, one in enumerate(by_hand):
            decision = one.decision()
            if decision is not None:
                assert played.seats[i] == decision.seat
                assert np.flatnonzero(played.observations["action_mask"][i]).tolist() == decision.legal
                assert played.states[i : i + 1].tobytes() == one.match.content
        actions = played.sample()
        asked = played.seats.copy()
        played.step(actions)
        for i, one in enumerate(by_hand):
            one.answer(int(asked[i]), int(actions[i]))
        assert not played.truncated.any()
        if played.terminated.any():
            break


def test_without_interruptions_only_waiting_seats_are_asked(game: skerry.Game) -> None:
    """And there is no action to pass."""
    task = team(game, limit=0, interrupts=False)
    played, match = begun(task, 1), task.variant.new(7)
    assert task.actions == game.actions.size
    for _ in range(60):
        while match.waiting and len(match.legal_ids(match.waiting[0])) == 1:
            match.play(match.waiting[0], match.legal_ids(match.waiting[0])[0])
        if match.result is not None:
            break
        assert played.seats[0] == match.waiting[0]
        assert np.flatnonzero(played.observations["action_mask"][0]).tolist() == match.legal_ids(match.waiting[0])
        actions = played.sample()
        match.play(match.waiting[0], int(actions[0]))
        played.step(actions)


def test_a_bot_at_another_seat_knows_what_its_seat_knows(game: skerry.Game) -> None:
    """Its choice is that of ``Bot.choose``, which gets a sample of what the seat cannot know."""
    task = prepare(game.name, ("me", game.bots[0]), limit=0)
    played, by_hand = begun(task, 1), ByHand(task.variant.new(7), bots=(1,))
    bot, rng = bots.find(game, game.bots[0]), int(derive_seed(np.uint64(7) ^ BOTS_STREAM, 0))
    for decisions in range(25):
        while (decision := by_hand.decision()) and decision.seat == 1:
            action, rng = chosen(bot, by_hand.match, decision, rng)
            by_hand.answer(1, action)
        if decision is None:
            assert decisions > 15, "too short a game"
            break
        assert played.states.tobytes() == by_hand.match.content and played.seats[0] == 0
        actions = played.sample()
        by_hand.answer(0, int(actions[0]))
        played.step(actions)


def test_a_bot_is_asked_what_it_would_do_in_the_learners_place(game: skerry.Game) -> None:
    """It is what the bot does at the seat that is asked, however many threads ask."""
    task, bot = team(game, limit=0), bots.find(game, game.bots[0])
    played, shared, by_hand = begun(task, 3), begun(task, 3, threads=2), ByHand(task.variant.new(7))
    for _ in range(25):
        decision = by_hand.decision()
        if decision is None:
            break
        rng = int(played.slots["sample_rng"][0])
        actions = played.ask(bot)
        assert (actions == shared.ask(bot)).all()
        assert actions[0] == chosen(bot, by_hand.match, decision, rng)[0]
        by_hand.answer(decision.seat, int(actions[0]))
        played.step(actions)
        shared.step(actions)
    shared.close()


def chosen(bot: Bot, match: skerry.Match, decision: Decision, rng: int) -> tuple[int, int]:
    """The action a bot takes, passing included, and its random generator after it."""
    seat, legal = decision.seat, np.array([*match.legal_ids(decision.seat), 0], np.int16)
    world = StructBuffer(match.game.state_struct, match.content)
    match.game.rules.determinize(world.struct, seat, np.uint64(rng))
    index, after = bot.policy(world.struct, seat, kernel_array(legal), len(legal) - 1, np.uint64(rng))
    if index == PASS:
        assert decision.interrupts and bot.interrupt(match, seat, rng) is None
        return match.game.actions.size, int(after)
    assert (bot.interrupt if decision.interrupts else bot.choose)(match, seat, rng) == legal[index]
    return int(legal[index]), int(after)


def digest(game: skerry.Game, steps: int, **more: Any) -> str:
    """All that a learner sees of some random games, as one hash."""
    played = begun(team(game, limit=30), 5, **more)
    total = hashlib.sha256()
    for _ in range(steps):
        played.step(played.sample())
        for array in (
            *played.observations.values(),
            played.rewards,
            played.reward,
            played.terminated,
            played.truncated,
        ):
            total.update(array.tobytes())
        ended = played.terminated | played.truncated
        total.update(played.final_observations["observation"][ended].tobytes() + played.states.tobytes())
    return total.hexdigest()


def test_the_same_seed_is_the_same_episode_on_any_number_of_threads(game: skerry.Game) -> None:
    assert digest(game, 80) == digest(game, 80) == digest(game, 80, threads=3)


def test_interpreted_and_compiled_environments_agree(game: skerry.Game) -> None:
    code = (
        f"import skerry.games; from {__name__} import digest; print(digest(skerry.games.find_game({game.name!r}), 40))"
    )
    environment = {**os.environ, "SKERRY_INTERPRET": "0" if INTERPRETED else "1"}
    other = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True)
    assert other.stdout.strip() == digest(game, 40)


def test_both_kinds_of_autoreset_play_the_same_games(game: skerry.Game) -> None:
    """With next-step one step an episode is idle, and its action is ignored."""
    task = team(game, limit=20)
    same, later = begun(task, 1), begun(task, 1, same_step=False)
    for _ in range(70):
        action = same.sample()
        same.step(action)
        later.step(action)
        assert same.terminated == later.terminated and same.truncated == later.truncated
        assert (same.rewards == later.rewards).all()
        if same.terminated or same.truncated:
            assert all((same.final_observations[name] == later.observations[name]).all() for name in later.observations)
            later.step(np.array([-1]))
            assert not later.reward.any() and not later.terminated.any()
        assert all((same.observations[name] == later.observations[name]).all() for name in later.observations)


def test_an_illegal_action_ends_the_game_at_its_seat_s_cost(game: skerry.Game) -> None:
    played = begun(team(game), 3)
    actions, asked = played.sample(), played.seats.copy()
    actions[0] = np.flatnonzero(played.observations["action_mask"][0] == 0)[0]
    actions[1] = game.actions.size + 1
    played.step(actions)
    assert played.terminated.tolist() == [True, True, False]
    for i in range(2):
        assert played.reward[i] == -1 and played.rewards[i, asked[i]] == -1 and played.rewards[i].sum() == -1
        assert not played.final_observations["action_mask"][i].any() and played.choices[i] > 0


def test_a_game_over_the_limit_is_truncated_and_pays_nothing(game: skerry.Game) -> None:
    played = begun(team(game, limit=2), 2)
    for expected in (False, True):
        played.step(played.sample())
        assert played.truncated.tolist() == [expected] * 2 and not played.terminated.any() and not played.rewards.any()
    assert played.final_observations["action_mask"].any(1).all(), (
        "the decision that would have come is there to be valued"
    )


def fewest_choices(game: skerry.Game, forced: bool) -> int:
    played, fewest = begun(team(game, forced=forced), 16), 99
    for _ in range(200):
        played.step(played.sample())
        fewest = min(fewest, int(played.choices.min()))
    return fewest


def test_a_forced_choice_is_not_asked_for(game: skerry.Game) -> None:
    assert fewest_choices(game, forced=False) > 1


def test_a_forced_choice_is_asked_for_where_that_is_wished() -> None:
    assert fewest_choices(find_game("forbidden-island"), forced=True) == 1


def test_what_is_observed_stays_within_its_bounds(game: skerry.Game) -> None:
    for variant in variants(game):
        played = begun(EnvConfig(variant, ("me",) * variant.players, "score", limit=0), 8)
        for _ in range(120):
            played.step(played.sample())
            assert (
                played.observations["observation"].min() >= LOWEST_OBSERVED
                and played.observations["observation"].max() <= HIGHEST_OBSERVED
            )
            assert (played.observations["action_mask"].sum(1) == played.choices).all()


def test_random_play_is_done_within_the_limit(game: skerry.Game) -> None:
    """At the game's default players; so the limit cuts off who dawdles only."""
    played = begun(prepare(game.name), 16)
    ended = np.zeros(16, bool)
    while not ended.all():
        played.step(played.sample())
        assert not played.truncated.any()
        ended |= played.terminated


@kernel
def dawdle(world: Any, seat: int, legal: Any, count: int, counter: Any) -> Any:
    """The last legal action always: a bridge is drawn and taken back for ever."""
    return count - 1, counter


def test_a_bot_that_never_comes_to_an_end_is_cut_off(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(config, "find", lambda game, name: Bot(name, dawdle, blind=True))
    played = begun(prepare("hashi", ("me", "dawdler")), 1)
    while not (played.terminated.any() or played.truncated.any()):
        played.step(np.zeros(1, np.int64) if played.observations["action_mask"][0, 0] else played.sample())
    assert played.truncated.all() and not played.rewards.any() and not played.final_observations["action_mask"].any()


def test_a_wrong_number_of_actions() -> None:
    with pytest.raises(ValueError, match="for 2 games"):
        begun(prepare("hashi", "me"), 2).step(np.array([0]))


def test_sampling_is_uniform_over_what_is_legal() -> None:
    played = Batch(team(find_game("forbidden-island")), 4_000)
    played.reset(np.full(4_000, 3, np.uint64))
    played.slots["sample_rng"] = np.arange(4_000)
    drawn, times = np.unique(played.sample(), return_counts=True)
    assert drawn.tolist() == np.flatnonzero(played.observations["action_mask"][0]).tolist()
    expected = 4_000 / len(drawn)
    assert abs(times - expected).max() < 5 * expected**0.5
