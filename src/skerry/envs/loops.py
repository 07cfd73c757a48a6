"""A batch of games, a decision each, in one call: loops over the kernels of one game and the bots at its seats."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any, NamedTuple

from skerry.bots.bot import Policy
from skerry.engine.bits import lowest, plain
from skerry.engine.game import Rules
from skerry.engine.kernel import kernel
from skerry.engine.random import bounded, seeded
from skerry.engine.record import i8, i16, i32, record, u64
from skerry.envs.rewards import ILLEGAL, pay
from skerry.lab.loops import BOTS_CHANCE, choosing

NOBODY = -1
PATIENCE = 10_000  # steps between two decisions of a learner, after which a game is cut off: bots may dawdle for ever


@record
class Slot:
    """Where one game of a batch stands."""

    seed: u64  # of the next game; the one after it follows from it
    chance: u64  # the bots'
    dice: u64  # of who acts at random
    steps: i32  # decisions so far
    count: i16  # choices of the seat that is asked
    seat: i8  # the seat that is asked, or nobody
    over: i8  # the next step begins a game, whatever the action


class Desk(NamedTuple):
    """What changes: arrays with a row a game."""

    states: Any
    slots: Any
    legals: Any  # ids of the choices, ascending
    masks: Any  # the same as zeros and ones
    observations: Any
    last_masks: Any  # of the games that ended in this step, where others have begun
    last_observations: Any
    scores: Any
    rewards: Any  # a seat each
    reward: Any  # of the seat that acted
    terminated: Any
    truncated: Any


class Terms(NamedTuple):
    """What stays."""

    options: Any
    blank: Any  # a zeroed record
    mind: Any  # a policy a seat, or LEARNER
    won: Any  # by the number of the ending
    kind: int  # of reward
    limit: int
    forced: bool
    same_step: bool  # a game begins in the step that ends the one before
    log: Any


@kernel
def mark(mask: Any, legal: Any, count: int, value: int) -> None:
    for k in range(count):
        mask[legal[k]] = value


@kernel
def sample_games(slots: Any, legals: Any, out: Any) -> None:
    """Any legal action in each game, each as likely as the others; 0 where nobody is asked."""
    for i in range(len(slots)):
        out[i] = 0
        if slots[i].count:
            index, slots[i].dice = bounded(slots[i].dice, slots[i].count)
            out[i] = legals[i][index]


@kernel
def clear(i: int, action: int, desk: Desk) -> bool:
    """Wipe off what was said about the last step; whether the action is legal."""
    mask = desk.masks[i]
    fair = 0 <= action < len(mask) and mask[action] == 1
    mark(mask, desk.legals[i], desk.slots[i].count, 0)
    for seat in range(len(desk.rewards[i])):
        desk.rewards[i][seat] = 0
    desk.reward[i] = 0
    desk.terminated[i] = desk.truncated[i] = False
    return fair


@kernel
def judge(i: int, actor: int, fair: bool, ending: int, desk: Desk, terms: Terms) -> bool:
    """Pay, and say whether the game has ended or is cut off."""
    slot = desk.slots[i]
    if not fair:
        slot.seat, slot.count = NOBODY, 0
        desk.rewards[i][actor] = ILLEGAL
    elif ending:
        pay(terms.kind, terms.won[ending], desk.scores[i], desk.rewards[i])
    desk.reward[i] = desk.rewards[i][actor]
    desk.terminated[i] = not fair or ending > 0
    desk.truncated[i] = not desk.terminated[i] and (slot.seat == NOBODY or slot.steps == terms.limit)
    slot.over = desk.terminated[i] or desk.truncated[i]
    return slot.over > 0


def _playing(rules: Rules, policies: tuple[Policy, ...], blind: bool) -> Callable[..., None]:
    setup, waiting, legal, step = rules.setup, rules.waiting, rules.legal, rules.step
    determinize, choose = rules.determinize, choosing(policies)

    @kernel
    def play_on(i: int, action: int, desk: Desk, terms: Terms, world: Any) -> None:
        """Do an action, or begin a game, and play until a learner has to choose. The lowest seat that is waited for
        is asked; it is nobody when the game is over."""
        state, slot, buffer = desk.states[i], desk.slots[i], desk.legals[i]
        seat, begun = plain(slot.seat), not slot.over
        slot.seat, slot.count, slot.over = NOBODY, 0, 0
        slot.steps = slot.steps + 1 if begun else 0
        if not begun:
            desk.states[i] = terms.blank[0]
            setup(state, terms.options[0], slot.seed)
            slot.chance = seeded(slot.seed ^ BOTS_CHANCE, 0)
            slot.seed = seeded(slot.seed, 1)
        for turn in range(PATIENCE):
            if begun or turn:
                step(state, seat, action, terms.log)
            if not waiting(state):
                return
            seat, index = lowest(waiting(state)), 0
            number = legal(state, seat, buffer)
            if terms.mind[seat] >= 0:
                if not blind:
                    world[0] = state
                    determinize(world[0], seat, slot.chance)
                index, slot.chance = choose(terms.mind[seat], world[0], seat, buffer, number, slot.chance)
            elif number > 1 or terms.forced:
                slot.seat, slot.count = seat, number
                return
            action = plain(buffer[index])

    return play_on


@functools.cache
def step_games(rules: Rules, policies: tuple[Policy, ...], blind: bool) -> Callable[..., None]:
    """The kernel that steps a range of a batch. ``blind``: no bot looks at the world, so none is sampled.

    What calls a game's kernels is compiled together with them, so only this one and ``play_on`` do.
    """
    observe, result = rules.observe, rules.result
    play_on = _playing(rules, policies, blind)

    @kernel
    def step_range(actions: Any, desk: Desk, terms: Terms, world: Any, start: int, stop: int) -> None:
        for i in range(start, stop):
            state, slot = desk.states[i], desk.slots[i]
            actor, running = plain(slot.seat), not slot.over
            action = plain(actions[i])
            fair = clear(i, action, desk)
            if fair or not running:
                play_on(i, action, desk, terms, world)
            if running and judge(i, actor, fair, result(state, desk.scores[i]), desk, terms) and terms.same_step:
                for k in range(len(desk.last_masks[i])):
                    desk.last_masks[i][k] = 0
                mark(desk.last_masks[i], desk.legals[i], slot.count, 1)
                observe(state, actor if slot.seat == NOBODY else plain(slot.seat), desk.last_observations[i])
                play_on(i, 0, desk, terms, world)
            mark(desk.masks[i], desk.legals[i], slot.count, 1)
            observe(state, max(actor, 0) if slot.seat == NOBODY else plain(slot.seat), desk.observations[i])

    return step_range
