"""Bots that are Python functions, one position or many in a call."""

from __future__ import annotations

import hashlib
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from skerry.bots.asked import Actions, Answer, AskedBot, Positions
from skerry.bots.illegal_choice import IllegalChoice
from skerry.bots.interrupts import interrupting_of
from skerry.engine.errors import Unreadable
from skerry.engine.game import Game, as_ints
from skerry.engine.kernel import kernel_array
from skerry.engine.loop import PASS, no_interrupts
from skerry.engine.notation import Action, Names
from skerry.engine.protocols import View
from skerry.engine.struct import StructBuffer


def one_way(seeds: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """Seeds from which those of the game cannot be worked out: our random generators can be run backwards."""
    digests = [hashlib.blake2b(int(seed).to_bytes(8, "little"), digest_size=8).digest() for seed in seeds]
    return np.frombuffer(b"".join(digests), np.uint64)


class Decision:
    """What a seat knows where it has to decide. All of it is made from a determinization."""

    def __init__(self, positions: Positions, number: int) -> None:
        self.game: Game = positions.game
        self.seat = int(positions.seats[number])
        self.seed = int(one_way(positions.seeds)[number])  # for a policy that draws
        self.world: StructBuffer[Any] = StructBuffer(self.game.state_struct, positions.states[number].tobytes())
        waited = int(self.game.rules.waiting(self.world.struct))
        self.may_pass = not waited >> self.seat & 1  # the game does not wait for this seat: it may interrupt

    @cached_property
    def legal_ids(self) -> list[int]:
        """The ids of the legal actions, ascending."""
        out = np.zeros(self.game.actions.size + 1, np.int16)
        return as_ints(out, self.game.rules.legal(self.world.struct, self.seat, kernel_array(out)))

    @cached_property
    def names(self) -> Names:
        return self.game.ui.names(self.world.struct)

    @cached_property
    def legal(self) -> list[Action]:
        """The legal actions, each with its text."""
        return [self.game.actions.action(action, self.names) for action in self.legal_ids]

    @cached_property
    def view(self) -> View:
        """All that the seat may see, as plain data: what its page shows."""
        return self.game.ui.view(self.world.struct, self.seat)

    @cached_property
    def observation(self) -> NDArray[np.float32]:
        """What a learning agent gets."""
        out = np.zeros(self.game.observation_size, np.float32)
        self.game.rules.observe(self.world.struct, self.seat, kernel_array(out))
        return out

    @property
    def rng(self) -> np.random.Generator:
        """A generator for policies that draw: it starts from the same seed each time that it is asked for."""
        return np.random.default_rng(self.seed)

    def action_id(self, given: Any) -> int:
        """The id of an answer, ``PASS`` for none; a refusal if it cannot be read."""
        if given is None:
            return PASS
        if isinstance(given, Action):
            return given.id
        if isinstance(given, str):
            return self.game.actions.read(given, self.names)
        return int(given)


@dataclass(frozen=True)
class Decisions:
    """What seats know in many positions at once, as arrays with a row for each. Actions are ids; where the game has
    interruptions, the last one, whose id is the number of the game's actions, is to pass."""

    positions: Positions

    @property
    def game(self) -> Game:
        return self.positions.game

    @property
    def seats(self) -> NDArray[np.int8]:
        return self.positions.seats

    @property
    def seeds(self) -> NDArray[np.uint64]:
        """For policies that draw: the same decision gets the same seed."""
        return one_way(self.positions.seeds)

    @cached_property
    def rows(self) -> list[Decision]:
        """The decisions one by one."""
        return [Decision(self.positions, number) for number in range(len(self.positions))]

    @cached_property
    def observations(self) -> NDArray[np.float32]:
        return np.stack([one.observation for one in self.rows])

    @cached_property
    def action_masks(self) -> NDArray[np.int8]:
        """1 for each legal action; as wide as in environments."""
        size = self.game.actions.size
        masks = np.zeros((len(self.rows), size + (interrupting_of(self.game) is not no_interrupts)), np.int8)
        for mask, one in zip(masks, self.rows, strict=True):
            mask[one.legal_ids] = 1
            mask[size:] = one.may_pass
        return masks


@dataclass(frozen=True)
class FunctionBot(AskedBot):
    """A function that decides. It is called by one thread at a time."""

    game: Game
    function: Callable[..., Any]
    batched: bool = False
    _lock: threading.Lock = field(default_factory=threading.Lock, compare=False, repr=False)

    def answering(self, threads: int = 0) -> Answer:
        return self._answers

    def _answers(self, positions: Positions) -> Actions:
        decisions = Decisions(positions)
        with self._lock:
            chosen: Sequence[Any] = (
                self.function(decisions) if self.batched else [self.function(one) for one in decisions.rows]
            )
        if len(chosen) != len(positions):
            raise IllegalChoice(f"{self.name} gave {len(chosen)} actions for {len(positions)} decisions")
        pairs = zip(decisions.rows, chosen, strict=True)
        return np.array([self._checked(one, answer) for one, answer in pairs], np.int16)

    def _checked(self, decision: Decision, answer: Any) -> int:
        """The action of an answer. A bot that is told of, and not raised, plays something legal instead."""
        try:
            action = decision.action_id(answer)
        except (TypeError, ValueError, Unreadable):
            action = None
        if self.batched and action == self.game.actions.size:
            action = PASS
        if action in decision.legal_ids or (action == PASS and decision.may_pass):
            return action
        chosen = "to pass, although the game waits for it" if action == PASS else f"{answer!r}, which is not legal now"
        self.report(IllegalChoice(f"{self.name} of {self.game.name}, at seat {decision.seat}, chose {chosen}"))
        return PASS if decision.may_pass else decision.legal_ids[0]
