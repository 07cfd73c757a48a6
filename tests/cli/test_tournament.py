"""``skerry tournament``."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import pytest

from tests.cli.commands import run


def test_a_tournament_is_printed_as_tables_json_and_csv_and_written_as_a_report(tmp_path: Path) -> None:
    arguments = ("tournament", "hashi", "--bots", "random,novice", "--games", "40", "--sweep", "players=1,2")
    report = tmp_path / "hashi.html"
    text = run(*arguments, "--report", str(report))
    assert "rating" in text and "Mean score" in text
    assert "How strong they are" in report.read_text() and "How many points" in report.read_text()
    solo, two = json.loads(run(*arguments, "--json"))["tournaments"]
    assert solo["ratings"] == [] and [rating["bot"] for rating in two["ratings"]] == ["novice", "random"]
    rows = list(csv.DictReader(io.StringIO(run(*arguments, "--csv"))))
    cells = {(row["one"], row["others"]): row for row in rows if row["players"] == "2"}
    assert set(cells) == {("novice", "random"), ("random", "novice")}
    low, high = (100 * float(cells["random", "novice"][end]) for end in ("low", "high"))
    assert f"{low:.1f}–{high:.1f}" in text and "95 % confidence interval" in " ".join(text.split())


def test_the_report_shows_the_scores_of_each_bot(tmp_path: Path) -> None:
    report = tmp_path / "hashi.html"
    bots = ("--bots", "random,novice,skilled", "--option", "players=2")
    run("tournament", "hashi", *bots, "--games", "12", "--report", str(report))
    for bot in ("skilled", "random"):
        assert f"skilled + random, {bot}" in report.read_text()


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        ("tournament forbidden-island --bots random", "at least two bots"),
        ("tournament forbidden-island --bots random,genius", "no bot 'genius'"),
        ("tournament forbidden-island --sweep bots=all", "the bots of a tournament are named in --bots"),
    ],
)
def test_a_refusal_is_printed_in_one_line(arguments: str, reason: str) -> None:
    text = run(*arguments.split(), status=2)
    assert reason.lower() in " ".join(text.lower().split()), text
