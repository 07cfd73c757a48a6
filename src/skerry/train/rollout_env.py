"""The rollout environment: many games side by side, each advanced to its next decision.

A learner reads the features of all current decisions, chooses an action for each game, and calls ``step``. Games run
compiled on CPU threads or on an NVIDIA GPU, where each has a thread of its own and the features stay in GPU memory.
"""

from __future__ import annotations

import importlib
from concurrent.futures import ThreadPoolExecutor
from typing import Any, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from skerry.botkit.deep_sets import DeepSetsShape
from skerry.bots import default_bot, default_policy
from skerry.bots.feature_modules import action_features_of, state_features_of
from skerry.bots.illegal_choice import IllegalChoice
from skerry.bots.interrupts import interrupting_of
from skerry.engine.bitset import as_int
from skerry.engine.event_log import new_event_log
from skerry.engine.game import Game
from skerry.engine.kernel import INTERPRETED, kernel, kernel_array
from skerry.engine.loop import NO_LIMIT, NOBODY, PASS, action_at, answer_kernel, ask_driver, is_answer, play_loop
from skerry.engine.rng import derive_seed
from skerry.engine.seats import MAX_SEATS
from skerry.engine.struct import struct_array, struct_views
from skerry.train.kernel_support import BatchKernel, kernel_rows, policy_seed

MAX_ACTIONS = 96  # of a decision that the learner sees; where there are more, the last slot can stand for a later one
MAX_STEPS = 1200  # after which a game counts as lost
NOT_STARTED = -1  # the step count of a game that is to be set up
RUNNING, LOST, WON = range(3)  # what became of each game in the last step
THREADS_PER_BLOCK = 64  # on a GPU


class RolloutBuffers(NamedTuple):
    """The arrays that the games work on; those per game have one row for each.

    An array is a NumPy array or, on a GPU, a device array of numba.
    """

    seed: Any
    options: Any  # an options struct for each variant
    is_win: Any  # by number of the ending
    event_log: Any
    blank_state: Any
    states: Any
    trial_states: Any  # for trying an interruption
    game_numbers: Any
    rng_counters: Any  # of the policies that play inside the environment
    loop_state: Any  # of the play loop: which seats have answered, and how often each has interrupted
    step_counts: Any
    variants: Any  # index of the variant of a game that has just ended
    seats: Any  # whose decision it is
    state_features: Any
    actions: Any
    action_features: Any
    action_counts: Any
    teacher_choices: Any  # index of the action that the imitated policy would choose
    outcomes: Any  # RUNNING, LOST or WON
    illegal_choices: Any  # whether the policy inside the environment has chosen no legal action


class PlayToDecision(Protocol):
    """A kernel that plays the chosen action of game ``i`` and advances the game to its next decision."""

    def __call__(self, i: int, buffers: RolloutBuffers, choice: int, legal_actions: Any, scores: Any, /) -> None: ...


class InnerPolicy(Protocol):
    """A kernel that chooses inside the environment: the index of an action. A seat that is asked out of turn may answer
    ``PASS``, and does not interrupt.
    """

    def __call__(
        self,
        i: int,
        buffers: RolloutBuffers,
        seat: int,
        legal_actions: Any,
        count: int,
        is_interrupt: bool,
        scores: Any,
        /,
    ) -> int: ...


class WriteDecision(Protocol):
    """A kernel that writes down the decision at which game ``i`` stands."""

    def __call__(
        self, i: int, buffers: RolloutBuffers, seat: int, teacher_choice: int, count: int, legal_actions: Any, /
    ) -> None: ...


class Launcher(Protocol):
    """Advances all games on some device, given the index of the chosen action for each."""

    def __call__(self, choices: Any) -> None: ...


