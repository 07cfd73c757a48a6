"""The play loop: who is asked next, who may interrupt, how often, and which steps are played automatically.

Everything that plays games uses these kernels: the laboratory, rollouts, environments, training, the server and the
terminal. A driver hands ``play_loop`` a kernel that decides for the seats it controls; everything else is the same:

1. Seats that may want to interrupt are asked first, in seat order, each once between two steps and at most
   ``MAX_INTERRUPTS`` times a turn: two bots that disagree might otherwise hand something to and fro for ever.
2. Then one of the seats that the game waits for is asked.
3. A seat that is waited for and has only one legal action is not asked, unless the driver wants that (``ask_forced``).

What a seat may want to interrupt with depends on the game: its kernel ``interrupting(state)`` returns those seats as a
bit set. It must not depend on hidden information.

The memory of the loop between two steps is one int, ``polled``: its low bits are the seats that are not asked again
before the next step, the bits above count how often each seat has interrupted in this turn.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Hashable
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from skerry.engine.bitset import as_int, lowest_bit, popcount
from skerry.engine.kernel import kernel
from skerry.engine.rng import next_below
from skerry.engine.seats import MAX_SEATS

if TYPE_CHECKING:
    from skerry.engine.protocols import Rules

PASS = -1  # the answer of a seat that could interrupt and does not
ASK = -2  # the answer of a driver's ``decide`` that makes its choices outside the loop: the loop stops there
NOBODY = -1  # no seat
MAX_INTERRUPTS = 3  # of one seat in one turn
NO_LIMIT = 1 << 30  # of steps or turns
_COUNTER_BITS = 4  # of each seat's counter in ``polled``
ALL_SEATS = (1 << MAX_SEATS) - 1  # as a bit set


class Question(NamedTuple):
    """Where the loop stopped: the seat to ask, or ``NOBODY``. Hand ``polled`` and ``rng`` to the next call."""

    seat: int
    legal: int  # how many legal actions it has; their ids are in the buffer
    interrupts: bool  # the game does not wait for this seat: it may pass
    polled: int
    rng: Any
    steps: int


class Interrupting(Hashable, Protocol):
    """A game's kernel that returns the seats that may want to interrupt now, as a bit set."""

    def __call__(self, state: Any) -> int: ...


class Decide(Hashable, Protocol):
    """A driver's kernel: the index of a legal action, ``PASS`` (only if the seat interrupts) or ``ASK``; and the next
    state of the random generator. ``context`` is whatever the driver needs."""

    def __call__(
        self, context: Any, state: Any, seat: int, legal: Any, count: int, interrupts: bool, rng: Any, /
    ) -> tuple[int, Any]: ...


@kernel
def nobody(state: Any) -> int:
    """``interrupting`` of games in which every seat waits for its turn."""
    return 0


@kernel
def ask_driver(context: Any, state: Any, seat: int, legal: Any, count: int, interrupts: bool, rng: Any) -> Any:
    """``decide`` of drivers that answer every question outside the loop."""
    return ASK, rng


@kernel
def random_seat(seats: int, rng: Any) -> Any:
    """One of the seats that the game waits for; the generator is used only where there are several."""
    if seats & (seats - 1):
        skip, rng = next_below(rng, popcount(seats))
        for _ in range(skip):
            seats &= seats - 1
    return lowest_bit(seats), rng


@kernel
def lowest_seat(seats: int, rng: Any) -> Any:
    """The first of the seats that the game waits for."""
    return lowest_bit(seats), rng


@kernel
def polled_after_step(polled: int, seat: int, interrupted: bool, same_turn: bool) -> int:
    """The loop's memory after a step. Seats that have interrupted too often in this turn are not asked again."""
    if not same_turn:
        return 0
    times = polled >> MAX_SEATS
    if interrupted:
        times += 1 << _COUNTER_BITS * seat
    spent = 0
    if times:
        for other in range(MAX_SEATS):
            spent |= (times >> _COUNTER_BITS * other & (1 << _COUNTER_BITS) - 1 >= MAX_INTERRUPTS) << other
    return times << MAX_SEATS | spent


@functools.cache
def taking(rules: Rules) -> Callable[[Any, int, int, int, Any], int]:
    """The kernel ``take(state, seat, action, polled, log)``: do a legal action; the loop's memory after it."""
    waiting, step = rules.waiting, rules.step

    @kernel
    def take(state: Any, seat: int, action: int, polled: int, log: Any) -> int:
        turn, interrupted = as_int(state.turns), not waiting(state) >> seat & 1
        step(state, seat, action, log)
        return polled_after_step(polled, seat, interrupted, as_int(state.turns) == turn)

    return take


# A kernel made by ``play_loop``: numba compiles it for the context of each driver, so that the context has no one type.
PlayOn = Callable[..., Question]


@functools.cache
def play_loop(
    rules: Rules,
    interrupting: Interrupting,
    decide: Decide,
    *,
    simultaneous: Callable[[int, Any], Any] = random_seat,
    ask_forced: bool = False,
) -> PlayOn:
    """The kernel that plays a game on until ``decide`` answers ``ASK``, the game is over, or a limit is reached.

    ``simultaneous`` picks one of several seats that the game waits for; ``ask_forced``: ``decide`` is called even for a
    seat that has only one legal action.
    """
    waiting, legal, take = rules.waiting, rules.legal, taking(rules)

    @kernel
    def play_on(
        state: Any,
        context: Any,
        silent: int,
        polled: int,
        rng: Any,
        max_steps: int,
        last_turn: int,
        buffer: Any,
        log: Any,
    ) -> Question:
        """``silent`` are the seats that never interrupt, as a bit set. The ids of the legal actions of the seat that is
        asked are left in ``buffer``."""
        steps, waited = 0, waiting(state)
        while waited and steps < max_steps and state.turns < last_turn:
            free = interrupting(state) & ~silent & ~polled
            if free:
                seat = lowest_bit(free)
            else:
                seat, rng = simultaneous(waited, rng)
            number, index = legal(state, seat, buffer), 0
            if free or number > 1 or ask_forced:
                index, rng = decide(context, state, seat, buffer, number, free != 0, rng)
            if index == ASK:
                return Question(seat, number, free != 0, polled, rng, steps)
            polled |= 1 << seat
            if index != PASS:
                polled = take(state, seat, as_int(buffer[index]), polled, log)
                waited = waiting(state)
                steps += 1
        return Question(NOBODY, 0, False, polled, rng, steps)

    return play_on


@functools.cache
def forcing(rules: Rules) -> Callable[[Any, int, Any], tuple[int, int]]:
    """The kernel ``forced(state, players, buffer)``: the seat and action of the only step that anybody can do now.

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
    """The loop's memory for a match that people play, where the same kernels decide which seat is asked next."""

    def __init__(self, interrupting: Interrupting) -> None:
        self._interrupting = interrupting
        self.polled = 0

    def interrupters(self, state: Any) -> tuple[int, ...]:
        """The seats to ask now whether they interrupt, in their order."""
        free = self._interrupting(state) & ~self.polled
        return tuple(seat for seat in range(MAX_SEATS) if free >> seat & 1)

    def passed(self, seat: int) -> None:
        """A seat that was asked does not interrupt."""
        self.polled |= 1 << seat

    def stepped(self, seat: int, interrupted: bool, same_turn: bool) -> None:
        """A seat has acted; ``interrupted``: the game did not wait for it."""
        self.polled = polled_after_step(self.polled, seat, interrupted, same_turn)

    def undone(self) -> None:
        """A step was undone: all seats are asked again."""
        self.polled = polled_after_step(self.polled, 0, False, True)
