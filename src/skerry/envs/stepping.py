"""The kernels that step a batch of games, one decision each, in one call: the play loop of a game, with bots at some
seats and a learner at the others."""

from __future__ import annotations

import functools
from typing import Any, NamedTuple, Protocol

from skerry.botkit.protocols import Policy
from skerry.bots.dispatch import Players, deciding
from skerry.engine.bitset import as_int
from skerry.engine.kernel import kernel
from skerry.engine.loop import (
    NO_LIMIT,
    NOBODY,
    PASS,
    Interrupting,
    lowest_seat,
    play_loop,
    taking,
)
from skerry.engine.protocols import Rules
from skerry.engine.rng import derive_seed, next_below
from skerry.engine.struct import i8, i16, i32, i64, struct, u64
from skerry.envs.rewards import ILLEGAL, pay
from skerry.lab.playout import BOTS_STREAM

NO_ACTION = -1
RUNNING, TERMINATED, TRUNCATED = range(3)
PATIENCE = 10_000  # steps between two decisions of a learner, after which a game is cut off: bots may dawdle for ever


@struct
class Slot:
    """Where one game of a batch stands."""

    seed: u64  # of the next game; the one after it follows from it
    bots_rng: u64
    sample_rng: u64  # for random actions, and for a bot that is asked in the learner's place
    polled: i64  # the play loop's memory of who was asked
    steps: i32  # decisions so far
    count: i16  # legal actions of the seat that is asked, passing included
    seat: i8  # the seat that is asked, or nobody
    interrupts: i8  # the game does not wait for it: it may pass
    over: i8  # the next step begins a game, whatever the action


class Buffers(NamedTuple):
    """What changes: arrays with a row for each game."""

    states: Any
    slots: Any
    legals: Any  # ids of the legal actions, ascending
    masks: Any  # the same as zeros and ones
    observations: Any
    last_masks: Any  # of the games that ended in this step, where others have begun
    last_observations: Any
    scores: Any
    rewards: Any  # one for each seat
    reward: Any  # of the seat that acted
    terminated: Any
    truncated: Any


class SetupTerms(NamedTuple):
    """What a game begins with."""

    options: Any
    blank: Any  # a zeroed state


class PlayTerms(NamedTuple):
    """Who plays, and who is asked."""

    policy_of: Any  # the number of each seat's policy; below 0: the learner
    silent: int  # the seats that never interrupt, as a bit set
    forced: bool  # the learner is asked even where it has only one legal action
    pass_action: int  # the action by which a learner that could interrupt passes
    log: Any


class RewardTerms(NamedTuple):
    """What a game pays, and when it is cut off."""

    won: Any  # by the number of the ending
    kind: int  # of reward
    limit: int


class Terms(NamedTuple):
    """What stays. A call copies each array of a tuple, so what is called in every step gets the part that it needs."""

    setup: SetupTerms
    play: PlayTerms
    reward: RewardTerms
    same_step: bool  # a game begins in the step that ends the one before


class AskRange(Protocol):
    """Ask a bot in the games ``start`` to ``stop`` what it would do in the learner's place."""

    def __call__(self, buffers: Buffers, world: Any, out: Any, start: int, stop: int, /) -> None: ...


class PlayOn(Protocol):
    """Do an action in one game and play until the learner has to choose."""

    def __call__(self, state: Any, slot: Slot, action: int, buffer: Any, terms: PlayTerms, world: Any, /) -> None: ...


class Begin(Protocol):
    """Begin the next game in a row of the batch."""

    def __call__(self, i: int, buffers: Buffers, terms: Terms, world: Any, /) -> None: ...


class End(Protocol):
    """Show the last position of a game that is over, and begin another."""

    def __call__(self, i: int, actor: int, buffers: Buffers, terms: Terms, world: Any, /) -> None: ...


class StepRange(Protocol):
    """Step the games ``start`` to ``stop``."""

    def __call__(self, actions: Any, buffers: Buffers, terms: Terms, world: Any, start: int, stop: int, /) -> None: ...


@kernel
def mark(mask: Any, legal: Any, count: int, value: int) -> None:
    for k in range(count):
        mask[legal[k]] = value


@kernel
def sample_games(slots: Any, legals: Any, out: Any) -> None:
    """A random legal action in each game, all equally likely; 0 where nobody is asked."""
    for i in range(len(slots)):
        out[i] = 0
        if slots[i].count:
            index, slots[i].sample_rng = next_below(slots[i].sample_rng, slots[i].count)
            out[i] = legals[i][index]


@functools.cache
def ask_games(rules: Rules, policy: Policy) -> AskRange:
    """The kernel that asks a bot in each game of a range what it would do in the learner's place."""
    determinize = rules.determinize

    @kernel
    def ask_range(buffers: Buffers, world: Any, out: Any, start: int, stop: int) -> None:
        """The bot knows what the seat that is asked knows; 0 where nobody is asked."""
        for i in range(start, stop):
            slot = buffers.slots[i]
            out[i] = 0
            if slot.count:
                legal, last = buffers.legals[i], as_int(slot.count) - 1
                world[0] = buffers.states[i]
                determinize(world[0], as_int(slot.seat), slot.sample_rng)
                count = last if slot.interrupts else last + 1
                index, slot.sample_rng = policy(world[0], as_int(slot.seat), legal, count, slot.sample_rng)
                out[i] = legal[last if index == PASS else index]

    return ask_range