class RolloutEnv:
    """Games that are played by one learner at all seats.

    With ``imitation``, the game's own best policy decides about interruptions, and its choice is at hand for every
    decision (``buffers.teacher_choices``). Without it, a seat interrupts only where that ends the game with a win.

    ``buffers`` holds what the learner reads: after each step ``outcomes`` says which games have ended in it, and
    every game stands at a decision with at least two legal actions.
    """

    def __init__(
        self,
        game: Game,
        options: NDArray[Any],
        games: int,
        seed: int,
        *,
        threads: int = 1,
        device: str = "cpu",
        imitation: bool = False,
    ) -> None:
        self.game, self.games = game, games
        self.state_feature_count = DeepSetsShape(state_features_of(game).ENTITY_GROUPS).inputs
        self.play_to_decision = play_to_decision_kernel(game, imitation)
        buffers = _new_buffers(game, options, games, seed)
        if device.startswith("cuda"):
            self.buffers = _upload(buffers)
            self._launch: Launcher = _GpuLauncher(self.play_to_decision, self.buffers, game.actions.size + 1)
        else:
            self.buffers = buffers
            self._launch = _CpuLauncher(self.play_to_decision, game, buffers, threads)
        self.step(np.zeros(games, np.int64))

    def step(self, choices: Any) -> None:
        """Play the chosen action in each game, an index into its ``actions``, and go on to the next decision.

        ``choices`` is an array on the environment's device; a game that has ended begins anew.
        """
        self._launch(choices)
        illegal = self.buffers.illegal_choices
        if isinstance(illegal, np.ndarray) and illegal.any():  # on a GPU no policy of a game plays inside
            raise IllegalChoice(f"{default_bot(self.game)} of {self.game.name} chose an action that is not legal")


def _new_buffers(game: Game, options: NDArray[Any], games: int, seed: int) -> RolloutBuffers:
    action_features = action_features_of(game)
    return RolloutBuffers(
        seed=np.uint64(seed),
        options=options,
        is_win=game.is_win,
        event_log=new_event_log(0),
        blank_state=struct_array(game.state_struct, 1),
        states=struct_array(game.state_struct, games),
        trial_states=struct_array(game.state_struct, games),
        game_numbers=np.arange(games),
        rng_counters=np.zeros(games, np.uint64),
        loop_state=np.zeros(games, np.int64),
        step_counts=np.full(games, NOT_STARTED),
        variants=np.zeros(games, np.int64),
        seats=np.zeros(games, np.int64),
        state_features=np.zeros((games, action_features.SCRATCH_SIZE), np.float32),
        actions=np.zeros((games, MAX_ACTIONS), np.int16),
        action_features=np.zeros((games, MAX_ACTIONS, action_features.N_ACTION_FEATURES), np.float32),
        action_counts=np.zeros(games, np.int64),
        teacher_choices=np.zeros(games, np.int64),
        outcomes=np.zeros(games, np.int8),
        illegal_choices=np.zeros(games, np.int8),
    )


# On CPU threads


class _CpuLauncher:
    """Advances a share of the games on each thread."""

    def __init__(self, play_to_decision: PlayToDecision, game: Game, buffers: RolloutBuffers, threads: int) -> None:
        self._buffers = kernel_buffers(game, buffers)
        self._edges = np.linspace(0, len(buffers.states), threads + 1).astype(int).tolist()
        self._legal = [kernel_array(np.zeros(game.actions.size + 1, np.int16)) for _ in range(threads)]
        self._pool = ThreadPoolExecutor(threads)
        self._play_range = _range_kernel(play_to_decision)

    def __call__(self, choices: NDArray[np.int64]) -> None:
        def play(thread: int) -> None:
            first, last = self._edges[thread], self._edges[thread + 1]
            scores = kernel_array(np.zeros(MAX_SEATS))
            self._play_range(first, last, self._buffers, kernel_array(choices), self._legal[thread], scores)

        list(self._pool.map(play, range(len(self._legal))))


def kernel_buffers(game: Game, buffers: RolloutBuffers) -> RolloutBuffers:
    """The buffers as kernels on a CPU take them."""
    if not INTERPRETED:
        return buffers
    structs = {
        name: struct_views(game.state_struct, getattr(buffers, name))
        for name in ("blank_state", "states", "trial_states")
    }
    special = {"seed": buffers.seed, "options": struct_views(game.options_struct, buffers.options)}
    special |= {"event_log": kernel_array(buffers.event_log), **structs}
    return RolloutBuffers(
        **{name: special[name] if name in special else kernel_rows(array) for name, array in buffers._asdict().items()}
    )


