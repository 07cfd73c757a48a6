"""A batch of games, a decision each, in one call: loops over the kernels of one game and the bots at its seats."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any, NamedTuple

from skerry.bots.bot import Policy
from skerry.engine.bitset import lowest, plain
from skerry.engine.game import Rules
from skerry.engine.kernel import kernel
from skerry.engine.rng import bounded, seeded
from skerry.engine.struct import i8, i16, i32, record, u64
from skerry.envs.rewards import ILLEGAL, pay
from skerry.lab.playout import BOTS_CHANCE, choosing

NOBODY = NOTHING = -1
RUNNING, TERMINATED, TRUNCATED = range(3)
PATIENCE = 10_000  # steps between two decisions of a learner, after which a game is cut off: bots may dawdle for ever


@record
class Slot:
    """Where one game of a batch stands."""

    seed: u64  # of the next game; the one after it follows from it
    chance: u64  # the bots'
    dice: u64  # of who acts at random, or asks a bot
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


class Opening(NamedTuple):
    """What a game begins with."""

    options: Any
    blank: Any  # a zeroed record


class Playing(NamedTuple):
    """Who plays, and who is asked."""

    mind: Any  # a policy a seat, or LEARNER
    forced: bool
    log: Any


class Paying(NamedTuple):
    """What a game pays, and when it is cut off."""

    won: Any  # by the number of the ending
    kind: int  # of reward
    limit: int


class Terms(NamedTuple):
    """What stays. A call copies each array of a tuple, so what is called in every step gets the part that it needs."""

    opening: Opening
    playing: Playing
    paying: Paying
    same_step: bool  # a game begins in the step that ends the one before


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


@functools.cache
def ask_games(rules: Rules, policy: Policy) -> Callable[..., None]:
    """The kernel that asks a bot in each game of a range what it would do."""
    determinize = rules.determinize

    @kernel
    def ask_range(desk: Desk, world: Any, out: Any, start: int, stop: int) -> None:
        """It knows what the seat that is asked knows; 0 where nobody is."""
        for i in range(start, stop):
            slot = desk.slots[i]
            out[i] = 0
            if slot.count:
                world[0] = desk.states[i]
                determinize(world[0], plain(slot.seat), slot.dice)
                index, slot.dice = policy(world[0], plain(slot.seat), desk.legals[i], plain(slot.count), slot.dice)
                out[i] = desk.legals[i][index]

    return ask_range


@kernel
def clear(numbers: Any) -> None:
    for k in range(len(numbers)):
        numbers[k] = 0


@kernel
def judge(slot: Slot, actor: int, fair: bool, ending: int, scores: Any, rewards: Any, paying: Paying) -> int:
    """Pay, and say whether the game goes on, has ended or is cut off."""
    if not fair:
        slot.seat, slot.count = NOBODY, 0
        rewards[actor] = ILLEGAL
        return TERMINATED
    if ending:
        pay(paying.kind, paying.won[ending], scores, rewards)
        return TERMINATED
    return TRUNCATED if slot.seat == NOBODY or slot.steps == paying.limit else RUNNING


def _playing(rules: Rules, policies: tuple[Policy, ...], blind: bool) -> Callable[..., None]:
    waiting, legal, step, determinize = rules.waiting, rules.legal, rules.step, rules.determinize
    choose = choosing(policies)

    @kernel
    def play_on(state: Any, slot: Slot, action: int, buffer: Any, playing: Playing, world: Any) -> None:
        """Do an action, or nothing at the beginning of a game, and play until a learner has to choose. The lowest seat
        that is waited for is asked; it is nobody when the game is over."""
        seat = plain(slot.seat)
        slot.seat, slot.count = NOBODY, 0
        for _ in range(PATIENCE):
            if action != NOTHING:
                step(state, seat, action, playing.log)
            if not waiting(state):
                return
            seat, index = lowest(waiting(state)), 0
            number = legal(state, seat, buffer)
            if playing.mind[seat] >= 0:
                if not blind:
                    world[0] = state
                    determinize(world[0], seat, slot.chance)
                index, slot.chance = choose(playing.mind[seat], world[0], seat, buffer, number, slot.chance)
            elif number > 1 or playing.forced:
                slot.seat, slot.count = seat, number
                return
            action = plain(buffer[index])

    return play_on


def _beginning(setup: Callable[..., Any], play_on: Callable[..., None]) -> Callable[..., None]:
    @kernel
    def begin(i: int, desk: Desk, terms: Terms, world: Any) -> None:
        """Begin the next game of the series."""
        state, slot = desk.states[i], desk.slots[i]
        desk.states[i] = terms.opening.blank[0]
        setup(state, terms.opening.options[0], slot.seed)
        slot.chance = seeded(slot.seed ^ BOTS_CHANCE, 0)
        slot.seed = seeded(slot.seed, 1)
        slot.steps = slot.over = 0
        play_on(state, slot, NOTHING, desk.legals[i], terms.playing, world)

    return begin


def _ending(observe: Callable[..., None], begin: Callable[..., None]) -> Callable[..., None]:
    @kernel
    def end(i: int, actor: int, desk: Desk, terms: Terms, world: Any) -> None:
        """Show the last of a game that is over, and begin another."""
        slot = desk.slots[i]
        clear(desk.last_masks[i])
        mark(desk.last_masks[i], desk.legals[i], slot.count, 1)
        observe(desk.states[i], actor if slot.seat == NOBODY else plain(slot.seat), desk.last_observations[i])
        begin(i, desk, terms, world)

    return end


@functools.cache
def step_games(rules: Rules, policies: tuple[Policy, ...], blind: bool) -> Callable[..., None]:
    """The kernel that steps a range of a batch. ``blind``: no bot looks at the world, so none is sampled.

    What calls a game's kernels is compiled together with them, so only this one and those it is made of do.
    """
    observe, result = rules.observe, rules.result
    play_on = _playing(rules, policies, blind)
    begin = _beginning(rules.setup, play_on)
    end = _ending(observe, begin)

    @kernel
    def step_range(actions: Any, desk: Desk, terms: Terms, world: Any, start: int, stop: int) -> None:
        for i in range(start, stop):
            state, slot, buffer, mask = desk.states[i], desk.slots[i], desk.legals[i], desk.masks[i]
            actor, action, verdict = plain(slot.seat), plain(actions[i]), RUNNING
            fair = 0 <= action < len(mask) and mask[action] == 1
            mark(mask, buffer, slot.count, 0)
            clear(desk.rewards[i])
            desk.reward[i] = 0
            if slot.over:
                begin(i, desk, terms, world)
            else:
                if fair:
                    slot.steps += 1
                    play_on(state, slot, action, buffer, terms.playing, world)
                ending = result(state, desk.scores[i])
                verdict = judge(slot, actor, fair, ending, desk.scores[i], desk.rewards[i], terms.paying)
                desk.reward[i] = desk.rewards[i][actor]
                slot.over = verdict != RUNNING
                if slot.over and terms.same_step:
                    end(i, actor, desk, terms, world)
            desk.terminated[i], desk.truncated[i] = verdict == TERMINATED, verdict == TRUNCATED
            mark(mask, buffer, slot.count, 1)
            observe(state, max(actor, 0) if slot.seat == NOBODY else plain(slot.seat), desk.observations[i])

    return step_range
