"""Calibrations keep the order of estimates, and the study that fits them measures what it says."""

from __future__ import annotations

import re
import runpy
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from skerry.analysis.calibration import MEASURED, Calibration

DOCS = Path(__file__).parents[2] / "docs"


@pytest.fixture(scope="module")
def study() -> dict[str, Any]:
    return runpy.run_path(str(DOCS / "make_analysis.py"))


def games(count: int, chance_of: Calibration, seed: int = 0) -> list[dict[str, Any]]:
    """Games of 50 predictions each; what is predicted comes true as often as a calibration of it says."""
    rng = np.random.default_rng(seed)
    rows = []
    for number in range(count):
        predicted = rng.uniform(0.02, 0.98, 50)
        results = rng.random(50) < chance_of(predicted)
        row = {"players": 2, "seed": number, "p": predicted[:, None].tolist()}
        rows.append(row | {"o": results[:, None].astype(float).tolist()})
    return rows


@pytest.mark.parametrize("calibration", MEASURED.values(), ids=str)
def test_a_calibration_keeps_the_order_and_the_ends(calibration: Calibration) -> None:
    values = calibration(np.linspace(0, 1, 101))
    assert (np.diff(values) > 0).all()
    assert values[0] == pytest.approx(0, abs=1e-3) and values[-1] == pytest.approx(1, abs=1e-3)


def test_the_default_calibration_changes_nothing() -> None:
    values = np.array([0.0, 0.3, 41.5])
    assert (Calibration()(values) == values).all()


def test_the_fit_finds_the_calibration_that_was_planted(study: dict[str, Any]) -> None:
    found = study["fitted"](study["Predictions"].of(games(400, Calibration(0.5, 0.8))))
    assert found.shift == pytest.approx(0.5, abs=0.1) and found.stretch == pytest.approx(0.8, abs=0.1)


def test_exact_predictions_have_the_error_of_chance_and_wrong_ones_more(study: dict[str, Any]) -> None:
    exact = study["Predictions"].of(games(200, Calibration()))
    assert exact.positions == 10_000
    assert exact.error < 2 * exact.error_by_chance < 0.03
    wrong = games(200, Calibration(1.0, 1.0))
    assert study["Predictions"].of(wrong).error > 0.1
    calibrated = study["Predictions"].of(wrong, study["fit_by_players"](wrong))
    assert calibrated.error < 2 * calibrated.error_by_chance


def test_no_game_is_measured_with_a_calibration_that_it_was_fitted_to(study: dict[str, Any]) -> None:
    up, down = Calibration(2.0, 1.0), Calibration(-2.0, 1.0)
    even, odd = games(200, up)[::2], games(200, down)[1::2]
    fits = study["fit_by_players"]([*even, *odd])
    assert fits[2, 0].shift > 1 > -1 > fits[2, 1].shift
    assert study["Predictions"].of(even, fits).error > 0.3  # by what was fitted to the odd games


def test_the_calibrations_are_those_that_the_page_says_were_measured() -> None:
    page = (DOCS / "analysis.md").read_text(encoding="utf-8")
    table = page.partition("<!-- calibrations -->")[2].partition("<!-- end of calibrations -->")[0]
    rows = re.findall(r"\| ([\w-]+) \| (\d) \| ([+-][\d.]+) \| ([\d.]+) \|", table)
    measured = {
        (game, int(players)): Calibration(float(shift), float(stretch)) for game, players, shift, stretch in rows
    }
    assert measured == MEASURED
