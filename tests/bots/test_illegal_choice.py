"""Bots that choose no legal action: everything that plays games notices, and plays something legal instead."""

from __future__ import annotations

import importlib
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from skerry import bots
from skerry.botkit.policy import index_of
from skerry.bots.bot import Bot
from skerry.bots.expert import Expert
from skerry.bots.illegal_choice import IllegalChoice
from skerry.engine.event_log import new_event_log
from skerry.engine.game import Game, Variant
from skerry.engine.kernel import kernel, kernel_array
from skerry.engine.loop import ASK, NO_LIMIT, NOBODY, NOT_LEGAL, PASS, is_answer, no_interrupts, play_loop
from skerry.engine.match import Match
from skerry.envs.batch import Batch
from skerry.envs.config import EnvConfig
from skerry.games import all_games, find_game
from skerry.games.forbidden_island.rules import actions
from skerry.games.forbidden_island.rules.components import HELICOPTER
from skerry.games.forbidden_island.rules.kernels import waiting
from skerry.lab import Series, simulate
from skerry.lab.lockstep import Lockstep
from skerry.lab.series import play

ISLAND = find_game("forbidden-island")
IMPOSSIBLE = actions.LIFT_OFF  # until the last moment of a game that is won


@kernel
def impossible(world: Any, seat: int, legal: Any, count: int, rng: Any) -> Any:
    """Wants to lift off at once."""
    return index_of(IMPOSSIBLE, legal, count), rng


@kernel
def beyond(world: Any, seat: int, legal: Any, count: int, rng: Any) -> Any:
    """Counts the legal actions from 1."""
    return count, rng


@kernel
def passes(world: Any, seat: int, legal: Any, count: int, rng: Any) -> Any:
    """Never acts, not even in its turn."""
    return PASS, rng


@kernel
def asks(world: Any, seat: int, legal: Any, count: int, rng: Any) -> Any:
    """Answers with a code that only drivers of the loop may use."""
    return ASK, rng


@kernel
def first(world: Any, seat: int, legal: Any, count: int, rng: Any) -> Any:
    """Does the first legal thing; passes where it may."""
    return (0 if waiting(world) >> seat & 1 else PASS), rng


BROKEN = [impossible, beyond, passes, asks]
broken_policies = pytest.mark.parametrize("policy", BROKEN, ids=["impossible", "beyond", "passes", "asks"])


def variant_with(policy: Any, monkeypatch: pytest.MonkeyPatch, game: Game = ISLAND, **options: Any) -> Variant:
    """The Island with a bot ``broken`` of its own, which is also its rollout policy."""
    policies = importlib.import_module(f"{game.package}.bot.policies")
    monkeypatch.setattr(policies, "broken", policy, raising=False)
    monkeypatch.setattr(policies, "first", first, raising=False)
    return replace(game, bots=("broken", "first")).configure(options)


def new_match(policy: Any, monkeypatch: pytest.MonkeyPatch) -> Match:
    return variant_with(policy, monkeypatch, players=2, first=0).new(seed=1)


# In the play loop


@kernel
def decide_impossible(context: Any, state: Any, seat: int, legal: Any, count: int, is_interrupt: bool, rng: Any) -> Any:
    return index_of(IMPOSSIBLE, legal, count), rng


@kernel
def second_seat(state: Any) -> int:
    return 1 << 1


def looped(interrupting: Any, steps: int) -> tuple[Any, Match]:
    match = ISLAND.configure({"players": 2, "first": 0}).new(seed=1)
    buffer, log = kernel_array(np.zeros(ISLAND.actions.size + 1, np.int16)), kernel_array(new_event_log(0))
    loop = play_loop(ISLAND.rules, interrupting, decide_impossible)
    return loop(match.state, 0, 0, 0, np.uint64(1), steps, NO_LIMIT, buffer, log), match


def test_the_loop_does_the_first_legal_action_and_says_whose_choice_was_not_legal() -> None:
    end, match = looped(no_interrupts, 1)
    expected = ISLAND.configure({"players": 2, "first": 0}).new(seed=1)
    expected.play(0, expected.legal_ids(0)[0])
    assert (end.seat, end.steps, end.illegal) == (NOBODY, 1, 0b01)
    assert match.content == expected.content


def test_who_wants_to_interrupt_with_something_illegal_passes() -> None:
    end, _ = looped(second_seat, 1)
    assert (end.steps, end.illegal) == (1, 0b11), "the second seat first, then the one that is waited for"


@pytest.mark.parametrize(
    ("index", "in_turn", "as_interrupt"),
    [
        (0, True, True),
        (3, True, True),
        (4, False, False),
        (PASS, False, True),
        (ASK, False, False),
        (NOT_LEGAL, False, False),
    ],
)
def test_answers_are_legal_actions_or_a_pass_where_that_is_allowed(
    index: int, in_turn: bool, as_interrupt: bool
) -> None:
    assert (is_answer(index, 4, False), is_answer(index, 4, True)) == (in_turn, as_interrupt)


