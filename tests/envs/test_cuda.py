"""The environment on a GPU. Most machines that run tests have none, so its kernels are only compiled, to PTX.

``bench/gpu_environments.py`` compares its bytes with those of a CPU, on a machine with a GPU.
"""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

import skerry
from skerry.envs.config import prepare
from skerry.envs.cuda import CudaBatch, CudaVectorEnv
from skerry.lab.cuda import numba_cuda

COMPILE = """
import types

import numba
import numpy as np
from skerry.envs.batch import Batch
from skerry.envs.config import prepare
from skerry.envs.cuda import cuda_kernels
from skerry.envs.stepping import game_phases
from numba import cuda
from numba.cuda import dispatcher

dispatcher.get_current_device = lambda: types.SimpleNamespace(compute_capability=(9, 0))  # an H200
batch = Batch(prepare("hashi", players=1), 4)
kernels = cuda_kernels(game_phases(batch.game.rules, batch.config.policies, True, batch.config.interrupting))
slots, legals, numbers = numba.typeof(batch.buffers.slots), numba.typeof(batch.buffers.legals), numba.int64[::1]
rows, columns = numba.float32[:, ::1], numba.float32[::1, :]
shown = batch.buffers._replace(observations=np.asfortranarray(batch.buffers.observations))
signatures = {
    kernels.seed: (slots, numba.uint64[::1]),
    kernels.sample: (slots, legals, numbers),
    kernels.act: (numbers, *map(numba.typeof, (batch.buffers, batch.params, batch.states)), numbers),
    kernels.show: (numba.typeof(shown),),
    kernels.transpose: (columns, rows),
}
for kernel, signature in signatures.items():
    ptx, _ = cuda.compile_ptx(kernel.py_func, signature, cc=(9, 0), opt=False)
    print(".visible .entry" in ptx)
"""


def test_its_kernels_compile_for_cuda() -> None:
    environment = {**os.environ, "SKERRY_INTERPRET": "0"}
    done = subprocess.run([sys.executable, "-c", COMPILE], env=environment, capture_output=True, text=True, check=False)
    assert done.stdout.split() == ["True"] * 5, done.stderr[-2000:]


def test_a_bot_that_is_asked_outside_of_kernels_is_refused() -> None:
    with pytest.raises(skerry.BadOption, match="Expert:1 cannot play on a GPU"):
        CudaBatch(prepare("hashi", ("me", "expert:1")), 4)


def test_a_batch_of_no_games_is_refused() -> None:
    with pytest.raises(skerry.BadOption, match="Num_envs must be at least 1, not 0"):
        CudaVectorEnv("hashi", 0, players=1)


def test_without_a_gpu_it_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise RuntimeError("no driver\nfound")

    monkeypatch.setattr(numba_cuda(), "to_device", fail)
    with pytest.raises(skerry.Refusal, match=r"No GPU can be used here; .* no driver found"):
        CudaVectorEnv("hashi", 4, players=1)
