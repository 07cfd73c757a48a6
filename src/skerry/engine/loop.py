"""The play loop: which seat is asked next, and how often.

Who can act is decided in three places:

- The rules' ``legal`` says what each seat may do now. A seat that the game does not wait for may have legal actions
  too: with them it can interrupt.
- The game's ``bot.policies.interrupting`` returns the seats whose bots want to be asked whether they interrupt, as a
  bit set. Each of them has a legal action. It must not depend on hidden information.
- This module decides in which order seats are asked, and how often.

Everything that plays games uses these kernels: the laboratory, rollouts, environments, training, the server and the
terminal. A driver hands ``play_loop`` a kernel that decides for the seats it controls; everything else is the same:

1. Seats that want to be asked are asked first, in seat order, each once between two steps. A seat that has interrupted
   ``MAX_INTERRUPTS`` times in a turn is not asked again in it: two bots that disagree might otherwise hand something to
   and fro for ever.
2. Then one of the seats that the game waits for is asked.
3. A seat that is waited for and has only one legal action is not asked, unless the driver wants that (``ask_forced``).
4. A policy may be wrong and choose no legal action. Then its seat passes, or does its first legal action if the game
   waits for it, and the loop tells its driver which seats did so (``Question.illegal``).

Between two steps the loop keeps its state in one int, ``loop_state``: which seats have answered since the last step,
and how often each seat has interrupted in this turn. It is 0 at the beginning of a turn.
"""

from __future__ import annotations

import functools
from collections.abc import Hashable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from skerry.engine.bitset import as_int, lowest_bit, popcount
from skerry.engine.kernel import kernel
from skerry.engine.rng import next_below
from skerry.engine.seats import MAX_SEATS

if TYPE_CHECKING:
    from skerry.engine.event_log import EventLog
    from skerry.engine.match import Match
    from skerry.engine.protocols import Rules

PASS = -1  # the answer of a seat that could interrupt and does not
ASK = -2  # the answer of a driver's ``decide`` that makes its choices outside the loop: the loop stops there
NOT_LEGAL = -3  # this, and anything below it: the answer of a policy that wanted an action which is not legal
NOBODY = -1  # no seat
MAX_INTERRUPTS = 3  # of one seat in one turn
NO_LIMIT = 1 << 30  # of steps or turns
ALL_SEATS = (1 << MAX_SEATS) - 1  # as a bit set; as a loop state: all seats have answered
# A loop state has a bit for each seat that has answered; above these, a counter of interruptions for each seat.
_COUNTER_BITS = 4


class Question(NamedTuple):
    """Where the loop stopped: the seat to ask, or ``NOBODY``. Hand ``loop_state`` and ``rng`` to the next call."""

    seat: int
    legal: int  # how many legal actions it has; their ids are in the buffer
    is_interrupt: bool  # the game does not wait for this seat: it may pass
    loop_state: int
    rng: Any
    steps: int
    illegal: int  # the seats whose policies have chosen no legal action in this call, as a bit set


class Interrupting(Hashable, Protocol):
    """A game's kernel that returns the seats that want to be asked whether they interrupt, as a bit set."""

    def __call__(self, state: Any) -> int: ...


class Decide(Hashable, Protocol):
    """A driver's kernel: the index of a legal action, ``PASS`` (only for an interruption) or ``ASK``; and the next
    state of the random generator. ``context`` is whatever the driver needs."""

    def __call__(
        self, context: Any, state: Any, seat: int, legal: Any, count: int, is_interrupt: bool, rng: Any, /
    ) -> tuple[int, Any]: ...


class PickSeat(Hashable, Protocol):
    """Pick one of the seats that the game waits for, given as a bit set; and the next state of the random generator."""

    def __call__(self, seats: int, rng: Any, /) -> tuple[int, Any]: ...


class Answer(Protocol):
    """Play what a seat has answered, a legal action or ``PASS``, and return the next loop state."""

    def __call__(self, state: Any, seat: int, action: int, loop_state: int, log: EventLog, /) -> int: ...


