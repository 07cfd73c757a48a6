"""The rollout environment on a GPU. Here is none: its kernel is compiled to PTX."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

COMPILE = """
import types
import numba
import skerry.lab.cuda
from numba import cuda
from numba.cuda import dispatcher
from skerry.games import find_game
from skerry.train.rollout_env import RolloutEnv, cuda_kernel
from skerry.train.variants import encode_variants

dispatcher.get_current_device = lambda: types.SimpleNamespace(compute_capability=(9, 0))  # as an H200 would say
game = find_game("forbidden-island")
env = RolloutEnv(game, encode_variants(game, [{}]), games=8, seed=1)
kernel = cuda_kernel(env.play_to_decision, game.actions.size + 1)
signature = numba.typeof(env.buffers), numba.int64[::1]
ptx, _ = cuda.compile_ptx(kernel.py_func, signature, cc=(9, 0), opt=False)
print(".visible .entry" in ptx)
"""


@pytest.mark.slow
def test_the_rollout_kernel_compiles_for_cuda() -> None:
    environment = {**os.environ, "SKERRY_INTERPRET": "0"}
    command = [sys.executable, "-c", COMPILE]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert done.stdout.split() == ["True"], done.stderr[-2000:]
