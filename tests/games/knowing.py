"""What a bot may know: whatever is hidden from its seat, its choice is the same."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np

from skerry import bots
from skerry.bots.interrupts import interrupting_of
from skerry.engine.game import Variant
from skerry.engine.kernel import kernel_array
from skerry.engine.loop import PASS
from skerry.engine.struct import StructBuffer
from skerry.lab.simulate import Series, play

Asked = tuple[Any, int, list[int]]


def positions(
    variant: Variant, players: tuple[str, ...], games: int, lengths: Iterable[int]
) -> Iterator[StructBuffer[Any]]:
    """Where unfinished games of these players stand after so many steps."""
    for steps in lengths:
        states, _ = play(Series(variant, players, games, 5, steps), 0, games)
        yield from (StructBuffer(variant.game.state_struct, state.tobytes()) for state in states if not state["ending"])


def same_choices(name: str, variant: Variant, truths: Iterable[StructBuffer[Any]]) -> Iterator[Asked]:
    """Each position with a choice, in four worlds that its seat holds possible: the bot chooses alike, also whether to
    interrupt, and leaves the worlds as they were. What it was asked: position, seat, legal actions."""
    game = variant.game
    policy, rules, interrupting = bots.find(game, name).policy, game.rules, interrupting_of(game)
    legal = kernel_array(np.zeros(game.actions.size + 1, np.int16))
    for truth in truths:
        waited, eager = rules.waiting(truth.struct), interrupting(truth.struct)
        assert not waited & eager
        for seat in range(variant.players):
            if not (waited & -waited | eager) >> seat & 1:
                continue
            count = rules.legal(truth.struct, seat, legal)
            choices = set()
            for seed in range(4):
                world = StructBuffer(game.state_struct, truth.content)
                rules.determinize(world.struct, seat, np.uint64(seed))
                before = world.content
                assert interrupting(world.struct) == eager
                choices.add(policy(world.struct, seat, legal, count, np.uint64(9))[0])
                assert world.content == before
            assert len(choices) == 1 and (choices != {PASS} or eager >> seat & 1)
            if count > 1 and waited >> seat & 1:
                yield truth.struct, seat, list(legal)[:count]
