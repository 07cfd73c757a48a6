"""What a sketch says of the seats and of the whole: water, ways, gear, the storm, what remains to be done."""

from __future__ import annotations

from typing import Any

from skerry.engine.bitset import as_int, lowest_bit, popcount
from skerry.engine.kernel import kernel
from skerry.games.forbidden_desert.bot.features import (
    ALL_START,
    CLUE_PLACES,
    DISTANCES,
    MAX_DISTANCE,
    MAX_TURNS,
    MOVE_RISK,
    N_CLUES,
    N_NEEDED_TILES,
    N_WELLS,
    OF_SEAT,
    SEAT_START,
    STORM_CARDS_LEFT,
    PublicInfo,
    actions_lacking,
    actions_to_excavate,
    actions_to_nearest,
    sand_probability,
    turns_until,
    write_unary,
)
from skerry.games.forbidden_desert.bot.thirst import (
    PROBABILITY_ONE,
    SUN_CARDS,
    StormDeck,
    SunProbabilities,
    cards_until,
    sun_probabilities,
)
from skerry.games.forbidden_desert.rules.components import (
    ADJACENT,
    ALL_PARTS,
    CANTEEN_SIZE,
    GEAR_DECK_SIZE,
    JET_PACK,
    METEOROLOGIST,
    N_GEARS,
    N_PARTS,
    N_ROLES,
    NAVIGATOR,
    PICKS_UP,
    PLACES,
    SAND_MARKERS,
    SEATS,
    SKULL_TICK,
    STORM_DECK_SIZE,
    TILES,
    TIME_THROTTLE,
    TUNNEL,
    WATER_CARRIER,
    WATER_RESERVE,
    WELL,
)
from skerry.games.forbidden_desert.rules.reach import can_give_water, is_buried, tile_places
from skerry.games.forbidden_desert.rules.state import FORECAST, STORM, State
from skerry.games.forbidden_desert.rules.storm import is_sheltered, storm_cards_per_turn


@kernel
def _more_than(chances: SunProbabilities, water: int) -> float:
    """The chance that the sun beats down more often than that."""
    safe = 0
    for suns in range(len(chances)):
        if suns <= water:
            safe += chances[suns]
    return max(0.0, 1.0 - safe / PROBABILITY_ONE)


@kernel
def seat_numbers(state: State, seat: int, out: Any, view: PublicInfo, sky: StormDeck) -> None:
    base = SEAT_START + seat * OF_SEAT
    out[base] = 1.0
    out[base + 1 + state.role[seat]] = 1.0
    n = base + 1 + N_ROLES
    out[n + (seat - state.turn) % state.players] = 1.0
    n += SEATS
    _water(state, seat, out, view, sky, n)
    n += 24
    _ways(state, seat, out, view, n)
    n += 20
    for card in range(N_GEARS):
        out[n + card] = state.gear[seat, card] / 2
    n += N_GEARS
    place = as_int(state.pawn[seat])
    sand = as_int(state.sand[place])
    out[n] = 1.0 if is_buried(state, seat) else 0.0
    out[n + 1] = min(sand, 4) / 4
    out[n + 2] = sand_probability(out, place, view.cards)
    out[n + 3] = sand_probability(out, place, view.cards) if sand > 0 else 0.0
    out[n + 4] = popcount(ADJACENT[place] & tile_places(state) & ~state.blocked) / 4
    out[n + 5] = popcount(ADJACENT[place] & (view.dunes | view.wet)) / 4
    for other in range(state.players):
        if other != seat and state.pawn[other] == place:
            out[n + 6] += 0.25
    out[n + 7] = 1.0 if seat == state.guided else 0.0
    parts = 0
    for part in range(N_PARTS):
        parts += 1 if state.holder[part] == seat else 0
    out[n + 8] = 0.5 * parts


