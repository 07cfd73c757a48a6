"""The same kernels for a GPU. Here is none: every game is compiled to PTX, unchanged, policies included."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from skerry.engine.game import Game
from skerry.games import every

COMPILE = """
import types
import numba
from skerry.games import find
from skerry.bots import names
from skerry.engine.record import dtype_of
from skerry.lab.cuda import kernel_for
from skerry.lab.simulate import Series
from numba import cuda, types as t
from numba.cuda import dispatcher

dispatcher.get_current_device = lambda: types.SimpleNamespace(compute_capability=(9, 0))  # as an H200 would say
game = find({name!r})
variant = game.configure({{}})
bots = (names(game) * variant.players)[: variant.players]
kernel = kernel_for(Series(variant, bots, 1).loops(), game.actions.size)
state, choices = (numba.from_dtype(dtype_of(record)) for record in (game.state, game.choices))
numbers = (t.int8[::1], t.uint64, t.int64, t.int16[:, ::1], t.int64, t.int32[::1])
signature = (state[::1], state[::1], choices[::1], *numbers)
ptx, _ = cuda.compile_ptx(kernel.py_func, signature, cc=(9, 0))
print(".visible .entry" in ptx, ".target sm_90" in ptx)
"""


@pytest.mark.parametrize("game", every(), ids=lambda game: game.name)
def test_the_kernels_compile_for_cuda_unchanged(game: Game) -> None:
    environment = {**os.environ, "SKERRY_INTERPRET": "0"}
    code = COMPILE.format(name=game.name)
    done = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=False)
    assert done.stdout.split() == ["True", "True"], done.stderr[-2000:]
