"""``skerry simulate``: series, sweeps, and what it prints."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import pytest

import skerry
from skerry.cli.simulate import DEFAULT_GAMES, DEFAULT_GAMES_WITH_SEARCH, plan_configurations
from skerry.cli.simulation_options import SimulationOptions
from skerry.lab.series import Series, code_digest, provenance
from tests.cli.commands import run
from tests.modes import only_compiled

SWEEP = (
    "simulate",
    "forbidden-island",
    "--games",
    "40",
    "--sweep",
    "difficulty=novice,elite",
    "--sweep",
    "players=2,3",
)


def test_a_series_is_printed_as_a_table_and_as_json_and_repeats_with_its_seed() -> None:
    arguments = ("simulate", "forbidden-island", "--games", "500", "--option", "players=2", "--seed", "3")
    text = run(*arguments)
    assert "500 games" in text and "Fools' Landing sank" in text and "mean" in text
    summary = json.loads(run(*arguments, "--json"))
    again = json.loads(run(*arguments, "--json"))
    assert summary["endings"] == again["endings"] and sum(row["games"] for row in summary["endings"]) == 500
    assert summary["options"]["players"] == 2 and summary["seats"] == ["random", "random"]


def test_several_bots_set_the_number_of_players() -> None:
    summary = json.loads(
        run("simulate", "forbidden-island", "--games", "20", "--seats", "skilled,random,skilled", "--json")
    )
    assert summary["options"]["players"] == 3


def test_a_single_bot_takes_all_seats() -> None:
    summary = json.loads(
        run("simulate", "forbidden-island", "--games", "20", "--seats", "random", "-o", "players=3", "--json")
    )
    assert summary["seats"] == ["random"] * 3
    summary = json.loads(run("simulate", "cartagena", "--seats", "random", "--games", "5", "--json"))
    assert summary["seats"] == ["random"] * summary["options"]["players"] and len(summary["seats"]) > 1


def test_a_sweep_is_printed_as_a_table_json_and_csv_and_written_as_a_report(tmp_path: Path) -> None:
    report = tmp_path / "island.html"
    text = run(*SWEEP, "--report", str(report))
    assert "160 games" in text and "novice" in text and "elite" in text
    assert "Forbidden Island by difficulty and players" in report.read_text()
    cells = json.loads(run(*SWEEP, "--json"))["cells"]
    assert [cell["values"] for cell in cells] == [
        {"difficulty": difficulty, "players": players} for difficulty in ("novice", "elite") for players in (2, 3)
    ]
    rows = list(csv.DictReader(io.StringIO(run(*SWEEP, "--csv"))))
    assert [int(row["landing-lost"]) for row in rows] == [cell["endings"][3]["games"] for cell in cells]
    assert rows[0]["seats"] == "random+random" and rows[0]["wins_2"] == "" != rows[1]["wins_2"]


LUCK = ("simulate", "forbidden-island", "--games", "4", "--seats", "novice", "--luck", "2", "--sweep", "players=2,3")


@only_compiled
def test_luck_and_skill_are_printed_by_bot_and_written_into_the_report(tmp_path: Path) -> None:
    report = tmp_path / "island.html"
    text = run(*LUCK, "--report", str(report))
    assert "choices" in text and "2 games analysed" in text and "losses" not in text
    assert "Luck and choices" in report.read_text()
    cells = json.loads(run(*LUCK, "--json"))["cells"]
    for cell in cells:
        (row,) = cell["luck"]
        assert (row["bot"], row["unit"], row["games"]) == ("novice", "chance", 2)
        change = row["end"]["mean"] - row["start"]["mean"]
        assert change == pytest.approx(row["luck"]["mean"] + row["choices"]["mean"])
    rows = list(csv.DictReader(io.StringIO(run(*LUCK, "--csv"))))
    assert [float(row["luck_novice"]) for row in rows] == [cell["luck"][0]["luck"]["mean"] for cell in cells]


def test_fewer_games_are_the_default_where_a_bot_searches() -> None:
    def games(asked: int | None, seats: str | None, *sweep: str) -> list[int]:
        settings = SimulationOptions(sweep=list(sweep))
        return [one.series.games for one in plan_configurations("hashi", asked, seats, settings)]

    assert games(None, "skilled") == [DEFAULT_GAMES]
    assert games(None, "expert:50") == [DEFAULT_GAMES_WITH_SEARCH]
    assert games(7, "expert") == [7]
    assert games(None, None, "bots=skilled,expert") == [DEFAULT_GAMES, DEFAULT_GAMES_WITH_SEARCH]


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        ("simulate forbidden-island --sweep players", "a sweep is written NAME=VALUE,VALUE or NAME=all"),
        ("simulate forbidden-island --sweep weather=all", "no option weather"),
        ("simulate forbidden-island --sweep players=7", "option players takes a number from 2 to 4"),
        ("simulate forbidden-island --sweep players=2 --option players=3", "both in --option and in --sweep"),
        ("simulate forbidden-island --sweep bots=random --seats random", "both in --seats and in --sweep"),
        ("simulate forbidden-island --json --csv", "--json and --csv"),
        ("simulate forbidden-island --backend abacus", "--backend is cores, cuda or ray, not 'abacus'"),
        ("simulate forbidden-island --losses", "--losses is for --luck"),
        ("simulate forbidden-island --address here:1", "--address is for --backend ray"),
        ("simulate forbidden-island --backend ray --cores 2", "--cores is for --backend cores"),
        ("simulate forbidden-island --report /nowhere/report.html", "--report: there is no folder /nowhere"),
        (
            "simulate forbidden-island --keep pyproject.toml",
            "not a checkpoint file of simulated games: pyproject.toml",
        ),
        ("simulate forbidden-island --games 10 --backend cuda", "no gpu can be used here"),
        ("simulate forbidden-island --seats genius", "no bot 'genius'"),
    ],
)
def test_a_refusal_is_printed_in_one_line(arguments: str, reason: str) -> None:
    text = run(*arguments.split(), status=2)
    assert reason.lower() in " ".join(text.lower().split()), text


def test_alone_there_is_nobody_to_win_against() -> None:
    """A table, JSON and CSV have scores, and no wins."""
    arguments = ("simulate", "hashi", "--option", "players=1", "--games", "200")
    text, summary = run(*arguments), json.loads(run(*arguments, "--json"))
    (row,) = csv.DictReader(io.StringIO(run(*arguments, "--csv")))
    assert "wins" not in text and "mean score" in text and f"{summary['wins'][0]['score']:.2f}" in text
    assert summary["solo"] and "share" not in summary["wins"][0]
    assert "wins_0" not in row and float(row["score_0"]) == summary["wins"][0]["score"]


def test_results_say_what_made_them() -> None:
    arguments = ("simulate", "forbidden-island", "--games", "20")
    summary = json.loads(run(*arguments, "--json"))
    (row,) = csv.DictReader(io.StringIO(run(*arguments, "--csv")))
    made = provenance(Series(skerry.game("forbidden-island"), ("random",) * 4, 20))
    for name, value in made.items():
        assert summary[name] == value and row[name] == str(value) and str(value) in run(*arguments)
    cup = json.loads(run("tournament", "hashi", "--games", "20", "--bots", "random,novice", "--json"))
    assert cup["tournaments"][0]["code"] == code_digest(skerry.game("hashi").game)
