"""The programs in examples/ do what they say."""

from __future__ import annotations

import csv
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest

from curve import draw

EXAMPLES = Path(__file__).parents[2] / "examples"


def run(*arguments: object) -> str:
    return subprocess.run([sys.executable, *map(str, arguments)], capture_output=True, text=True, check=True).stdout


def test_random_agents() -> None:
    told = run(EXAMPLES / "random_agent.py", "forbidden-desert", "--games", 2).splitlines()
    assert len(told) == 2 and all("'seat_3': -1.0" in line or "'seat_3': 1.0" in line for line in told)


def test_a_curve_is_a_picture() -> None:
    picture = ElementTree.fromstring(draw("Score <of> games", [(100, 1.0), (200, 3.0), (300, 2.0)], {"random": 0.5}))
    (line,) = picture.findall("{*}polyline")
    heights = [float(point.split(",")[1]) for point in line.attrib["points"].split()]
    assert heights[1] < heights[2] < heights[0], "what is better is higher, and y counts downwards"
    assert picture.findtext("{*}text") == "Score <of> games"


def logged(out: Path, column: str) -> list[float]:
    return [float(row[column]) for row in csv.DictReader((out / "log.csv").read_text().splitlines())]


@pytest.mark.slow
def test_ppo_learns_goes_on_and_draws(tmp_path: Path) -> None:
    small = ["--envs", 64, "--horizon", 64, "--threads", 1, "--evaluate", 64, "--out", tmp_path, "--limit", 50]
    assert "mean return of 64 new games" in run(EXAMPLES / "train_ppo.py", *small, "--updates", 3)
    run(EXAMPLES / "train_ppo.py", *small, "--updates", 2, "--resume")
    assert logged(tmp_path, "update") == [1, 2, 3, 4, 5]
    assert ElementTree.parse(tmp_path / "curve.svg").getroot().tag.endswith("svg")


@pytest.mark.slow
def test_ppo_imitates_and_then_gets_better(tmp_path: Path) -> None:
    """A million decisions teach it to play Hashi alone: first what the game's own bot would do, then more."""
    small = ["--envs", 256, "--horizon", 64, "--width", 128, "--threads", 1, "--evaluate", 0, "--limit", 120]
    told = run(EXAMPLES / "train_ppo.py", *small, "--imitate", 40, "--updates", 60, "--out", tmp_path)
    returns = logged(tmp_path, "return")
    imitated, improved = sum(returns[41:46]) / 5, sum(returns[-5:]) / 5
    assert imitated > 28, told  # random play gets 16.6
    assert improved > imitated + 1.5, told


@pytest.mark.slow
def test_who_comes_back_to_where_it_was_is_noticed() -> None:
    from train_ppo import Circles  # needs the extra ``train``

    circles, going = Circles(games=2, observed=3, back=4), np.zeros(2, np.bool_)
    here, there = np.eye(3, dtype=np.float32)[[0, 0]], np.eye(3, dtype=np.float32)[[1, 2]]
    assert circles.closed(here, going).tolist() == [False, False]
    assert circles.closed(there, going).tolist() == [False, False]
    assert circles.closed(here, np.array([False, True])).tolist() == [True, False], "a new game begins where all begin"
    for step in range(4):
        assert not circles.closed(np.full((2, 3), 5 + step, np.float32), going).any()
    assert circles.closed(here, going).tolist() == [False, False], "it was long ago"
