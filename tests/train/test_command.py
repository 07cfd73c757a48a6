"""``skerry train``: arguments become settings, and missing packages are refused."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from types import FunctionType, SimpleNamespace
from typing import Any, cast

import pytest
from typer.testing import CliRunner

from skerry.cli import compile_progress
from skerry.cli import train as command
from skerry.engine import kernel_progress
from skerry.engine.errors import Refusal, UnknownGame
from skerry.engine.game import Game
from skerry.train.settings import EvolutionSettings, PPOSettings, Report, SelfPlaySettings, SupervisedSettings

PROGRAMS = ("ppo", "supervised", "self-play", "evolution")


@pytest.fixture
def started(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, Game, Any]]:
    """Programs that were started, with their game and settings; none of them runs."""
    found: list[tuple[str, Game, Any]] = []

    def import_module(name: str) -> Any:
        return SimpleNamespace(train=lambda game, settings, report: found.append((name, game, settings)))

    monkeypatch.setattr("skerry.cli.train.importlib", SimpleNamespace(import_module=import_module))
    return found


def run(*arguments: str) -> str:
    done = CliRunner().invoke(command.app, list(arguments), catch_exceptions=False)
    assert done.exit_code == 0, done.output
    return done.output


@pytest.mark.parametrize("program", PROGRAMS)
def test_every_program_explains_its_options(program: str) -> None:
    text = run(program, "--help")
    assert "Example" in text and "--vary" in text


def test_defaults_are_those_of_the_settings(started: list[tuple[str, Game, Any]]) -> None:
    for program in PROGRAMS:
        run(program, "hashi")
    assert [name for name, _, _ in started] == [
        "skerry.train.ppo",
        "skerry.train.supervised",
        "skerry.train.self_play",
        "skerry.train.evolution",
    ]
    assert [settings for _, _, settings in started] == [
        PPOSettings(),
        SupervisedSettings(),
        SelfPlaySettings(),
        EvolutionSettings(),
    ]
    assert {game.name for _, game, _ in started} == {"hashi"}


def test_ppo_options(started: list[tuple[str, Game, Any]], tmp_path: Path) -> None:
    run(
        *("ppo", "hashi", "--vary", "players=2,2", "--vary", "board", "--gae-lambda", "0.95", "--clip-ratio", "0.1"),
        *(
            "--learning-rate",
            "1e-4",
            "--entropy-bonus",
            "0.01",
            "--resume",
            str(tmp_path),
            "--out",
            "there",
            "--device",
            "cuda",
        ),
    )
    assert started[0][2] == PPOSettings(
        vary=("players=2,2", "board"),
        gae_lambda=0.95,
        clip_ratio=0.1,
        learning_rate=1e-4,
        entropy_bonus=0.01,
        resume=tmp_path,
        out=Path("there"),
        device="cuda",
    )


def test_supervised_and_self_play_options(started: list[tuple[str, Game, Any]]) -> None:
    run(
        *("supervised", "hashi", "--rounds", "2", "--rollout-turns", "1", "--batch-size", "64"),
        *("--learning-rate", "0.1", "--out", "value.npy"),
    )
    run("self-play", "hashi", "--noise", "0.2", "--share", "0.5", "--learning-rate", "0.1")
    assert started[0][2] == SupervisedSettings(
        rounds=2, rollout_turns=1, batch_size=64, learning_rate=0.1, out=Path("value.npy")
    )
    assert started[1][2] == SelfPlaySettings(noise=0.2, share=0.5, learning_rate=0.1)


def test_evolution_options(started: list[tuple[str, Game, Any]], tmp_path: Path) -> None:
    start = tmp_path / "start.json"
    start.write_text("{}")
    run(
        "evolution",
        "hashi",
        "--candidates",
        "8",
        "--step-size",
        "0.1",
        "--check-games",
        "5",
        "--from",
        str(start),
        "--cuda",
    )
    assert started[0][2] == EvolutionSettings(candidates=8, step_size=0.1, check_games=5, start=start, cuda=True)


def test_it_says_what_it_compiles(monkeypatch: pytest.MonkeyPatch) -> None:
    def train(game: Game, settings: Any, report: Report) -> None:
        kernel_progress.report(cast(FunctionType, train))
        report("round 1")

    monkeypatch.setattr(compile_progress, "_announced", [])
    monkeypatch.setattr(
        "skerry.cli.train.importlib", SimpleNamespace(import_module=lambda name: SimpleNamespace(train=train))
    )
    assert run("supervised", "hashi") == "Compiling Hashi, once for this version …\nround 1\n"


def test_an_unknown_game_is_refused() -> None:
    with pytest.raises(UnknownGame):
        CliRunner().invoke(command.app, ["ppo", "chess"], catch_exceptions=False)


@pytest.mark.parametrize("program", PROGRAMS)
def test_a_missing_package_is_named_with_the_extra_that_has_it(program: str, monkeypatch: pytest.MonkeyPatch) -> None:
    package = "cma" if program == "evolution" else "torch"
    monkeypatch.setitem(sys.modules, package, None)
    with pytest.raises(Refusal, match=rf"{package}.*pip install 'skerry\[train\]'"):
        CliRunner().invoke(command.app, [program, "hashi"], catch_exceptions=False)


def test_nothing_else_imports_torch() -> None:
    code = "import sys, skerry, skerry.cli, skerry.cli.train; print('torch' in sys.modules, 'numba' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["False", "False"]
