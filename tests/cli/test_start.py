"""The start of a command: nothing is compiled that it does not need, and Ctrl-C ends it while it compiles."""

from __future__ import annotations

import os
import pty
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.cli.commands import react_to_ctrl_c

RECORD = str(Path(__file__).parents[1] / "records" / "cartagena-basic-4.txt")
ERASE_LINE = "\r\x1b[2K"
WITHOUT_NUMBA = "import sys; sys.modules['numba'] = None; from skerry.cli import main; main()"


@pytest.mark.parametrize(
    "command",
    ["games", "games --json", "rules forbidden-desert", "rules hashi --json", "board show A", "simulate --help"],
)
def test_commands_that_only_print_do_without_numba(command: str) -> None:
    environment = {**os.environ, "SKERRY_INTERPRET": "0"}
    done = subprocess.run(
        [sys.executable, "-c", WITHOUT_NUMBA, *command.split()], capture_output=True, text=True, env=environment
    )
    assert done.returncode == 0 and done.stdout, done.stderr


def environment_with_an_empty_cache(folder: Path) -> dict[str, str]:
    return {**os.environ, "SKERRY_INTERPRET": "0", "SKERRY_CACHE": str(folder / "cache"), "SKERRY_DATA": str(folder)}


@pytest.mark.parametrize(
    "command",
    [
        "play cartagena",
        "simulate cartagena --seats skilled --games 1000",
        "tournament cartagena --games 1000",
        f"replay {RECORD} --verify",
        f"advise {RECORD} --move 3",
        "bench cartagena",
    ],
)
def test_ctrl_c_ends_every_command_while_it_compiles(command: str, tmp_path: Path) -> None:
    process = subprocess.Popen(
        [sys.executable, "-m", "skerry.cli", *command.split()],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=environment_with_an_empty_cache(tmp_path),
        preexec_fn=react_to_ctrl_c,
    )
    assert process.stderr is not None
    printed = ""
    while "Compiling" not in printed:
        line = process.stderr.readline()
        assert line, printed
        printed += line
    time.sleep(0.5)  # any time will do
    began = time.monotonic()
    process.send_signal(signal.SIGINT)
    _, errors = process.communicate(timeout=60)
    assert (process.returncode, errors) == (130, "Stopped.\n")
    assert time.monotonic() - began < 10  # a second, on a machine that is not busy


def read_terminal(terminal: int, until: str) -> str:
    """What was written to a terminal, up to a text."""
    written = ""
    while until not in written:
        written += os.read(terminal, 65536).decode(errors="replace")
    return written


def test_the_board_is_shown_before_the_bots_are_compiled(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "skerry.cli", "play", "forbidden-desert", "--seed", "3"]
    child, terminal = pty.fork()
    if child == 0:
        os.execvpe(command[0], command, {**environment_with_an_empty_cache(tmp_path), "TERM": "xterm", "COLUMNS": "80"})
    written = read_terminal(terminal, until="(me)> ")
    bots = list((tmp_path / "cache").rglob("skilled-*.kernel"))
    os.write(terminal, b"quit\r")
    written += read_terminal(terminal, until="To continue: ")
    _, status = os.waitpid(child, 0)
    assert os.waitstatus_to_exitcode(status) == 0
    assert "Compiling Forbidden Desert: 1 of " in written and not bots
    left = [line.rpartition(ERASE_LINE)[2] for line in written.split("\n")]
    assert not [line for line in left if "Compiling" in line], "the line is removed at the end"