@kernel
def _water(state: State, seat: int, out: Any, view: PublicInfo, sky: StormDeck, n: int) -> None:
    """How soon a pawn may die of thirst, and who could help."""
    water, place = as_int(state.water[seat]), as_int(state.pawn[seat])
    shade = is_sheltered(state, seat)
    cards = cards_until(state, seat)
    write_unary(out, n, 5, water)
    out[n + 6] = (CANTEEN_SIZE[state.role[seat]] - water) / 5
    out[n + 7] = 1.0 if shade else 0.0
    out[n + 8] = state.shielded >> seat & 1
    soon = _more_than(sun_probabilities(sky, cards), water)
    out[n + 9] = soon
    out[n + 10] = 0.0 if shade else soon
    out[n + 11] = 0.0 if shade else _more_than(sun_probabilities(sky, view.cards), water)
    later = _more_than(
        sun_probabilities(sky, cards + state.players * storm_cards_per_turn(state)), water + (1 if shade else 0)
    )
    out[n + 12] = later
    out[n + 13] = later * actions_to_nearest(out, seat, view.wet) / MAX_DISTANCE
    out[n + 14] = later if not view.springs else 0.0
    out[n + 15] = 0.0 if shade else _more_than(sun_probabilities(sky, cards), water - 1)
    given = most = 0
    for other in range(state.players):
        if can_give_water(state, other, seat):
            given += state.water[other]
            most = max(most, as_int(state.water[other]))
    out[n + 16] = min(given, 6) / 6
    out[n + 17] = later * min(most, 3) / 3
    if view.water_carrier >= 0 and view.water_carrier != seat:
        away = actions_to_nearest(out, view.water_carrier, as_int(ADJACENT[place]) | 1 << place)
        away = min(away, actions_to_nearest(out, seat, as_int(ADJACENT[state.pawn[view.water_carrier]])))
        out[n + 18] = away / MAX_DISTANCE
        out[n + 19] = later * away / MAX_DISTANCE
        out[n + 20] = later * state.water[view.water_carrier] / 5
    elif view.water_carrier == seat:
        away = actions_to_nearest(out, seat, view.wells)
        out[n + 21] = away / MAX_DISTANCE
        out[n + 22] = (5 - water) * away / (5 * MAX_DISTANCE)
        out[n + 23] = 1.0 if view.wells >> place & 1 else 0.0


@kernel
def _ways(state: State, seat: int, out: Any, view: PublicInfo, n: int) -> None:
    """How far it is to what a pawn may go for."""
    dig = actions_to_excavate(state, seat, out, view.dunes)
    out[n] = dig / MAX_DISTANCE
    out[n + 1] = dig / MAX_DISTANCE if view.useful else 0.0
    out[n + 2] = actions_to_nearest(out, seat, as_int(state.tunnels)) / MAX_DISTANCE
    out[n + 3] = actions_to_nearest(out, seat, view.wet) / MAX_DISTANCE
    out[n + 4] = 1.0 if view.wet >> state.pawn[seat] & 1 else 0.0
    out[n + 5] = actions_to_nearest(out, seat, view.parts) / MAX_DISTANCE if view.parts else 0.0
    within = 0
    dunes = view.dunes
    while dunes:
        within += 1 if out[DISTANCES + seat * PLACES + lowest_bit(dunes)] <= 2 else 0
        dunes &= dunes - 1
    out[n + 6] = within / 6
    out[n + 7] = actions_lacking(state, seat, dig)
    out[n + 8] = turns_until(state, seat, dig) / MAX_TURNS if view.useful else 0.0
    n += 9
    if view.pad:
        home = out[DISTANCES + seat * PLACES + lowest_bit(view.pad)]
        out[n] = 1.0
        out[n + 1] = home / MAX_DISTANCE
        out[n + 2] = 1.0 if home == 0.0 else 0.0
        if state.taken == ALL_PARTS:
            out[n + 3] = 1.0
            out[n + 4] = home / MAX_DISTANCE
            out[n + 5] = 1.0 if home == 0.0 else 0.0
            out[n + 6] = actions_lacking(state, seat, home)
    together = MAX_DISTANCE + 0.0
    for other in range(state.players):
        if other != seat:
            together = min(together, out[DISTANCES + seat * PLACES + state.pawn[other]])
    out[n + 7] = together / MAX_DISTANCE
    n += 8
    out[n] = actions_lacking(state, seat, actions_to_nearest(out, seat, view.wet))
    out[n + 1] = actions_lacking(state, seat, actions_to_nearest(out, seat, view.parts)) if view.parts else 0.0
    out[n + 2] = actions_lacking(state, seat, actions_to_nearest(out, seat, as_int(state.tunnels)))


