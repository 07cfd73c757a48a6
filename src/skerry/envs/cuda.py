"""Many games at once on an NVIDIA GPU: a step of the batch is three kernel launches, and nothing leaves the GPU.

    env = CudaVectorEnv("hashi", 65_536, players=1)
    seen, info = env.reset(seed=7)
    observation = torch.from_dlpack(seen["observation"])  # the same memory: each step writes it anew

The games are those of ``SkerryVectorEnv``, byte for byte: each has a thread of its own, which runs the same kernels.
A thread that wrote its row of the observations would share no memory transaction with the threads beside it. So
neighbouring threads write neighbouring numbers, into columns, and a last kernel transposes these.

Observations, masks and rewards are arrays in GPU memory, which PyTorch, JAX and CuPy read by DLPack or the CUDA array
interface without a copy. Actions may be an array of any of them.
"""

from __future__ import annotations

import functools
from collections.abc import Sequence
from typing import Any, NamedTuple, cast

import numpy as np
from numpy.typing import NDArray

from skerry.bots.illegal_choice import raise_for_seats
from skerry.engine.bitset import as_int
from skerry.engine.errors import BadOption, Refusal
from skerry.engine.kernel import kernel
from skerry.engine.messages import say
from skerry.engine.rng import derive_seed
from skerry.envs.batch import ACTION_MASK, OBSERVATION, Batch, seed_of, seeds_from
from skerry.envs.config import LIMIT, EnvConfig, prepare
from skerry.envs.stepping import GamePhases, game_phases, sample_game
from skerry.lab.cuda import needing_a_gpu, numba_cuda

THREADS_PER_BLOCK = 32
TILE = 32  # games and numbers that a block transposes
TILE_SHAPE = TILE, TILE + 1  # one column more, so that the numbers of a column lie in different banks
TILE_ROWS = 8  # of a tile that its threads move at once
TILE_READS = TILE // TILE_ROWS  # of each thread
CHECK_EVERY = 256  # steps after which the choices of bots are checked, for which the GPU has to be waited for
KDL_CUDA = 2  # DLPack's number of such a device


class DeviceArray:
    """An array in GPU memory, which other libraries read without a copy: ``torch.from_dlpack(array)``,
    ``cupy.from_dlpack(array)``, ``jax.dlpack.from_dlpack(array)``.
    """

    def __init__(self, array: Any) -> None:
        self.array = array  # of numba

    @property
    def shape(self) -> tuple[int, ...]:
        return cast(tuple[int, ...], self.array.shape)

    @property
    def dtype(self) -> np.dtype[Any]:
        return cast(np.dtype[Any], self.array.dtype)

    @property
    def __cuda_array_interface__(self) -> dict[str, Any]:
        return cast(dict[str, Any], self.array.__cuda_array_interface__)

    def __dlpack__(self, **more: Any) -> Any:
        from cuda.core.utils import StridedMemoryView

        # All work is on the default stream, which needs no synchronization with itself.
        return StridedMemoryView.from_cuda_array_interface(self, stream_ptr=-1).__dlpack__(**more)

    def __dlpack_device__(self) -> tuple[int, int]:
        return KDL_CUDA, numba_cuda().get_current_device().id

    def copy_to_host(self) -> NDArray[Any]:
        return cast(NDArray[Any], self.array.copy_to_host())


class CudaKernels(NamedTuple):
    """The CUDA kernels of a batch. All but the last give every game a thread."""

    seed: Any  # (slots, seeds)
    sample: Any  # (slots, legals, out)
    act: Any  # (actions, buffers, params, worlds, illegal)
    show: Any  # (buffers)
    transpose: Any  # (columns, rows)


