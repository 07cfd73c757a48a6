"""The state features: the risks of losing treasures and Fools' Landing, recomputed from the cards."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest
from numpy.typing import NDArray

from skerry.bots import default_bot, find
from skerry.engine.kernel import kernel_array
from skerry.engine.match import Match
from skerry.games.forbidden_island import GAME
from skerry.games.forbidden_island.bot import global_features, treasure_features
from skerry.games.forbidden_island.bot.action_features import SCRATCH_SIZE
from skerry.games.forbidden_island.bot.feature_blocks import (
    FIRST_TILE,
    FIRST_TREASURE,
    N_TILE_FEATURES,
    N_TREASURE_FEATURES,
)
from skerry.games.forbidden_island.bot.state_features import write_state_features
from skerry.games.forbidden_island.bot.threat import (
    PROBABILITY_ONE,
    DrawProbabilities,
    flood_piles,
    probabilities_this_turn,
    probabilities_within,
)
from skerry.games.forbidden_island.rules.components import FOOLS_LANDING, N_TREASURES, TILES
from skerry.games.forbidden_island.rules.state import State

from ..feature_digest import feature_digest

PLAYERS = 2


def state_features(match: Match) -> NDArray[np.float64]:
    features = np.zeros(SCRATCH_SIZE)
    write_state_features(match.state, kernel_array(features))
    return features


def positions() -> Iterator[Match]:
    """All positions of some games of the default bot."""
    bot = find(GAME, default_bot(GAME))
    for seed in range(12):
        match = GAME.configure({"players": PLAYERS, "difficulty": "legendary"}).new(seed=seed)
        while match.result is None:
            yield match
            match.play(match.waiting[0], bot.choose(match, match.waiting[0], len(match.steps)))


def probabilities(state: State) -> tuple[DrawProbabilities, DrawProbabilities]:
    """Now and soon: in the flood that ends this turn, and within a round."""
    piles = flood_piles(state)
    return probabilities_this_turn(state, piles), probabilities_within(state, piles, PLAYERS)


def sinking_probability(state: State, tile: int, probabilities: DrawProbabilities) -> float:
    """1 for a sunk tile, 0 for a dry one, else the probability that its flood card is drawn."""
    place = 1 << state.place_of[tile]
    if state.sunk & place:
        return 1.0
    flooded_piles = (pile & state.flooded for pile in flood_piles(state))
    drawn = zip(flooded_piles, probabilities, strict=True)
    return sum(probability for pile, probability in drawn if pile & place) / PROBABILITY_ONE


def test_treasure_loss_risk_is_the_probability_that_both_tiles_sink() -> None:
    risky_positions = 0
    features_of_treasures = (treasure_features.LOSS_RISK_NOW, treasure_features.LOSS_RISK_SOON)
    features_of_the_game = (global_features.TREASURE_LOSS_RISK_NOW, global_features.TREASURE_LOSS_RISK_SOON)
    for match in positions():
        state, features = match.state, state_features(match)
        for drawn, loss_risk, any_loss_risk in zip(
            probabilities(state), features_of_treasures, features_of_the_game, strict=True
        ):
            none_lost = 1.0
            for treasure in range(N_TREASURES):
                lost = sinking_probability(state, 2 * treasure, drawn) * sinking_probability(
                    state, 2 * treasure + 1, drawn
                )
                if state.captor[treasure] >= 0:
                    lost = 0.0
                base = FIRST_TREASURE + treasure * N_TREASURE_FEATURES
                assert features[base + loss_risk] == pytest.approx(lost)
                none_lost *= 1 - lost
            assert features[any_loss_risk] == pytest.approx(1 - none_lost)
            risky_positions += 0 < none_lost < 1
    assert risky_positions > 20


def test_landing_loss_risk_is_the_probability_that_fools_landing_sinks() -> None:
    risky_positions = 0
    for match in positions():
        state, features = match.state, state_features(match)
        now, soon = (sinking_probability(state, FOOLS_LANDING, drawn) for drawn in probabilities(state))
        assert features[global_features.LANDING_LOSS_RISK_NOW] == pytest.approx(now)
        assert features[global_features.LANDING_LOSS_RISK_SOON] == pytest.approx(soon)
        risky_positions += now > 0
    assert risky_positions > 20


def test_captured_treasures_and_sunk_tiles_have_no_features() -> None:
    seen = set()
    for match in positions():
        features = state_features(match)
        for treasure in range(N_TREASURES):
            base = FIRST_TREASURE + treasure * N_TREASURE_FEATURES
            is_captured = match.state.captor[treasure] >= 0
            assert features[base : base + N_TREASURE_FEATURES].any() == (not is_captured)
            seen.add(is_captured)
        for place in range(TILES):
            base = FIRST_TILE + place * N_TILE_FEATURES
            is_sunk = bool(match.state.sunk >> place & 1)
            assert features[base : base + N_TILE_FEATURES].any() == (not is_sunk)
    assert seen == {True, False}


def test_features_have_not_changed_since_the_networks_were_trained() -> None:
    assert feature_digest(GAME) == "e7d36771210c8363"
