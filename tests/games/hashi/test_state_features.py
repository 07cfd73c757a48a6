"""The features of a solo paper, the inputs of the value network."""

from __future__ import annotations

import hashlib

import numpy as np
from numpy.typing import NDArray

import skerry
from skerry import bots
from skerry.engine.kernel import kernel_array
from skerry.engine.match import Match
from skerry.games.hashi import GAME
from skerry.games.hashi.bot import global_features, island_features, line_features
from skerry.games.hashi.bot.feature_blocks import (
    EXISTS,
    FEATURES_END,
    FIRST_ISLAND,
    FIRST_LINE,
    GLOBAL,
    N_ISLAND_FEATURES,
    N_LINE_FEATURES,
    NOTES_END,
)
from skerry.games.hashi.bot.state_features import write_state_features
from skerry.games.hashi.rules.components import ISLANDS, N_CARDS, RED, ROUNDS

from .positions import Paper

GAMES = 4


def state_features(match: Match) -> NDArray[np.float64]:
    out = np.zeros(NOTES_END)
    write_state_features(match.state, kernel_array(out))
    return out[:FEATURES_END]


def island(paper: Paper, name: str) -> NDArray[np.float64]:
    start = FIRST_ISLAND + paper.island(name) * N_ISLAND_FEATURES
    return state_features(paper.match)[start : start + N_ISLAND_FEATURES]


def line(paper: Paper, name: str) -> NDArray[np.float64]:
    start = FIRST_LINE + paper.line(name) * N_LINE_FEATURES
    return state_features(paper.match)[start : start + N_LINE_FEATURES]


def test_an_island_with_a_number_says_how_many_bridges_it_needs() -> None:
    c5 = island(Paper("5x3", "C5:4", "C4-C5"), "C5")
    assert c5[island_features.NUMBER + 4] == 1
    assert c5[island_features.MISSING_BRIDGES + 3] == 1
    assert not c5[island_features.BRIDGES : island_features.BRIDGES + 7].any()


def test_an_island_without_a_number_says_how_many_bridges_it_has() -> None:
    c4 = island(Paper("5x3", "C5:4", "C4-C5"), "C4")
    assert c4[island_features.NUMBER] == 1
    assert c4[island_features.BRIDGES + 1] == 1
    assert not c4[island_features.MISSING_BRIDGES : island_features.MISSING_BRIDGES + 7].any()


def test_the_flag_of_an_island_counts_until_its_bonus_is_earned() -> None:
    paper = Paper("5x3")
    assert island(paper, "A3")[island_features.FLAG + RED] == 1
    paper.state.bonus[0, RED] = 9
    assert island(paper, "A3")[island_features.FLAG + RED] == 0


def test_a_line_exists_only_while_it_can_take_a_bridge() -> None:
    paper = Paper("5x3", "C5:4", "C4-C5")
    assert line(paper, "C4-C5")[EXISTS] == 1 and line(paper, "C4-C5")[line_features.HAS_BRIDGE] == 1
    paper.put(bridges="C4-C5")
    assert not line(paper, "C4-C5").any()


def test_the_whole_paper_counts_rounds_and_islands() -> None:
    features = state_features(Paper("5x3", "C5:1 B5:2", "C4-C5", turn=5).match)[GLOBAL:]
    assert features[global_features.ROUNDS_LEFT + ROUNDS - 4] == 1  # nothing is drafted: the card counts as one to come
    assert features[global_features.ISLANDS_FINISHED] == 1 / ISLANDS
    assert features[global_features.ISLANDS_IN_PROGRESS] == 1 / ISLANDS
    assert features[global_features.ISLANDS_WITHOUT_NUMBER] == (ISLANDS - 2) / ISLANDS


def test_the_order_of_the_cards_to_come_does_not_matter() -> None:
    paper = Paper("5x3", "C5:4", "C4-C5")
    before = state_features(paper.match)
    deck = paper.state.deck
    for first, second in ((5, N_CARDS - 1), (6, 9)):
        deck[first], deck[second] = deck[second], deck[first]
    assert (state_features(paper.match) == before).all()


def test_features_have_not_changed_since_the_network_was_trained() -> None:
    digest = hashlib.sha256()
    for seed in range(GAMES):
        match = skerry.game("hashi", players=1, board="AB"[seed % 2]).new(seed=seed)
        bot = bots.find(GAME, GAME.bots[seed % len(GAME.bots)])
        while match.result is None:
            digest.update(state_features(match).tobytes())
            match.play(0, bot.choose(match, 0, len(match.steps)))
    assert digest.hexdigest()[:16] == "60a8de13dd56ca9e"