def _range_kernel(play_to_decision: PlayToDecision) -> BatchKernel:
    @kernel
    def play_range(first: int, last: int, buffers: Any, choices: Any, legal_actions: Any, scores: Any) -> None:
        for i in range(first, last):
            play_to_decision(i, buffers, as_int(choices[i]), legal_actions, scores)

    return play_range


# On a GPU


class _GpuLauncher:
    """Advances each game on a GPU thread of its own."""

    def __init__(self, play_to_decision: PlayToDecision, buffers: RolloutBuffers, legal_size: int) -> None:
        self._buffers = buffers
        self._kernel = cuda_kernel(play_to_decision, legal_size)
        self._blocks = (len(buffers.states) + THREADS_PER_BLOCK - 1) // THREADS_PER_BLOCK

    def __call__(self, choices: Any) -> None:
        from numba import cuda

        on_device = cuda.to_device(choices) if isinstance(choices, np.ndarray) else cuda.as_cuda_array(choices)
        self._kernel[self._blocks, THREADS_PER_BLOCK](self._buffers, on_device)


def _upload(buffers: RolloutBuffers) -> RolloutBuffers:
    _prepare_numba_cuda()
    from numba import cuda

    return RolloutBuffers(*(cuda.to_device(item) if isinstance(item, np.ndarray) else item for item in buffers))


def cuda_kernel(play_to_decision: PlayToDecision, legal_size: int) -> Any:
    """A CUDA kernel that advances one game on each thread."""
    _prepare_numba_cuda()
    from numba import cuda

    @cuda.jit  # type: ignore[untyped-decorator]
    def play_all(buffers: Any, choices: Any) -> None:
        i = cuda.grid(1)
        if i < len(choices):
            legal_actions = cuda.local.array(legal_size, np.int16)
            scores = cuda.local.array(MAX_SEATS, np.float64)
            play_to_decision(i, buffers, choices[i], legal_actions, scores)

    return play_all


def _prepare_numba_cuda() -> None:
    """Import ``skerry.lab.cuda`` first: it restores a NumPy name that numba-cuda needs at import."""
    importlib.import_module("skerry.lab.cuda")


# The kernels


def play_to_decision_kernel(game: Game, imitation: bool) -> PlayToDecision:
    """A kernel that advances one game to its next decision, for CPU and GPU."""
    inner_policy = _best_policy(game) if imitation else _winning_interruptions(game)
    return _play_to_decision(game, inner_policy)