@kernel
def whole_numbers(state: State, out: Any, view: PublicInfo, sky: StormDeck) -> None:
    n = ALL_START
    out[n] = 1.0
    out[n + state.players - 1] = 1.0
    n += 5
    n = _storm(state, out, view, sky, n)
    n = _progress(state, out, view, n)
    n = _team(state, out, view, sky, n)
    # Having no action left is the same before and after the end of the turn.
    n = write_unary(out, n, 6, as_int(state.left) if state.phase != STORM else 0)
    n = write_unary(out, n, 6, view.cards)
    out[n] = 1.0 if state.phase == FORECAST else 0.0
    out[n + 1] = state.steps / 2
    out[n + 2] = 1.0 if state.foreseen else 0.0


@kernel
def _storm(state: State, out: Any, view: PublicInfo, sky: StormDeck, n: int) -> int:
    cards = as_int(storm_cards_per_turn(state))
    rising = out[STORM_CARDS_LEFT + PICKS_UP]
    ticks = SKULL_TICK[state.players] - state.meter
    write_unary(out, n, 5, cards - 1)
    out[n + 5] = ticks / 14
    out[n + 6] = max(0, 4 - ticks) / 4
    out[n + 7] = rising / 3
    out[n + 8] = rising / state.storm_left
    out[n + 9] = state.storm_left / STORM_DECK_SIZE
    out[n + 10] = sky.suns / SUN_CARDS
    out[n + 11] = sky.suns / state.storm_left
    out[n + 12] = _more_than(sun_probabilities(sky, view.cards), 0)
    out[n + 13] = view.cards / 6
    # Storm cards until the skull, if it comes as often as it has to
    out[n + 14] = min(1.0, (max(0.0, ticks - rising) * 10.0 + state.storm_left) / 120.0)
    n += 15
    supply = as_int(state.supply)
    out[n] = supply / SAND_MARKERS
    out[n + 1] = 1.0 if supply <= 2 else 0.0
    out[n + 2] = max(0, 6 - supply) / 6
    out[n + 3] = max(0, 12 - supply) / 12
    out[n + 4] = max(0, 20 - supply) / 20
    blown = 0.0
    for place in range(PLACES):
        blown += out[MOVE_RISK + place]
    out[n + 5] = max(0.0, blown * view.cards - supply) / 6
    out[n + 6] = blown / 2
    out[n + 7] = popcount(as_int(state.blocked)) / 12
    out[n + 8] = popcount(as_int(state.sandy)) / TILES
    return n + 9


