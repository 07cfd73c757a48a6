"""Simulations that an earlier version played and kept: their files can be read, and the same series give the same
tallies today.

``tests/lab/kept`` has a file for each game, as ``skerry simulate … --keep FILE`` writes it: four series of 500 games
with the bots ``skilled``, ``novice`` and ``random`` in different variants, and one of 12 games with ``expert``. The
first three games of each series of 500 have a line of their own, because 500 take too long without compiled kernels.
When a rule or a bot is meant to play differently, keep new files.

Three lines of the Desert are of 0.2.0: 497 games each of two series with ``random`` at some seats, and the series with
``expert``. Since then a seat interrupts at most three times a turn in rollouts and in series without experts, too. With
that limit lifted the series with ``random`` are those of 0.1.0.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from skerry.engine.kernel import INTERPRETED
from skerry.lab import series as series_module
from skerry.lab.checkpoint import Checkpoint
from skerry.lab.chunks import Chunk, play_chunk
from skerry.lab.series import Series
from skerry.lab.tally import Tally

FILES = sorted((Path(__file__).parent / "kept").glob("*.jsonl"))
MAX_INTERPRETED = 3  # games played in one chunk where kernels are plain Python


def read_lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text().splitlines()]


def kept_series() -> list[Any]:
    """Each file with the key and the description of each of its series."""
    return [
        pytest.param(path, line["series"], line["is"], id=f"{path.stem}-{'+'.join(line['is']['seats'])}")
        for path in FILES
        for line in read_lines(path)
        if "is" in line
    ]


@pytest.mark.parametrize(("path", "key", "description"), kept_series())
def test_a_kept_series_is_read_and_gives_the_same_tallies_today(
    monkeypatch: pytest.MonkeyPatch, path: Path, key: str, description: dict[str, Any]
) -> None:
    monkeypatch.setattr(series_module, "code_digest", lambda game: description["code"])  # as the version that kept it
    chunks = [line for line in read_lines(path) if line.get("series") == key and "tally" in line]
    games = sum(count for line in chunks for _, count in line["games"])
    series = Series.from_dict(description, games)
    assert series.as_dict() == description and series.key == key
    tally, ranges = Checkpoint(path).load(series)
    assert ranges == [(0, games)] and tally.games == games
    for line in chunks:
        ((first, count),) = line["games"]
        if not INTERPRETED or count <= MAX_INTERPRETED:
            assert play_chunk(Chunk(series, first, count)).tally == Tally.from_dict(line["tally"])