def _play_to_decision(game: Game, inner_policy: InnerPolicy) -> PlayToDecision:
    rules, write_features = game.rules, _decision_feature_kernel(game)
    setup, result, answer = rules.setup, rules.result, answer_kernel(rules)
    play_on = play_loop(rules, interrupting_of(game), ask_driver)

    @kernel
    def play_to_decision(i: int, buffers: Any, choice: int, legal_actions: Any, scores: Any) -> None:
        state, options, games, log = buffers.states[i], buffers.options, len(buffers.states), buffers.event_log
        step_counts, loop_state, rng_counters = buffers.step_counts, buffers.loop_state, buffers.rng_counters
        game_numbers, begins, undecided = buffers.game_numbers, step_counts[i] == NOT_STARTED, True
        buffers.outcomes[i] = RUNNING
        if not begins:
            seat = as_int(buffers.seats[i])
            loop_state[i] = answer(state, seat, as_int(buffers.actions[i][choice]), as_int(loop_state[i]), log)
            step_counts[i] += 1
        while undecided:
            if begins:
                buffers.states[i] = buffers.blank_state[0]
                setup(state, options[game_numbers[i] % len(options)], derive_seed(buffers.seed, game_numbers[i]))
                rng_counters[i] = policy_seed(buffers.seed, game_numbers[i])
                game_numbers[i] += games
                step_counts[i] = loop_state[i] = 0
                begins = False
            steps_left = MAX_STEPS + 1 - step_counts[i]
            asked = play_on(
                state, 0, 0, as_int(loop_state[i]), rng_counters[i], steps_left, NO_LIMIT, legal_actions, log
            )
            loop_state[i], rng_counters[i] = asked.loop_state, asked.rng
            step_counts[i] += asked.steps
            if asked.seat == NOBODY:
                buffers.outcomes[i] = WON if buffers.is_win[result(state, scores)] else LOST
                buffers.variants[i] = (game_numbers[i] - games) % len(options)
                begins = True
                continue
            seat, count = asked.seat, asked.legal
            index = inner_policy(i, buffers, seat, legal_actions, count, asked.is_interrupt, scores)
            undecided = asked.is_interrupt
            if not is_answer(index, count, asked.is_interrupt):
                buffers.illegal_choices[i] = 1
                index = PASS if asked.is_interrupt else 0
            if undecided:
                action = action_at(legal_actions, index)
                loop_state[i] = answer(state, seat, action, as_int(loop_state[i]), log)
                step_counts[i] += action != PASS
            else:
                write_features(i, buffers, seat, index, count, legal_actions)

    return play_to_decision


def _best_policy(game: Game) -> InnerPolicy:
    """The choice of the game's own best policy, for interruptions and for the learner to imitate.

    It reads the true state, because the choices of a game's own policies do not depend on hidden information.
    """
    policy = default_policy(game)

    @kernel
    def choose(i: int, buffers: Any, seat: int, legal_actions: Any, count: int, is_interrupt: bool, scores: Any) -> int:
        index = 0
        if is_interrupt or count > 1:
            rng_counters = buffers.rng_counters
            index, rng_counters[i] = policy(buffers.states[i], seat, legal_actions, count, rng_counters[i])
        return index

    return choose


def _winning_interruptions(game: Game) -> InnerPolicy:
    """Interrupt only with an action that wins at once; an action that ends the game is the last of the legal ones.

    It is tried in the true state. Whether an action wins at once depends on public information only.
    """
    step, waiting, result = game.rules.step, game.rules.waiting, game.rules.result

    @kernel
    def choose(i: int, buffers: Any, seat: int, legal_actions: Any, count: int, is_interrupt: bool, scores: Any) -> int:
        if not is_interrupt:
            return 0
        buffers.trial_states[i] = buffers.states[i]
        trial = buffers.trial_states[i]
        step(trial, seat, as_int(legal_actions[count - 1]), buffers.event_log)
        wins = not waiting(trial) and buffers.is_win[result(trial, scores)]
        return count - 1 if wins else PASS

    return choose


def _decision_feature_kernel(game: Game) -> WriteDecision:
    state_features, action_features = state_features_of(game), action_features_of(game)
    write_state_features = state_features.write_state_features
    prepare_action_features = action_features.prepare_action_features
    write_action_features = action_features.write_action_features

    @kernel
    def write_features(i: int, buffers: Any, seat: int, teacher_choice: int, count: int, legal_actions: Any) -> None:
        """Write down the decision at which a game stands."""
        state, features = buffers.states[i], buffers.state_features[i]
        write_state_features(state, features)
        prepare_action_features(state, features)
        if count > MAX_ACTIONS:
            last = teacher_choice if teacher_choice >= MAX_ACTIONS else count - 1
            legal_actions[MAX_ACTIONS - 1] = legal_actions[last]
            teacher_choice, count = min(teacher_choice, MAX_ACTIONS - 1), MAX_ACTIONS
        actions = buffers.actions[i]
        for k in range(count):
            actions[k] = legal_actions[k]
            write_action_features(state, seat, as_int(legal_actions[k]), features, buffers.action_features[i][k])
        buffers.seats[i] = seat
        buffers.action_counts[i] = count
        buffers.teacher_choices[i] = teacher_choice

    return write_features
