"""Training on a GPU. Here is none: the kernels are compiled to PTX."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

SETUP = """
import types
import numba
import skerry.lab.cuda
from numba import cuda, types as t
from numba.cuda import dispatcher
from skerry.games import find_game
from skerry.train.evolution import GpuEvaluator
from skerry.train.rollout_env import RolloutEnv, cuda_kernel
from skerry.train.variants import encode_variants

dispatcher.get_current_device = lambda: types.SimpleNamespace(compute_capability=(9, 0))  # as an H200 would say
"""

COMPILE_ROLLOUT_ENV = """
game = find_game("forbidden-island")
env = RolloutEnv(game, encode_variants(game, [{}]), games=8, seed=1)
kernel = cuda_kernel(env.play_to_decision, game.actions.size + 1)
signature = numba.typeof(env.buffers), numba.int64[::1]
"""

COMPILE_EVALUATOR = """
game = find_game("hashi")
kernel = GpuEvaluator(game, [{"players": "1", "board": "A"}], cores=1).cuda_kernel
state, options = (numba.from_dtype(struct.dtype) for struct in (game.state_struct, game.options_struct))
seed_and_endings = t.uint64, t.boolean[::1]
signature = (
    *(t.int64[:, ::1], options[::1], t.int64, *seed_and_endings),
    *(state[::1], state[::1], t.int16[:, ::1], t.float64[::1]),
)
"""

COMPILE = """
ptx, _ = cuda.compile_ptx(kernel.py_func, signature, cc=(9, 0), opt=False)
print(".visible .entry" in ptx)
"""


@pytest.mark.slow
@pytest.mark.parametrize("kernel", [COMPILE_ROLLOUT_ENV, COMPILE_EVALUATOR], ids=["rollout environment", "evaluator"])
def test_training_kernels_compile_for_cuda(kernel: str) -> None:
    environment = {**os.environ, "SKERRY_INTERPRET": "0"}
    command = [sys.executable, "-c", SETUP + kernel + COMPILE]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert done.stdout.split() == ["True"], done.stderr[-2000:]
