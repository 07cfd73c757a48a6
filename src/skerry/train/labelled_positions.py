"""Positions with the probability of winning them, from games of the game's own best policy or of the expert."""

from __future__ import annotations

from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from skerry.bots import default_bot
from skerry.bots import find as find_bot
from skerry.bots.asked import Actions
from skerry.bots.expert import ExpertAnswer, chosen_actions
from skerry.bots.illegal_choice import raise_for_seats
from skerry.bots.interrupts import interrupting_of
from skerry.bots.rollout import MAX_ROLLOUT_STEPS
from skerry.engine.event_log import new_event_log
from skerry.engine.game import Game, Variant
from skerry.engine.kernel import kernel, kernel_array
from skerry.engine.loop import PASS, play_loop
from skerry.engine.rng import derive_seed
from skerry.engine.seats import MAX_SEATS
from skerry.engine.struct import StructBuffer, struct_array, struct_views
from skerry.lab.lockstep import Lockstep
from skerry.train.kernel_support import BatchKernel, policy_seed

CHUNK_GAMES = 50  # that one call of the kernel plays
MAX_TURNS = 100  # of a game; positions of later turns are left out
EXPERT_WEIGHT = 0.05  # of the expert's estimate at the next decision in the target; the rest is the result of the game
EXPERT_SHARE = 0.25  # of the expert's decisions whose positions are kept


@dataclass
class LabelledPositions:
    """Positions, and the probability of winning that the network is to predict for each."""

    states: NDArray[Any]
    targets: NDArray[np.float64]

    @classmethod
    def concatenate(cls, parts: Iterable[LabelledPositions]) -> LabelledPositions:
        parts = list(parts)
        return cls(
            np.concatenate([part.states for part in parts]),
            np.concatenate([part.targets for part in parts]),
        )


# Games of the game's own best policy


def best_policy_games(game: Game, options: NDArray[Any], games: int, seed: int, threads: int) -> LabelledPositions:
    """The first position of each turn in games of the game's own best policy, all variants in turn."""
    play_games = _policy_games_kernel(game)
    is_win = game.is_win

    def play_chunk(first: int) -> LabelledPositions:
        states, targets = struct_array(game.state_struct, CHUNK_GAMES * MAX_TURNS), np.zeros(CHUNK_GAMES * MAX_TURNS)
        count = play_games(
            first,
            min(games, first + CHUNK_GAMES),
            struct_views(game.options_struct, options),
            np.uint64(seed),
            kernel_array(is_win),
            struct_views(game.state_struct, struct_array(game.state_struct, 1)),
            struct_views(game.state_struct, struct_array(game.state_struct, 1)),
            kernel_array(np.zeros(game.actions.size + 1, np.int16)),
            kernel_array(np.zeros(MAX_SEATS)),
            kernel_array(new_event_log(0)),
            struct_views(game.state_struct, states),
            kernel_array(targets),
        )
        raise_for_seats(game, [default_bot(game)] * MAX_SEATS, ~count if count < 0 else 0, f"in games with seed {seed}")
        return LabelledPositions(states[:count].copy(), targets[:count].copy())

    with ThreadPoolExecutor(threads) as pool:
        return LabelledPositions.concatenate(pool.map(play_chunk, range(0, games, CHUNK_GAMES)))


