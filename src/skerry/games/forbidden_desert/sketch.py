"""How a position looks to one who judges it: numbers about the tiles, the parts, the seats and the whole.

Only what everybody knows: what lies under the sand and in the decks is counted, never looked at.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from skerry.engine.bits import count, lowest, plain
from skerry.engine.kernel import kernel
from skerry.games.forbidden_desert.facts import (
    ACTIONS_A_TURN,
    ALL_PARTS,
    ARCHEOLOGIST,
    BESIDE,
    BLOWS,
    CANTEEN,
    CLUE,
    CRASH,
    DIRECTIONS,
    EXPLORER,
    GEAR_CARDS,
    JET_PACK,
    LAUNCH_PAD,
    MARKERS,
    METEOROLOGIST,
    MIRAGE,
    N_GEARS,
    N_PARTS,
    N_ROLES,
    NAVIGATOR,
    PICKS_UP,
    PLACES,
    RESERVE,
    SEATS,
    SIDE,
    SKULL,
    STORM_CARDS,
    STORM_COPIES,
    STORM_KINDS,
    SUN,
    THROTTLE,
    TILES,
    TUNNEL,
    UPWIND,
    WATER_CARRIER,
    WELL,
    WELL_WATER,
)
from skerry.games.forbidden_desert.plan import carrier
from skerry.games.forbidden_desert.reach import buried, can_water, tiles
from skerry.games.forbidden_desert.routes import onward
from skerry.games.forbidden_desert.state import ACTIONS, FORECAST, STORM, State
from skerry.games.forbidden_desert.storm import sheltered, storm_cards
from skerry.games.forbidden_desert.thirst import SUNS, SURE, Odds, Sky, cards_until, odds

FAR = 9  # actions; what cannot be reached at all
LATE = 12  # turns
DULL, DUNE, WRECK, WET, SPRING, SHELTER, PAD = range(7)  # sorts of tiles, as everybody sees them
SORTS = 7
WELLS = MIRAGE - WELL
NEEDED = TILES - CLUE  # clues and the launch pad
CLUES = LAUNCH_PAD - CLUE

OF_TILE, OF_PART, OF_SEAT, OF_ALL = 55, 35, 71, 103
GROUPS = ((PLACES, OF_TILE, 16), (N_PARTS, OF_PART, 24), (SEATS, OF_SEAT, 32), (1, OF_ALL, 32))
PART_START = PLACES * OF_TILE
SEAT_START = PART_START + N_PARTS * OF_PART
ALL_START = SEAT_START + SEATS * OF_SEAT
# Notes behind the inputs
AWAY = ALL_START + OF_ALL  # actions from each pawn to each place
RISK = AWAY + SEATS * PLACES  # the chance that the next card moves the tile of a place
KINDS = RISK + PLACES  # storm cards of each kind in the deck
CLUE_AT = KINDS + STORM_KINDS  # 1 plus the place of each clue that is excavated
END = CLUE_AT + CLUES


class View(NamedTuple):
    """What all see. Sets of places, but for the last lines."""

    dunes: int  # unexcavated and dry, but for the crash tile
    wreck: int  # the crash tile, unexcavated
    wet: int  # unexcavated water tiles
    wells: int
    pad: int  # the launch pad, once excavated
    parts: int  # where parts lie
    deep: int  # with three markers or more
    useful: int  # how many of the dunes are needed
    springs: int  # how many of the wet tiles are wells
    carrier: int  # the Water Carrier's seat, or -1
    cards: int  # storm cards still to come this turn


@kernel
def sketch(state: State, out: Any) -> None:
    for i in range(END):
        out[i] = 0.0
    view = _look_around(state, out)
    _forecast(state, out)
    for seat in range(state.players):
        _measure(state, seat, out, view)
    sky = Sky(plain(state.storm_left), int(out[KINDS + SUN]), 0, 0, 0)
    for place in range(PLACES):
        if place != state.storm:
            _tile(state, place, out, view)
    for part in range(N_PARTS):
        if not state.taken >> part & 1:
            _part(state, part, out, view)
    for seat in range(state.players):
        _seat(state, seat, out, view, sky)
    _whole(state, out, view, sky)


@kernel
def _look_around(state: State, out: Any) -> View:
    dunes = wreck = wet = wells = parts = deep = 0
    for place in range(PLACES):
        tile, bit = state.tile_at[place], 1 << place
        dug = state.excavated & bit
        if state.sand[place] > 2:
            deep |= bit
        if tile == CRASH:
            wreck |= bit & ~dug
        elif WELL <= tile <= MIRAGE:
            wet |= bit & ~dug
            wells |= dug if tile < MIRAGE else 0
        elif tile >= 0:
            dunes |= bit & ~dug
    useful, pad = _finds(state, out)
    for part in range(N_PARTS):
        if state.part_at[part] >= 0:
            parts |= 1 << state.part_at[part]
    cards = plain(state.left) if state.phase == STORM else plain(storm_cards(state) - state.saved)
    return View(dunes, wreck, wet, wells, pad, parts, deep, useful, WELLS - count(wells), carrier(state), cards)


@kernel
def _finds(state: State, out: Any) -> tuple[int, int]:
    """How many tiles are still needed, and where the launch pad is; where the clues are is noted."""
    useful, pad, places = NEEDED, 0, plain(state.excavated)
    while places:
        place = lowest(places)
        places &= places - 1
        tile = state.tile_at[place]
        if tile >= CLUE:
            useful -= 1
            if tile == LAUNCH_PAD:
                pad = 1 << place
            else:
                out[CLUE_AT + tile - CLUE] = 1 + place
    return useful, pad


@kernel
def _forecast(state: State, out: Any) -> None:
    """The cards that are left, by kinds, and where they would blow."""
    for card in range(STORM_KINDS):
        out[KINDS + card] = STORM_COPIES[card] - state.storm_discard[card]
    for i in range(state.shown):
        out[KINDS + state.apart[i]] -= 1
    for direction in range(len(DIRECTIONS)):
        place = plain(state.storm)
        for tiles_moved in range(BLOWS):
            place = plain(UPWIND[direction, place])
            if place < 0:
                break
            for wind in range(tiles_moved, BLOWS):
                out[RISK + place] += out[KINDS + direction * BLOWS + wind] / state.storm_left


@kernel
def _measure(state: State, seat: int, out: Any, view: View) -> None:
    """How many actions it takes a pawn to come to each place, sand to be removed on the way included."""
    base, start = AWAY + seat * PLACES, plain(state.pawn[seat])
    for place in range(PLACES):
        out[base + place] = FAR
    out[base + start] = 0
    role, land = state.role[seat], tiles(state)
    light, deep, late = plain(state.blocked) & ~view.deep, view.deep, 0
    if seat == state.climber:
        light = deep = 0
    elif role == ARCHEOLOGIST:
        light, deep = light | deep, 0
    if buried(state, seat):
        late = plain(state.sand[start]) // 2 if role == ARCHEOLOGIST else plain(state.sand[start]) - 1
    near, before, earlier = 1 << start, 0, 0
    for actions in range(1 + late, FAR):
        beyond = onward(near, role == EXPLORER, plain(state.tunnels)) & land
        found = (beyond & ~light & ~deep | before & light | earlier & deep) & ~near
        near |= found
        before, earlier = beyond, before
        while found:
            out[base + lowest(found)] = actions
            found &= found - 1
        if near == land:
            break


@kernel
def _fill(out: Any, n: int, size: int, level: int) -> int:
    """A number as so many ones: what is learnt of one level then holds for the next too. Where the next number goes."""
    for i in range(min(level, size)):
        out[n + i] = 1.0
    return n + size


@kernel
def _ready(state: State, seat: int) -> int:
    """The actions a pawn has at once."""
    return plain(state.left) if seat == state.turn and state.phase != STORM else 0


@kernel
def _lag(state: State, seat: int, cost: float) -> float:
    """Actions that are missing: a step towards something leaves that as it is, any other makes it more."""
    return min(1.0, max(0.0, cost - _ready(state, seat)) / FAR)


@kernel
def _when(state: State, seat: int, cost: float) -> float:
    """How many turns end before a pawn can have done what takes so many actions."""
    if cost <= _ready(state, seat):
        return 0.0
    turns = plain((seat - state.turn) % state.players)
    if not turns:
        turns = plain(state.players)
        cost -= _ready(state, seat)
    if cost > 2 * FAR:
        return LATE + 0.0
    return min(LATE + 0.0, turns + state.players * ((cost - 1.0) // ACTIONS_A_TURN))


@kernel
def _struck(out: Any, place: int, cards: int) -> float:
    """How likely a tile gets sand from so many cards."""
    return min(1.0, 0.5 * out[RISK + place] * cards)


@kernel
def _nearest(out: Any, seat: int, places: int) -> float:
    """Actions from a pawn to the nearest of some places."""
    away = FAR + 0.0
    while places:
        away = min(away, out[AWAY + seat * PLACES + lowest(places)])
        places &= places - 1
    return away


@kernel
def _digging(state: State, seat: int, out: Any, places: int) -> float:
    """Actions for a pawn to come to one of some places and to excavate it."""
    least = FAR + 0.0
    while places:
        place = lowest(places)
        places &= places - 1
        sand = state.sand[place] if out[AWAY + seat * PLACES + place] == 0.0 else min(1, state.sand[place])
        least = min(least, out[AWAY + seat * PLACES + place] + sand + 1.0)
    return least


@kernel
def _sort(state: State, place: int, view: View) -> int:
    """What a tile is good for."""
    bit = 1 << place
    if view.dunes & bit:
        return DUNE
    if view.wreck & bit:
        return WRECK
    if view.wet & bit:
        return WET
    if view.wells & bit and view.carrier >= 0:
        return SPRING
    if state.tunnels & bit:
        return SHELTER
    return PAD if view.pad & bit else DULL


@kernel
def _tile(state: State, place: int, out: Any, view: View) -> None:
    base, bit, sort = place * OF_TILE, 1 << place, _sort(state, place, view)
    sand, risk = plain(state.sand[place]), _struck(out, place, view.cards)
    nearest, other = FAR + 0.0, FAR + 0.0
    for seat in range(state.players):
        away = out[AWAY + seat * PLACES + place]
        if away < nearest:
            nearest, other = away, nearest
        elif away < other:
            other = away
    out[base] = 1.0
    n = base + 1 + sort
    out[n] = 1.0
    out[n + SORTS] = min(sand, 5) / 5
    out[n + 2 * SORTS] = 1.0 if sand >= 2 else 0.0
    out[n + 3 * SORTS] = nearest / FAR
    out[n + 4 * SORTS] = risk
    n = base + 1 + 5 * SORTS
    out[n] = other / FAR
    out[n + 1] = count(BESIDE[place] & tiles(state) & ~state.blocked) / 4
    out[n + 2] = 1.0 if state.known_by[place] else 0.0
    out[n + 3] = risk if sand == 1 else 0.0
    out[n + 4] = _lag(state, plain(state.turn), out[AWAY + state.turn * PLACES + place] + min(sand, 2))
    out[n + 5] = 1.0 if sand == 1 else 0.0
    n += 6
    if view.parts & bit:
        out[n] = 1.0
        out[n + 1] = 0.0 if state.excavated & bit else 1.0
        out[n + 2] = nearest / FAR
        out[n + 3] = min(sand, 5) / 5
    n += 4
    if sort == DUNE:
        hope = view.useful / count(view.dunes)
        out[n] = hope
        out[n + 1] = hope * (nearest + min(sand, 5)) / FAR
    elif sort == WET:
        _drops(state, place, out, view, n + 2)
    n += 7
    _crowd(state, place, out, n)


@kernel
def _drops(state: State, place: int, out: Any, view: View, n: int) -> None:
    """What a water tile would bring to those who stand there, and how far the others are."""
    chance = view.springs / count(view.wet)
    gain, missed, far = 0, 0, 0.0
    for seat in range(state.players):
        water = min(WELL_WATER, CANTEEN[state.role[seat]] - state.water[seat])
        if state.pawn[seat] == place:
            gain += water
        else:
            missed += water
        far += out[AWAY + seat * PLACES + place]
    out[n] = chance
    out[n + 1] = chance * gain / 4
    out[n + 2] = chance * missed / 4
    out[n + 3] = far / (FAR * state.players)
    out[n + 4] = gain / max(1, gain + missed)


@kernel
def _crowd(state: State, place: int, out: Any, n: int) -> None:
    for seat in range(state.players):
        if state.pawn[seat] == place:
            out[n] += 0.25
            if buried(state, seat):
                out[n + 1] += 0.5


@kernel
def _part(state: State, part: int, out: Any, view: View) -> None:
    base = PART_START + part * OF_PART
    out[base] = 1.0
    row, column = int(out[CLUE_AT + 2 * part]) - 1, int(out[CLUE_AT + 2 * part + 1]) - 1
    place = plain(state.part_at[part])
    if place < 0:
        _clues(state, out, row, column, base + 1)
    elif place == state.storm:
        out[base + 6] = 1.0
    else:
        _found(state, place, out, view, base + 7)


@kernel
def _clues(state: State, out: Any, row: int, column: int, n: int) -> None:
    """What is known of where a part will lie: nothing, or one line."""
    if row < 0 and column < 0:
        out[n] = 1.0
        return
    start, stride = (row // SIDE * SIDE, 1) if row >= 0 else (column % SIDE, SIDE)
    out[n + 1] = 1.0
    sand = blocked = 0
    nearest = FAR + 0.0
    for i in range(SIDE):
        place = start + i * stride
        sand += state.sand[place]
        blocked += state.blocked >> place & 1
        for seat in range(state.players):
            nearest = min(nearest, out[AWAY + seat * PLACES + place])
    out[n + 2] = sand / 10
    out[n + 3] = blocked / SIDE
    out[n + 4] = nearest / FAR


@kernel
def _found(state: State, place: int, out: Any, view: View, n: int) -> None:
    """A part that lies on a tile: what it takes to pick it up."""
    best, least, second, near = 0, 2.0 * FAR, 2.0 * FAR, 0
    work = plain(state.sand[place]) if not state.excavated >> place & 1 else max(0, plain(state.sand[place]) - 1)
    dug = plain(state.excavated) >> place & 1
    for seat in range(state.players):
        away = out[AWAY + seat * PLACES + place]
        near += 1 if away <= 2 else 0
        # The sooner its turn comes, the better.
        late = 0.1 * ((seat - state.turn) % state.players)
        if away + late < least:
            best, least, second = seat, away + late, least
        elif away + late < second:
            second = away + late
    away = out[AWAY + best * PLACES + place]
    out[n] = 1.0
    out[n + 1] = 1.0 - dug
    _fill(out, n + 2, 5, plain(state.sand[place]))
    n += 7
    out[n] = away / FAR
    out[n + 1] = 1.0 if away == 0.0 else 0.0
    out[n + 2] = 1.0 if away >= FAR else 0.0
    out[n + 3] = second / FAR
    out[n + 4] = near / SEATS
    out[n + 5] = (away + work + 2 - dug) / (2 * FAR)
    out[n + 6] = _struck(out, place, view.cards)
    n += 7
    out[n + (best - state.turn) % state.players] = 1.0
    n += SEATS
    mine = out[AWAY + state.turn * PLACES + place] + work + 2 - dug
    out[n] = mine / (2 * FAR)
    out[n + 1] = 1.0 if state.phase == ACTIONS and mine <= state.left else 0.0
    out[n + 2] = min(3, plain(state.water[best])) / 3
    out[n + 3] = 1.0 if buried(state, best) else 0.0
    if view.pad:
        pad = lowest(view.pad)
        out[n + 4] = (abs(pad // SIDE - place // SIDE) + abs(pad % SIDE - place % SIDE)) / 8
    if view.parts & (view.parts - 1):
        rest = view.parts & ~(1 << place)
        out[n + 5] = _nearest(out, best, rest) / FAR
    n += 6
    soonest, lag = LATE + 0.0, 1.0
    for seat in range(state.players):
        cost = out[AWAY + seat * PLACES + place] + work + 2 - dug
        soonest = min(soonest, _when(state, seat, cost))
        lag = min(lag, _lag(state, seat, cost))
    out[n] = soonest / LATE
    out[n + 1] = 1.0 if soonest == 0.0 else 0.0
    out[n + 2] = lag


@kernel
def _more_than(chances: Odds, water: int) -> float:
    """The chance that the sun beats down more often than that."""
    safe = 0
    for suns in range(len(chances)):
        if suns <= water:
            safe += chances[suns]
    return max(0.0, 1.0 - safe / SURE)


@kernel
def _seat(state: State, seat: int, out: Any, view: View, sky: Sky) -> None:
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
    place = plain(state.pawn[seat])
    sand = plain(state.sand[place])
    out[n] = 1.0 if buried(state, seat) else 0.0
    out[n + 1] = min(sand, 4) / 4
    out[n + 2] = _struck(out, place, view.cards)
    out[n + 3] = _struck(out, place, view.cards) if sand > 0 else 0.0
    out[n + 4] = count(BESIDE[place] & tiles(state) & ~state.blocked) / 4
    out[n + 5] = count(BESIDE[place] & (view.dunes | view.wet)) / 4
    for other in range(state.players):
        if other != seat and state.pawn[other] == place:
            out[n + 6] += 0.25
    out[n + 7] = 1.0 if seat == state.guided else 0.0
    parts = 0
    for part in range(N_PARTS):
        parts += 1 if state.holder[part] == seat else 0
    out[n + 8] = 0.5 * parts


@kernel
def _water(state: State, seat: int, out: Any, view: View, sky: Sky, n: int) -> None:
    """How soon a pawn may die of thirst, and who could help."""
    water, place = plain(state.water[seat]), plain(state.pawn[seat])
    shade = sheltered(state, seat)
    cards = cards_until(state, seat)
    _fill(out, n, 5, water)
    out[n + 6] = (CANTEEN[state.role[seat]] - water) / 5
    out[n + 7] = 1.0 if shade else 0.0
    out[n + 8] = state.shielded >> seat & 1
    soon = _more_than(odds(sky, cards), water)
    out[n + 9] = soon
    out[n + 10] = 0.0 if shade else soon
    out[n + 11] = 0.0 if shade else _more_than(odds(sky, view.cards), water)
    later = _more_than(odds(sky, cards + state.players * storm_cards(state)), water + (1 if shade else 0))
    out[n + 12] = later
    out[n + 13] = later * _nearest(out, seat, view.wet) / FAR
    out[n + 14] = later if not view.springs else 0.0
    out[n + 15] = 0.0 if shade else _more_than(odds(sky, cards), water - 1)
    given = most = 0
    for other in range(state.players):
        if can_water(state, other, seat):
            given += state.water[other]
            most = max(most, plain(state.water[other]))
    out[n + 16] = min(given, 6) / 6
    out[n + 17] = later * min(most, 3) / 3
    if view.carrier >= 0 and view.carrier != seat:
        away = _nearest(out, view.carrier, plain(BESIDE[place]) | 1 << place)
        away = min(away, _nearest(out, seat, plain(BESIDE[state.pawn[view.carrier]])))
        out[n + 18] = away / FAR
        out[n + 19] = later * away / FAR
        out[n + 20] = later * state.water[view.carrier] / 5
    elif view.carrier == seat:
        away = _nearest(out, seat, view.wells)
        out[n + 21] = away / FAR
        out[n + 22] = (5 - water) * away / (5 * FAR)
        out[n + 23] = 1.0 if view.wells >> place & 1 else 0.0


@kernel
def _ways(state: State, seat: int, out: Any, view: View, n: int) -> None:
    """How far it is to what a pawn may go for."""
    dig = _digging(state, seat, out, view.dunes)
    out[n] = dig / FAR
    out[n + 1] = dig / FAR if view.useful else 0.0
    out[n + 2] = _nearest(out, seat, plain(state.tunnels)) / FAR
    out[n + 3] = _nearest(out, seat, view.wet) / FAR
    out[n + 4] = 1.0 if view.wet >> state.pawn[seat] & 1 else 0.0
    out[n + 5] = _nearest(out, seat, view.parts) / FAR if view.parts else 0.0
    within = 0
    dunes = view.dunes
    while dunes:
        within += 1 if out[AWAY + seat * PLACES + lowest(dunes)] <= 2 else 0
        dunes &= dunes - 1
    out[n + 6] = within / 6
    out[n + 7] = _lag(state, seat, dig)
    out[n + 8] = _when(state, seat, dig) / LATE if view.useful else 0.0
    n += 9
    if view.pad:
        home = out[AWAY + seat * PLACES + lowest(view.pad)]
        out[n] = 1.0
        out[n + 1] = home / FAR
        out[n + 2] = 1.0 if home == 0.0 else 0.0
        if state.taken == ALL_PARTS:
            out[n + 3] = 1.0
            out[n + 4] = home / FAR
            out[n + 5] = 1.0 if home == 0.0 else 0.0
            out[n + 6] = _lag(state, seat, home)
    together = FAR + 0.0
    for other in range(state.players):
        if other != seat:
            together = min(together, out[AWAY + seat * PLACES + state.pawn[other]])
    out[n + 7] = together / FAR
    n += 8
    out[n] = _lag(state, seat, _nearest(out, seat, view.wet))
    out[n + 1] = _lag(state, seat, _nearest(out, seat, view.parts)) if view.parts else 0.0
    out[n + 2] = _lag(state, seat, _nearest(out, seat, plain(state.tunnels)))


@kernel
def _whole(state: State, out: Any, view: View, sky: Sky) -> None:
    n = ALL_START
    out[n] = 1.0
    out[n + state.players - 1] = 1.0
    n += 5
    n = _storm(state, out, view, sky, n)
    n = _progress(state, out, view, n)
    n = _team(state, out, view, sky, n)
    # Having no action left is the same before and after the end of the turn.
    n = _fill(out, n, 6, plain(state.left) if state.phase != STORM else 0)
    n = _fill(out, n, 6, view.cards)
    out[n] = 1.0 if state.phase == FORECAST else 0.0
    out[n + 1] = state.steps / 2
    out[n + 2] = 1.0 if state.foreseen else 0.0


@kernel
def _storm(state: State, out: Any, view: View, sky: Sky, n: int) -> int:
    cards = plain(storm_cards(state))
    rising = out[KINDS + PICKS_UP]
    ticks = SKULL[state.players] - state.meter
    _fill(out, n, 5, cards - 1)
    out[n + 5] = ticks / 14
    out[n + 6] = max(0, 4 - ticks) / 4
    out[n + 7] = rising / 3
    out[n + 8] = rising / state.storm_left
    out[n + 9] = state.storm_left / STORM_CARDS
    out[n + 10] = sky.suns / SUNS
    out[n + 11] = sky.suns / state.storm_left
    out[n + 12] = _more_than(odds(sky, view.cards), 0)
    out[n + 13] = view.cards / 6
    # Storm cards until the skull, if it comes as often as it has to
    out[n + 14] = min(1.0, (max(0.0, ticks - rising) * 10.0 + state.storm_left) / 120.0)
    n += 15
    supply = plain(state.supply)
    out[n] = supply / MARKERS
    out[n + 1] = 1.0 if supply <= 2 else 0.0
    out[n + 2] = max(0, 6 - supply) / 6
    out[n + 3] = max(0, 12 - supply) / 12
    out[n + 4] = max(0, 20 - supply) / 20
    blown = 0.0
    for place in range(PLACES):
        blown += out[RISK + place]
    out[n + 5] = max(0.0, blown * view.cards - supply) / 6
    out[n + 6] = blown / 2
    out[n + 7] = count(plain(state.blocked)) / 12
    out[n + 8] = count(plain(state.sandy)) / TILES
    return n + 9


@kernel
def _progress(state: State, out: Any, view: View, n: int) -> int:
    """What has been found and what remains to be done."""
    taken, lying, clues, pairs = count(plain(state.taken)), 0, 0, 0
    for part in range(N_PARTS):
        lying += 1 if state.part_at[part] >= 0 else 0
    for clue in range(CLUES):
        clues += 1 if out[CLUE_AT + clue] else 0
        if clue & 1:
            pairs += 1 if out[CLUE_AT + clue] and out[CLUE_AT + clue - 1] else 0
    _fill(out, n, 5, taken)
    _fill(out, n + 5, 5, taken + lying)
    out[n + 10] = clues / CLUES
    out[n + 11] = (clues - 2 * pairs) / N_PARTS
    out[n + 12] = 1.0 if view.pad else 0.0
    dunes = count(view.dunes)
    out[n + 13] = dunes / 20
    out[n + 14] = view.useful / NEEDED
    out[n + 15] = view.useful / dunes if dunes else 0.0
    # Dunes to be excavated until everything is found, on average
    out[n + 16] = view.useful * (dunes + 1) / (view.useful + 1) / 20
    out[n + 17] = count(plain(state.tunnels)) / (WELL - TUNNEL)
    out[n + 18] = count(view.wet) / 3
    out[n + 19] = view.springs / WELLS
    out[n + 20] = 1.0 if view.wells and view.carrier >= 0 else 0.0
    out[n + 21] = state.gear_left / GEAR_CARDS
    work = 1.5 * view.useful * (dunes + 1) / (view.useful + 1) + 4 * (N_PARTS - taken)
    out[n + 22] = work / 40
    out[n + 23] = work / (40 * state.players)
    out[n + 24] = 1.0 if view.parts >> state.storm & 1 else 0.0
    n += 25
    if view.pad:
        sand = plain(state.sand[lowest(view.pad)])
        out[n] = min(sand, 4) / 4
        out[n + 1] = 1.0 if sand >= 2 else 0.0
        if state.taken == ALL_PARTS:
            out[n + 2] = 1.0 if sand >= 2 else 0.0
            out[n + 3] = 1.0 if sand == 1 else 0.0
    return n + 4


@kernel
def _going_home(state: State, out: Any, view: View, n: int) -> None:
    """When all can be on the launch pad, and who keeps them waiting."""
    last, lag = 0.0, 0.0
    for seat in range(state.players):
        home = out[AWAY + seat * PLACES + lowest(view.pad)]
        if home:
            last = max(last, _when(state, seat, home))
        lag += _lag(state, seat, home)
    out[n] = last / LATE
    out[n + 1] = 1.0 if last == 0.0 else 0.0
    out[n + 2] = lag / state.players


@kernel
def _team(state: State, out: Any, view: View, sky: Sky, n: int) -> int:
    total, least, alive, lasting = 0, 5, 1.0, 1.0
    far, steps, at_home = 0.0, 0.0, 0
    for seat in range(state.players):
        total += state.water[seat]
        least = min(least, plain(state.water[seat]))
        base = SEAT_START + seat * OF_SEAT + 1 + N_ROLES + SEATS
        alive = min(alive, 1.0 - out[base + 10])
        lasting *= 1.0 - out[base + 12]
        if view.pad:
            home = out[AWAY + seat * PLACES + lowest(view.pad)]
            far = max(far, home)
            steps += home
            at_home += 1 if home == 0.0 else 0
    _fill(out, n, 5, least)
    out[n + 5] = total / (5 * state.players)
    out[n + 6] = alive
    out[n + 7] = lasting
    if view.pad:
        out[n + 8] = far / FAR
        out[n + 9] = steps / (FAR * state.players)
    if view.pad and state.taken == ALL_PARTS:
        out[n + 10] = 1.0
        out[n + 11] = far / FAR
        out[n + 12] = steps / (FAR * state.players)
        out[n + 13] = (state.players - at_home) / SEATS
        out[n + 14] = alive
        _going_home(state, out, view, n + 15)
    n += 18
    for seat in range(state.players):
        for card in range(N_GEARS):
            out[n + card] += state.gear[seat, card] / 3
        if state.role[seat] in (METEOROLOGIST, NAVIGATOR, WATER_CARRIER):
            out[n + N_GEARS + state.role[seat] - METEOROLOGIST] = 1.0
    out[n + 9] = state.gear[state.turn, THROTTLE]
    out[n + 10] = state.gear[state.turn, JET_PACK] / 2
    out[n + 11] = state.gear[state.turn, RESERVE]
    return n + 12
