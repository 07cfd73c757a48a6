"""Whom to ask: one of those the game waits for, and before that all who may want to interrupt.

A game's module ``bot`` may have a kernel ``interrupting(state)``: the seats, as a bit set, from which a player might
want to interrupt now, with a card that may be played at any time. It must not depend on what is hidden. Whoever is
asked so answers with an action, or with ``PASS``; between two steps nobody is asked twice. Where bots search, or people
play too, a seat interrupts ``MOST`` times in a turn: two who see it differently might hand something to and fro for
ever.
"""

from __future__ import annotations

import importlib
from collections.abc import Collection
from typing import Any

from skerry.botkit.policy import PASS
from skerry.bots.bot import Policy
from skerry.bots.random_policy import choose
from skerry.engine.bitset import count, lowest
from skerry.engine.game import Game
from skerry.engine.kernel import kernel
from skerry.engine.match import Match
from skerry.engine.rng import bounded

__all__ = [
    "MOST",
    "PASS",
    "after_step",
    "imposes",
    "interrupters",
    "interrupting_of",
    "next_asked",
    "nobody",
    "pick",
    "speaking",
]

MOST = 3  # interruptions of a seat in one turn
_SEATS, _TIMES = 8, 4  # bits of a set of seats, and of how often one of them has interrupted


@kernel
def nobody(state: Any) -> int:
    """For games in which all have to wait for their turn."""
    return 0


def interrupting_of(game: Game) -> Policy:
    """The kernel that says who may want to interrupt."""
    if not game.bots:
        return nobody
    found: Policy = getattr(importlib.import_module(f"{game.package}.bot.policies"), "interrupting", nobody)
    return found


def interrupters(match: Match) -> tuple[int, ...]:
    """The seats of a match from which a player might want to interrupt now."""
    seats = interrupting_of(match.game)(match.state)
    return tuple(seat for seat in range(match.variant.players) if seats >> seat & 1)


def imposes(game: Game, action: int, people: Collection[int]) -> bool:
    """Whether an action moves the piece of a person, who would rather be asked than interrupted so."""
    verb, parts = game.actions.verb(action)
    kinds = [slot.kind for slot in verb.slots]
    moved = [seat for kind, seats in zip(kinds, parts, strict=True) if kind == game.seat_kind for seat in seats]
    return verb.moves and not set(people).isdisjoint(moved)


def speaking(policies: tuple[Policy, ...]) -> tuple[bool, ...]:
    """Which policies interrupt: all but the one that does anything."""
    return tuple(policy is not choose for policy in policies)


@kernel
def next_asked(free: int, waited: int, counter: Any) -> Any:
    """The seat to ask: the first that is free to interrupt, or one that the game waits for."""
    if free:
        return lowest(free), counter
    return pick(waited, counter)


@kernel
def after_step(passed: int, seat: int, interrupts: bool, same_turn: bool) -> int:
    """Who is not asked after a step of a seat, as a bit set; above it, how often each has interrupted in this turn."""
    if not same_turn:
        return 0
    times = passed >> _SEATS
    if interrupts:
        times += 1 << _TIMES * seat
    silent = 0
    for other in range(_SEATS):
        silent |= (times >> _TIMES * other & 15 >= MOST) << other
    return times << _SEATS | silent


@kernel
def pick(seats: int, counter: Any) -> Any:
    """One of the seats that the game waits for; chance is asked only where there are several."""
    if seats & (seats - 1):
        skip, counter = bounded(counter, count(seats))
        for _ in range(skip):
            seats &= seats - 1
    return lowest(seats), counter
