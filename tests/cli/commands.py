"""Run the command line in a process of its own, as a person or a script does."""

from __future__ import annotations

import functools
import multiprocessing
import os
import signal
import subprocess
import sys
import tempfile
import traceback
from multiprocessing.context import ForkServerContext
from pathlib import Path
from typing import Any


def run(*arguments: str, typed: str = "", status: int = 0) -> str:
    """Run ``skerry`` with these arguments; its standard output, and its errors too if a failure is expected."""
    before, now = _environment_of_fork_server(), _environment()
    done = _forked(arguments, typed) if now == before else _started(arguments, typed, now)
    assert done.returncode == status, done.stdout + done.stderr
    assert "Traceback" not in done.stderr, done.stderr
    return done.stdout + (done.stderr if status else "")


def start(*arguments: str, data: Path) -> subprocess.Popen[str]:
    """Start ``skerry`` with the user's data in a folder of the test."""
    environment = {**os.environ, "SKERRY_INTERPRET": "0", "SKERRY_DATA": "", "XDG_DATA_HOME": str(data)}
    command = [sys.executable, "-m", "skerry.cli", *arguments]
    pipes: dict[str, Any] = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
    return subprocess.Popen(command, **pipes, env=environment, preexec_fn=react_to_ctrl_c)


def react_to_ctrl_c() -> None:
    """Restore the default reaction to Ctrl-C, which background processes and their children ignore."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def _environment() -> dict[str, str]:
    """The environment of a command. Which test is running makes no difference to it."""
    return {name: value for name, value in os.environ.items() if name != "PYTEST_CURRENT_TEST"}


def _started(arguments: tuple[str, ...], typed: str, environment: dict[str, str]) -> subprocess.CompletedProcess[str]:
    """A command in a new process, for tests that have changed the environment."""
    command = [sys.executable, "-m", "skerry.cli", *arguments]
    environment = {**environment, "SKERRY_INTERPRET": "0"}
    return subprocess.run(command, input=typed, capture_output=True, text=True, check=False, env=environment)


# Most commands take less time than Python needs to import them: so they run in forks of a process that has done it.


@functools.cache
def _fork_server() -> ForkServerContext:
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(["tests.cli.imported_commands"])
    return context


@functools.cache
def _environment_of_fork_server() -> dict[str, str]:
    """The environment with which the process that forks has been started, at the first command."""
    _fork_server()
    return _environment()


def _forked(arguments: tuple[str, ...], typed: str) -> subprocess.CompletedProcess[str]:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "typed").write_text(typed)
        process = _fork_server().Process(target=_run_here, args=(arguments, folder, Path.cwd()))
        process.start()
        process.join()
        assert process.exitcode is not None
        printed, errors = ((folder / stream).read_text() for stream in ("printed", "errors"))
    return subprocess.CompletedProcess(arguments, process.exitcode, printed, errors)


def _run_here(arguments: tuple[str, ...], folder: Path, where: Path) -> None:
    """Become the process of a command, whose standard streams are files of a folder."""
    for number, name, how in ((0, "typed", "r"), (1, "printed", "w"), (2, "errors", "w")):
        with (folder / name).open(how) as file:
            os.dup2(file.fileno(), number)
    sys.stdin, sys.stdout, sys.stderr = open(0), open(1, "w"), open(2, "w", buffering=1)  # noqa: SIM115
    os.chdir(where)
    sys.argv = ["skerry", *arguments]
    from skerry.cli import main

    try:
        main()
    except Exception:
        traceback.print_exc()
        sys.exit(1)