class PlayLoop(Protocol):
    """Play a game on until ``decide`` answers ``ASK``, the game is over, or a limit is reached.

    ``context`` is handed to ``decide``. ``silent`` are the seats that never interrupt, as a bit set. The loop stops
    after ``max_steps`` steps and when the state's counter of turns reaches ``last_turn``. The ids of the legal actions
    of the seat that is asked are left in ``buffer``.
    """

    def __call__(
        self,
        state: Any,
        context: Any,
        silent: int,
        loop_state: int,
        rng: Any,
        max_steps: int,
        last_turn: int,
        buffer: Any,
        log: EventLog,
        /,
    ) -> Question: ...


class ForcedStep(Protocol):
    """The seat and action of the only step that anybody can do now, or ``NOBODY`` and ``PASS``."""

    def __call__(self, state: Any, players: int, buffer: Any, /) -> tuple[int, int]: ...


@kernel
def no_interrupts(state: Any) -> int:
    """``interrupting`` of games in which every seat waits for its turn."""
    return 0


@kernel
def ask_driver(context: Any, state: Any, seat: int, legal: Any, count: int, is_interrupt: bool, rng: Any) -> Any:
    """``decide`` of drivers that answer every question outside the loop."""
    return ASK, rng


@kernel
def random_seat(seats: int, rng: Any) -> Any:
    """``PickSeat`` at random; the generator is used only where there are several."""
    if seats & (seats - 1):
        skip, rng = next_below(rng, popcount(seats))
        for _ in range(skip):
            seats &= seats - 1
    return lowest_bit(seats), rng


@kernel
def lowest_seat(seats: int, rng: Any) -> Any:
    """``PickSeat`` in seat order."""
    return lowest_bit(seats), rng


# The loop state


@kernel
def not_answered(seats: int, loop_state: int) -> int:
    """Those of the seats that have not answered since the last step, and may still be asked in this turn."""
    return seats & ~loop_state


@kernel
def with_answer(loop_state: int, seat: int) -> int:
    """The loop state after a seat was asked."""
    return loop_state | 1 << seat


@kernel
def interrupt_count(loop_state: int, seat: int) -> int:
    """How often a seat has interrupted in this turn; ``MAX_INTERRUPTS`` also stands for more."""
    return loop_state >> MAX_SEATS + _COUNTER_BITS * seat & (1 << _COUNTER_BITS) - 1


@kernel
def with_interrupt(loop_state: int, seat: int) -> int:
    """The loop state after a seat has interrupted."""
    if interrupt_count(loop_state, seat) == MAX_INTERRUPTS:
        return loop_state
    return loop_state + (1 << MAX_SEATS + _COUNTER_BITS * seat)


@kernel
def loop_state_after_step(loop_state: int, seat: int, interrupted: bool, same_turn: bool) -> int:
    """The loop state after a step of a seat. All seats are asked again, except those that have interrupted
    ``MAX_INTERRUPTS`` times in this turn."""
    if not same_turn:
        return 0
    if interrupted:
        loop_state = with_interrupt(loop_state, seat)
    counters = loop_state & ~ALL_SEATS
    after = counters
    if counters:
        for other in range(MAX_SEATS):
            if interrupt_count(counters, other) == MAX_INTERRUPTS:
                after = with_answer(after, other)
    return after


# Asking


@kernel
def is_answer(index: int, count: int, is_interrupt: bool) -> bool:
    """Whether a policy has chosen one of ``count`` legal actions, or to pass where it may."""
    return 0 <= index < count or (is_interrupt and index == PASS)


@kernel
def action_at(legal: Any, index: int) -> int:
    """The legal action that a policy has chosen by its index; ``PASS`` remains ``PASS``."""
    return PASS if index == PASS else as_int(legal[index])


@functools.cache
def answer_kernel(rules: Rules) -> Answer:
    """The kernel with which all drivers play what a seat has answered."""
    waiting, step = rules.waiting, rules.step

    @kernel
    def answer(state: Any, seat: int, action: int, loop_state: int, log: Any) -> int:
        if action == PASS:
            return with_answer(loop_state, seat)
        turn, interrupted = as_int(state.turns), not waiting(state) >> seat & 1
        step(state, seat, action, log)
        return loop_state_after_step(loop_state, seat, interrupted, as_int(state.turns) == turn)

    return answer


