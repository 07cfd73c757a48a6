"""Games of players that are greedy by a value network, and TD(λ) targets for the positions in them."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from skerry.bots import default_policy
from skerry.bots.illegal_choice import raise_for_seats
from skerry.bots.interrupts import interrupting_of
from skerry.bots.rollout import MAX_ROLLOUT_STEPS, decide_by, final_value_kernel
from skerry.bots.rollout_policy import rollout_policy_kernel
from skerry.bots.value_net import ValueNet, value_net_with
from skerry.bots.workspace import new_workspace
from skerry.engine.game import Game
from skerry.engine.kernel import kernel, kernel_array
from skerry.engine.loop import NO_LIMIT, play_loop
from skerry.engine.rng import derive_seed
from skerry.engine.seats import MAX_SEATS
from skerry.engine.struct import struct_array, struct_views
from skerry.train.kernel_support import BatchKernel, policy_seed

CHUNK_GAMES = 25  # that one call of the kernel plays
MAX_POSITIONS = 400  # of a game; later ones are left out
TD_LAMBDA = 0.93  # weight of later returns against the value of the next position


@dataclass
class SelfPlayGames:
    """A share of the positions of some games with their TD(λ) targets, and the result of each game."""

    states: NDArray[Any]
    targets: NDArray[np.float64]
    results: NDArray[np.float64]


class SelfPlayer:
    """Plays games of all variants in turn, on several threads."""

    def __init__(self, game: Game, options: NDArray[Any], share: float, threads: int) -> None:
        self.game, self.options, self.share, self.threads = game, options, share, threads
        self.value_net = value_net_with(game)
        self.is_win = game.is_win
        self._play_games = _self_play_kernel(game, self.value_net)

    def play(self, flat_weights: NDArray[Any], games: int, seed: int, noise: float) -> SelfPlayGames:
        """Games of players with these weights, each with other noise on those of the output layer."""
        weights = flat_weights.astype(np.float64)

        def play_chunk(first: int) -> SelfPlayGames:
            return self._play_chunk(first, min(games, first + CHUNK_GAMES), seed, noise, weights)

        with ThreadPoolExecutor(self.threads) as pool:
            chunks = list(pool.map(play_chunk, range(0, games, CHUNK_GAMES)))
        return SelfPlayGames(
            np.concatenate([chunk.states for chunk in chunks]),
            np.concatenate([chunk.targets for chunk in chunks]),
            np.concatenate([chunk.results for chunk in chunks]),
        )

    def _play_chunk(
        self, first: int, last: int, seed: int, noise: float, weights: NDArray[np.float64]
    ) -> SelfPlayGames:
        size = (last - first) * MAX_POSITIONS
        states, targets = struct_array(self.game.state_struct, size), np.zeros(size)
        results = np.zeros(last - first)
        noisy_from = len(weights) - (self.value_net.shape.hidden_2 + 1)
        count = self._play_games(
            first,
            last,
            struct_views(self.game.options_struct, self.options),
            seed,
            kernel_array(weights),
            noisy_from,
            noise,
            self.share,
            struct_views(self.game.state_struct, struct_array(self.game.state_struct, 1)),
            new_workspace(self.game, self.value_net, None, weights.copy(), self.is_win),
            kernel_array(np.zeros(MAX_POSITIONS)),
            kernel_array(np.zeros(MAX_POSITIONS, np.int64)),
            struct_views(self.game.state_struct, states),
            kernel_array(targets),
            kernel_array(results),
        )
        players = ["the rollout policy"] * MAX_SEATS
        raise_for_seats(self.game, players, ~count if count < 0 else 0, f"in games with seed {seed}")
        return SelfPlayGames(states[:count].copy(), targets[:count].copy(), results)


@kernel
def write_td_targets(
    result: float, count: int, values: NDArray[Any], target_rows: NDArray[Any], targets: NDArray[Any]
) -> None:
    """TD(λ) targets of a game's positions, from its end backwards; a position with row -1 is left out."""
    target = result
    for i in range(count - 1, -1, -1):
        if target_rows[i] >= 0:
            targets[target_rows[i]] = target
        target = TD_LAMBDA * target + (1 - TD_LAMBDA) * values[i]


def _self_play_kernel(game: Game, value_net: ValueNet) -> BatchKernel:
    """A kernel that plays games and writes positions, targets and results.

    It returns how many positions, or, below 0, the seats that have chosen no legal action (``~`` of their bit set).

    The players read the true state: features of a state, and a game's own policies, use public information only.
    """
    rules, evaluate = game.rules, value_net.value
    setup, waiting = rules.setup, rules.waiting
    final_value = final_value_kernel(rules, game.cooperative)
    choose = rollout_policy_kernel(rules, default_policy(game), final_value, value_net, None)
    play_on = play_loop(rules, interrupting_of(game), decide_by(choose))

    @kernel
    def play_games(
        first: int,
        last: int,
        options: Any,
        seed: int,
        weights: Any,
        noisy_from: int,
        noise: float,
        share: float,
        blank_state: Any,
        workspace: Any,
        values: Any,
        target_rows: Any,
        states: Any,
        targets: Any,
        results: Any,
    ) -> int:
        np.random.seed(seed + first)
        state_array, noisy_weights = workspace.worlds, workspace.weights
        count, illegal = 0, 0
        for number in range(first, last):
            for i in range(noisy_from, len(weights)):
                noisy_weights[i] = weights[i] * (1 + noise * np.random.normal())
            state_array[0] = blank_state[0]
            state = state_array[0]
            setup(state, options[number % len(options)], derive_seed(np.uint64(seed), number))
            rng = policy_seed(np.uint64(seed), number)
            loop_state, left, positions = 0, MAX_ROLLOUT_STEPS, 0
            while waiting(state) and left:
                left -= 1
                end = play_on(state, workspace, 0, loop_state, rng, 1, NO_LIMIT, workspace.legal, workspace.log)
                loop_state, rng, illegal = end.loop_state, end.rng, illegal | end.illegal
                if waiting(state) and positions < MAX_POSITIONS:
                    values[positions], target_rows[positions] = evaluate(state, weights, workspace.scratch), -1
                    if np.random.random() < share:
                        states[count] = state_array[0]
                        target_rows[positions] = count
                        count += 1
                    positions += 1
            result, _ = final_value(state, 0, workspace.won, workspace.scores)
            results[number - first] = result
            write_td_targets(result, positions, values, target_rows, targets)
        return ~illegal if illegal else count

    return play_games
