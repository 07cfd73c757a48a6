"""Features of the whole game: the storm, the sand supply, what is found and still to be done, and the team."""

from __future__ import annotations

from typing import Any

from skerry.engine.bitset import as_int, lowest_bit, popcount
from skerry.engine.kernel import kernel
from skerry.games.forbidden_desert.bot import seat_features
from skerry.games.forbidden_desert.bot.distances import actions_lacking, pawn_distance, turns_to_spend
from skerry.games.forbidden_desert.bot.feature_blocks import (
    CLUE_PLACES,
    FIRST_SEAT,
    GLOBAL,
    GLOBAL_FEATURES,
    MAX_DISTANCE,
    MAX_TURNS,
    MOVE_RISK,
    N_CLUES,
    N_NEEDED_TILES,
    N_SEAT_FEATURES,
    N_WELLS,
    STORM_CARDS_LEFT,
)
from skerry.games.forbidden_desert.bot.public_info import PublicInfo, write_unary
from skerry.games.forbidden_desert.bot.thirst import SUN_CARDS, StormDeck, sun_probabilities, thirst_probability
from skerry.games.forbidden_desert.rules.components import (
    ALL_PARTS,
    BLOCKING_SAND,
    GEAR_DECK_SIZE,
    JET_PACK,
    METEOROLOGIST,
    N_GEARS,
    N_PARTS,
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
from skerry.games.forbidden_desert.rules.state import FORECAST, STORM, State
from skerry.games.forbidden_desert.rules.storm import storm_cards_per_turn

EXISTS = GLOBAL + GLOBAL_FEATURES.offset("exists")
PLAYERS = GLOBAL + GLOBAL_FEATURES.offset("players")
STORM_CARDS = GLOBAL + GLOBAL_FEATURES.offset("storm_cards")
TICKS_LEFT = GLOBAL + GLOBAL_FEATURES.offset("ticks_left")
LAST_TICKS = GLOBAL + GLOBAL_FEATURES.offset("last_ticks")
PICKS_UP_LEFT = GLOBAL + GLOBAL_FEATURES.offset("picks_up_left")
PICKS_UP_DENSITY = GLOBAL + GLOBAL_FEATURES.offset("picks_up_density")
STORM_DECK = GLOBAL + GLOBAL_FEATURES.offset("storm_deck_size")
SUNS_LEFT = GLOBAL + GLOBAL_FEATURES.offset("suns_left")
SUN_DENSITY = GLOBAL + GLOBAL_FEATURES.offset("sun_density")
SUN_RISK = GLOBAL + GLOBAL_FEATURES.offset("sun_risk")
STORM_CARDS_TO_COME = GLOBAL + GLOBAL_FEATURES.offset("storm_cards_to_come")
CARDS_TO_SKULL = GLOBAL + GLOBAL_FEATURES.offset("cards_to_skull")
SAND_SUPPLY = GLOBAL + GLOBAL_FEATURES.offset("sand_supply")
SUPPLY_BELOW_3 = GLOBAL + GLOBAL_FEATURES.offset("supply_below_3")
SUPPLY_BELOW_6 = GLOBAL + GLOBAL_FEATURES.offset("supply_below_6")
SUPPLY_BELOW_12 = GLOBAL + GLOBAL_FEATURES.offset("supply_below_12")
SUPPLY_BELOW_20 = GLOBAL + GLOBAL_FEATURES.offset("supply_below_20")
SUPPLY_OVERRUN = GLOBAL + GLOBAL_FEATURES.offset("supply_overrun")
MARKERS_PER_CARD = GLOBAL + GLOBAL_FEATURES.offset("markers_per_card")
BLOCKED_TILES = GLOBAL + GLOBAL_FEATURES.offset("blocked_tiles")
SANDY_TILES = GLOBAL + GLOBAL_FEATURES.offset("sandy_tiles")
PARTS_TAKEN = GLOBAL + GLOBAL_FEATURES.offset("parts_taken")
PARTS_LOCATED = GLOBAL + GLOBAL_FEATURES.offset("parts_located")
CLUES = GLOBAL + GLOBAL_FEATURES.offset("clues")
SINGLE_CLUES = GLOBAL + GLOBAL_FEATURES.offset("single_clues")
PAD_KNOWN = GLOBAL + GLOBAL_FEATURES.offset("pad_known")
DUNES = GLOBAL + GLOBAL_FEATURES.offset("dunes")
NEEDED_TILES = GLOBAL + GLOBAL_FEATURES.offset("needed_tiles")
NEEDED_DENSITY = GLOBAL + GLOBAL_FEATURES.offset("needed_density")
DUNES_TO_EXCAVATE = GLOBAL + GLOBAL_FEATURES.offset("dunes_to_excavate")
TUNNELS = GLOBAL + GLOBAL_FEATURES.offset("tunnels")
WATER_TILES = GLOBAL + GLOBAL_FEATURES.offset("water_tiles")
WELLS_LEFT = GLOBAL + GLOBAL_FEATURES.offset("wells_left")
CARRIER_HAS_WELL = GLOBAL + GLOBAL_FEATURES.offset("carrier_has_well")
GEAR_DECK = GLOBAL + GLOBAL_FEATURES.offset("gear_deck_size")
WORK = GLOBAL + GLOBAL_FEATURES.offset("work")
WORK_PER_PLAYER = GLOBAL + GLOBAL_FEATURES.offset("work_per_player")
PART_IN_STORM = GLOBAL + GLOBAL_FEATURES.offset("part_in_storm")
PAD_SAND = GLOBAL + GLOBAL_FEATURES.offset("pad_sand")
PAD_BLOCKED = GLOBAL + GLOBAL_FEATURES.offset("pad_blocked")
HOME_BLOCKED = GLOBAL + GLOBAL_FEATURES.offset("home_blocked")
HOME_ONE_MARKER = GLOBAL + GLOBAL_FEATURES.offset("home_one_marker")
LEAST_WATER = GLOBAL + GLOBAL_FEATURES.offset("least_water")
MEAN_WATER = GLOBAL + GLOBAL_FEATURES.offset("mean_water")
SURVIVAL_SOON = GLOBAL + GLOBAL_FEATURES.offset("survival_soon")
SURVIVAL_LATER = GLOBAL + GLOBAL_FEATURES.offset("survival_later")
PAD_FARTHEST = GLOBAL + GLOBAL_FEATURES.offset("pad_farthest")
PAD_MEAN = GLOBAL + GLOBAL_FEATURES.offset("pad_mean")
GOING_HOME = GLOBAL + GLOBAL_FEATURES.offset("going_home")
HOME_FARTHEST = GLOBAL + GLOBAL_FEATURES.offset("home_farthest")
HOME_MEAN = GLOBAL + GLOBAL_FEATURES.offset("home_mean")
NOT_HOME = GLOBAL + GLOBAL_FEATURES.offset("not_home")
HOME_SURVIVAL = GLOBAL + GLOBAL_FEATURES.offset("home_survival")
HOME_TURNS = GLOBAL + GLOBAL_FEATURES.offset("home_turns")
HOME_THIS_TURN = GLOBAL + GLOBAL_FEATURES.offset("home_this_turn")
HOME_LACKS = GLOBAL + GLOBAL_FEATURES.offset("home_lacks")
GEAR = GLOBAL + GLOBAL_FEATURES.offset("gear")
ROLES = GLOBAL + GLOBAL_FEATURES.offset("roles")
TURN_THROTTLE = GLOBAL + GLOBAL_FEATURES.offset("turn_throttle")
TURN_JET_PACKS = GLOBAL + GLOBAL_FEATURES.offset("turn_jet_packs")
TURN_RESERVE = GLOBAL + GLOBAL_FEATURES.offset("turn_reserve")
ACTIONS_LEFT = GLOBAL + GLOBAL_FEATURES.offset("actions_left")
STORM_CARDS_OF_TURN = GLOBAL + GLOBAL_FEATURES.offset("storm_cards_left")
IN_FORECAST = GLOBAL + GLOBAL_FEATURES.offset("forecast")
GUIDED_STEPS = GLOBAL + GLOBAL_FEATURES.offset("guided_steps")
FORESEEN = GLOBAL + GLOBAL_FEATURES.offset("foreseen")

THIRST_RISK_SOON = seat_features.THIRST_RISK_SOON
THIRST_RISK_LATER = seat_features.THIRST_RISK_LATER


@kernel
def write_global_features(state: State, out: Any, info: PublicInfo, deck: StormDeck) -> None:
    """Write the features of the whole game, after those of the seats."""
    out[EXISTS] = 1.0
    out[PLAYERS + state.players - 2] = 1.0
    _write_storm(state, out, info, deck)
    _write_sand(state, out, info)
    _write_parts(state, out, info)
    _write_tiles(state, out, info)
    _write_work(state, out, info)
    _write_pad(state, out, info)
    _write_water(state, out)
    _write_way_home(state, out, info)
    _write_gear_and_roles(state, out)
    _write_turn(state, out, info)


@kernel
def _write_storm(state: State, out: Any, info: PublicInfo, deck: StormDeck) -> None:
    picks_up = out[STORM_CARDS_LEFT + PICKS_UP]
    ticks = SKULL_TICK[state.players] - state.meter
    write_unary(out, STORM_CARDS, 5, as_int(storm_cards_per_turn(state)) - 1)
    out[TICKS_LEFT] = ticks / 14
    out[LAST_TICKS] = max(0, 4 - ticks) / 4
    out[PICKS_UP_LEFT] = picks_up / 3
    out[PICKS_UP_DENSITY] = picks_up / state.storm_left
    out[STORM_DECK] = state.storm_left / STORM_DECK_SIZE
    out[SUNS_LEFT] = deck.unseen_suns / SUN_CARDS
    out[SUN_DENSITY] = deck.unseen_suns / state.storm_left
    out[SUN_RISK] = thirst_probability(sun_probabilities(deck, info.storm_cards), 0)
    out[STORM_CARDS_TO_COME] = info.storm_cards / 6
    out[CARDS_TO_SKULL] = min(1.0, (max(0.0, ticks - picks_up) * 10.0 + state.storm_left) / 120.0)


@kernel
def _write_sand(state: State, out: Any, info: PublicInfo) -> None:
    supply = as_int(state.supply)
    markers_per_card = 0.0
    for place in range(PLACES):
        markers_per_card += out[MOVE_RISK + place]
    out[SAND_SUPPLY] = supply / SAND_MARKERS
    out[SUPPLY_BELOW_3] = 1.0 if supply <= 2 else 0.0
    out[SUPPLY_BELOW_6] = max(0, 6 - supply) / 6
    out[SUPPLY_BELOW_12] = max(0, 12 - supply) / 12
    out[SUPPLY_BELOW_20] = max(0, 20 - supply) / 20
    out[SUPPLY_OVERRUN] = max(0.0, markers_per_card * info.storm_cards - supply) / 6
    out[MARKERS_PER_CARD] = markers_per_card / 2
    out[BLOCKED_TILES] = popcount(as_int(state.blocked)) / 12
    out[SANDY_TILES] = popcount(as_int(state.sandy)) / TILES


@kernel
def _write_parts(state: State, out: Any, info: PublicInfo) -> None:
    """How many parts and clues have been found."""
    taken, located, clues, pairs = popcount(as_int(state.taken)), 0, 0, 0
    for part in range(N_PARTS):
        located += 1 if state.part_at[part] >= 0 else 0
    for clue in range(N_CLUES):
        clues += 1 if out[CLUE_PLACES + clue] else 0
        if clue & 1:
            pairs += 1 if out[CLUE_PLACES + clue] and out[CLUE_PLACES + clue - 1] else 0
    write_unary(out, PARTS_TAKEN, 5, taken)
    write_unary(out, PARTS_LOCATED, 5, taken + located)
    out[CLUES] = clues / N_CLUES
    out[SINGLE_CLUES] = (clues - 2 * pairs) / N_PARTS
    out[PART_IN_STORM] = 1.0 if info.parts >> state.storm & 1 else 0.0


@kernel
def _write_tiles(state: State, out: Any, info: PublicInfo) -> None:
    """What lies under the sand, and what has been excavated."""
    dunes = popcount(info.dunes)
    out[PAD_KNOWN] = 1.0 if info.pad else 0.0
    out[DUNES] = dunes / 20
    out[NEEDED_TILES] = info.needed_tiles / N_NEEDED_TILES
    out[NEEDED_DENSITY] = info.needed_tiles / dunes if dunes else 0.0
    out[TUNNELS] = popcount(as_int(state.tunnels)) / (WELL - TUNNEL)
    out[WATER_TILES] = popcount(info.water_tiles) / 3
    out[WELLS_LEFT] = info.wells_left / N_WELLS
    out[CARRIER_HAS_WELL] = 1.0 if info.wells and info.water_carrier >= 0 else 0.0
    out[GEAR_DECK] = state.gear_left / GEAR_DECK_SIZE


@kernel
def _write_work(state: State, out: Any, info: PublicInfo) -> None:
    """How many actions it takes on average to find and pick up everything."""
    needed, dunes = info.needed_tiles, popcount(info.dunes)
    out[DUNES_TO_EXCAVATE] = needed * (dunes + 1) / (needed + 1) / 20
    parts_left = N_PARTS - popcount(as_int(state.taken))
    work = 1.5 * needed * (dunes + 1) / (needed + 1) + 4 * parts_left
    out[WORK] = work / 40
    out[WORK_PER_PLAYER] = work / (40 * state.players)


@kernel
def _write_pad(state: State, out: Any, info: PublicInfo) -> None:
    if not info.pad:
        return
    sand = as_int(state.sand[lowest_bit(info.pad)])
    blocked = 1.0 if sand >= BLOCKING_SAND else 0.0
    out[PAD_SAND] = min(sand, 4) / 4
    out[PAD_BLOCKED] = blocked
    if state.taken == ALL_PARTS:
        out[HOME_BLOCKED] = blocked
        out[HOME_ONE_MARKER] = 1.0 if sand == 1 else 0.0


@kernel
def _write_water(state: State, out: Any) -> None:
    """How much water the team has, and how likely all have enough."""
    total, least, survival_soon, survival_later = 0, 5, 1.0, 1.0
    for seat in range(state.players):
        base = FIRST_SEAT + seat * N_SEAT_FEATURES
        total += state.water[seat]
        least = min(least, as_int(state.water[seat]))
        survival_soon = min(survival_soon, 1.0 - out[base + THIRST_RISK_SOON])
        survival_later *= 1.0 - out[base + THIRST_RISK_LATER]
    write_unary(out, LEAST_WATER, 5, least)
    out[MEAN_WATER] = total / (5 * state.players)
    out[SURVIVAL_SOON] = survival_soon
    out[SURVIVAL_LATER] = survival_later


@kernel
def _write_way_home(state: State, out: Any, info: PublicInfo) -> None:
    """How far all pawns are from the launch pad, and when they can be there."""
    if not info.pad:
        return
    pad, farthest, total, not_home = lowest_bit(info.pad), 0.0, 0.0, 0
    last_turns, lacks = 0.0, 0.0
    for seat in range(state.players):
        distance = pawn_distance(out, seat, pad)
        farthest = max(farthest, distance)
        total += distance
        if distance:
            not_home += 1
            last_turns = max(last_turns, turns_to_spend(state, seat, distance))
        lacks += actions_lacking(state, seat, distance)
    mean = total / (MAX_DISTANCE * state.players)
    out[PAD_FARTHEST] = farthest / MAX_DISTANCE
    out[PAD_MEAN] = mean
    if state.taken == ALL_PARTS:
        out[GOING_HOME] = 1.0
        out[HOME_FARTHEST] = farthest / MAX_DISTANCE
        out[HOME_MEAN] = mean
        out[NOT_HOME] = not_home / SEATS
        out[HOME_SURVIVAL] = out[SURVIVAL_SOON]
        out[HOME_TURNS] = last_turns / MAX_TURNS
        out[HOME_THIS_TURN] = 1.0 if last_turns == 0.0 else 0.0
        out[HOME_LACKS] = lacks / state.players


@kernel
def _write_gear_and_roles(state: State, out: Any) -> None:
    for seat in range(state.players):
        for card in range(N_GEARS):
            out[GEAR + card] += state.gear[seat, card] / 3
        if state.role[seat] in (METEOROLOGIST, NAVIGATOR, WATER_CARRIER):
            out[ROLES + state.role[seat] - METEOROLOGIST] = 1.0
    out[TURN_THROTTLE] = state.gear[state.turn, TIME_THROTTLE]
    out[TURN_JET_PACKS] = state.gear[state.turn, JET_PACK] / 2
    out[TURN_RESERVE] = state.gear[state.turn, WATER_RESERVE]


@kernel
def _write_turn(state: State, out: Any, info: PublicInfo) -> None:
    write_unary(out, ACTIONS_LEFT, 6, as_int(state.left) if state.phase != STORM else 0)
    write_unary(out, STORM_CARDS_OF_TURN, 6, info.storm_cards)
    out[IN_FORECAST] = 1.0 if state.phase == FORECAST else 0.0
    out[GUIDED_STEPS] = state.steps / 2
    out[FORESEEN] = 1.0 if state.foreseen else 0.0
