"""Ctrl-C during a simulation, and resuming it."""

from __future__ import annotations

import json
import re
import signal
import subprocess
import time
from pathlib import Path

from tests.cli.commands import run, start


def wait_for_games(process: subprocess.Popen[str], kept: Path) -> None:
    """Wait until some games are on disk. ``kept`` may be a pattern."""
    limit = time.monotonic() + 120
    while not any('"tally"' in path.read_text() for path in kept.parent.glob(kept.name)):
        assert process.poll() is None, process.communicate()
        assert time.monotonic() < limit, "no game was kept"
        time.sleep(0.1)


def interrupt(process: subprocess.Popen[str], kept: Path) -> str:
    """Press Ctrl-C as soon as some games are on disk; everything the process printed."""
    wait_for_games(process, kept)
    process.send_signal(signal.SIGINT)
    out, errors = process.communicate()
    assert process.returncode == 130 and "Traceback" not in errors, errors
    return out + errors


def test_ctrl_c_keeps_the_finished_games(tmp_path: Path) -> None:
    kept = tmp_path / "kept.jsonl"
    command = ("simulate", "forbidden-island", "--option", "players=2", "--keep", str(kept))
    printed = interrupt(start(*command, "--games", "1000000000", data=tmp_path), kept)
    assert "Stopped after" in printed and f"kept in {kept}" in printed and "how it ended" in printed
    size = kept.stat().st_size
    finished = int(re.findall(r"Stopped after ([\d,]+) of", printed)[0].replace(",", ""))
    games = finished + 20_000
    resumed = json.loads(run(*command, "--games", str(games), "--json"))
    fresh = json.loads(run(*command[:-2], "--games", str(games), "--json"))
    assert resumed["endings"] == fresh["endings"] and resumed["played"] < games == fresh["played"]
    assert kept.stat().st_size >= size


def test_ctrl_c_is_answered_at_once_while_experts_finish_their_games(tmp_path: Path) -> None:
    kept = tmp_path / "kept.jsonl"
    command = ("simulate", "hashi", "--option", "players=1", "--seats", "expert:2", "--games", "1000000")
    printed = interrupt(start(*command, "--keep", str(kept), data=tmp_path), kept)
    assert "games in progress" in printed and "The same command resumes the run" in printed


def test_a_second_ctrl_c_does_not_wait_for_experts(tmp_path: Path) -> None:
    kept = tmp_path / "kept.jsonl"
    command = ("simulate", "hashi", "--option", "players=1", "--games", "1", "--cores", "1", "--keep", str(kept))
    slow_sweep = "bots=expert:2,expert:10000000"  # the second one searches for hours
    process = start(*command, "--sweep", slow_sweep, data=tmp_path)
    try:
        wait_for_games(process, kept)
        process.send_signal(signal.SIGINT)
        assert process.stderr is not None
        while "Stopping" not in process.stderr.readline():
            assert process.poll() is None
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate(timeout=60)
    finally:
        process.kill()
    assert process.returncode == 130 and "Stopped at once" in errors and "Traceback" not in errors
    resumed = json.loads(run(*command, "--sweep", "bots=expert:2,random", "--json"))
    assert resumed["played"] == 1, "the game of the first expert was kept"


def test_the_same_command_resumes_a_run_without_a_file_of_its_own(tmp_path: Path) -> None:
    command = ("simulate", "forbidden-island", "--option", "players=2", "--games", "1000000000")
    unfinished = tmp_path / "skerry" / "unfinished"
    printed = interrupt(start(*command, data=tmp_path), unfinished / "*.jsonl")
    assert str(unfinished) in printed
    (kept,) = unfinished.iterdir()
    again = start(*command, data=tmp_path)
    before = kept.stat().st_size
    while kept.stat().st_size == before:
        assert again.poll() is None
        time.sleep(0.1)
    again.send_signal(signal.SIGINT)
    assert "Resuming after" in again.communicate()[1]
    other_run = start(*command[:-1], "50", data=tmp_path)
    other_run.communicate()
    assert list(unfinished.iterdir()) == [kept]
