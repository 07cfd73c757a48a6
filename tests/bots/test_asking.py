"""Who interrupts: not for ever."""

from __future__ import annotations

from typing import Any

import skerry
from skerry.bots.bot import Bot
from skerry.bots.turn_order import MOST, PASS, after_step
from skerry.engine.kernel import kernel
from skerry.games.forbidden_desert.rules import actions
from skerry.games.forbidden_desert.rules.components import MAX_WATER, SEATS
from skerry.lab.lockstep import Lockstep


def test_a_seat_is_not_asked_again_once_it_has_interrupted_often() -> None:
    passed = 0b101
    for time in range(1, MOST + 1):
        passed = after_step(passed, 2, True, True)
        assert passed & 0xFF == (0b100 if time == MOST else 0)
    passed = after_step(passed | 0b1000, 0, False, True)
    assert passed & 0xFF == 0b100
    assert after_step(passed, 0, False, False) == 0


@kernel
def generous(world: Any, seat: int, legal: Any, count: int, counter: Any) -> Any:
    """Does nothing in the own turn, and hands water to somebody in every other one, as often as it is asked."""
    if world.turn == seat:
        return 0, counter
    for index in range(count):
        if actions.WATER <= legal[index] < actions.WATER + SEATS * MAX_WATER:
            return index, counter
    return PASS, counter


def test_two_who_hand_something_to_and_fro_come_to_an_end() -> None:
    variant = skerry.game("forbidden-desert", players=3)
    bot = Bot("generous", generous, blind=False)
    states, steps = Lockstep(variant, [bot] * 3, 2_000).play(1, 0, 20)
    assert (states["ending"] > 0).all() and steps.max() < 2_000
