"""Tasks of the benchmark: fixed games, rows that can be repeated, and differences taken game by game."""

from __future__ import annotations

import csv
import dataclasses
import json
import runpy
from collections.abc import Iterator
from pathlib import Path

import gymnasium
import numpy as np
import pytest

import skerry
from skerry import bots
from skerry.bots.custom import VARIABLE
from skerry.bots.function_bot import Decisions
from skerry.envs import evaluation
from skerry.envs.evaluation import Estimate, GameRow, evaluate, paired_difference, play_recorded, summary_of
from skerry.envs.gymnasium import SkerryEnv
from skerry.envs.tasks import TASKS, Task, evaluation_seed, find_task
from tests.cli.commands import run

DOCS = Path(__file__).parents[2] / "docs"
SMALL = find_task("hashi-solo-v1")
every_task = pytest.mark.parametrize("task", TASKS, ids=lambda task: task.id)


def rows_of(task: Task, bot: str, games: int, first: int = 0) -> list[GameRow]:
    return sorted(evaluate(task, bot, games, first), key=lambda row: row.game)


@pytest.fixture
def greedy(monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """A bot that is asked outside of kernels, and passes wherever it can."""
    monkeypatch.setenv(VARIABLE, "")

    @bots.bot_options(batched=True)
    def last(many: Decisions) -> object:
        return [int(np.flatnonzero(mask)[-1]) for mask in many.action_masks]

    yield bots.register(last, "last-one")
    bots.unregister("last-one")


@every_task
def test_a_task_is_an_environment_of_its_name(task: Task) -> None:
    env = gymnasium.make(f"skerry/{task.id}").unwrapped
    assert isinstance(env, SkerryEnv) and env.config == task.config
    assert find_task(task.name) is find_task(task.id) is task


def test_a_task_that_there_is_not() -> None:
    with pytest.raises(skerry.BadOption, match="here is no task 'chess'; there are island-pair-v1"):
        find_task("chess")


@every_task
def test_a_row_is_the_match_that_its_record_replays(task: Task, greedy: str) -> None:
    """With a kernel and with a bot outside of kernels in the learner's place, and whatever plays beside it."""
    for bot in ("random", task.config.variant.game.bots[0], greedy):
        rows = rows_of(task, bot, 5)
        assert [row.game for row in rows] == list(range(5)) and rows_of(task, bot, 2, first=3) == rows[3:]
        row = rows[4]
        match = skerry.replay(play_recorded(task, bot, 4).record())
        assert match.seed == row.seed == evaluation_seed(4)
        if match.result is None:
            assert row.ending == "limit" and row.reward == 0
        else:
            assert row.ending == match.result.reason and row.scores == match.result.scores
            mine = [seat for seat, player in enumerate(task.seats) if player == "me"]
            won, solo = match.result.winners, len(task.seats) == 1
            assert row.won == (len(set(mine) & set(won)) / len(won) if won and not solo else 0)


def test_more_games_than_are_played_side_by_side(monkeypatch: pytest.MonkeyPatch) -> None:
    few = rows_of(SMALL, "skilled", 9)
    monkeypatch.setattr(evaluation, "SLOTS", 2)
    assert rows_of(SMALL, "skilled", 9) == few


def test_a_game_is_cut_off_at_the_limit_of_its_task() -> None:
    short = dataclasses.replace(SMALL, limit=7)
    (row,) = rows_of(short, "skilled", 1)
    assert row.decisions == 7 and row.ending == "limit" and row.reward == 0
    assert play_recorded(short, "skilled", 0).result is None


def row(game: int, reward: float) -> GameRow:
    return GameRow("t", "b", game, game, reward, float(reward > 0), "won", (reward,), 3)


def test_differences_are_taken_game_by_game() -> None:
    """Where two bots differ by the same amount in every game, nothing is uncertain, however much the games differ."""
    one = [row(game, float(reward)) for game, reward in enumerate((1, 9, 4, 7))]
    other = [row(game, one[game].reward - 2) for game in (3, 1, 0)]
    difference = paired_difference(one, other)
    assert difference == Estimate(2.0, 2.0, 2.0)
    assert paired_difference(one, [row(9, 1.0)]) is None
    whole = summary_of(SMALL, one, other)
    assert (
        whole.reward.low < 1.9 and whole.reward.value == 5.25 and whole.won is None and whole.difference == difference
    )


def test_shares_of_wins_have_wilson_intervals() -> None:
    summary = summary_of(find_task("hashi-duel"), [row(game, 1.0 if game < 3 else -1.0) for game in range(10)])
    assert summary.won is not None and summary.won.value == 0.3
    assert summary.won.low == pytest.approx(0.1078, abs=1e-4) and summary.won.high == pytest.approx(0.6032, abs=1e-4)


def test_on_the_command_line(tmp_path: Path) -> None:
    path = tmp_path / "rows.csv"
    arguments = ("evaluate", "hashi-solo", "--games", "12", "--bots", "random,novice")
    told = json.loads(run(*arguments, "--rows", str(path), "--json"))
    assert [one["bot"] for one in told["bots"]] == ["random", "novice", "skilled"] and told["task"] == "hashi-solo-v1"
    assert told["bots"][0]["difference"]["value"] < 0 and told["bots"][2]["difference"] is None
    rows = list(csv.DictReader(path.read_text().splitlines()))
    assert len(rows) == 36 and [row["game"] for row in rows[:12]] == [str(number) for number in range(12)]
    assert float(rows[0]["reward"]) == rows_of(SMALL, "random", 1)[0].reward == float(rows[0]["score_0"])
    match = skerry.replay(run("evaluate", "hashi-solo", "--bots", "novice", "--record", "7"))
    assert match.result is not None and match.result.scores[0] == float(rows[12 + 7]["score_0"])
    assert "hashi-solo-v1" in run("evaluate") and "island-elite-v1" in run("evaluate", "--json")
    assert "FILE.csv or FILE.parquet" in run(*arguments, "--rows", "rows.txt", status=2)


def test_the_table_is_that_of_the_results() -> None:
    script = runpy.run_path(str(DOCS / "make_benchmark.py"))
    page, results = (DOCS / "benchmark.md").read_text(encoding="utf-8"), json.loads(script["RESULTS"].read_text())
    assert script["update_page"](page, results) == page, "run python docs/make_benchmark.py --table"
    assert all({"random", "novice", "skilled"} <= set(results[task.id]) for task in TASKS), "a baseline is missing"


@pytest.mark.parametrize("bot", ["random", "novice"])
def test_results_of_the_table_can_be_repeated(bot: str) -> None:
    """All games of a task whose games are short."""
    kept = json.loads((DOCS / "benchmark.json").read_text())[SMALL.id][bot]
    mean = summary_of(SMALL, rows_of(SMALL, bot, kept["games"])).reward.value
    assert mean == pytest.approx(kept["reward"]["value"], abs=1e-9)