class CudaBatch:
    """A ``Batch`` whose memory is on the GPU. Every step overwrites its arrays."""

    def __init__(self, config: EnvConfig, count: int, same_step: bool = True) -> None:
        if config.asked_bots:
            names = ", ".join(bot.name for bot in config.asked_bots)
            raise BadOption(say("{bots} cannot play on a GPU, where only compiled policies do", bots=names))
        cuda = numba_cuda()
        host = Batch(config, count, same_step)  # only its layout is used
        self.config, self.count, self.game = config, count, host.game
        self.memory = cuda.to_device(host.memory)
        self._buffers = type(host.buffers)(*(self._on_device(host, array) for array in host.buffers))
        self._columns = cuda.device_array(host.observations[OBSERVATION].shape, np.float32, order="F")
        self._shown = self._buffers._replace(observations=self._columns)
        self._params = _upload(host.params)
        self._worlds = cuda.device_array(count, host.states.dtype)
        self._illegal = cuda.to_device(np.zeros(count, np.int64))
        self._sampled = cuda.device_array(count, np.int64)
        self._idle = cuda.to_device(np.zeros(count, np.int64))
        self._steps = 0
        self._grid = -(-count // THREADS_PER_BLOCK), THREADS_PER_BLOCK
        self._tiles = (-(-count // TILE), -(-self.game.observation_size // TILE)), (TILE, TILE_ROWS)
        blind = all(bot.blind for bot in config.bots)
        self.kernels = cuda_kernels(game_phases(self.game.rules, config.policies, blind, config.interrupting))
        self.observations = {
            OBSERVATION: DeviceArray(self._buffers.observations),
            ACTION_MASK: DeviceArray(self._buffers.masks),
        }
        self.final_observations = {
            OBSERVATION: DeviceArray(self._buffers.final_observations),
            ACTION_MASK: DeviceArray(self._buffers.final_masks),
        }
        self.reward, self.rewards = DeviceArray(self._buffers.reward), DeviceArray(self._buffers.rewards)
        self.terminated, self.truncated = DeviceArray(self._buffers.terminated), DeviceArray(self._buffers.truncated)
        self.endings, self.scores = DeviceArray(self._buffers.endings), DeviceArray(self._buffers.scores)

    def reset(self, seeds: NDArray[np.uint64]) -> None:
        """Start one game for each seed: the same as ``skerry.game(…).new(seed)``."""
        self.kernels.seed[self._grid](self._buffers.slots, numba_cuda().to_device(seeds))
        self.step(self._idle)
        self.check_bots()

    def step(self, actions: Any) -> None:
        """Play an action in each game, and then the bots, until the learner has to decide again.

        ``actions`` is an array of any library on the GPU, or of NumPy. Illegal choices of bots are reported at the
        latest after ``CHECK_EVERY`` steps.
        """
        given = _as_device_array(actions)
        if given.shape != (self.count,):
            raise ValueError(f"actions of shape {given.shape} for {self.count} games")
        self.kernels.act[self._grid](given, self._buffers, self._params, self._worlds, self._illegal)
        self.kernels.show[self._grid](self._shown)
        self.kernels.transpose[self._tiles](self._columns, self._buffers.observations)
        self._steps += 1
        if self._steps % CHECK_EVERY == 0:
            self.check_bots()

    def sample(self) -> DeviceArray:
        """A uniformly random legal action in each game; 0 where nobody has to decide."""
        self.kernels.sample[self._grid](self._buffers.slots, self._buffers.legals, self._sampled)
        return DeviceArray(self._sampled)

    def check_bots(self) -> None:
        """Raise an error if a bot has chosen an action that is not legal."""
        illegal = int(np.bitwise_or.reduce(self._illegal.copy_to_host()))
        if illegal:
            raise_for_seats(self.game, self.config.seats, illegal, f"with {self.config.variant.options}, on a GPU")

    def _on_device(self, host: Batch, array: NDArray[Any]) -> Any:
        """The place of one of the batch's arrays in the GPU's copy of its memory."""
        start = array.ctypes.data - host.memory.ctypes.data
        return self.memory[start : start + array.nbytes].view(array.dtype).reshape(array.shape)


class CudaVectorEnv:
    """``num_envs`` games on a GPU, each as in ``SkerryEnv``.

    ``reset`` and ``step`` return what those of Gymnasium's vector environments do, in arrays on the GPU, which the next
    step overwrites. A game that ends is reset in the same step; its last observation is in ``info["final_obs"]``,
    in the rows in which ``terminated`` or ``truncated`` is true.
    """

    def __init__(
        self,
        game: str,
        num_envs: int,
        seats: Sequence[str] | str | None = None,
        reward: str | None = None,
        limit: int = LIMIT,
        forced: bool = False,
        interrupts: bool = True,
        **options: Any,
    ) -> None:
        if num_envs < 1:
            raise BadOption(say("num_envs must be at least 1, not {number}", number=num_envs))
        self.config = prepare(game, seats, reward, limit, forced, interrupts, **options)
        self.num_envs = num_envs
        with needing_a_gpu():
            self.batch = CudaBatch(self.config, num_envs)
        self._begun = False

    def reset(self, *, seed: int | None = None) -> tuple[dict[str, DeviceArray], dict[str, DeviceArray]]:
        """The games of the series of a seed, the same as those of ``SkerryVectorEnv``; without one, random games."""
        if seed is None:
            seeds = seeds_from(np.random.default_rng(), self.num_envs)
        else:
            seeds = np.array([derive_seed(seed_of(seed), i) for i in range(self.num_envs)], np.uint64)
        self.batch.reset(seeds)
        self._begun = True
        return self.batch.observations, self._info()

    def step(
        self, actions: Any
    ) -> tuple[dict[str, DeviceArray], DeviceArray, DeviceArray, DeviceArray, dict[str, Any]]:
        if not self._begun:
            raise Refusal(say("the games have not begun: call reset"))
        played = self.batch
        played.step(actions)
        return played.observations, played.reward, played.terminated, played.truncated, self._info()

    def sample(self) -> DeviceArray:
        """A random legal action in each game."""
        return self.batch.sample()

    def _info(self) -> dict[str, Any]:
        played = self.batch
        return {
            "rewards": played.rewards,
            "ending": played.endings,
            "scores": played.scores,
            "final_obs": played.final_observations,
        }


@kernel
def seed_game(slot: Any, seed: Any) -> None:
    """Let the next step of a game begin a new one from a seed."""
    slot.seed, slot.sample_rng, slot.over = seed, ~seed, 1


@functools.cache
def cuda_kernels(phases: GamePhases) -> CudaKernels:
    cuda, act, finish, show = numba_cuda(), phases.act, phases.finish, phases.show

    @cuda.jit  # type: ignore[untyped-decorator]
    def seed_all(slots: Any, seeds: Any) -> None:
        i = cuda.grid(1)
        if i < len(seeds):
            seed_game(slots[i], seeds[i])

    @cuda.jit  # type: ignore[untyped-decorator]
    def sample_all(slots: Any, legals: Any, out: Any) -> None:
        i = cuda.grid(1)
        if i < len(out):
            sample_game(i, slots, legals, out)

    @cuda.jit  # type: ignore[untyped-decorator]
    def act_all(actions: Any, buffers: Any, params: Any, worlds: Any, illegal: Any) -> None:
        i = cuda.grid(1)
        if i < len(actions):
            world = worlds[i : i + 1]
            illegal[i] |= act(i, as_int(actions[i]), buffers, params, world) | finish(i, buffers, params, world)

    @cuda.jit  # type: ignore[untyped-decorator]
    def show_all(buffers: Any) -> None:
        i = cuda.grid(1)
        if i < len(buffers.slots):
            show(i, buffers)

    return CudaKernels(seed_all, sample_all, act_all, show_all, transposing())


@functools.cache
def transposing() -> Any:
    """The CUDA kernel that copies a matrix in Fortran's order into one in C's order, a tile in each block.

    A tile lies in shared memory, so that neighbouring threads read and write neighbouring numbers. Each thread reads
    all its numbers before it writes one, so that it waits for memory once. At the edges it reads the last ones again
    instead of branching, since behind a branch the next read would wait. Unsigned indices need no test for
    negative ones.
    """
    from numba import float32, uint32

    cuda = numba_cuda()

    @cuda.jit  # type: ignore[untyped-decorator]
    def transpose(columns: Any, rows: Any) -> None:
        tile, read = cuda.shared.array(TILE_SHAPE, float32), cuda.local.array(TILE_READS, float32)
        games, numbers = uint32(rows.shape[0]), uint32(rows.shape[1])
        across, down = uint32(cuda.threadIdx.x), uint32(cuda.threadIdx.y)
        first_game, first_number = uint32(cuda.blockIdx.x * TILE), uint32(cuda.blockIdx.y * TILE)
        game, last = min(uint32(first_game + across), uint32(games - 1)), uint32(numbers - 1)
        for k in range(TILE_READS):
            read[k] = columns[game, min(uint32(first_number + down + k * TILE_ROWS), last)]
        for k in range(TILE_READS):
            tile[uint32(down + k * TILE_ROWS), across] = read[k]
        cuda.syncthreads()
        number = uint32(first_number + across)
        for k in range(TILE_READS):
            row = uint32(down + k * TILE_ROWS)
            if first_game + row < games and number < numbers:
                rows[uint32(first_game + row), number] = tile[across, row]

    return transpose


def _as_device_array(actions: Any) -> Any:
    cuda = numba_cuda()
    if isinstance(actions, DeviceArray):
        return actions.array
    if hasattr(actions, "__cuda_array_interface__"):
        return cuda.as_cuda_array(actions, sync=False)
    return cuda.to_device(np.asarray(actions, np.int64))


def _upload(value: Any) -> Any:
    """A tuple of tuples with every array on the GPU."""
    if isinstance(value, np.ndarray):
        return numba_cuda().to_device(value)
    if isinstance(value, tuple):
        return cast(Any, type(value))(*map(_upload, value))
    return value
