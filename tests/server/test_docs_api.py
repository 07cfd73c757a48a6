"""What docs/api.md and examples/api_bot.py show, works against a running server."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

import skerry
from tests.programs import needs

ROOT = Path(__file__).parents[2]
BLOCK = re.compile(r"^```(\w*)\n(.*?)^```", flags=re.DOTALL | re.MULTILINE)
NEXT = "=== next block ==="


def names(text: str) -> set[str]:
    """The names of the fields in JSON or in an excerpt of it."""
    return set(re.findall(r'"(\w+)":', text))


@needs("curl")
def test_the_shell_commands_play_a_whole_game(served: str, tmp_path: Path) -> None:
    blocks = BLOCK.findall((ROOT / "docs/api.md").read_text())
    script = f"echo '{NEXT}'\n".join(code for language, code in blocks if language == "sh")
    command = ["sh", "-eu", "-c", script]
    done = subprocess.run(
        command, cwd=tmp_path, env={**os.environ, "TABLE": served}, capture_output=True, text=True, timeout=300
    )
    assert done.returncode == 0, done.stderr
    printed = done.stdout.split(f"{NEXT}\n")
    shown = [text for language, text in blocks if language != "sh"]
    assert len(printed) == len(shown)
    for said, excerpt in zip(printed, shown, strict=True):
        assert names(excerpt) <= names(said)
    refusals = re.findall(r'"code":"(.*?)".*"rule":(.*?),', printed[4])
    assert refusals == [("stale", "null"), ("illegal", '"CA-15"')]
    match = skerry.replay((tmp_path / "game.skerry").read_text())
    assert match.result is not None and printed[7].startswith("end ")


def bot(served: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, str(ROOT / "examples/api_bot.py"), "--table", served, "--seed", "1", *arguments]
    return subprocess.run(command, capture_output=True, text=True, timeout=300)


@pytest.mark.parametrize("game", ["cartagena", "forbidden-island"])
def test_the_example_opens_a_match_and_plays_it_to_the_end(served: str, game: str) -> None:
    done = bot(served, "--game", game, "--seats", "random,me")
    assert done.returncode == 0, done.stderr
    last = done.stdout.splitlines()[-1]
    assert re.fullmatch(r"[a-z-]+: (seats \[[01, ]+\]|nobody) won", last)


def test_two_example_bots_meet_by_a_link(served: str) -> None:
    with ThreadPoolExecutor() as pool:
        host = subprocess.Popen(
            [sys.executable, "-u", str(ROOT / "examples/api_bot.py"), "--table", served, "--seats", "me,open"],
            stdout=subprocess.PIPE,
            text=True,
        )
        assert host.stdout is not None
        link = host.stdout.readline().split()[-1]
        guest = pool.submit(bot, served, "--match", link)
        printed_by_host = host.communicate(timeout=300)[0]
        done = guest.result()
    assert host.returncode == done.returncode == 0, done.stderr
    assert printed_by_host.splitlines()[-1] == done.stdout.splitlines()[-1]
    assert bot(served, "--match", link).stderr == "every seat of that match is taken\n"
