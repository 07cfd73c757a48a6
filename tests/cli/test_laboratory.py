"""``simulate`` and ``tournament`` as a person calls them: sweeps, files, Ctrl-C."""

from __future__ import annotations

import csv
import io
import json
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from skerry.cli import autosave
from skerry.cli.output import Study
from skerry.cli.progress import sweep_unfinished
from skerry.cli.simulate import FEW, MANY, read_cells
from tests.cli.test_commands import run

PAIRED = (
    "simulate",
    "forbidden-island",
    "--games",
    "40",
    "--sweep",
    "difficulty=novice,elite",
    "--sweep",
    "players=2,3",
)


def test_a_sweep_for_people_programs_and_readers(tmp_path: Path) -> None:
    report = tmp_path / "island.html"
    text = run(*PAIRED, "--report", str(report))
    assert "160 games" in text and "novice" in text and "elite" in text
    assert "Forbidden Island by difficulty and players" in report.read_text()
    cells = json.loads(run(*PAIRED, "--json"))["cells"]
    assert [cell["values"] for cell in cells] == [
        {"difficulty": difficulty, "players": players} for difficulty in ("novice", "elite") for players in (2, 3)
    ]
    rows = list(csv.DictReader(io.StringIO(run(*PAIRED, "--csv"))))
    assert [int(row["landing-lost"]) for row in rows] == [cell["endings"][3]["games"] for cell in cells]
    assert rows[0]["seats"] == "random+random" and rows[0]["wins_2"] == "" != rows[1]["wins_2"]


def test_one_bot_is_for_all_seats() -> None:
    played = json.loads(run("simulate", "cartagena", "--seats", "random", "--games", "5", "--json"))
    assert played["seats"] == ["random"] * played["options"]["players"] and len(played["seats"]) > 1


def test_where_experts_play_few_games_are_played_unless_more_are_asked_for() -> None:
    def games(asked: int | None, seats: str | None, *sweep: str) -> list[int]:
        return [cell.series.games for cell in read_cells("hashi", asked, seats, Study(sweep=list(sweep)))]

    assert games(None, "skilled") == [MANY] and games(None, "expert:50") == [FEW] and games(7, "expert") == [7]
    assert games(None, None, "bots=skilled,expert") == [MANY, FEW]


def test_a_tournament(tmp_path: Path) -> None:
    arguments = ("tournament", "hashi", "--bots", "random,novice", "--games", "40", "--sweep", "players=1,2")
    report = tmp_path / "hashi.html"
    text = run(*arguments, "--report", str(report))
    assert "rating" in text and "Mean score" in text
    assert "How strong they are" in report.read_text() and "How many points" in report.read_text()
    alone, two = json.loads(run(*arguments, "--json"))["tournaments"]
    assert alone["ratings"] == [] and [rating["bot"] for rating in two["ratings"]] == ["novice", "random"]
    rows = list(csv.DictReader(io.StringIO(run(*arguments, "--csv"))))
    met = {(row["one"], row["others"]): row for row in rows if row["players"] == "2"}
    assert set(met) == {("novice", "random"), ("random", "novice")}
    low, high = (100 * float(met["random", "novice"][end]) for end in ("low", "high"))
    assert f"{low:.1f}–{high:.1f}" in text and "95 % confidence interval" in text


def test_points_of_a_tournament_are_told_by_bot(tmp_path: Path) -> None:
    report = tmp_path / "hashi.html"
    players = ("--bots", "random,novice,skilled", "--option", "players=2")
    run("tournament", "hashi", *players, "--games", "12", "--report", str(report))
    for bot in ("skilled", "random"):
        assert f"skilled + random, {bot}" in report.read_text()


def start(*arguments: str, data: Path) -> subprocess.Popen[str]:
    environment = {**os.environ, "SKERRY_INTERPRET": "0", "SKERRY_DATA": "", "XDG_DATA_HOME": str(data)}
    command = [sys.executable, "-m", "skerry.cli", *arguments]
    pipes: dict[str, Any] = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
    return subprocess.Popen(command, **pipes, env=environment, preexec_fn=_heed_ctrl_c)


