"""Compile the kernels of a series in several processes, because numba compiles in one thread of each.

The rules are compiled here and each bot's policy in a process of its own; the processes share the cache of kernels.
What remains, the loop around them, is compiled by its first call.
"""

from __future__ import annotations

import contextlib
import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from types import FunctionType
from typing import Any

import numpy as np

from skerry.bots import RANDOM, find
from skerry.bots.function_bot import FunctionBot
from skerry.bots.interrupts import interrupting_of
from skerry.engine import kernel_cache, kernel_progress
from skerry.engine.event_log import new_event_log
from skerry.engine.game import Game
from skerry.engine.kernel import INTERPRETED, kernel_array
from skerry.engine.struct import struct_array, struct_views
from skerry.lab.series import Series

PROGRAM = "skerry.lab.compile_policy"


def compile_ahead(series: Series) -> None:
    """Compile the rules and the policies that a series needs, unless the rules are in the cache."""
    game = series.variant.game
    if INTERPRETED or _is_kept(game.rules.step, step_arguments(game)) or not kernel_cache.is_writable():
        return
    found = {name: find(game, name) for name in series.bots if name != RANDOM}
    bots = {bot.policy: name for name, bot in found.items() if not isinstance(bot, FunctionBot)}
    missing = [name for policy, name in bots.items() if not _is_kept(policy, policy_arguments(game))]
    with contextlib.ExitStack() as policies:
        for name in missing[: (os.cpu_count() or 1) - 1]:
            policies.enter_context(_compiling_policy(game, name))
        _compile_rules(game)


def _compile_rules(game: Game) -> None:
    rules: Any = game.rules
    interrupting: Any = interrupting_of(game)
    state, seat, legal, _, rng = policy_arguments(game)
    options = struct_views(game.options_struct, struct_array(game.options_struct, 1))[0]
    rules.setup.prepare(state, options, rng)
    interrupting.prepare(state)
    rules.legal.prepare(state, seat, legal)
    rules.step.prepare(*step_arguments(game))
    rules.determinize.prepare(state, seat, rng)


def _is_kept(kernel: Any, arguments: tuple[Any, ...]) -> bool:
    return bool(kernel.is_kept(*arguments))


def _state(game: Game) -> Any:
    return struct_views(game.state_struct, struct_array(game.state_struct, 1))[0]


def step_arguments(game: Game) -> tuple[Any, ...]:
    """Arguments of the types with which ``step`` is called."""
    seat, action = 0, 0
    return _state(game), seat, action, kernel_array(new_event_log(0))


def policy_arguments(game: Game) -> tuple[Any, ...]:
    """Arguments of the types with which policies are called."""
    seat, count = 0, 0
    return _state(game), seat, kernel_array(np.zeros(game.actions.size + 1, np.int16)), count, np.uint64(0)


@contextlib.contextmanager
def _compiling_policy(game: Game, name: str) -> Iterator[None]:
    """Compile a bot's policy in another process during the body of the ``with`` statement, and wait for it then."""
    command = [sys.executable, "-m", PROGRAM, game.package, name]
    pipe, null = subprocess.PIPE, subprocess.DEVNULL
    with subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=null, start_new_session=True) as child:
        reader = threading.Thread(target=_report_progress, args=(child, find(game, name).policy), daemon=True)
        reader.start()
        try:
            yield
            reader.join()  # if it has failed, the policy is compiled here
        finally:
            child.kill()


def _report_progress(child: subprocess.Popen[bytes], policy: Any) -> None:
    """Report the kernels that a process compiles, whose digests it prints."""
    from skerry.engine.kernel_digest import kernel_digest, reachable_kernels

    functions: dict[str, FunctionType] = {
        kernel_digest(function): function for function in reachable_kernels(policy.py_func)
    }
    assert child.stdout is not None
    for line in child.stdout:
        function = functions.get(line.decode().strip())
        if function is not None:  # it would be, if a weight had been changed in this process only
            kernel_progress.report(function)
