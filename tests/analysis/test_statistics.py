"""Over many games: better players lose less by their decisions, and nobody is lucky on average."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import pytest

import skerry
from skerry.analysis.accounts import Accounts, accounts_of, course_of
from skerry.analysis.evaluation import Evaluator
from skerry.analysis.viewpoint import hides_hands, viewpoint_of
from skerry.bots import find
from skerry.engine.game import Variant
from skerry.engine.match import Match
from tests.analysis.matches import played_by
from tests.modes import only_compiled

pytestmark = only_compiled
SOLO_HASHI = skerry.game("hashi", players=1)
TEAMS = [
    pytest.param(skerry.game("forbidden-island", players=3), id="forbidden-island"),
    pytest.param(skerry.game("forbidden-desert", players=3, difficulty="novice"), id="forbidden-desert"),
]


def accounts(match: Match, worlds: int = 16) -> Accounts:
    course = course_of(match, viewpoint_of(match, open_cards=hides_hands(match)))
    return accounts_of(course, Evaluator(match.game), worlds)


def decisions_of(variant: Variant, bot: str, games: int) -> list[float]:
    """What the decisions of all seats brought the first one, in games of one bot."""
    return [float(accounts(played_by(variant, bot, seed)).decisions[:, 0].sum()) for seed in range(games)]


def clearly_less(worse: Sequence[float], better: Sequence[float]) -> bool:
    """Whether one mean is below another by three standard errors."""
    error = math.sqrt(np.var(worse, ddof=1) / len(worse) + np.var(better, ddof=1) / len(better))
    return float(np.mean(better) - np.mean(worse)) > 3 * error


@pytest.mark.parametrize("variant", TEAMS)
def test_a_beginner_loses_more_by_decisions_than_a_skilled_team(variant: Variant) -> None:
    assert clearly_less(decisions_of(variant, "novice", 30), decisions_of(variant, "skilled", 30))


def test_a_beginner_loses_more_points_by_decisions_than_a_skilled_player() -> None:
    assert clearly_less(decisions_of(SOLO_HASHI, "novice", 16), decisions_of(SOLO_HASHI, "skilled", 16))


def own_decisions(bots: tuple[str, str], games: int) -> tuple[list[float], list[float]]:
    """What each of two rivals brought itself by its decisions, with open cards."""
    found: tuple[list[float], list[float]] = ([], [])
    for seed in range(games):
        match = skerry.game("cartagena", players=2, pirates=4, first=seed % 2).new(seed)
        while match.result is None:
            seat = match.waiting[0]
            match.play(seat, find(match.game, bots[seat]).choose(match, seat, 1_000 * seed + len(match.steps)))
        actors = np.array([step.seat for step in match.steps])
        decided = accounts(match).decisions
        for seat in range(2):
            found[seat].append(float(decided[actors == seat, seat].sum()))
    return found


def test_a_beginner_loses_more_by_decisions_than_a_skilled_rival() -> None:
    assert clearly_less(*own_decisions(("novice", "skilled"), 40))


@pytest.mark.slow
def test_a_skilled_rival_loses_more_by_decisions_than_an_expert() -> None:
    assert clearly_less(*own_decisions(("skilled", "expert:100"), 100))


@pytest.mark.slow
@pytest.mark.parametrize("variant", [*TEAMS, pytest.param(SOLO_HASHI, id="hashi")])
def test_a_skilled_player_loses_more_by_decisions_than_an_expert(variant: Variant) -> None:
    assert clearly_less(decisions_of(variant, "skilled", 100), decisions_of(variant, "expert:50", 60))


@pytest.mark.slow
@pytest.mark.parametrize("variant", [*TEAMS, pytest.param(SOLO_HASHI, id="hashi")])
def test_an_expert_is_not_lucky_on_average(variant: Variant) -> None:
    luck = [float(accounts(played_by(variant, "expert:30", seed)).luck[:, 0].sum()) for seed in range(500)]
    assert abs(np.mean(luck)) <= 3 * np.std(luck, ddof=1) / math.sqrt(len(luck))
