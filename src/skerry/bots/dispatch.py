"""One kernel for the policies at all seats: compiled code has no table of functions."""

from __future__ import annotations

import functools
from typing import Any, NamedTuple, Protocol

from skerry.botkit.protocols import Policy
from skerry.bots.random_policy import choose
from skerry.engine.kernel import kernel
from skerry.engine.loop import ASK, NOT_LEGAL, Decide
from skerry.engine.protocols import Rules


class SeatPolicies(NamedTuple):
    """The context of ``decide``: which policy plays which seat."""

    policy_of: Any  # the number of a seat's policy; below 0: the driver is asked
    world: Any  # a struct to sample what a policy's seat cannot know
    ask_forced: bool  # the driver is asked even where its seat has only one legal action


class PolicyByNumber(Protocol):
    """A policy that is chosen by its number at each call."""

    def __call__(self, number: int, world: Any, seat: int, legal: Any, count: int, rng: Any, /) -> tuple[int, Any]: ...


def dispatch(policies: tuple[Policy, ...]) -> PolicyByNumber:
    """A kernel like a policy, with the policy's number as its first argument."""
    first = policies[0]
    if len(policies) == 1:

        @kernel
        def only(number: int, world: Any, seat: int, legal: Any, count: int, rng: Any) -> Any:
            return first(world, seat, legal, count, rng)

        return only
    rest = dispatch(policies[1:])

    @kernel
    def one_of(number: int, world: Any, seat: int, legal: Any, count: int, rng: Any) -> Any:
        if number == 0:
            return first(world, seat, legal, count, rng)
        return rest(number - 1, world, seat, legal, count, rng)

    return one_of


@functools.cache
def decide_kernel(rules: Rules, policies: tuple[Policy, ...], blind: bool = False) -> Decide:
    """The play loop's kernel ``decide`` that asks each seat's policy, which knows what the seat knows.

    Seats without a policy are the driver's. ``blind``: no policy looks at the state, so none is sampled.
    """
    determinize, choose_by = rules.determinize, dispatch(policies)

    @kernel
    def decide(
        players: SeatPolicies, state: Any, seat: int, legal: Any, count: int, is_interrupt: bool, rng: Any
    ) -> Any:
        number = players.policy_of[seat]
        if number < 0:
            return (ASK if is_interrupt or count > 1 or players.ask_forced else 0), rng
        if not blind:
            players.world[0] = state
            determinize(players.world[0], seat, rng)
        index, rng = choose_by(number, players.world[0], seat, legal, count, rng)
        return (NOT_LEGAL if index == ASK else index), rng  # only a driver may be asked

    return decide


def may_interrupt(policy: Policy) -> bool:
    """Whether a policy may interrupt: the random one, which would play any card at any time, may not."""
    return policy is not choose


@kernel
def silent_seats(policy_of: Any, interrupting_policies: Any) -> int:
    """The seats whose policies never interrupt, as a bit set; a driver's seats may.

    ``interrupting_policies`` has a truth value for each policy: that of ``may_interrupt``.
    """
    silent = 0
    for seat in range(len(policy_of)):
        silent |= 0 if policy_of[seat] < 0 or interrupting_policies[policy_of[seat]] else 1 << seat
    return silent
