"""``skerry analyse``: what is printed, as words, as JSON and as a page."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
import typer

import skerry
import skerry.cli.analyse as command
from skerry.analysis import Analysis, analyse, analyse_by_stages, as_data
from skerry.cli.analyse import BARS, sparkline
from skerry.cli.interrupt import INTERRUPTED
from skerry.engine.match import Match
from tests.analysis.matches import RECORDS, played_by
from tests.cli.commands import run
from tests.modes import only_compiled

pytestmark = only_compiled

ISLAND = str(RECORDS / "forbidden-island-island-of-shadows-2-elite.txt")


@pytest.fixture(scope="module")
def lost(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The record of a game that was lost."""
    match = played_by(skerry.game("forbidden-desert", players=2, difficulty="elite"), "novice", 4)
    assert match.result and not match.result.winners
    path = tmp_path_factory.mktemp("records") / "lost.txt"
    path.write_text(match.record(), encoding="utf-8")
    return str(path)


def test_the_course_the_verdict_and_the_moments_are_printed(lost: str) -> None:
    printed = run("analyse", lost, "--effort", "12")
    title, curve, *_ = printed.splitlines()
    assert title == "Forbidden Desert: what decided the match"
    assert set(curve.split("  ")[0]) <= set(BARS) and curve.endswith("→ 0 %")
    assert re.search(r"\d+ % at the start; luck (cost|brought) \d+ %, choices (cost|brought) \d+ %", printed)
    assert "The moment: step" in printed and re.search("mistake|blunder", printed)
    assert "The values hold if all play on about as well as the bot Expert does" in " ".join(printed.split())


def test_the_json_is_the_analysis(lost: str) -> None:
    printed = json.loads(run("analyse", lost, "--effort", "4", "--json"))
    assert printed == json.loads(json.dumps(as_data(analyse(skerry.replay(Path(lost).read_text()), 4))))
    change = printed["final"][0] - printed["initial"][0]
    assert change == pytest.approx(printed["luck"][0] + printed["decisions"][0], abs=1e-5)


def test_the_page_needs_no_other_file_and_says_the_same(lost: str, tmp_path: Path) -> None:
    path = tmp_path / "page.html"
    printed = json.loads(run("analyse", lost, "--effort", "12", "--json", "--html", str(path), "--lang", "es"))
    page = path.read_text(encoding="utf-8")
    assert '<html lang="es">' in page and "qué decidió la partida" in page
    assert not re.search(r"(src|href)=\"(?!#)", page) and "<script" not in page and "url(" not in page
    marks = {int(number) for number in re.findall(r'href="#step-(\d+)"', page)}
    assert marks == {int(number) for number in re.findall(r'id="step-(\d+)"', page)} == set(printed["moments"])
    points = re.findall(r'points="([^"]+)"', page)
    assert len(points) == 1 and len(points[0].split()) == len(printed["steps"]) + 1


def test_the_words_are_translated(lost: str) -> None:
    printed = run("analyse", lost, "--effort", "4", "--lang", "pt")
    assert "o que decidiu a partida" in printed and "no início" in printed and "choices" not in printed


def test_an_unfinished_game_is_analysed_as_far_as_it_went() -> None:
    printed = run("analyse", ISLAND, "--effort", "4")
    assert "Forbidden Island: what decided the match" in printed


def test_every_player_has_a_curve_where_they_compete(tmp_path: Path) -> None:
    match = played_by(skerry.game("cartagena", players=3, pirates=4), "novice", 5)
    path = tmp_path / "game.txt"
    path.write_text(match.record(), encoding="utf-8")
    lines = run("analyse", str(path), "--effort", "4", "--open").splitlines()
    assert len([line for line in lines if line[:1] in BARS and "→" in line]) == 3
    assert len([line for line in lines if " at the start; " in line]) == 3
    refused = run("analyse", str(path), "--seat", "7", status=2)
    assert "There is no seat 7" in refused


@pytest.mark.parametrize("arguments", [("--seat", "0"), ("--open",)])
def test_a_viewpoint_is_refused_where_nothing_stays_hidden(arguments: tuple[str, ...]) -> None:
    assert "only one analysis, for all" in run("analyse", ISLAND, *arguments, status=2)


def test_ctrl_c_prints_what_there_is_so_far(
    lost: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def interrupted(*given: object) -> Iterator[Analysis]:
        match = given[0]
        assert isinstance(match, Match)
        yield next(iter(analyse_by_stages(match, 12)))
        raise KeyboardInterrupt

    monkeypatch.setattr(command, "analyse_by_stages", interrupted)
    with pytest.raises(typer.Exit) as ended:
        command.analyse_record(Path(lost), 12, None, False, "en", False, None)
    assert ended.value.exit_code == INTERRUPTED
    printed, errors = capsys.readouterr()
    assert "at the start" in printed and re.search(r"Stopped after 0 of \d+ decisions", errors)


def test_ctrl_c_before_the_first_curve_ends_the_command(lost: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*given: object) -> Iterator[Analysis]:
        raise KeyboardInterrupt
        yield

    monkeypatch.setattr(command, "analyse_by_stages", interrupted)
    with pytest.raises(KeyboardInterrupt):
        command.analyse_record(Path(lost), 12, None, False, "en", False, None)


def test_a_sparkline_begins_and_ends_with_the_first_and_the_last_value() -> None:
    assert sparkline([0.0, 0.5, 1.0], 3, 1.0) == "▁▅█"
    assert sparkline([1.0] * 50 + [0.0], 10, 1.0) == "█" * 9 + "▁"
    assert sparkline([52.0, 26.0], 2, 52.0) == "█▅"
