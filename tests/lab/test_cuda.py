"""The CUDA backend. Most machines that run tests have no GPU, so the kernels are only compiled, to PTX."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

import skerry
from skerry.engine.game import Game
from skerry.games import all_games
from skerry.lab import Series, cuda, simulate
from skerry.lab.series import play

COMPILE = """
import types
import numba
from skerry.games import find_game
from skerry.bots import names
from skerry.engine.struct import dtype_of
from skerry.lab.cuda import cuda_kernel
from skerry.lab.series import Series
from numba import cuda, types as t
from numba.cuda import dispatcher

dispatcher.get_current_device = lambda: types.SimpleNamespace(compute_capability=(9, 0))  # an H200
game = find_game({name!r})
variant = game.configure({{}})
policies = names(game)[:-1]  # without the expert, which has no policy
bots = (policies * variant.players)[: variant.players]
kernel = cuda_kernel(Series(variant, bots, 1).kernels(), game.actions.size)
state, choices = (numba.from_dtype(dtype_of(record)) for record in (game.state_struct, game.options_struct))
numbers = (t.int8[::1], t.uint64, t.int64, t.int16[:, ::1], t.int64, t.int32[::1])
signature = (state[::1], state[::1], choices[::1], *numbers)
# Not optimized: that would take as long again.
ptx, _ = cuda.compile_ptx(kernel.py_func, signature, cc=(9, 0), opt=False)
print(".visible .entry" in ptx, ".target sm_90" in ptx)
"""


@pytest.mark.parametrize("game", all_games(), ids=lambda game: game.name)
def test_the_kernels_of_every_game_compile_for_cuda(game: Game) -> None:
    environment = {**os.environ, "SKERRY_INTERPRET": "0"}
    code = COMPILE.format(name=game.name)
    done = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=False)
    assert done.stdout.split() == ["True"] * 2, done.stderr[-2000:]


def test_the_backend_tallies_the_games_that_the_gpu_played(monkeypatch: pytest.MonkeyPatch) -> None:
    """The CPU plays in place of the GPU; both give the same games, bit for bit."""
    monkeypatch.setattr(cuda, "play", play)
    series = Series(skerry.game("cartagena", players=2), ("random", "random"), 100, seed=5)
    backend = cuda.CudaBackend()
    backend.min_chunk = 30
    assert simulate(series, backend=backend) == simulate(series)


def test_a_machine_without_a_gpu_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise RuntimeError("no driver\nfound")

    monkeypatch.setattr(cuda, "play", fail)
    series = Series(skerry.game("cartagena", players=2), ("random", "random"), 1)
    with pytest.raises(skerry.Refusal, match=r"No GPU can be used here; .* no driver found"):
        simulate(series, backend=cuda.CudaBackend())


def test_the_expert_is_refused_on_a_gpu() -> None:
    series = Series(skerry.game("cartagena", players=2), ("expert:10", "random"), 1)
    with pytest.raises(skerry.Refusal, match=r"Bots that search .* cannot play on a GPU"):
        simulate(series, backend=cuda.CudaBackend())
