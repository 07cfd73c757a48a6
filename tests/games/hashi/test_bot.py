"""The bots: obviously right choices, no use of hidden information, and playing strength."""

from __future__ import annotations

import pytest

import skerry
from skerry import bots
from skerry.engine.kernel import INTERPRETED
from skerry.games.hashi import GAME
from skerry.lab.simulate import Series, Tally, simulate
from skerry.lab.statistics import mean_interval, wilson_interval
from tests.modes import only_compiled

from ..hidden_information import check_choices_ignore_hidden_information, simulated_positions
from .positions import Paper


def choice(paper: Paper, seat: int = 0, bot: str = "skilled") -> str:
    action = bots.find(GAME, bot).choose(paper.match, seat, seed=7)
    return GAME.actions.action(action, paper.match.names).text


def play_round(paper: Paper, bot: str = "skilled") -> list[str]:
    """Play all actions of a bot in a solo round, but for confirming."""
    done: list[str] = []
    while (text := choice(paper, bot=bot)) != "confirm":
        done.append(text)
        paper.play(text)
    return done


def test_skilled_writes_the_number_that_finishes_an_island() -> None:
    """Two bridges lead to C5, and this is the last card."""
    paper = Paper("2x1", "C4:4", "C4-C5 C4-C5", turn=17)
    assert choice(paper) == "write C5"


def test_skilled_draws_the_bridge_that_finishes_two_islands() -> None:
    """C4 and A4 need one bridge each, E4 needs two."""
    paper = Paper("1x1", "C4:3 C5:2 E4:2 E2:2 A4:1", "C4-C5 C4-C5 E2-E3", turn=17)
    assert "bridge A4-C4" in play_round(paper)


def test_skilled_finishes_as_many_islands_as_possible_in_the_last_round() -> None:
    """A3 needs two, A2 one; the card has two bridges."""
    paper = Paper("6x2", "A3:2 A2:2 C2:6", turn=17)
    assert sorted(play_round(paper)) == ["bridge A2-A3", "bridge A2-A3"]


def test_skilled_gives_its_neighbour_a_start_that_cannot_be_finished() -> None:
    """C1 has one line, so that it never gets three bridges."""
    match = skerry.game("hashi", players=2).new(seed=1)
    action = bots.find(GAME, "skilled").choose(match, 0, seed=7)
    assert GAME.actions.action(action, match.names).text in {"start 3 C1", "start 4 C1"}


def test_skilled_gives_itself_a_good_start_in_a_solo_game() -> None:
    match = skerry.game("hashi", players=1).new(seed=1)
    action = bots.find(GAME, "skilled").choose(match, 0, seed=7)
    assert not GAME.actions.action(action, match.names).text.endswith("C1")


@pytest.mark.parametrize("bot", GAME.bots)
@pytest.mark.parametrize("players", [1, 4])
def test_bots_finish_games_without_taking_anything_back(players: int, bot: str) -> None:
    found = bots.find(GAME, bot)
    match = skerry.game("hashi", players=players).new(seed=3)
    while match.result is None:
        seat = match.waiting[-1]
        action = match.action(found.choose(match, seat, seed=len(match.steps)))
        assert action.verb not in ("erase", "remove")
        match.play(seat, action)


@pytest.mark.parametrize("bot", GAME.bots)
def test_choices_do_not_depend_on_hidden_cards_and_drafts(bot: str) -> None:
    """In determinizations of a position a bot makes the same choice."""
    variant, lengths = skerry.game("hashi", players=3, board="B"), (3, 20) if INTERPRETED else range(0, 180, 13)
    truths = simulated_positions(variant, ("skilled", "novice", "skilled"), 2 if INTERPRETED else 20, lengths)
    assert len(list(check_choices_ignore_hidden_information(bot, variant, truths))) > (2 if INTERPRETED else 150)


def solo_games(bot: str, board: str) -> Tally:
    variant = skerry.game("hashi", players=1, board=board)
    return simulate(Series(variant, (bot,), 500, seed=21), cores=1)


@only_compiled
@pytest.mark.parametrize(("board", "least"), [("A", 46), ("B", 38)])
def test_skilled_scores_well_in_solo_games_and_novice_less(board: str, least: int) -> None:
    """Novice scores clearly less, and random play (17 points) much less."""
    (_, skilled, _), (_, low, high) = (mean_interval(solo_games(bot, board).points[0]) for bot in ("skilled", "novice"))
    assert skilled > least and low > 25 and high < skilled - 4


@only_compiled
def test_skilled_beats_novices() -> None:
    total = simulate(Series(skerry.game("hashi", players=3), ("skilled", "novice", "novice"), 400, seed=8), cores=1)
    assert wilson_interval(float(total.wins[0]), total.games)[0] > 0.6
