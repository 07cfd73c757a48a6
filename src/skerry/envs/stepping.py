"""The kernels that step a batch of games, one decision of the learner each, in one call. Bots play the other seats."""

from __future__ import annotations

import functools
from collections.abc import Hashable
from typing import Any, NamedTuple, Protocol

from skerry.botkit.protocols import Policy
from skerry.bots.dispatch import SeatPolicies, decide_kernel
from skerry.engine.bitset import as_int
from skerry.engine.kernel import kernel
from skerry.engine.loop import (
    NO_LIMIT,
    NOBODY,
    PASS,
    Interrupting,
    answer_kernel,
    is_answer,
    lowest_seat,
    play_loop,
)
from skerry.engine.protocols import Rules
from skerry.engine.rng import derive_seed, next_below
from skerry.engine.struct import i8, i16, i32, i64, struct, u64
from skerry.envs.rewards import ILLEGAL_ACTION_REWARD, compute_rewards
from skerry.lab.game_kernels import BOTS_STREAM

NO_ACTION = -1
RUNNING, TERMINATED, TRUNCATED, BEGUN, ILLEGAL = range(5)
MAX_BOT_STEPS = (
    10_000  # between two decisions of the learner; then the game is truncated, since bots may go on for ever
)


@struct
class Slot:
    """The status of one game of a batch."""

    seed: u64  # of the next game
    bots_rng: u64
    sample_rng: u64  # for random actions, and for a bot that advises the learner
    loop_state: i64  # of the play loop
    steps: i32  # decisions so far
    count: i16  # legal actions of the seat to decide, pass included
    seat: i8  # the seat to decide, or NOBODY
    interrupts: i8  # whether the seat may interrupt in another seat's turn, and so may pass
    over: i8  # whether the next step starts a new game, whatever the action
    actor: i8  # the seat whose action this step plays
    status: i8  # of the game in this step: BEGUN, ILLEGAL, RUNNING, TERMINATED or TRUNCATED


class Buffers(NamedTuple):
    """The arrays that a step writes, with one row for each game."""

    states: Any
    slots: Any
    legals: Any  # ids of the legal actions, ascending
    masks: Any  # the same as a mask
    observations: Any
    final_masks: Any  # of the games that ended in this step and have been reset
    final_observations: Any
    scores: Any
    endings: Any  # how the game ended in this step: the number that `result` returned
    rewards: Any  # one for each seat
    reward: Any  # of the seat that acted
    terminated: Any
    truncated: Any


class SetupParams(NamedTuple):
    """What setup needs."""

    options: Any
    blank: Any  # a zeroed state


class PlayParams(NamedTuple):
    """The policies of the seats, and when the learner decides."""

    policy_of: Any  # the number of each seat's policy; below 0: the learner
    silent: int  # the seats that never interrupt, as a bit set
    forced: bool  # whether the learner decides even if it has only one legal action
    pass_action: int  # the id of pass
    log: Any


class RewardParams(NamedTuple):
    """The reward scheme and the episode limit."""

    won: Any  # by the number of the ending
    scheme: int
    limit: int  # of decisions


class StepParams(NamedTuple):
    """What is the same in every step. A call copies every array of a tuple, so inner kernels get only their part."""

    setup: SetupParams
    play: PlayParams
    reward: RewardParams
    same_step: bool  # whether a game is reset in the step that ends it, as in Gymnasium's AutoresetMode.SAME_STEP


class AskRange(Protocol):
    """In the games ``start`` to ``stop``, the action of a bot in the learner's place.

    It is ``NO_ACTION`` where the bot chose none that is legal.
    """

    def __call__(self, buffers: Buffers, world: Any, out: Any, start: int, stop: int, /) -> None: ...


class PlayOn(Protocol):
    """Do an action in one game and play until the learner has to choose. Returns ``Question.illegal``."""

    def __call__(self, state: Any, slot: Slot, action: int, buffer: Any, params: PlayParams, world: Any, /) -> int: ...


class Begin(Protocol):
    """Begin the next game in a row of the batch. Returns ``Question.illegal``."""

    def __call__(self, i: int, buffers: Buffers, params: StepParams, world: Any, /) -> int: ...