def _heed_ctrl_c() -> None:
    """Where the tests run in the background, Ctrl-C is ignored; what they start would ignore it too."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def await_games(process: subprocess.Popen[str], kept: Path) -> None:
    """Wait until some games are on disk."""
    while not any('"tally"' in path.read_text() for path in kept.parent.glob(kept.name)):
        assert process.poll() is None, process.communicate()
        time.sleep(0.1)


def interrupt(process: subprocess.Popen[str], kept: Path) -> str:
    """Wait until some games are on disk, and press Ctrl-C."""
    await_games(process, kept)
    process.send_signal(signal.SIGINT)
    out, errors = process.communicate()
    assert process.returncode == 130 and "Traceback" not in errors, errors
    return out + errors


def test_ctrl_c_leaves_what_was_done(tmp_path: Path) -> None:
    kept = tmp_path / "kept.jsonl"
    study = ("simulate", "forbidden-island", "--option", "players=2", "--keep", str(kept))
    said = interrupt(start(*study, "--games", "1000000000", data=tmp_path), kept)
    assert "Stopped after" in said and f"kept in {kept}" in said and "how it ended" in said
    size = kept.stat().st_size
    done = int(re.findall(r"Stopped after ([\d,]+) of", said)[0].replace(",", ""))
    wanted = done + 20_000
    report = json.loads(run(*study, "--games", str(wanted), "--json"))
    fresh = json.loads(run(*study[:-2], "--games", str(wanted), "--json"))
    assert report["endings"] == fresh["endings"] and report["played"] < wanted == fresh["played"]
    assert kept.stat().st_size >= size


def test_ctrl_c_is_answered_while_experts_play_to_the_end(tmp_path: Path) -> None:
    kept = tmp_path / "kept.jsonl"
    study = ("simulate", "hashi", "--option", "players=1", "--seats", "expert:2", "--games", "1000000")
    said = interrupt(start(*study, "--keep", str(kept), data=tmp_path), kept)
    assert "games that have begun" in said and "The same command goes on" in said


def test_a_second_ctrl_c_does_not_wait_for_experts(tmp_path: Path) -> None:
    kept = tmp_path / "kept.jsonl"
    study = ("simulate", "hashi", "--option", "players=1", "--games", "1", "--cores", "1", "--keep", str(kept))
    process = start(*study, "--sweep", "bots=expert:2,expert:10000000", data=tmp_path)  # the second thinks for hours
    try:
        await_games(process, kept)
        process.send_signal(signal.SIGINT)
        assert process.stderr is not None
        while "Stopping" not in process.stderr.readline():
            assert process.poll() is None
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate(timeout=60)
    finally:
        process.kill()
    assert process.returncode == 130 and "Left at once" in errors and "Traceback" not in errors
    report = json.loads(run(*study, "--sweep", "bots=expert:2,random", "--json"))
    assert report["played"] == 1  # what was finished is there


def test_the_same_command_goes_on_without_a_file_of_ones_own(tmp_path: Path) -> None:
    study = ("simulate", "forbidden-island", "--option", "players=2", "--games", "1000000000")
    unfinished = tmp_path / "skerry" / "unfinished"
    said = interrupt(start(*study, data=tmp_path), unfinished / "*.jsonl")
    assert str(unfinished) in said
    (kept,) = unfinished.iterdir()
    again = start(*study, data=tmp_path)
    before = kept.stat().st_size
    while kept.stat().st_size == before:
        assert again.poll() is None
        time.sleep(0.1)
    again.send_signal(signal.SIGINT)
    assert "Going on after" in again.communicate()[1]
    small = start(*study[:-1], "50", data=tmp_path)
    small.communicate()
    assert list(unfinished.iterdir()) == [kept]


def test_runs_that_nobody_goes_on_with_are_forgotten(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("SKERRY_DATA", str(tmp_path))
    names = [f"hashi-{digit * 16}.jsonl" for digit in "abc"] + ["mine.jsonl"]
    old, own, young, mine = (tmp_path / "unfinished" / name for name in names)
    old.parent.mkdir()
    for path in (old, own, young, mine):
        path.touch()
        os.utime(path, (time.time() - (60 if path != young else 50) * 86400,) * 2)
    sweep_unfinished(but=own)
    assert set(old.parent.iterdir()) == {own, young, mine}
    run("simulate", "cartagena", "--games", "1")
    assert set(old.parent.iterdir()) == {young, mine}


def test_data_is_kept_where_a_host_says(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "system"))
    monkeypatch.delenv("SKERRY_DATA", raising=False)
    assert autosave.folder() == tmp_path / "system" / "skerry"
    monkeypatch.setenv("SKERRY_DATA", str(tmp_path / "host"))
    assert autosave.folder() == tmp_path / "host"


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
        ("simulate forbidden-island --address here:1", "--address is for --backend ray"),
        ("simulate forbidden-island --backend ray --cores 2", "--cores is for --backend cores"),
        ("simulate forbidden-island --report /nowhere/report.html", "--report: there is no folder /nowhere"),
        ("simulate forbidden-island --keep pyproject.toml", "not a checkpoint file of simulated games: pyproject.toml"),
        ("simulate forbidden-island --games 10 --backend cuda", "no gpu can be used here"),
        ("simulate forbidden-island --seats genius", "no bot 'genius'"),
        ("tournament forbidden-island --bots random", "at least two bots"),
        ("tournament forbidden-island --bots random,genius", "no bot 'genius'"),
        ("tournament forbidden-island --sweep bots=all", "bots from --bots"),
    ],
)
def test_what_cannot_be_done_is_said(arguments: str, reason: str) -> None:
    text = run(*arguments.split(), status=2)
    assert reason.lower() in " ".join(text.lower().split()), text
