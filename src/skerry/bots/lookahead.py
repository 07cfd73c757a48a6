"""Players who look before they act: through some steps of their own, along what suggests itself most, and up to where
something hidden would come to light; then they go by the judgement of where that leads. They interrupt where it
betters things clearly.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from skerry.bots.policy_net import LEAST, PolicyNet
from skerry.bots.value_net import ValueNet
from skerry.bots.workspace import Workspace, scratch_size
from skerry.engine.bitset import as_int
from skerry.engine.kernel import kernel
from skerry.engine.loop import PASS
from skerry.engine.protocols import Rules

LIKELY = 4  # actions that are looked at, at each step
UNLIKELY = 4.0  # what suggests itself so much less than something else is not looked at
LEANING = 1 / 300  # to what suggests itself, beside what comes of it
GAIN = 0.03  # that an interruption must bring, unless it ends the game


@dataclass(frozen=True)
class Eye:
    """``worth`` says what one of a room's worlds is worth to a seat, ``rate`` writes behind the desk how much what is
    legal there suggests itself: as many numbers for each world as can be legal in it."""

    worth: Callable[..., Any]
    rate: Callable[..., Any]
    desk: int


def lookahead_kernel(
    rules: Rules, value: Callable[..., Any], judgement: ValueNet, instinct: PolicyNet
) -> Callable[..., Any]:
    """A kernel ``ask``, as ``following`` has it."""
    waiting, eye = rules.waiting, _eye(rules, value, judgement, instinct)
    look = _staying(eye, judgement.steps)
    for number in reversed(range(judgement.steps)):
        look = _looking(rules, eye, number, look)
    interrupt = _interrupting(rules, eye)

    @kernel
    def ask(room: Workspace, seat: int, count: int, counter: Any) -> Any:
        if waiting(room.worlds[0]) >> seat & 1:
            _, index = look(room, seat)
            return index, counter
        return interrupt(room, seat, count), counter

    return ask


def _eye(rules: Rules, value: Callable[..., Any], judgement: ValueNet, instinct: PolicyNet) -> Eye:
    waiting, judge, rate = rules.waiting, judgement.worth, instinct.rate
    start, desk = judgement.shape.size, scratch_size(judgement, instinct)

    @kernel
    def worth(room: Workspace, number: int, seat: int) -> float:
        world = room.worlds[number]
        if waiting(world):
            return float(judge(world, room.weights, room.desk))
        found, _ = value(world, seat, room.won, room.scores)
        return float(found)

    @kernel
    def rate_legal(room: Workspace, number: int, seat: int, count: int) -> None:
        size = len(room.legal) // len(room.worlds)
        legal, ratings = room.legal[number * size :], room.desk[desk + number * size :]
        rate(room.worlds[number], seat, legal, count, room.weights[start:], room.desk, ratings)

    return Eye(worth, rate_legal, desk)


@kernel
def _likeliest(ratings: Any, count: int) -> int:
    best = 0
    for index in range(1, count):
        if ratings[index] > ratings[best]:
            best = index
    return best


def _staying(eye: Eye, number: int) -> Callable[..., Any]:
    worth = eye.worth

    @kernel
    def stay(room: Workspace, seat: int) -> Any:
        return worth(room, number, seat), 0

    return stay


def _looking(rules: Rules, eye: Eye, number: int, look_on: Callable[..., Any]) -> Callable[..., Any]:
    """A kernel ``look(room, seat)``: what a seat can come to from one of the worlds, and the index of how."""
    legal_in, rate, desk = rules.legal, eye.rate, eye.desk
    come_to = _coming_to(rules, eye, number, look_on)

    @kernel
    def look(room: Workspace, seat: int) -> Any:
        size = len(room.legal) // len(room.worlds)
        legal, ratings = room.legal[number * size :], room.desk[desk + number * size :]
        count = legal_in(room.worlds[number], seat, legal)
        ratings[0] = 0.0
        if count > 1:
            rate(room, number, seat, count)
        highest = ratings[_likeliest(ratings, count)]
        chosen, most = 0, LEAST
        for _ in range(min(LIKELY, count)):
            index = _likeliest(ratings, count)
            less = highest - ratings[index]
            if less > UNLIKELY:
                break
            ratings[index] = LEAST
            found = come_to(room, seat, as_int(legal[index])) - LEANING * less
            if found > most:
                chosen, most = index, found
        return most, chosen

    return look


def _coming_to(rules: Rules, eye: Eye, number: int, look_on: Callable[..., Any]) -> Callable[..., Any]:
    waiting, step, worth = rules.waiting, rules.step, eye.worth

    @kernel
    def come_to(room: Workspace, seat: int, action: int) -> float:
        """What an action in one of the worlds can lead to."""
        room.worlds[number + 1] = room.worlds[number]
        if step(room.worlds[number + 1], seat, action, room.log):
            return float(worth(room, number, seat))  # what comes to light, nobody can know
        if waiting(room.worlds[number + 1]) != 1 << seat:
            return float(worth(room, number + 1, seat))
        found, _ = look_on(room, seat)
        return float(found)

    return come_to


def _interrupting(rules: Rules, eye: Eye) -> Callable[..., Any]:
    waiting, step, worth, rate, desk = rules.waiting, rules.step, eye.worth, eye.rate, eye.desk

    @kernel
    def interrupt(room: Workspace, seat: int, count: int) -> int:
        chosen, most, ratings = PASS, worth(room, 0, seat), room.desk[desk:]
        rate(room, 0, seat, count)
        for _ in range(min(LIKELY, count)):
            index = _likeliest(ratings, count)
            ratings[index] = LEAST
            room.worlds[1] = room.worlds[0]
            if not step(room.worlds[1], seat, as_int(room.legal[index]), room.log):
                found = worth(room, 1, seat)
                if found > most + (GAIN if waiting(room.worlds[1]) and chosen == PASS else 0.0):
                    chosen, most = index, found
        return chosen

    return interrupt
