"""Luck and decisions add up to what changed, exactly; and luck is what it says."""

from __future__ import annotations

import math

import numpy as np
import pytest

import skerry
from skerry.analysis import Analysis, analyse
from skerry.analysis import calibration as calibrations
from skerry.analysis.accounts import accounts_of, course_of
from skerry.analysis.calibration import Calibration
from skerry.analysis.evaluation import Evaluator
from skerry.analysis.viewpoint import hides_hands, viewpoint_of
from skerry.engine.match import Match
from tests.analysis.matches import RECORDS, played_by, recorded
from tests.modes import only_compiled

EVERY_KIND = [
    "forbidden-island-bay-of-gulls-3-normal",
    "forbidden-island-island-of-shadows-2-elite",
    "forbidden-desert-5-normal",
    "forbidden-desert-3-elite",
    "cartagena-magic-4",
    "cartagena-full-5-everything",
]
WORLDS = 4


def check_sum(analysis: Analysis) -> None:
    """For every seat, the final value less the initial one is its luck and what the decisions of all seats brought."""
    players = range(analysis.match.variant.players)
    shares = [analysis.decided_by(seat) for seat in players]
    for seat in players:
        change = analysis.final[seat] - analysis.initial[seat]
        assert change == pytest.approx(analysis.luck[seat] + analysis.decided[seat], abs=1e-9)
        assert change == pytest.approx(analysis.luck[seat] + sum(share[seat] for share in shares), abs=1e-9)
    for before, step in zip(
        [analysis.initial, *(step.values for step in analysis.steps)], analysis.steps, strict=False
    ):
        for seat in players:
            change = step.values[seat] - before[seat]
            assert change == pytest.approx(step.luck[seat] + step.decision[seat], abs=1e-9)


@only_compiled
@pytest.mark.parametrize("name", EVERY_KIND)
def test_luck_and_decisions_add_up_for_every_player(name: str) -> None:
    check_sum(analyse(recorded(name), effort=WORLDS))


@only_compiled
@pytest.mark.slow
@pytest.mark.parametrize("path", sorted(RECORDS.glob("*.txt")), ids=lambda path: path.stem)
def test_luck_and_decisions_add_up_in_every_golden_record(path: object) -> None:
    match = recorded(str(getattr(path, "stem", "")))
    check_sum(analyse(match, effort=WORLDS))
    if hides_hands(match):
        check_sum(analyse(match, effort=WORLDS, seat=0))
        if match.result:
            check_sum(analyse(match, effort=WORLDS, open_cards=True))


@only_compiled
@pytest.mark.parametrize("players", [1, 2])
def test_luck_and_decisions_add_up_where_seats_play_at_the_same_time(players: int) -> None:
    check_sum(analyse(played_by(skerry.game("hashi", players=players), "novice", 3), effort=WORLDS))


@only_compiled
@pytest.mark.parametrize("viewpoint", [{"seat": 1}, {"open_cards": True}, {}], ids=["seat", "open", "spectator"])
def test_luck_and_decisions_add_up_from_every_viewpoint(viewpoint: dict[str, int]) -> None:
    match = played_by(skerry.game("cartagena", players=3, pirates=4), "novice", 5)
    analysis = analyse(match, effort=WORLDS, **viewpoint)  # type: ignore[arg-type]
    check_sum(analysis)
    assert analysis.final == tuple(1.0 if seat in match.result.winners else 0.0 for seat in range(3))  # type: ignore[union-attr]


@only_compiled
def test_the_end_is_worth_the_result() -> None:
    lost, won = recorded("forbidden-desert-buried"), recorded("forbidden-desert-escaped")
    assert analyse(lost, effort=1).final == (0.0,) * lost.variant.players
    assert analyse(won, effort=1).final == (1.0,) * won.variant.players
    solo = played_by(skerry.game("hashi", players=1), "skilled", 3)
    assert solo.result and analyse(solo, effort=1).final == solo.result.scores


@only_compiled
def test_a_forced_draw_is_luck_only_and_a_move_is_a_decision_only() -> None:
    analysis = analyse(played_by(skerry.game("forbidden-island", players=2), "skilled", 3), effort=8)
    draws = [step for step in analysis.steps if step.action in ("draw", "flood") and not step.is_choice]
    moves = [step for step in analysis.steps if str(step.action).startswith(("move", "shore", "give"))]
    assert len(draws) > 10 and len(moves) > 10
    assert all(set(step.decision) == {0.0} for step in draws) and any(step.luck[0] for step in draws)
    assert all(set(step.luck) == {0.0} for step in moves) and any(step.decision[0] for step in moves)


@only_compiled
def test_waters_rise_is_bad_luck_on_average() -> None:
    match = played_by(skerry.game("forbidden-island", players=2), "skilled", 3)
    course = course_of(match, viewpoint_of(match))
    accounts = accounts_of(course, Evaluator(match.game), 64)
    events = ["; ".join(str(event) for event in match.step_events(step, None)) for step in match.steps]
    luck = [float(luck[0]) for luck, text in zip(accounts.luck, events, strict=True) if "Waters Rise" in text]
    assert luck and np.mean(luck) < 0


def luck_of(match: Match, worlds: int) -> float:
    """The luck of the first seat."""
    course = course_of(match, viewpoint_of(match))
    return float(accounts_of(course, Evaluator(match.game), worlds).luck[:, 0].sum())


@only_compiled
@pytest.mark.parametrize("wrong", [False, True], ids=["as it is", "with a wrong evaluation"])
@pytest.mark.parametrize("name", ["forbidden-island", "forbidden-desert"])
def test_luck_is_zero_on_average_whatever_the_evaluation_is_worth(
    name: str, wrong: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    if wrong:
        monkeypatch.setattr(calibrations, "MEASURED", {(name, 2): Calibration(shift=1.5, stretch=0.4)})
    calibrations.calibration_of.cache_clear()
    variant = skerry.game(name, players=2, difficulty="elite")
    luck = [luck_of(played_by(variant, "novice", seed), 24) for seed in range(60)]
    calibrations.calibration_of.cache_clear()
    assert abs(np.mean(luck)) <= 3 * np.std(luck, ddof=1) / math.sqrt(len(luck)), np.mean(luck)
    assert np.std(luck) > 0.05  # there was luck


@only_compiled
def test_the_luck_has_a_standard_error_that_shrinks_with_the_effort() -> None:
    match = played_by(skerry.game("cartagena", players=2, pirates=4), "skilled", 5)
    course, evaluator = course_of(match, viewpoint_of(match, open_cards=True)), Evaluator(match.game)
    few, many = (accounts_of(course, evaluator, worlds).luck_error for worlds in (8, 128))
    assert all(many < few / 2) and all(many > 0)
