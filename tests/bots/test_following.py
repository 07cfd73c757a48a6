"""Imagined players of a team: as the game's own best player, unless something else is judged clearly better."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest

from skerry.bots import find, house, own_best
from skerry.bots.cores import Cores
from skerry.bots.following import CLEARLY
from skerry.bots.judgement import Judgement, judgement_of
from skerry.bots.search import Positions
from skerry.engine.game import Game
from skerry.engine.kernel import argument
from skerry.engine.match import Match
from skerry.engine.record import Single
from skerry.games import every

SEEDS = 6


def judgement(game: Game) -> Judgement:
    found = judgement_of(game)
    assert found is not None
    return found


GOING_BY_IT = [game for game in every() if game.judged and judgement(game).weighed]
WEIGHED = pytest.mark.parametrize("game", GOING_BY_IT, ids=lambda game: game.name)


def decisions(game: Game, players: int) -> Iterator[tuple[Match, int]]:
    """Positions in which a seat has a choice, in games of the game's own best player."""
    bot = find(game, house(game))
    for seed in range(SEEDS):
        match = game.configure({"players": players}).new(seed=seed)
        while match.result is None:
            seat = match.waiting[0]
            if len(match.legal_ids(seat)) > 1:
                yield match, seat
            match.play(seat, bot.choose(match, seat, len(match.steps)))


def asked(match: Match, seat: int) -> tuple[int, int]:
    """What the game's own best player does, and what the imagined one does."""
    game, counter = match.game, len(match.steps)
    states = Single(game.state, match.content).array
    positions = Positions(game, states, np.array([seat], np.int8), np.array([counter], np.uint64))
    imagined = Cores(game, own_best(game), 1).answer(positions, 0)
    assert states.tobytes() == match.content  # what was tried was tried elsewhere
    return find(game, house(game)).choose(match, seat, counter), imagined


def hope(match: Match, seat: int, action: int) -> float:
    after, known = match.copy(), judgement(match.game)
    after.play(seat, action)
    return float(known.worth(after.state, argument(known.weights), argument(np.zeros(known.shape.desk))))


def test_there_is_a_game_to_try() -> None:
    assert GOING_BY_IT


@WEIGHED
def test_what_is_weighed_shows_nothing_hidden_and_ends_no_game(game: Game) -> None:
    weighed, seen = judgement(game).weighed, set()
    assert weighed is not None
    for match, seat in decisions(game, game.seats[0]):
        for action in match.legal_ids(seat):
            if weighed(match.state, action):
                after = match.copy()
                step = after.consider(seat, action)
                after.take(step)
                assert not step.sealed and after.result is None
                seen.add(step.action.verb)
    assert len(seen) > 3


@WEIGHED
def test_what_is_judged_clearly_better_is_preferred_and_nothing_else(game: Game) -> None:
    weighed, other = judgement(game).weighed, 0
    assert weighed is not None
    for number, (match, seat) in enumerate(decisions(game, game.seats[0])):
        if number % 5:
            continue
        own, imagined = asked(match, seat)
        if not weighed(match.state, own):
            assert imagined == own
            continue
        hopes = {action: hope(match, seat, action) for action in match.legal_ids(seat) if weighed(match.state, action)}
        best = max(hopes, key=lambda action: hopes[action])
        assert imagined == (best if hopes[best] > hopes[own] + CLEARLY else own)
        other += imagined != own
    assert other > 3


@WEIGHED
def test_where_nothing_is_weighed_all_is_as_the_own_best_player_does(game: Game) -> None:
    for number, (match, seat) in enumerate(decisions(game, game.seats[-1])):
        if number % 10 == 0:
            own, imagined = asked(match, seat)
            assert imagined == own