class End(Protocol):
    """Write the final observation of a game that is over, and begin the next one. Returns ``Question.illegal``."""

    def __call__(self, i: int, actor: int, buffers: Buffers, params: StepParams, world: Any, /) -> int: ...


class StepRange(Hashable, Protocol):
    """Step the games ``start`` to ``stop``. Returns the seats whose bots have chosen no legal action, as a bit set."""

    def __call__(
        self, actions: Any, buffers: Buffers, params: StepParams, world: Any, start: int, stop: int, /
    ) -> int: ...


class Act(Protocol):
    """Play the learner's action in one game, or begin a new one. Returns ``Question.illegal``."""

    def __call__(self, i: int, action: int, buffers: Buffers, params: StepParams, world: Any, /) -> int: ...


class Finish(Protocol):
    """Write how one game stands after an action. Returns ``Question.illegal``."""

    def __call__(self, i: int, buffers: Buffers, params: StepParams, world: Any, /) -> int: ...


class Show(Protocol):
    """Write the mask and the observation of one game."""

    def __call__(self, i: int, buffers: Buffers, /) -> None: ...


class GamePhases(NamedTuple):
    """A step of one game in parts, one after another."""

    play_on: PlayOn
    act: Act
    finish: Finish
    show: Show


class StepPhases(NamedTuple):
    """A step in parts, between which bots are asked outside of kernels: the first and the second part may leave games
    that wait for such a bot, whose answers ``answer`` plays."""

    act: StepRange
    answer: StepRange  # in games whose answer is not ``NO_ACTION``
    finish: StepRange  # takes no actions
    show: StepRange  # takes no actions


@kernel
def mark(mask: Any, legal: Any, count: int, value: int) -> None:
    for k in range(count):
        mask[legal[k]] = value


@kernel
def sample_game(i: int, slots: Any, legals: Any, out: Any) -> None:
    """A uniformly random legal action in one game; 0 if nobody has to decide."""
    out[i] = 0
    if slots[i].count:
        index, slots[i].sample_rng = next_below(slots[i].sample_rng, slots[i].count)
        out[i] = legals[i][index]


@kernel
def sample_games(slots: Any, legals: Any, out: Any) -> None:
    """A uniformly random legal action in each game."""
    for i in range(len(slots)):
        sample_game(i, slots, legals, out)


@functools.cache
def ask_games(rules: Rules, policy: Policy) -> AskRange:
    """The kernel that computes a bot's action in the learner's place, in each game of a range."""
    determinize = rules.determinize

    @kernel
    def ask_range(buffers: Buffers, world: Any, out: Any, start: int, stop: int) -> None:
        """The bot knows only what the seat knows. 0 if nobody has to decide."""
        for i in range(start, stop):
            slot = buffers.slots[i]
            out[i] = 0
            if slot.count:
                legal, last = buffers.legals[i], as_int(slot.count) - 1
                world[0] = buffers.states[i]
                determinize(world[0], as_int(slot.seat), slot.sample_rng)
                count = last if slot.interrupts else last + 1
                index, slot.sample_rng = policy(world[0], as_int(slot.seat), legal, count, slot.sample_rng)
                if is_answer(index, count, slot.interrupts != 0):
                    out[i] = legal[last if index == PASS else index]
                else:
                    out[i] = NO_ACTION

    return ask_range


@kernel
def clear(numbers: Any) -> None:
    for k in range(len(numbers)):
        numbers[k] = 0


@kernel
def settle(slot: Slot, actor: int, legal: bool, ending: int, scores: Any, rewards: Any, params: RewardParams) -> int:
    """Write the rewards, and return whether the game is running, terminated or truncated."""
    if not legal:
        slot.seat, slot.count = NOBODY, 0
        rewards[actor] = ILLEGAL_ACTION_REWARD
        return TERMINATED
    if ending:
        compute_rewards(params.scheme, params.won[ending], scores, rewards)
        return TERMINATED
    return TRUNCATED if slot.seat == NOBODY or slot.steps == params.limit else RUNNING


