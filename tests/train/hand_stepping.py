"""The rollout environment beside the same games stepped by hand, one legal action after another."""

from __future__ import annotations

import numpy as np

from skerry.bots.interrupts import interrupting_of
from skerry.engine.game import Game, Variant
from skerry.engine.loop import TurnOrder, random_seat
from skerry.engine.rng import derive_seed
from skerry.games import find_game
from skerry.train.kernel_support import policy_seed
from skerry.train.rollout_env import LOST, MAX_ACTIONS, RUNNING, WON, RolloutEnv
from skerry.train.variants import encode_variants

SEED = 3


class HandSteppedGame:
    """One game of the environment, played through the public interface of a match."""

    def __init__(self, variants: list[Variant], number: int) -> None:
        self.variant = variants[number % len(variants)]
        self.match = self.variant.new(seed=int(derive_seed(np.uint64(SEED), number)))
        self.rng = np.uint64(policy_seed(np.uint64(SEED), number))
        self.turn_order = TurnOrder(interrupting_of(self.match.game))
        self.seat = -1
        self.play_to_decision()

    def play_to_decision(self) -> None:
        """Interrupt where that wins, and play what is forced."""
        while self.match.result is None:
            if self._interrupt_to_win():
                continue
            self.seat, rng = random_seat(sum(1 << seat for seat in self.match.waiting), self.rng)
            self.rng = np.uint64(rng)  # compiled kernels return a Python int, and do not take one so large
            legal = self.match.legal_ids(self.seat)
            if len(legal) > 1:
                return
            self.match.play(self.seat, legal[0])

    def visible_actions(self) -> list[int]:
        """The legal actions that the environment has room for; beyond that, the last one stands for all others."""
        legal = self.match.legal_ids(self.seat)
        return legal if len(legal) <= MAX_ACTIONS else [*legal[: MAX_ACTIONS - 1], legal[-1]]

    def choose(self, index: int) -> int:
        """Play an action; the outcome as the environment reports it."""
        self.match.play(self.seat, self.visible_actions()[index])
        self.play_to_decision()
        if self.match.result is None:
            return RUNNING
        return WON if self.match.result.winners else LOST

    def _interrupt_to_win(self) -> bool:
        for seat in self.turn_order.interrupters(self.match.state):
            trial = self.match.copy()
            last = trial.legal_ids(seat)[-1]
            trial.play(seat, last)
            if trial.result is not None and trial.result.winners:
                self.match.play(seat, last)
                return True
        return False


def compare(game: Game, options: list[dict[str, str]], games: int, steps: int) -> set[int]:
    """Play random actions in both and compare after every step; the outcomes that were seen."""
    variants = [game.configure(chosen) for chosen in options]
    env = RolloutEnv(game, encode_variants(game, options), games, SEED)
    by_hand = [HandSteppedGame(variants, number) for number in range(games)]
    next_numbers = [number + games for number in range(games)]
    chance, seen = np.random.default_rng(1), set()
    for _ in range(steps):
        assert_same_decisions(env, by_hand)
        choices = (chance.random(games) * env.buffers.action_counts).astype(np.int64)
        env.step(choices)
        for i in range(games):
            outcome = by_hand[i].choose(int(choices[i]))
            assert env.buffers.outcomes[i] == outcome
            seen.add(outcome)
            if outcome != RUNNING:
                assert env.buffers.variants[i] == (next_numbers[i] - games) % len(variants)
                by_hand[i] = HandSteppedGame(variants, next_numbers[i])
                next_numbers[i] += games
    return seen


def assert_same_decisions(env: RolloutEnv, by_hand: list[HandSteppedGame]) -> None:
    buffers = env.buffers
    for i, game in enumerate(by_hand):
        assert buffers.states[i].tobytes() == game.match.content
        assert buffers.seats[i] == game.seat
        legal = game.visible_actions()
        assert buffers.action_counts[i] == len(legal)
        assert buffers.actions[i, : len(legal)].tolist() == legal
        assert np.isfinite(buffers.state_features[i]).all() and buffers.state_features[i].any()


def main() -> None:
    options = [{"players": "2", "difficulty": "legendary"}, {"players": "4", "difficulty": "novice"}]
    seen = compare(find_game("forbidden-island"), options, games=3, steps=250)
    assert {RUNNING, LOST} <= seen, "no game came to its end"
    print("equal")


if __name__ == "__main__":
    main()