# Decisions of a bot


def test_a_bot_that_names_an_illegal_action_says_which() -> None:
    match = ISLAND.configure({"players": 2, "first": 0}).new(seed=1)
    with pytest.raises(
        IllegalChoice,
        match=r"^broken of forbidden-island, at seat 0 after 0 steps, chose 'lift off', which is not legal now$",
    ):
        Bot("broken", impossible, blind=False).choose(match, 0, 7)


@broken_policies
def test_a_bot_that_chooses_nothing_legal_raises_an_error(policy: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    match = new_match(policy, monkeypatch)
    with pytest.raises(IllegalChoice, match="broken of forbidden-island, at seat 0"):
        bots.find(match.game, "broken").choose(match, 0, 7)


@broken_policies
def test_a_bot_that_reports_plays_the_first_legal_action_and_does_not_interrupt(
    policy: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    match, told = new_match(policy, monkeypatch), list[IllegalChoice]()
    bot = bots.find(match.game, "broken").reporting(told.append)
    assert bot.choose(match, 0, 7) == match.legal_ids(0)[0] and len(told) == 1
    match.state.hands[1, HELICOPTER] = 1
    assert match.legal_ids(1) and bot.interrupt(match, 1, 7) is None
    assert len(told) == (1 if policy is passes else 2), "to pass is a legal answer to an interruption"


# Everything that plays games


@broken_policies
def test_a_simulation_says_which_bot_and_in_which_game(policy: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    variant = variant_with(policy, monkeypatch, players=2)
    with pytest.raises(IllegalChoice, match=r"^broken of forbidden-island chose .*, in game 3 of seed 5 with"):
        play(Series(variant, ("first", "broken"), 10, seed=5), 3, 2)
    with pytest.raises(IllegalChoice, match="broken"):
        simulate(Series(variant, ("first", "broken"), 10, seed=5))


def test_bots_that_choose_legal_actions_are_not_accused(monkeypatch: pytest.MonkeyPatch) -> None:
    variant = variant_with(first, monkeypatch, players=2)
    assert (play(Series(variant, ("first", "broken"), 4, seed=5), 0, 4).steps > 0).all()


@broken_policies
def test_a_series_with_a_search_says_which_bot(policy: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    variant = variant_with(policy, monkeypatch, players=2)
    seats = [bots.find(variant.game, name) for name in ("first", "broken")]
    with pytest.raises(IllegalChoice, match=r"broken of forbidden-island chose .* in game 2 of seed 5"):
        Lockstep(variant, seats, 100).play(5, 2, 3)


def play_some_steps(batch: Batch) -> None:
    batch.reset(np.arange(4, dtype=np.uint64))
    for _ in range(10):
        batch.step(batch.sample())


@broken_policies
@pytest.mark.parametrize("threads", [1, 2])
def test_an_environment_says_which_bot(policy: Any, threads: int, monkeypatch: pytest.MonkeyPatch) -> None:
    config = EnvConfig(variant_with(policy, monkeypatch, players=2), ("broken", "me"), "result")
    batch = Batch(config, 4, threads=threads)
    with pytest.raises(IllegalChoice, match=r"broken of forbidden-island chose .* in an environment"):
        play_some_steps(batch)


def test_an_environment_says_which_bot_advised_the_learner(monkeypatch: pytest.MonkeyPatch) -> None:
    variant = variant_with(impossible, monkeypatch, players=2, first=0)
    batch = Batch(EnvConfig(variant, ("me", "first"), "result"), 4)
    batch.reset(np.arange(4, dtype=np.uint64))
    with pytest.raises(IllegalChoice, match=r"broken of forbidden-island .* in the learner's place"):
        batch.ask(bots.find(variant.game, "broken"))
    assert (batch.ask(bots.find(variant.game, "first")) >= 0).all()


CARTAGENA = find_game("cartagena")  # its rollouts follow the game's policy, since it has no networks


def test_a_search_says_in_how_many_rollouts_the_policy_was_wrong(monkeypatch: pytest.MonkeyPatch) -> None:
    match = variant_with(beyond, monkeypatch, CARTAGENA, players=2, first=0).new(seed=1)
    expert = bots.find(match.game, "expert:40")
    with pytest.raises(IllegalChoice, match="the rollout policy of cartagena chose an action that is not legal"):
        expert.choose(match, 0, 7)
    told: list[IllegalChoice] = []
    assert expert.reporting(told.append).choose(match, 0, 7) in match.legal_ids(0)
    assert told and isinstance(expert, Expert)


@pytest.mark.parametrize("game", all_games(), ids=lambda game: game.name)
def test_the_bots_of_every_game_choose_legal_actions(game: Game) -> None:
    for players in game.seats:
        variant = game.configure({"players": players})
        for name in game.bots:
            assert (play(Series(variant, (name,) * players, 3, seed=players), 0, 3).steps > 0).all()
