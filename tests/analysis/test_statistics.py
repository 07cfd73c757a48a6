"""Over many games: better players lose less by their choices, and nobody is lucky on average."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

import numpy as np
import pytest

import skerry
from skerry.analysis.accounts import Accounts, accounts_of, course_of
from skerry.analysis.evaluation import Evaluator
from skerry.analysis.viewpoint import hides_hands, viewpoint_of
from skerry.bots import find
from skerry.engine.game import Variant
from skerry.engine.match import Match
from skerry.lab.luck import luck_and_skill
from skerry.lab.recorded import play_matches
from skerry.lab.series import Series
from tests.modes import only_compiled

pytestmark = only_compiled
ISLAND = pytest.param(skerry.game("forbidden-island", players=3), id="forbidden-island")
DESERT = pytest.param(skerry.game("forbidden-desert", players=3, difficulty="novice"), id="forbidden-desert")
HASHI = pytest.param(skerry.game("hashi", players=1), id="hashi")
CARTAGENA = pytest.param(skerry.game("cartagena", players=2), id="cartagena")
SHORT_DUEL, DUEL = (skerry.game("cartagena", players=2, pirates=pirates) for pirates in (4, 6))
BATCH = 20  # games that are played side by side


def accounted(variant: Variant, bots: Sequence[str], seeds: range, worlds: int) -> Iterator[tuple[Match, Accounts]]:
    """Games of some bots, with all hands open to the analysis. Luck is as fair with few worlds as with many."""
    for first in range(0, len(seeds), BATCH):
        batch = seeds[first : first + BATCH]
        for match in play_matches(variant, [find(variant.game, bot) for bot in bots], batch):
            course = course_of(match, viewpoint_of(match, open_cards=hides_hands(match)))
            yield match, accounts_of(course, Evaluator(match.game), worlds)


def choices_of(variant: Variant, bot: str, games: int) -> list[float]:
    """What the choices of all seats brought the first one, in games of one bot."""
    found = accounted(variant, [bot] * variant.players, range(games), worlds=8)
    return [float(accounts.decisions[:, 0].sum()) for _, accounts in found]


def clearly_less(worse: Sequence[float], better: Sequence[float]) -> bool:
    """Whether one mean is below another by three standard errors."""
    error = math.sqrt(np.var(worse, ddof=1) / len(worse) + np.var(better, ddof=1) / len(better))
    return float(np.mean(better) - np.mean(worse)) > 3 * error


def clearly_positive(values: Sequence[float]) -> bool:
    """Whether a mean is above zero by three standard errors."""
    return float(np.mean(values)) > 3 * float(np.std(values, ddof=1)) / math.sqrt(len(values))


@pytest.mark.parametrize("variant", [ISLAND, DESERT])
def test_a_beginner_loses_more_by_choices_than_a_skilled_team(variant: Variant) -> None:
    assert clearly_less(choices_of(variant, "novice", 30), choices_of(variant, "skilled", 30))


@pytest.mark.parametrize("variant", [HASHI])
def test_a_beginner_loses_more_points_by_choices_than_a_skilled_player(variant: Variant) -> None:
    assert clearly_less(choices_of(variant, "novice", 16), choices_of(variant, "skilled", 16))


def advantages(variant: Variant, bot: str, games: int, worlds: int) -> list[float]:
    """By how much more a bot's choices brought it than the choices of a ``skilled`` rival brought the rival, game by
    game. Each sits in the first seat in half of the games."""
    found: list[float] = []
    for seat in range(2):
        bots = [bot if one == seat else "skilled" for one in range(2)]
        for match, accounts in accounted(variant, bots, range(seat, games, 2), worlds):
            own = np.array([step.seat for step in match.steps]) == seat
            brought = accounts.decisions[own, seat].sum() - accounts.decisions[~own, 1 - seat].sum()
            found.append(float(brought))
    return found


def test_a_beginner_loses_more_by_choices_than_a_skilled_rival() -> None:
    assert clearly_positive([-one for one in advantages(SHORT_DUEL, "novice", 40, worlds=24)])


@pytest.mark.slow
def test_a_skilled_rival_loses_more_by_choices_than_an_expert() -> None:
    assert clearly_positive(advantages(DUEL, "expert:150", 120, worlds=64))


@pytest.mark.slow
@pytest.mark.parametrize("variant", [ISLAND, DESERT, HASHI])
def test_a_skilled_player_loses_more_by_choices_than_an_expert(variant: Variant) -> None:
    assert clearly_less(choices_of(variant, "skilled", 60), choices_of(variant, "expert:8", 40))


@pytest.mark.slow
@pytest.mark.parametrize("variant", [ISLAND, DESERT, HASHI, CARTAGENA])
def test_an_expert_is_not_lucky_on_average(variant: Variant) -> None:
    """Without a search: five hundred games of an expert that searches take ten minutes."""
    found = accounted(variant, ["expert:1"] * variant.players, range(500), worlds=4)
    luck = [float(accounts.luck[:, 0].sum()) for _, accounts in found]
    assert abs(np.mean(luck)) <= 3 * np.std(luck, ddof=1) / math.sqrt(len(luck)), (np.mean(luck), np.std(luck))
    assert np.std(luck) > 0.05  # there was luck


@pytest.mark.slow
@pytest.mark.parametrize("variant", [ISLAND, DESERT, HASHI])
def test_a_search_finds_what_a_skilled_player_lost_and_less_that_an_expert_lost(variant: Variant) -> None:
    """Losses are measured against the best found, choices against what was expected: both say who plays better."""
    lost = {}
    for bot in ("skilled", "expert:8"):
        (found,) = luck_and_skill(Series(variant, (bot,) * variant.players, 1), 8, losses=True).bots
        lost[bot] = [-(one.losses or 0.0) for one in found.games]
    assert clearly_less(lost["skilled"], lost["expert:8"])
