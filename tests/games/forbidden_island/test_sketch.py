"""What a sketch says of dangers, beside what follows from the cards."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest

from skerry.bots import default_bot, find
from skerry.engine.kernel import kernel_array
from skerry.engine.match import Match
from skerry.games import find_game
from skerry.games.forbidden_island.bot.action_features import SCRATCH_SIZE
from skerry.games.forbidden_island.bot.state_features import (
    ALL_START,
    OF_TREASURE,
    OUTLOOK,
    PERIL,
    TREASURE_START,
    write_state_features,
)
from skerry.games.forbidden_island.bot.threat import (
    PROBABILITY_ONE,
    DrawProbabilities,
    flood_piles,
    probabilities_this_turn,
    probabilities_within,
)
from skerry.games.forbidden_island.rules.components import FOOLS_LANDING, N_TREASURES, TILES


def sketched(match: Match) -> list[float]:
    desk = np.zeros(SCRATCH_SIZE)
    write_state_features(match.state, kernel_array(desk))
    found: list[float] = desk.tolist()
    return found


def positions() -> Iterator[Match]:
    game = find_game("forbidden-island")
    bot = find(game, default_bot(game))
    for seed in range(12):
        match = game.configure({"players": 2, "difficulty": "legendary"}).new(seed=seed)
        while match.result is None:
            yield match
            match.play(match.waiting[0], bot.choose(match, match.waiting[0], len(match.steps)))


def sinks(match: Match, tile: int, chances: DrawProbabilities) -> float:
    """How likely the card of a tile is drawn while it is flooded."""
    here, lie = 1 << match.state.place_of[tile], flood_piles(match.state)
    if match.state.sunk & here:
        return 1.0
    return (
        sum(chance for pile, chance in zip(lie, chances, strict=True) if pile & here & match.state.flooded)
        / PROBABILITY_ONE
    )


def test_a_treasure_is_lost_when_both_its_tiles_sink() -> None:
    endangered = 0
    for match in positions():
        state, told = match.state, sketched(match)
        lie = flood_piles(state)
        for column, chances in enumerate((probabilities_this_turn(state, lie), probabilities_within(state, lie, 2))):
            safe = 1.0
            for treasure in range(N_TREASURES):
                lost = sinks(match, 2 * treasure, chances) * sinks(match, 2 * treasure + 1, chances)
                if state.captor[treasure] >= 0:
                    lost = 0.0
                assert told[TREASURE_START + treasure * OF_TREASURE + PERIL + column] == pytest.approx(lost)
                safe *= 1 - lost
            assert told[ALL_START + OUTLOOK + 2 + column] == pytest.approx(1 - safe)
            endangered += 0 < safe < 1
    assert endangered > 20


def test_what_the_landing_is_in_for_is_said_of_the_whole_too() -> None:
    endangered = 0
    for match in positions():
        state, told = match.state, sketched(match)
        lie = flood_piles(state)
        expected = [
            sinks(match, FOOLS_LANDING, chances)
            for chances in (probabilities_this_turn(state, lie), probabilities_within(state, lie, 2))
        ]
        assert told[ALL_START + OUTLOOK : ALL_START + OUTLOOK + 2] == pytest.approx(expected)
        endangered += expected[0] > 0
    assert endangered > 20


def test_of_what_is_captured_or_sunk_nothing_is_said() -> None:
    seen = set()
    for match in positions():
        told = sketched(match)
        for treasure in range(N_TREASURES):
            start = TREASURE_START + treasure * OF_TREASURE
            captured = match.state.captor[treasure] >= 0
            assert any(told[start : start + OF_TREASURE]) is not captured
            seen.add(captured)
        for place in range(TILES):
            width = TREASURE_START // TILES
            assert any(told[place * width : (place + 1) * width]) is not bool(match.state.sunk >> place & 1)
    assert seen == {True, False}
