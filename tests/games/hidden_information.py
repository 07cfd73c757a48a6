"""A check for bots: their choices do not depend on anything that is hidden from their seat."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

import numpy as np

from skerry import bots
from skerry.bots.interrupts import interrupting_of
from skerry.engine.game import Variant
from skerry.engine.kernel import kernel_array
from skerry.engine.loop import PASS
from skerry.engine.struct import StructBuffer
from skerry.lab.simulate import Series, play

WORLDS = 4  # determinizations of each position


class Decision(NamedTuple):
    """A state in which a seat has a choice, with its legal actions."""

    state: Any
    seat: int
    legal: list[int]


def simulated_positions(
    variant: Variant, players: tuple[str, ...], games: int, lengths: Iterable[int]
) -> Iterator[StructBuffer[Any]]:
    """The states of the unfinished games among some simulated ones, after each of some numbers of steps."""
    for steps in lengths:
        states, _ = play(Series(variant, players, games, 5, steps), 0, games)
        yield from (StructBuffer(variant.game.state_struct, state.tobytes()) for state in states if not state["ending"])


def check_choices_ignore_hidden_information(
    bot: str, variant: Variant, states: Iterable[StructBuffer[Any]]
) -> Iterator[Decision]:
    """In several determinizations of each state, the bot chooses the same action, the same seats may interrupt, and the
    bot leaves the world unchanged. Yields the decisions of the seats that the game waits for."""
    game = variant.game
    policy, rules, interrupting = bots.find(game, bot).policy, game.rules, interrupting_of(game)
    legal = kernel_array(np.zeros(game.actions.size + 1, np.int16))
    for state in states:
        waiting, interrupters = rules.waiting(state.struct), interrupting(state.struct)
        assert not waiting & interrupters
        next_seat = waiting & -waiting
        for seat in range(variant.players):
            if not (next_seat | interrupters) >> seat & 1:
                continue
            count = rules.legal(state.struct, seat, legal)
            choices = set()
            for seed in range(WORLDS):
                world = StructBuffer(game.state_struct, state.content)
                rules.determinize(world.struct, seat, np.uint64(seed))
                before = world.content
                assert interrupting(world.struct) == interrupters
                choices.add(policy(world.struct, seat, legal, count, np.uint64(9))[0])
                assert world.content == before
            assert len(choices) == 1 and (choices != {PASS} or interrupters >> seat & 1)
            if count > 1 and waiting >> seat & 1:
                yield Decision(state.struct, seat, list(legal)[:count])