def _policy_games_kernel(game: Game) -> BatchKernel:
    """A kernel that plays games and writes positions and whether they were won.

    It returns how many, or, below 0, the seats that have chosen no legal action (``~`` of their bit set).

    The policy reads the true state. That is fair, and saves the time to resample: a game's own policies choose the same
    in every determinization, which their tests check.
    """
    rules, policy = game.rules, find_bot(game, default_bot(game)).policy
    setup, result, waiting = rules.setup, rules.result, rules.waiting

    @kernel
    def decide(context: Any, state: Any, seat: int, legal: Any, count: int, is_interrupt: bool, rng: Any) -> Any:
        return policy(state, seat, legal, count, rng)

    play_on = play_loop(rules, interrupting_of(game), decide)

    @kernel
    def play_games(
        first: int,
        last: int,
        options: Any,
        seed: Any,
        is_win: Any,
        blank_state: Any,
        state_array: Any,
        legal_actions: Any,
        scores: Any,
        log: Any,
        states: Any,
        targets: Any,
    ) -> int:
        count, illegal = 0, 0
        for number in range(first, last):
            state_array[0] = blank_state[0]
            state = state_array[0]
            setup(state, options[number % len(options)], derive_seed(seed, number))
            rng = policy_seed(seed, number)
            start, left, loop_state = count, MAX_ROLLOUT_STEPS, 0
            while waiting(state) and left > 0:
                if count < len(states):
                    states[count] = state_array[0]
                    count += 1
                end = play_on(state, 0, 0, loop_state, rng, left, state.turns + 1, legal_actions, log)
                loop_state, rng, left = end.loop_state, end.rng, left - end.steps
                illegal |= end.illegal
            ending = result(state, scores)
            for i in range(start, count):
                targets[i] = 1.0 if is_win[ending] else 0.0
        return ~illegal if illegal else count

    return play_games


# Games of the expert


@dataclass
class ExpertDecision:
    """A decision of the expert: in which game, where the chosen action leads, and the value the search gave it."""

    game: int
    state_after: NDArray[Any] | None  # None if the decision is not learnt from
    value: float


@dataclass
class ExpertGames:
    positions: LabelledPositions
    win_rate: float


class RecordedLockstep(Lockstep):
    """Games of the expert played side by side, with a record of its decisions."""

    def record(self, seed: int, count: int) -> ExpertGames:
        """Play games and label the positions after a share of the decisions.

        A label is the result of the game, mixed with the values of the expert's later decisions.
        """
        self.sampler = np.random.default_rng(seed)
        self.decisions: list[ExpertDecision] = []
        final_states, _ = self.play(seed, 0, count)
        targets = self._results(final_states)
        win_rate = float(targets.mean())
        states, labels = [], []
        for decision in reversed(self.decisions):
            if decision.state_after is not None:
                states.append(decision.state_after)
                labels.append(targets[decision.game])
            targets[decision.game] += EXPERT_WEIGHT * (decision.value - targets[decision.game])
        return ExpertGames(LabelledPositions(np.concatenate(states), np.array(labels)), win_rate)

    def answer(self, number: int, states: Any, counters: Any, asked: Any, games: Any) -> Actions:
        expert, positions = self.answers[number], self._positions(states, counters, asked, games)
        assert isinstance(expert, ExpertAnswer)
        arms = expert.search(positions)
        for game, best in zip(games, arms.best(len(games)), strict=True):
            after, action = None, int(arms.actions[best])
            if self.sampler.random() < EXPERT_SHARE and action != PASS:
                after = self._state_after(states[game], int(asked[game]), action)
            self.decisions.append(ExpertDecision(game, after, float(arms.means[best])))
        return chosen_actions(arms, positions)

    def _results(self, states: NDArray[Any]) -> NDArray[np.float64]:
        is_win = self.game.is_win
        singles = [StructBuffer(self.game.state_struct, state.tobytes()) for state in states]
        endings = [self.game.rules.result(single.struct, kernel_array(np.zeros(MAX_SEATS))) for single in singles]
        return is_win[endings].astype(np.float64)

    def _state_after(self, state: Any, seat: int, action: int) -> NDArray[Any] | None:
        """The position that an action leads to, if the game goes on."""
        single = StructBuffer(self.game.state_struct, state.tobytes())
        self.game.rules.step(single.struct, seat, action, kernel_array(new_event_log(0)))
        return single.array if self.game.rules.waiting(single.struct) else None


def expert_games(variant: Variant, rollouts: int, games: int, seed: int) -> ExpertGames:
    """Games of the expert at all seats."""
    bot = find_bot(variant.game, f"expert:{rollouts}")
    return RecordedLockstep(variant, [bot] * variant.players, MAX_ROLLOUT_STEPS).record(seed, games)
