"""The first turn, if everybody tries to keep Fools' Landing: simulated against published probabilities.

python -m tests.games.forbidden_island.first_turn      prints the table
"""

from __future__ import annotations

from typing import Any

import numpy as np

import skerry
from skerry.engine.bitset import lowest_bit
from skerry.engine.event_log import new_event_log
from skerry.engine.kernel import kernel, kernel_array
from skerry.engine.rng import derive_seed
from skerry.engine.struct import struct_array, struct_views
from skerry.games.forbidden_island.rules import actions
from skerry.games.forbidden_island.rules.components import DIFFICULTIES, FOOLS_LANDING, HELICOPTER, SANDBAGS, TILES
from skerry.games.forbidden_island.rules.legal import legal, shoreable_places, waiting
from skerry.games.forbidden_island.rules.reach import move_destinations
from skerry.games.forbidden_island.rules.setup import setup
from skerry.games.forbidden_island.rules.state import LANDING_LOST, State
from skerry.games.forbidden_island.rules.step import step

SAFE, UNREACHED, LOST = range(3)

# Published: probability of losing Fools' Landing in the first turn, for 2, 3 and 4 players.
LOSS_PROBABILITY = {
    "novice": (0.00199, 0.00122, 0.00071),
    "normal": (0.00291, 0.00179, 0.00103),
    "elite": (0.00291, 0.00179, 0.00103),
    "legendary": (0.00296, 0.00182, 0.00105),
}
# Published: probability that the first player cannot reach a flooded Fools' Landing in time to shore it up.
OUT_OF_REACH_PROBABILITY = {
    "engineer": 59 / 138,
    "navigator": 59 / 138,
    "messenger": 59 / 138,
    "explorer": 10 / 69,
    "diver": 384301 / 1547854,
    "pilot": 0.0,
}


NO_MOVE_NEEDED, NO_WAY = -1, -2


@kernel
def route(state: State, seat: int, goal: int, steps: int) -> int:
    """The first of at most ``steps`` moves to shore up a place, ``NO_MOVE_NEEDED`` or ``NO_WAY``."""
    if shoreable_places(state, seat) >> goal & 1:
        return NO_MOVE_NEEDED
    start, flown = state.pawn[seat], state.flown
    found = NO_WAY
    places = move_destinations(state, seat) if steps else 0
    while places and found == NO_WAY:
        place = lowest_bit(places)
        places &= places - 1
        state.pawn[seat] = place
        if shoreable_places(state, seat) >> goal & 1:
            found = place
        elif steps > 1:
            further = move_destinations(state, seat)
            while further and found == NO_WAY:
                state.pawn[seat] = lowest_bit(further)
                further &= further - 1
                if shoreable_places(state, seat) >> goal & 1:
                    found = place
    state.pawn[seat], state.flown = start, flown
    return found


@kernel
def holder(state: State, card: int) -> int:
    """The first seat that holds a card, or -1."""
    for seat in range(state.players):
        if state.hands[seat, card]:
            return seat
    return -1


@kernel
def first_turn(state: State, buffer: Any, log: Any) -> int:
    """Play the first turn; Fools' Landing is saved by walking, a Helicopter Lift or Sandbags if possible."""
    landing, seat = state.place_of[FOOLS_LANDING], state.turn
    outcome = SAFE
    if state.flooded >> landing & 1:
        move = route(state, seat, landing, 2)
        if move == NO_WAY:
            outcome = UNREACHED
            lifter = holder(state, HELICOPTER)
            if lifter >= 0:
                step(state, lifter, actions.LIFT + ((1 << seat) - 1) * TILES + landing, log)
                move = NO_MOVE_NEEDED
        while move >= 0:
            step(state, seat, actions.MOVE + move, log)
            move = route(state, seat, landing, 1)
        if move == NO_MOVE_NEEDED:
            step(state, seat, actions.SHORE + landing, log)
    step(state, seat, actions.END, log)
    while state.turns == 1 and not state.ending:
        guard = holder(state, SANDBAGS)
        if guard >= 0 and state.flooded >> landing & 1 and not state.swimming:
            step(state, guard, actions.PLAY_SANDBAGS + landing, log)
        asked = lowest_bit(waiting(state))
        legal(state, asked, buffer)
        step(state, asked, buffer[0], log)
    return LOST if state.ending == LANDING_LOST else outcome


@kernel
def first_turns(states: Any, options: Any, seed: Any, counts: Any, buffer: Any, log: Any) -> None:
    """Play first turns; ``counts``: games with the landing flooded at the start, those out of reach, those lost."""
    for i in range(len(states)):
        state = states[i]
        setup(state, options[0], derive_seed(seed, i))
        counts[0] += state.flooded >> state.place_of[FOOLS_LANDING] & 1
        outcome = first_turn(state, buffer, log)
        counts[1] += 1 if outcome != SAFE else 0
        counts[2] += 1 if outcome == LOST else 0


def count(games: int, seed: int, **options: Any) -> tuple[int, int, int]:
    variant = skerry.game("forbidden-island", **options)
    counts = np.zeros(3, np.int64)
    chunk = 20_000
    for first in range(0, games, chunk):
        states = struct_array(State, min(chunk, games - first))
        choices = struct_views(variant.game.options_struct, variant.encoded_options.array)
        buffer = kernel_array(np.zeros(variant.game.actions.size + 1, np.int16))
        chance = np.uint64(seed + first)
        first_turns(
            struct_views(State, states), choices, chance, kernel_array(counts), buffer, kernel_array(new_event_log(0))
        )
    flooded, unreached, lost = counts.tolist()
    return flooded, unreached, lost


def main(games: int = 4_000_000) -> None:
    print(f"Fools' Landing lost in the first turn, {games:,} games a cell: ours (error) / known")
    for difficulty in DIFFICULTIES:
        cells = []
        for players, known in zip((2, 3, 4), LOSS_PROBABILITY[difficulty], strict=True):
            lost = count(games, 1 << 40, players=players, difficulty=difficulty)[2] / games
            cells.append(f"{lost:.5f} (±{(lost / games) ** 0.5:.5f}) / {known:.5f}")
        print(f"  {difficulty:<10}", "   ".join(cells))
    print("A flooded landing out of the first player's reach: ours (error) / known")
    for role, known in OUT_OF_REACH_PROBABILITY.items():
        flooded, unreached, _ = count(games // 4, 1 << 41, players=2, roles=f"{role},random", first=0)
        share = unreached / flooded
        print(f"  {role:<10} {share:.5f} (±{(share * (1 - share) / flooded) ** 0.5:.5f}) / {known:.5f}")


if __name__ == "__main__":
    main()
