"""The play loop: who is asked next, who may interrupt and how often, and what goes by itself."""

from __future__ import annotations

from typing import Any

import numpy as np

import skerry
from skerry.bots.bot import Bot
from skerry.engine.event_log import new_event_log
from skerry.engine.kernel import kernel, kernel_array
from skerry.engine.loop import (
    ALL_SEATS,
    ASK,
    MAX_INTERRUPTS,
    NO_LIMIT,
    NOBODY,
    PASS,
    TurnOrder,
    answer_kernel,
    forced_step_kernel,
    interrupt_count,
    loop_state_after_step,
    lowest_seat,
    no_interrupts,
    play_loop,
)
from skerry.engine.seats import MAX_SEATS
from skerry.games.forbidden_desert.rules import actions
from skerry.games.forbidden_desert.rules.components import MAX_WATER, SEATS
from skerry.games.forbidden_island.rules.components import HELICOPTER, SANDBAGS
from skerry.lab.lockstep import Lockstep

ANSWERED = ALL_SEATS  # the bits of a loop state that say which seats have answered


def test_a_seat_is_not_asked_again_in_a_turn_once_it_has_interrupted_often() -> None:
    loop_state = 0b101
    for time in range(1, MAX_INTERRUPTS + 1):
        loop_state = loop_state_after_step(loop_state, 2, True, True)
        assert loop_state & ANSWERED == (0b100 if time == MAX_INTERRUPTS else 0)
    loop_state = loop_state_after_step(loop_state | 0b1000, 0, False, True)
    assert loop_state & ANSWERED == 0b100
    assert loop_state_after_step(loop_state, 0, False, False) == 0


def test_people_may_interrupt_more_often_than_bots_are_asked() -> None:
    loop_state = 0
    for _ in range(40):
        loop_state = loop_state_after_step(loop_state, 2, True, True)
    assert [interrupt_count(loop_state, seat) for seat in range(4)] == [0, 0, MAX_INTERRUPTS, 0]


def test_a_match_that_people_play_asks_by_the_same_rule() -> None:
    order = TurnOrder(lambda state: 0b110)
    assert order.interrupters(None) == (1, 2)
    order.passed(1)
    assert order.interrupters(None) == (2,)
    order.undone()
    assert order.interrupters(None) == (1, 2)
    for _ in range(MAX_INTERRUPTS):
        order.stepped(2, interrupted=True, same_turn=True)
    assert order.interrupters(None) == (1,)
    order.stepped(0, interrupted=False, same_turn=False)
    assert order.interrupters(None) == (1, 2)


@kernel
def generous(world: Any, seat: int, legal: Any, count: int, rng: Any) -> Any:
    """Does the first thing in its own turn, and gives water to somebody in every other one, as often as it is asked."""
    if world.turn == seat:
        return 0, rng
    for index in range(count):
        if actions.WATER <= legal[index] < actions.WATER + SEATS * MAX_WATER:
            return index, rng
    return PASS, rng


def test_two_bots_that_hand_something_to_and_fro_come_to_an_end() -> None:
    variant = skerry.game("forbidden-desert", players=3)
    bot = Bot("generous", generous, blind=False)
    states, steps = Lockstep(variant, [bot] * 3, 2_000).play(1, 0, 20)
    assert (states["ending"] > 0).all() and steps.max() < 2_000


@kernel
def last_seat(state: Any) -> int:
    """The last seat always wants to interrupt."""
    return 1 << 1


@kernel
def ask_always(context: Any, state: Any, seat: int, legal: Any, count: int, is_interrupt: bool, rng: Any) -> Any:
    return ASK, rng


@kernel
def first_or_pass(context: Any, state: Any, seat: int, legal: Any, count: int, is_interrupt: bool, rng: Any) -> Any:
    """Takes the first action in its own turn and writes down who was asked."""
    context[0] += 1
    if is_interrupt:
        context[1] += 1
        return PASS, rng
    return 0, rng


def played(interrupting: Any, decide: Any, steps: int, **more: Any) -> tuple[Any, Any, skerry.Match]:
    """Some steps of a game of the Island with two players: what the loop returns, and what ``decide`` counted."""
    match = skerry.game("forbidden-island", players=2, first=0).new(seed=1)
    counts, buffer = np.zeros(2, np.int64), np.zeros(match.game.actions.size + 1, np.int16)
    loop = play_loop(match.game.rules, interrupting, decide, pick_seat=lowest_seat, **more)
    log, rng = kernel_array(new_event_log(0)), np.uint64(1)
    end = loop(match.state, kernel_array(counts), 0, 0, rng, steps, NO_LIMIT, kernel_array(buffer), log)
    return end, counts.tolist(), match


def test_who_may_interrupt_is_asked_before_the_seat_that_the_game_waits_for() -> None:
    question, _, match = played(last_seat, ask_always, 1)
    assert (question.seat, question.is_interrupt) == (1, True) and match.waiting == (0,)
    question, _, _ = played(no_interrupts, ask_always, 1)
    assert (question.seat, question.is_interrupt) == (0, False)


def test_each_seat_is_asked_once_between_two_steps() -> None:
    end, (asked, interrupting), _ = played(last_seat, first_or_pass, 1)
    assert (end.seat, end.steps) == (NOBODY, 1)
    assert (asked, interrupting) == (2, 1)


def test_a_forced_step_goes_by_itself_unless_the_driver_wants_to_be_asked() -> None:
    """The first action ends the turn's actions: the draws that follow leave no choice."""
    _, (asked, _), _ = played(no_interrupts, first_or_pass, 3)
    assert asked == 1
    _, (asked, _), _ = played(no_interrupts, first_or_pass, 3, ask_forced=True)
    assert asked == 3


def test_a_step_is_forced_for_people_only_if_nobody_could_do_anything_else() -> None:
    match = skerry.game("forbidden-island", players=2, first=0).new(seed=1)
    for seat in range(2):
        for card in (HELICOPTER, SANDBAGS):
            match.state.hands[seat, card] = 0
    buffer = kernel_array(np.zeros(match.game.actions.size + 1, np.int16))
    forced = forced_step_kernel(match.game.rules)
    assert forced(match.state, 2, buffer) == (NOBODY, PASS)
    match.play(0, "end")
    seat, action = forced(match.state, 2, buffer)
    assert (seat, match.action(action).verb) == (0, "draw")
    match.state.hands[1, HELICOPTER] = 1  # a card that may be played at any time
    assert match.forced_action() is None


def test_the_loop_counts_an_interruption() -> None:
    match = skerry.game("forbidden-island", players=2, first=0).new(seed=1)
    match.state.hands[1, HELICOPTER] = 1
    lift = next(action.id for action in match.legal(1))
    loop_state = answer_kernel(match.game.rules)(match.state, 1, lift, 0, kernel_array(new_event_log(0)))
    assert loop_state & ANSWERED == 0
    assert [interrupt_count(loop_state, seat) for seat in range(MAX_SEATS)] == [0, 1, 0, 0, 0, 0, 0, 0]