def _playing(rules: Rules, policies: tuple[Policy, ...], blind: bool, interrupting: Interrupting) -> PlayOn:
    decide, answer = decide_kernel(rules, policies, blind), answer_kernel(rules)
    play = play_loop(rules, interrupting, decide, pick_seat=lowest_seat, ask_forced=True)

    @kernel
    def play_on(state: Any, slot: Slot, action: int, buffer: Any, params: PlayParams, world: Any) -> int:
        """Do an action, or nothing at the beginning of a game, and play until the learner has to choose. Nobody is
        asked when the game is over."""
        loop_state = as_int(slot.loop_state)
        if action != NO_ACTION:
            answered = PASS if action == params.pass_action else action
            loop_state = answer(state, as_int(slot.seat), answered, loop_state, params.log)
        players = SeatPolicies(params.policy_of, world, params.forced)
        asked = play(
            state, players, params.silent, loop_state, slot.bots_rng, MAX_BOT_STEPS, NO_LIMIT, buffer, params.log
        )
        slot.seat, slot.count, slot.interrupts = asked.seat, asked.legal, asked.is_interrupt
        slot.loop_state, slot.bots_rng = asked.loop_state, asked.rng
        if asked.is_interrupt:
            buffer[asked.legal] = params.pass_action
            slot.count += 1
        return asked.illegal

    return play_on


def _beginning(rules: Rules, play_on: PlayOn) -> Begin:
    setup = rules.setup

    @kernel
    def begin(i: int, buffers: Buffers, params: StepParams, world: Any) -> int:
        """Begin the next game of the series."""
        state, slot = buffers.states[i], buffers.slots[i]
        buffers.states[i] = params.setup.blank[0]
        setup(state, params.setup.options[0], slot.seed)
        slot.bots_rng = derive_seed(slot.seed ^ BOTS_STREAM, 0)
        slot.seed = derive_seed(slot.seed, 1)
        slot.steps = slot.over = slot.loop_state = 0
        return play_on(state, slot, NO_ACTION, buffers.legals[i], params.play, world)

    return begin


def _ending(rules: Rules, begin: Begin) -> End:
    observe = rules.observe

    @kernel
    def end(i: int, actor: int, buffers: Buffers, params: StepParams, world: Any) -> int:
        """Write the final observation of a game that is over, and begin the next one."""
        slot = buffers.slots[i]
        clear(buffers.final_masks[i])
        mark(buffers.final_masks[i], buffers.legals[i], slot.count, 1)
        observe(buffers.states[i], actor if slot.seat == NOBODY else as_int(slot.seat), buffers.final_observations[i])
        return begin(i, buffers, params, world)

    return end


def _acting(play_on: PlayOn, begin: Begin) -> Act:
    @kernel
    def act(i: int, action: int, buffers: Buffers, params: StepParams, world: Any) -> int:
        """Play the learner's action in one game, or begin a new one where the last one is over."""
        slot, mask = buffers.slots[i], buffers.masks[i]
        slot.actor, slot.status = slot.seat, RUNNING
        legal = 0 <= action < len(mask) and mask[action] == 1
        mark(mask, buffers.legals[i], slot.count, 0)
        clear(buffers.rewards[i])
        clear(buffers.scores[i])
        buffers.reward[i] = buffers.endings[i] = 0
        if slot.over:
            slot.status = BEGUN
            return begin(i, buffers, params, world)
        if not legal:
            slot.status = ILLEGAL
            return 0
        slot.steps += 1
        return play_on(buffers.states[i], slot, action, buffers.legals[i], params.play, world)

    return act


def _finishing(rules: Rules, end: End) -> Finish:
    result = rules.result

    @kernel
    def finish(i: int, buffers: Buffers, params: StepParams, world: Any) -> int:
        """Write the rewards, and how one game stands; begin the next one at once if the batch does so."""
        slot, illegal_choices = buffers.slots[i], 0
        if slot.status == BEGUN:
            slot.status = RUNNING
        else:
            actor, legal = as_int(slot.actor), slot.status != ILLEGAL
            ending = result(buffers.states[i], buffers.scores[i])
            slot.status = settle(slot, actor, legal, ending, buffers.scores[i], buffers.rewards[i], params.reward)
            buffers.endings[i] = ending if legal else 0
            buffers.reward[i] = buffers.rewards[i][actor]
            slot.over = slot.status != RUNNING
        buffers.terminated[i], buffers.truncated[i] = slot.status == TERMINATED, slot.status == TRUNCATED
        if slot.over and params.same_step:
            illegal_choices = end(i, as_int(slot.actor), buffers, params, world)
        return illegal_choices

    return finish


