"""The programs in examples/ do what they say."""

from __future__ import annotations

import csv
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

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
def test_ppo_gets_better(tmp_path: Path) -> None:
    """A million decisions teach it to play Hashi alone better than at random."""
    told = run(EXAMPLES / "train_ppo.py", "--updates", 60, "--threads", 1, "--out", tmp_path)
    assert sum(logged(tmp_path, "return")[-5:]) / 5 > 18.5, told  # random play gets 16.6