@kernel
def clear(numbers: Any) -> None:
    for k in range(len(numbers)):
        numbers[k] = 0


@kernel
def judge(slot: Slot, actor: int, legal: bool, ending: int, scores: Any, rewards: Any, terms: RewardTerms) -> int:
    """Pay, and say whether the game goes on, has ended or is cut off."""
    if not legal:
        slot.seat, slot.count = NOBODY, 0
        rewards[actor] = ILLEGAL
        return TERMINATED
    if ending:
        pay(terms.kind, terms.won[ending], scores, rewards)
        return TERMINATED
    return TRUNCATED if slot.seat == NOBODY or slot.steps == terms.limit else RUNNING


def _playing(rules: Rules, policies: tuple[Policy, ...], blind: bool, interrupting: Interrupting) -> PlayOn:
    decide, take = deciding(rules, policies, blind), taking(rules)
    play = play_loop(rules, interrupting, decide, simultaneous=lowest_seat, ask_forced=True)

    @kernel
    def play_on(state: Any, slot: Slot, action: int, buffer: Any, terms: PlayTerms, world: Any) -> None:
        """Do an action, or nothing at the beginning of a game, and play until the learner has to choose. Nobody is
        asked when the game is over."""
        polled = as_int(slot.polled)
        if action != NO_ACTION:
            polled |= 1 << as_int(slot.seat)
            if action != terms.pass_action:
                polled = take(state, as_int(slot.seat), action, polled, terms.log)
        players = Players(terms.policy_of, world, terms.forced)
        asked = play(state, players, terms.silent, polled, slot.bots_rng, PATIENCE, NO_LIMIT, buffer, terms.log)
        slot.seat, slot.count, slot.interrupts = asked.seat, asked.legal, asked.interrupts
        slot.polled, slot.bots_rng = asked.polled, asked.rng
        if asked.interrupts:
            buffer[asked.legal] = terms.pass_action
            slot.count += 1

    return play_on


def _beginning(rules: Rules, play_on: PlayOn) -> Begin:
    setup = rules.setup

    @kernel
    def begin(i: int, buffers: Buffers, terms: Terms, world: Any) -> None:
        """Begin the next game of the series."""
        state, slot = buffers.states[i], buffers.slots[i]
        buffers.states[i] = terms.setup.blank[0]
        setup(state, terms.setup.options[0], slot.seed)
        slot.bots_rng = derive_seed(slot.seed ^ BOTS_STREAM, 0)
        slot.seed = derive_seed(slot.seed, 1)
        slot.steps = slot.over = slot.polled = 0
        play_on(state, slot, NO_ACTION, buffers.legals[i], terms.play, world)

    return begin


def _ending(rules: Rules, begin: Begin) -> End:
    observe = rules.observe

    @kernel
    def end(i: int, actor: int, buffers: Buffers, terms: Terms, world: Any) -> None:
        """Show the last position of a game that is over, and begin another."""
        slot = buffers.slots[i]
        clear(buffers.last_masks[i])
        mark(buffers.last_masks[i], buffers.legals[i], slot.count, 1)
        observe(buffers.states[i], actor if slot.seat == NOBODY else as_int(slot.seat), buffers.last_observations[i])
        begin(i, buffers, terms, world)

    return end


@functools.cache
def step_games(rules: Rules, policies: tuple[Policy, ...], blind: bool, interrupting: Interrupting) -> StepRange:
    """The kernel that steps a range of a batch. ``blind``: no bot looks at the state, so none is sampled.

    What calls a game's kernels is compiled together with them, so only this one and those it is made of do.
    """
    observe, result = rules.observe, rules.result
    play_on = _playing(rules, policies, blind, interrupting)
    begin = _beginning(rules, play_on)
    end = _ending(rules, begin)

    @kernel
    def step_range(actions: Any, buffers: Buffers, terms: Terms, world: Any, start: int, stop: int) -> None:
        for i in range(start, stop):
            state, slot, buffer, mask = buffers.states[i], buffers.slots[i], buffers.legals[i], buffers.masks[i]
            actor, action, verdict = as_int(slot.seat), as_int(actions[i]), RUNNING
            legal = 0 <= action < len(mask) and mask[action] == 1
            mark(mask, buffer, slot.count, 0)
            clear(buffers.rewards[i])
            buffers.reward[i] = 0
            if slot.over:
                begin(i, buffers, terms, world)
            else:
                if legal:
                    slot.steps += 1
                    play_on(state, slot, action, buffer, terms.play, world)
                ending = result(state, buffers.scores[i])
                verdict = judge(slot, actor, legal, ending, buffers.scores[i], buffers.rewards[i], terms.reward)
                buffers.reward[i] = buffers.rewards[i][actor]
                slot.over = verdict != RUNNING
                if slot.over and terms.same_step:
                    end(i, actor, buffers, terms, world)
            buffers.terminated[i], buffers.truncated[i] = verdict == TERMINATED, verdict == TRUNCATED
            mark(mask, buffer, slot.count, 1)
            observe(state, max(actor, 0) if slot.seat == NOBODY else as_int(slot.seat), buffers.observations[i])

    return step_range
