"""Features of the whole paper: the cards to come, the islands by condition, the bonuses."""

from __future__ import annotations

from typing import Any

from skerry.engine.bitset import popcount
from skerry.engine.kernel import kernel
from skerry.games.hashi.bot.feature_blocks import (
    CARDS_UP_TO_NOTE,
    EXISTS,
    GLOBAL,
    GLOBAL_FEATURES,
    N_FLAG_COLOURS,
    N_NUMBERS,
)
from skerry.games.hashi.bot.progress import Progress, full_points_time
from skerry.games.hashi.rules.components import (
    BLUE,
    CARD_BRIDGES,
    CARD_NUMBERS,
    ISLANDS,
    MAX_CARD_BRIDGES,
    N_BONUSES,
    N_CARDS,
    RED,
    ROUNDS,
    SIX,
)
from skerry.games.hashi.rules.state import State

ROUNDS_LEFT = GLOBAL_FEATURES.offset("rounds_left")
NUMBERS_TO_COME = GLOBAL_FEATURES.offset("numbers_to_come")
BRIDGES_TO_COME = GLOBAL_FEATURES.offset("bridges_to_come")
BONUS_EARNED = GLOBAL_FEATURES.offset("bonus_earned")
RED_UNFINISHED = GLOBAL_FEATURES.offset("red_unfinished")
BLUE_UNFINISHED = GLOBAL_FEATURES.offset("blue_unfinished")
LARGEST_GROUP = GLOBAL_FEATURES.offset("largest_group")
BRIDGES_DUE = GLOBAL_FEATURES.offset("bridges_due")
FULL_POINTS_TIME = GLOBAL_FEATURES.offset("full_points_time")
RED_LOST = GLOBAL_FEATURES.offset("red_lost")
BLUE_LOST = GLOBAL_FEATURES.offset("blue_lost")
BRIDGE_SUPPLY = GLOBAL_FEATURES.offset("bridge_supply")
ISLANDS_WITHOUT_NUMBER = GLOBAL_FEATURES.offset("islands_without_number")
ISLANDS_IN_PROGRESS = GLOBAL_FEATURES.offset("islands_in_progress")
BRIDGES_NEEDED = GLOBAL_FEATURES.offset("bridges_needed")
ISLANDS_LOST = GLOBAL_FEATURES.offset("islands_lost")
ISLANDS_FINISHED = GLOBAL_FEATURES.offset("islands_finished")
SURPLUS_ISLANDS = GLOBAL_FEATURES.offset("surplus_islands")
SURPLUS_HIGH_CARDS = GLOBAL_FEATURES.offset("surplus_high_cards")
SURPLUS_LOW_CARDS = GLOBAL_FEATURES.offset("surplus_low_cards")


@kernel
def write_cards_to_come(state: State, out: Any, played: int) -> None:
    """The cards to come. They are counted before dividing, so that the result does not depend on their order."""
    features, bridges = out[GLOBAL:], 0
    for position in range(played, N_CARDS):
        out[CARDS_UP_TO_NOTE + CARD_NUMBERS[state.deck[position]]] += 1.0
        features[BRIDGES_TO_COME + CARD_BRIDGES[state.deck[position]] - 1] += 1.0
    for i in range(MAX_CARD_BRIDGES):
        bridges += (i + 1) * int(features[BRIDGES_TO_COME + i])
        features[BRIDGES_TO_COME + i] /= 6
    features[BRIDGE_SUPPLY] = bridges / 36
    for number in range(1, N_NUMBERS):
        features[NUMBERS_TO_COME + number - 1] = out[CARDS_UP_TO_NOTE + number] / 3
        features[SURPLUS_HIGH_CARDS + number - 1] = (N_CARDS - played - out[CARDS_UP_TO_NOTE + number - 1]) / 6
        out[CARDS_UP_TO_NOTE + number] += out[CARDS_UP_TO_NOTE + number - 1]
        features[SURPLUS_LOW_CARDS + number - 1] = out[CARDS_UP_TO_NOTE + number] / 6


@kernel
def write_place_for_cards(features: Any, lowest: int, highest: int) -> None:
    """An island without a number that could take any number from ``lowest`` to ``highest``."""
    for number in range(1, highest + 1):
        features[SURPLUS_HIGH_CARDS + number - 1] -= 1 / 6
    for number in range(lowest, N_NUMBERS):
        features[SURPLUS_LOW_CARDS + number - 1] -= 1 / 6


@kernel
def write_conditions(state: State, features: Any, lost: int, progress: Progress) -> None:
    """How many islands are in which condition, and how many rounds are left for them."""
    rounds_left = ROUNDS - progress.played
    without_number, in_progress, bridges_needed = 0, 0, 0
    for island in range(ISLANDS):
        if not state.number[0, island]:
            without_number += 1
        elif state.room[0, island]:
            in_progress += 1
            bridges_needed += state.room[0, island]
    features[EXISTS] = 1.0
    features[ROUNDS_LEFT + rounds_left] = 1.0
    features[ISLANDS_WITHOUT_NUMBER] = without_number / ISLANDS
    features[ISLANDS_IN_PROGRESS] = in_progress / ISLANDS
    features[BRIDGES_NEEDED] = bridges_needed / 20
    features[ISLANDS_LOST] = popcount(lost) / ISLANDS
    features[ISLANDS_FINISHED] = popcount(progress.finished) / ISLANDS
    features[SURPLUS_ISLANDS] = (without_number - rounds_left) / ISLANDS
    features[BRIDGES_DUE + progress.due] = 1.0


@kernel
def write_bonuses(state: State, features: Any, lost: int, progress: Progress) -> None:
    """Which bonuses are earned, and how far the others are."""
    for bonus in range(N_BONUSES):
        features[BONUS_EARNED + bonus] = progress.earned >> bonus & 1
    for bonus in range(N_FLAG_COLOURS):
        features[FULL_POINTS_TIME + bonus] = full_points_time(bonus, progress.played)
    if not progress.earned >> RED & 1:
        features[RED_UNFINISHED + popcount(state.red & ~progress.finished)] = 1.0
        features[RED_LOST] = 1.0 if state.red & lost else 0.0
    if not progress.earned >> BLUE & 1:
        features[BLUE_UNFINISHED + popcount(state.blue & ~progress.finished)] = 1.0
        features[BLUE_LOST] = 1.0 if state.blue & lost else 0.0
    if not progress.earned >> SIX & 1:
        features[LARGEST_GROUP + progress.largest_group] = 1.0