def _showing(rules: Rules) -> Show:
    observe = rules.observe

    @kernel
    def show(i: int, buffers: Buffers) -> None:
        """The observation is that of the seat to decide; if there is none, that of the seat that acted last."""
        slot = buffers.slots[i]
        mark(buffers.masks[i], buffers.legals[i], slot.count, 1)
        seat = max(as_int(slot.actor), 0) if slot.seat == NOBODY else as_int(slot.seat)
        observe(buffers.states[i], seat, buffers.observations[i])

    return show


@functools.cache
def game_phases(rules: Rules, policies: tuple[Policy, ...], blind: bool, interrupting: Interrupting) -> GamePhases:
    """The kernels of which a step consists. ``blind``: no bot reads the state, so none is determinized."""
    play_on = _playing(rules, policies, blind, interrupting)
    begin = _beginning(rules, play_on)
    return GamePhases(play_on, _acting(play_on, begin), _finishing(rules, _ending(rules, begin)), _showing(rules))


@functools.cache
def step_games(rules: Rules, policies: tuple[Policy, ...], blind: bool, interrupting: Interrupting) -> StepRange:
    """The kernel that steps a range of a batch.

    Every kernel that calls a game's kernels is compiled together with them, so as few as possible do.
    """
    _, act, finish, show = game_phases(rules, policies, blind, interrupting)

    @kernel
    def step_range(actions: Any, buffers: Buffers, params: StepParams, world: Any, start: int, stop: int) -> int:
        illegal_choices = 0
        for i in range(start, stop):
            illegal_choices |= act(i, as_int(actions[i]), buffers, params, world)
            illegal_choices |= finish(i, buffers, params, world)
            show(i, buffers)
        return illegal_choices

    return step_range


@functools.cache
def step_phases(rules: Rules, policies: tuple[Policy, ...], blind: bool, interrupting: Interrupting) -> StepPhases:
    """The kernels that step a range of a batch in parts, where bots are asked outside of kernels."""
    play_on, act, finish, show = game_phases(rules, policies, blind, interrupting)

    @kernel
    def act_range(actions: Any, buffers: Buffers, params: StepParams, world: Any, start: int, stop: int) -> int:
        illegal_choices = 0
        for i in range(start, stop):
            illegal_choices |= act(i, as_int(actions[i]), buffers, params, world)
        return illegal_choices

    @kernel
    def answer_range(actions: Any, buffers: Buffers, params: StepParams, world: Any, start: int, stop: int) -> int:
        illegal_choices = 0
        for i in range(start, stop):
            if actions[i] != NO_ACTION:
                state, slot, legal = buffers.states[i], buffers.slots[i], buffers.legals[i]
                illegal_choices |= play_on(state, slot, as_int(actions[i]), legal, params.play, world)
        return illegal_choices

    @kernel
    def finish_range(actions: Any, buffers: Buffers, params: StepParams, world: Any, start: int, stop: int) -> int:
        illegal_choices = 0
        for i in range(start, stop):
            illegal_choices |= finish(i, buffers, params, world)
        return illegal_choices

    @kernel
    def show_range(actions: Any, buffers: Buffers, params: StepParams, world: Any, start: int, stop: int) -> int:
        for i in range(start, stop):
            show(i, buffers)
        return 0

    return StepPhases(act_range, answer_range, finish_range, show_range)


class ObserveRange(Protocol):
    """The observations of all seats in the games ``start`` to ``stop``, side by side in a row of ``out``."""

    def __call__(self, buffers: Buffers, out: Any, players: int, start: int, stop: int, /) -> None: ...


@functools.cache
def observe_all_seats(rules: Rules, size: int) -> ObserveRange:
    """The kernel that writes what all seats know together."""
    observe = rules.observe

    @kernel
    def observe_range(buffers: Buffers, out: Any, players: int, start: int, stop: int) -> None:
        for i in range(start, stop):
            for seat in range(players):
                observe(buffers.states[i], seat, out[i][seat * size : (seat + 1) * size])

    return observe_range
