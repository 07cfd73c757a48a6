"""The programs in examples/ do what their documentation says."""

from __future__ import annotations

import csv
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest

from learning_curve import draw

EXAMPLES = Path(__file__).parents[2] / "examples"


def run(*arguments: object) -> str:
    return subprocess.run([sys.executable, *map(str, arguments)], capture_output=True, text=True, check=True).stdout


def test_random_agents_play_whole_games() -> None:
    lines = run(EXAMPLES / "random_agent.py", "forbidden-desert", "--games", 2).splitlines()
    assert len(lines) == 2 and all("'seat_3': -1.0" in line or "'seat_3': 1.0" in line for line in lines)


def test_a_learning_curve_is_valid_svg_with_higher_values_further_up() -> None:
    picture = ElementTree.fromstring(draw("Score <of> games", [(100, 1.0), (200, 3.0), (300, 2.0)], {"random": 0.5}))
    (line,) = picture.findall("{*}polyline")
    heights = [float(point.split(",")[1]) for point in line.attrib["points"].split()]
    assert heights[1] < heights[2] < heights[0], "y counts downwards"
    assert picture.findtext("{*}text") == "Score <of> games"


def logged(out: Path, column: str) -> list[float]:
    return [float(row[column]) for row in csv.DictReader((out / "log.csv").read_text().splitlines())]


@pytest.mark.slow
def test_ppo_trains_resumes_and_draws_its_curve(tmp_path: Path) -> None:
    small = ["--envs", 64, "--horizon", 64, "--threads", 1, "--evaluate", 64, "--out", tmp_path, "--limit", 50]
    assert "mean return of 64 new games" in run(EXAMPLES / "train_ppo.py", *small, "--updates", 3)
    run(EXAMPLES / "train_ppo.py", *small, "--updates", 2, "--resume")
    assert logged(tmp_path, "update") == [1, 2, 3, 4, 5]
    assert ElementTree.parse(tmp_path / "curve.svg").getroot().tag.endswith("svg")


@pytest.mark.slow
def test_ppo_trains_in_games_where_seats_may_interrupt(tmp_path: Path) -> None:
    """There the environment has one action more than the game: to pass."""
    small = ["--envs", 16, "--horizon", 8, "--width", 16, "--threads", 1, "--evaluate", 0, "--limit", 60]
    team = ["--game", "forbidden-island", "--players", 2, "--option", "difficulty=novice", "--imitate", 1]
    run(EXAMPLES / "train_ppo.py", *team, *small, "--updates", 2, "--out", tmp_path)
    assert logged(tmp_path, "update") == [1, 2]


@pytest.mark.slow
def test_ppo_imitates_a_bot_and_then_surpasses_it(tmp_path: Path) -> None:
    """A million decisions of Hashi alone: after the imitation of the game's own bot, the return still rises."""
    small = ["--envs", 256, "--horizon", 64, "--width", 128, "--threads", 1, "--evaluate", 0, "--limit", 120]
    output = run(EXAMPLES / "train_ppo.py", *small, "--imitate", 40, "--updates", 60, "--out", tmp_path)
    returns = logged(tmp_path, "return")
    imitated, improved = sum(returns[41:46]) / 5, sum(returns[-5:]) / 5
    assert imitated > 28, output  # random play gets 16.6
    assert improved > imitated + 1.5, output


@pytest.mark.slow
def test_repeated_observations_of_a_game_are_detected() -> None:
    torch = pytest.importorskip("torch")  # the extra ``train``
    from train_ppo import RepetitionDetector

    detector, running = RepetitionDetector(games=2, observation_size=3, memory=4), torch.zeros(2, dtype=torch.bool)
    first, second = torch.eye(3)[[0, 0]], torch.eye(3)[[1, 2]]
    assert detector.is_repeated(first, running).tolist() == [False, False]
    assert detector.is_repeated(second, running).tolist() == [False, False]
    second_game_ended = torch.tensor([False, True])
    assert detector.is_repeated(first, second_game_ended).tolist() == [True, False], "a new game repeats nothing"
    for step in range(4):
        assert not detector.is_repeated(torch.full((2, 3), 5.0 + step), running).any()
    assert detector.is_repeated(first, running).tolist() == [False, False], "too long ago"


@pytest.mark.slow
def test_returns_are_counted_where_games_end() -> None:
    torch = pytest.importorskip("torch")  # the extra ``train``
    from train_ppo import FinishedGames

    finished = FinishedGames(2, "cpu")
    finished.add(torch.tensor([1.0, 2.0]), torch.tensor([False, True]))
    finished.add(torch.tensor([3.0, 5.0]), torch.tensor([True, False]))
    assert finished.take() == (2, 3.0)  # the returns 2 and 1 + 3
    finished.add(torch.tensor([0.0, 1.0]), torch.tensor([False, True]))
    assert finished.take() == (1, 6.0)