@functools.cache
def play_loop(
    rules: Rules,
    interrupting: Interrupting,
    decide: Decide,
    *,
    pick_seat: PickSeat = random_seat,
    ask_forced: bool = False,
) -> PlayLoop:
    """Make the play loop of a game for a driver.

    ``pick_seat`` chooses where the game waits for several seats; ``ask_forced``: ``decide`` is called even for a seat
    that has only one legal action.
    """
    waiting, legal, answer = rules.waiting, rules.legal, answer_kernel(rules)

    @kernel
    def play_on(
        state: Any,
        context: Any,
        silent: int,
        loop_state: int,
        rng: Any,
        max_steps: int,
        last_turn: int,
        buffer: Any,
        log: Any,
    ) -> Question:
        steps, illegal, waited = 0, 0, waiting(state)
        while waited and steps < max_steps and state.turns < last_turn:
            interrupters = not_answered(interrupting(state) & ~silent, loop_state)
            is_interrupt = interrupters != 0
            if is_interrupt:
                seat = lowest_bit(interrupters)
            else:
                seat, rng = pick_seat(waited, rng)
            number, index = legal(state, seat, buffer), 0
            if is_interrupt or number > 1 or ask_forced:
                index, rng = decide(context, state, seat, buffer, number, is_interrupt, rng)
            if not is_answer(index, number, is_interrupt):
                if index == ASK:
                    return Question(seat, number, is_interrupt, loop_state, rng, steps, illegal)
                illegal |= 1 << seat
                index = PASS if is_interrupt else 0
            loop_state = answer(state, seat, action_at(buffer, index), loop_state, log)
            if index != PASS:
                waited = waiting(state)
                steps += 1
        return Question(NOBODY, 0, False, loop_state, rng, steps, illegal)

    return play_on


@functools.cache
def forced_step_kernel(rules: Rules) -> ForcedStep:
    """Make the kernel that finds forced steps.

    Where people play, a forced step is played automatically only if no seat could do anything else, not even
    interrupt.
    """
    legal = rules.legal

    @kernel
    def forced(state: Any, players: int, buffer: Any) -> Any:
        seat, action = NOBODY, PASS
        for other in range(players):
            number = legal(state, other, buffer)
            if number > 1 or (number and seat != NOBODY):
                return NOBODY, PASS
            if number:
                seat, action = other, as_int(buffer[0])
        return seat, action

    return forced


class TurnOrder:
    """The loop state of a match that people play, where the same kernels decide which seat is asked next."""

    def __init__(self, interrupting: Interrupting) -> None:
        self._interrupting = interrupting
        self.loop_state = 0

    def interrupters(self, state: Any) -> tuple[int, ...]:
        """The seats to ask now whether they interrupt, in their order."""
        seats = not_answered(self._interrupting(state), self.loop_state)
        return tuple(seat for seat in range(MAX_SEATS) if seats >> seat & 1)

    def passed(self, seat: int) -> None:
        """A seat that was asked does not interrupt."""
        self.loop_state = with_answer(self.loop_state, seat)

    @contextmanager
    def step_of(self, seat: int, match: Match) -> Iterator[None]:
        """The body of the ``with`` statement plays a step of a seat; if it raises, nothing has changed."""
        waiting, turn = match.waiting, int(match.state.turns)
        yield
        self.stepped(seat, seat not in waiting, turn == match.state.turns)

    def stepped(self, seat: int, interrupted: bool, same_turn: bool) -> None:
        """A seat has acted; ``interrupted``: the game did not wait for it."""
        self.loop_state = loop_state_after_step(self.loop_state, seat, interrupted, same_turn)

    def undone(self) -> None:
        """A step was undone: all seats are asked again."""
        self.loop_state = loop_state_after_step(self.loop_state, 0, False, True)