@kernel
def _progress(state: State, out: Any, view: PublicInfo, n: int) -> int:
    """What has been found and what remains to be done."""
    taken, lying, clues, pairs = popcount(as_int(state.taken)), 0, 0, 0
    for part in range(N_PARTS):
        lying += 1 if state.part_at[part] >= 0 else 0
    for clue in range(N_CLUES):
        clues += 1 if out[CLUE_PLACES + clue] else 0
        if clue & 1:
            pairs += 1 if out[CLUE_PLACES + clue] and out[CLUE_PLACES + clue - 1] else 0
    write_unary(out, n, 5, taken)
    write_unary(out, n + 5, 5, taken + lying)
    out[n + 10] = clues / N_CLUES
    out[n + 11] = (clues - 2 * pairs) / N_PARTS
    out[n + 12] = 1.0 if view.pad else 0.0
    dunes = popcount(view.dunes)
    out[n + 13] = dunes / 20
    out[n + 14] = view.useful / N_NEEDED_TILES
    out[n + 15] = view.useful / dunes if dunes else 0.0
    # Dunes to be excavated until everything is found, on average
    out[n + 16] = view.useful * (dunes + 1) / (view.useful + 1) / 20
    out[n + 17] = popcount(as_int(state.tunnels)) / (WELL - TUNNEL)
    out[n + 18] = popcount(view.wet) / 3
    out[n + 19] = view.springs / N_WELLS
    out[n + 20] = 1.0 if view.wells and view.water_carrier >= 0 else 0.0
    out[n + 21] = state.gear_left / GEAR_DECK_SIZE
    work = 1.5 * view.useful * (dunes + 1) / (view.useful + 1) + 4 * (N_PARTS - taken)
    out[n + 22] = work / 40
    out[n + 23] = work / (40 * state.players)
    out[n + 24] = 1.0 if view.parts >> state.storm & 1 else 0.0
    n += 25
    if view.pad:
        sand = as_int(state.sand[lowest_bit(view.pad)])
        out[n] = min(sand, 4) / 4
        out[n + 1] = 1.0 if sand >= 2 else 0.0
        if state.taken == ALL_PARTS:
            out[n + 2] = 1.0 if sand >= 2 else 0.0
            out[n + 3] = 1.0 if sand == 1 else 0.0
    return n + 4


@kernel
def _going_home(state: State, out: Any, view: PublicInfo, n: int) -> None:
    """When all can be on the launch pad, and who keeps them waiting."""
    last, lag = 0.0, 0.0
    for seat in range(state.players):
        home = out[DISTANCES + seat * PLACES + lowest_bit(view.pad)]
        if home:
            last = max(last, turns_until(state, seat, home))
        lag += actions_lacking(state, seat, home)
    out[n] = last / MAX_TURNS
    out[n + 1] = 1.0 if last == 0.0 else 0.0
    out[n + 2] = lag / state.players


@kernel
def _team(state: State, out: Any, view: PublicInfo, sky: StormDeck, n: int) -> int:
    total, least, alive, lasting = 0, 5, 1.0, 1.0
    far, steps, at_home = 0.0, 0.0, 0
    for seat in range(state.players):
        total += state.water[seat]
        least = min(least, as_int(state.water[seat]))
        base = SEAT_START + seat * OF_SEAT + 1 + N_ROLES + SEATS
        alive = min(alive, 1.0 - out[base + 10])
        lasting *= 1.0 - out[base + 12]
        if view.pad:
            home = out[DISTANCES + seat * PLACES + lowest_bit(view.pad)]
            far = max(far, home)
            steps += home
            at_home += 1 if home == 0.0 else 0
    write_unary(out, n, 5, least)
    out[n + 5] = total / (5 * state.players)
    out[n + 6] = alive
    out[n + 7] = lasting
    if view.pad:
        out[n + 8] = far / MAX_DISTANCE
        out[n + 9] = steps / (MAX_DISTANCE * state.players)
    if view.pad and state.taken == ALL_PARTS:
        out[n + 10] = 1.0
        out[n + 11] = far / MAX_DISTANCE
        out[n + 12] = steps / (MAX_DISTANCE * state.players)
        out[n + 13] = (state.players - at_home) / SEATS
        out[n + 14] = alive
        _going_home(state, out, view, n + 15)
    n += 18
    for seat in range(state.players):
        for card in range(N_GEARS):
            out[n + card] += state.gear[seat, card] / 3
        if state.role[seat] in (METEOROLOGIST, NAVIGATOR, WATER_CARRIER):
            out[n + N_GEARS + state.role[seat] - METEOROLOGIST] = 1.0
    out[n + 9] = state.gear[state.turn, TIME_THROTTLE]
    out[n + 10] = state.gear[state.turn, JET_PACK] / 2
    out[n + 11] = state.gear[state.turn, WATER_RESERVE]
    return n + 12
