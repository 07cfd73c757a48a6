"""How a position looks to one who judges it: numbers about the tiles, the treasures, the seats and the whole."""

from __future__ import annotations

from typing import Any

from skerry.botkit.deep_sets import EntityGroup
from skerry.engine.bitset import lowest_bit, popcount
from skerry.engine.kernel import kernel
from skerry.games.forbidden_island.bot.threat import (
    PROBABILITY_ONE,
    DrawProbabilities,
    FloodPiles,
    TilesByLoss,
    flood_piles,
    probabilities_this_turn,
    probabilities_within,
    tiles_by_loss,
    waters_rise_probability,
)
from skerry.games.forbidden_island.rules.components import (
    ADJACENT,
    CARD_COPIES,
    DIVER,
    EXPLORER,
    FLOOD_CARDS_AT_TICK,
    FOOLS_LANDING,
    HAND_LIMIT,
    HELICOPTER,
    MESSENGER,
    N_ROLES,
    N_TREASURES,
    PILOT,
    SANDBAGS,
    SEATS,
    SET_SIZE,
    TILES,
    TREASURE_DRAWS,
    WATERS_RISE,
)
from skerry.games.forbidden_island.rules.legal import can_lift_off
from skerry.games.forbidden_island.rules.reach import dive_destinations, neighbours_of, tile_places
from skerry.games.forbidden_island.rules.state import ACTIONS, DRAWING, FLOODING, State
from skerry.games.forbidden_island.rules.treasure_cards import hand_size

FAR = 7  # moves; what cannot be reached at all
OF_TILE, OF_TREASURE, OF_SEAT, OF_ALL = 40, 52, 48, 68
ENTITY_GROUPS = (
    EntityGroup(TILES, OF_TILE, 16),
    EntityGroup(N_TREASURES, OF_TREASURE, 32),
    EntityGroup(SEATS, OF_SEAT, 32),
    EntityGroup(1, OF_ALL, 32),
)
ROLLOUT_TURNS = 2
LOOKAHEAD_STEPS = 3  # a turn's actions
VALUE_SPAN = 1.0  # a chance of winning
TREASURE_START = TILES * OF_TILE
SEAT_START = TREASURE_START + N_TREASURES * OF_TREASURE
ALL_START = SEAT_START + SEATS * OF_SEAT
PERIL, OUTLOOK = 44, 59  # where what may be lost stands, of a treasure and of the whole
AWAY = ALL_START + OF_ALL  # where moves from each pawn to each place are noted


@kernel
def write_state_features(state: State, out: Any) -> float:
    for i in range(AWAY):
        out[i] = 0.0
    for seat in range(state.players):
        _measure(state, seat, out)
    lie, kind = flood_piles(state), tiles_by_loss(state)
    at_once, later = probabilities_this_turn(state, lie), probabilities_within(state, lie, state.players)
    for place in range(TILES):
        _tile(state, place, out, lie, kind, at_once, later)
    safe_now = safe_soon = 1.0
    for treasure in range(N_TREASURES):
        if state.captor[treasure] < 0:
            _treasure(state, treasure, out)
            _peril(state, treasure, out, lie, at_once, later)
            peril = TREASURE_START + treasure * OF_TREASURE + PERIL
            safe_now *= 1.0 - out[peril]
            safe_soon *= 1.0 - out[peril + 1]
    for seat in range(state.players):
        _seat(state, seat, out, kind)
    _whole(state, out, lie)
    _outlook(state, out, safe_now, safe_soon, ALL_START + OUTLOOK)
    return 0.0


@kernel
def _measure(state: State, seat: int, out: Any) -> None:
    """How many moves it is from a pawn to each place."""
    base = AWAY + seat * TILES
    for place in range(TILES):
        out[base + place] = FAR
    out[base + state.pawn[seat]] = 0
    land, role = tile_places(state), state.role[seat]
    if role == PILOT:
        rest = land & ~(1 << state.pawn[seat])
        moves = 1 + (state.flown if seat == state.turn else 0)
        while rest:
            out[base + lowest_bit(rest)] = moves
            rest &= rest - 1
    seen = border = 1 << state.pawn[seat]
    for moves in range(1, FAR):
        if not border:
            break
        found = 0
        if role == DIVER:
            while border:
                found |= dive_destinations(state, lowest_bit(border))
                border &= border - 1
        else:
            found = neighbours_of(state, border, role == EXPLORER) & land
        border = found & ~seen
        seen |= found
        found = border
        while found:
            place = lowest_bit(found)
            found &= found - 1
            out[base + place] = min(out[base + place], moves)


@kernel
def _pile(place: int, lie: FloodPiles) -> int:
    """In which pile the flood card of a place lies."""
    here = 1 << place
    if lie.top & here:
        return 0
    if lie.second & here:
        return 1
    return 3 if lie.shown & here else 2


@kernel
def _sort(place: int, kind: TilesByLoss) -> int:
    """What the loss of a tile would mean."""
    here = 1 << place
    if kind.landing & here:
        return 0
    if kind.vital & here:
        return 1
    if kind.twin & here:
        return 2
    return 3 if kind.shaky & here else 4


@kernel
def _tile(
    state: State,
    place: int,
    out: Any,
    lie: FloodPiles,
    kind: TilesByLoss,
    at_once: DrawProbabilities,
    later: DrawProbabilities,
) -> None:
    if state.sunk >> place & 1:
        return
    base, pile, sort = place * OF_TILE, _pile(place, lie), _sort(place, kind)
    danger, threat = at_once[pile] / PROBABILITY_ONE, later[pile] / PROBABILITY_ONE
    flooded = float(state.flooded >> place & 1)
    out[base] = 1.0
    if pile != 2:
        out[base + (3 if pile == 3 else 1 + pile)] = 1.0
    out[base + 4 + sort] = 1.0
    out[base + 9 + sort] = flooded
    out[base + 14 + sort] = flooded * danger
    out[base + 19 + sort] = flooded * threat
    out[base + 24 + sort] = (1.0 - flooded) * threat
    out[base + 29] = popcount(ADJACENT[state.layout, place] & tile_places(state)) / 4
    nearest, other = FAR + 0.0, FAR + 0.0
    for seat in range(state.players):
        away = out[AWAY + seat * TILES + place]
        if away < nearest:
            nearest, other = away, nearest
        elif away < other:
            other = away
        if state.pawn[seat] == place:
            out[base + 30] += 0.5
            out[base + 31] += flooded * danger
    out[base + 32] = nearest / FAR
    out[base + 33] = other / FAR
    out[base + 34] = flooded * out[AWAY + state.turn * TILES + place] / FAR
    out[base + 35] = flooded * nearest / FAR
    out[base + 36] = flooded * out[AWAY + (state.turn + 1) % state.players * TILES + place] / FAR
    out[base + 37] = popcount(ADJACENT[state.layout, place] & tile_places(state) & ~state.flooded) / 4
    out[base + 38] = (1.0 - flooded) * danger
    out[base + 39] = danger


@kernel
def _treasure(state: State, treasure: int, out: Any) -> None:
    base = TREASURE_START + treasure * OF_TREASURE
    out[base] = 1.0
    first, second = state.place_of[2 * treasure], state.place_of[2 * treasure + 1]
    for place in (first, second):
        if state.sunk >> place & 1:
            out[base + 1] += 0.5
        elif state.flooded >> place & 1:
            out[base + 2] += 0.5
    n = base + 3
    held = 0
    best, most, best_room = 0, -1, 0
    for seat in range(state.players):
        cards = int(state.hands[seat, treasure])
        held += cards
        room = HAND_LIMIT - hand_size(state, seat)
        if cards > most or (cards == most and room > best_room):
            best, most, best_room = seat, cards, room
    out[n] = state.treasure_discard[treasure] / CARD_COPIES[treasure]
    out[n + 1] = (CARD_COPIES[treasure] - state.treasure_discard[treasure] - held) / CARD_COPIES[treasure]
    out[n + 2 + min(held, 5)] = 1.0
    n += 8
    out[n + min(most, 5)] = 1.0
    n += 6
    out[n] = min(best_room, 5) / 5
    away = _nearer(state, out, best, first, second)
    out[n + 1] = away / FAR
    out[n + 2 + (best - state.turn) % state.players] = 1.0
    n += 6
    if most >= SET_SIZE:
        out[n] = 1.0
        out[n + 1] = away / FAR
        out[n + 2] = 1.0 if away == 0 else 0.0
    if most == SET_SIZE - 1:
        out[n + 3] = away / FAR
    n += 4
    _helper(state, treasure, out, best, most, n)
    n += 14
    out[n] = 1.0 if state.treasure_discard[treasure] > CARD_COPIES[treasure] - SET_SIZE else 0.0


@kernel
def _peril(
    state: State, treasure: int, out: Any, lie: FloodPiles, at_once: DrawProbabilities, later: DrawProbabilities
) -> None:
    """How likely both of its tiles sink, at once and soon, and who could help."""
    n = TREASURE_START + treasure * OF_TREASURE + PERIL
    out[n] = out[n + 1] = 1.0
    nearest = FAR + 0.0
    for place in (state.place_of[2 * treasure], state.place_of[2 * treasure + 1]):
        if state.sunk >> place & 1:
            out[n + 2] += 0.5
            continue
        pile, flooded = _pile(place, lie), state.flooded >> place & 1
        out[n] *= at_once[pile] / PROBABILITY_ONE if flooded else 0.0
        out[n + 1] *= later[pile] / PROBABILITY_ONE if flooded else 0.0
        if flooded:
            out[n + 2] += 0.5 * at_once[pile] / PROBABILITY_ONE
            out[n + 3] += 0.5 * later[pile] / PROBABILITY_ONE
            for seat in range(state.players):
                nearest = min(nearest, out[AWAY + seat * TILES + place])
    if nearest < FAR:
        out[n + 4] = 1.0
        out[n + 5] = nearest / FAR
    cards = state.hands[state.turn, treasure]
    if cards >= SET_SIZE and state.phase == ACTIONS:
        away = _nearer(state, out, state.turn, state.place_of[2 * treasure], state.place_of[2 * treasure + 1])
        out[n + 6] = 1.0 if away < state.left else 0.0
    out[n + 7] = cards / SET_SIZE


@kernel
def _outlook(state: State, out: Any, safe_now: float, safe_soon: float, n: int) -> None:
    """How likely something that all need is lost, how likely the water rises, and how much is still to be collected."""
    landing = state.place_of[FOOLS_LANDING] * OF_TILE
    out[n] = out[landing + 14]
    out[n + 1] = out[landing + 19]
    out[n + 2] = 1.0 - safe_now
    out[n + 3] = 1.0 - safe_soon
    draws = state.left if state.phase == DRAWING else 0 if state.phase == FLOODING else TREASURE_DRAWS
    out[n + 4] = waters_rise_probability(state, draws) / PROBABILITY_ONE
    out[n + 5] = waters_rise_probability(state, draws + TREASURE_DRAWS) / PROBABILITY_ONE
    out[n + 6] = FLOOD_CARDS_AT_TICK[state.water] / 5
    for treasure in range(N_TREASURES):
        if state.captor[treasure] < 0:
            most = held = 0
            for seat in range(state.players):
                most = max(most, int(state.hands[seat, treasure]))
                held += state.hands[seat, treasure]
            out[n + 7] += (SET_SIZE - min(most, SET_SIZE)) / 16
            out[n + 8] += (SET_SIZE - min(held, SET_SIZE)) / 16


@kernel
def _nearer(state: State, out: Any, seat: int, first: int, second: int) -> float:
    """Moves from a pawn to the nearer of two tiles that are there."""
    away = FAR + 0.0
    if not state.sunk >> first & 1:
        away = out[AWAY + seat * TILES + first]
    if not state.sunk >> second & 1:
        away = min(away, out[AWAY + seat * TILES + second])
    return away


@kernel
def _helper(state: State, treasure: int, out: Any, best: int, most: int, n: int) -> None:
    """Who else has cards of it, and how they could come to the one who has most."""
    other, cards, rest = -1, 0, 0
    for seat in range(state.players):
        if seat != best:
            rest += state.hands[seat, treasure]
            if state.hands[seat, treasure] > cards:
                other, cards = seat, int(state.hands[seat, treasure])
    if other < 0:
        out[n] = 1.0
        return
    out[n + min(cards, 3)] = 1.0
    away = min(out[AWAY + other * TILES + state.pawn[best]], out[AWAY + best * TILES + state.pawn[other]])
    if state.role[other] == MESSENGER:
        out[n + 4] = 1.0
        away = 0.0
    out[n + 5] = away / FAR
    out[n + 6] = 1.0 if away == 0.0 else 0.0
    out[n + 7] = out[AWAY + other * TILES + state.pawn[best]] / FAR
    out[n + 8 + (other - state.turn) % state.players] = 1.0
    enough = most + cards >= SET_SIZE
    out[n + 12] = 1.0 if enough else 0.0
    out[n + 13] = away / FAR if enough else 0.0


@kernel
def _seat(state: State, seat: int, out: Any, kind: TilesByLoss) -> None:
    base = SEAT_START + seat * OF_SEAT
    out[base] = 1.0
    out[base + 1 + state.role[seat]] = 1.0
    n = base + 1 + N_ROLES
    _hand(state, seat, out, n)
    n += 15
    out[n + (seat - state.turn) % state.players] = 1.0
    n += SEATS
    precious = kind.landing | kind.vital | kind.shaky
    _stand(state, seat, out, precious, n)
    n += 8
    _reach(state, seat, out, precious, n)
    n += 6
    out[n] = state.over >> seat & 1
    out[n + 1] = state.swimming >> seat & 1
    out[n + 2] = state.stranded >> seat & 1
    nearest = FAR + 0.0
    for other in range(state.players):
        if other != seat:
            nearest = min(nearest, out[AWAY + seat * TILES + state.pawn[other]])
    out[n + 3] = nearest / FAR


@kernel
def _hand(state: State, seat: int, out: Any, n: int) -> None:
    """What the cards of a seat are good for."""
    useful = useless = nearly = whole = 0
    away = FAR + 0.0
    for treasure in range(N_TREASURES):
        cards = int(state.hands[seat, treasure])
        if state.captor[treasure] >= 0:
            useless += cards
        else:
            useful += cards
            nearly += 1 if cards == SET_SIZE - 1 else 0
            if cards >= SET_SIZE:
                whole += 1
                first, second = state.place_of[2 * treasure], state.place_of[2 * treasure + 1]
                away = min(away, _nearer(state, out, seat, first, second))
    out[n + min(hand_size(state, seat), 7)] = 1.0
    out[n + 8] = useful / 5
    out[n + 9] = useless / 5
    out[n + 10] = nearly
    out[n + 11] = whole
    out[n + 12] = away / FAR if whole else 0.0
    out[n + 13] = state.hands[seat, HELICOPTER] / 2
    out[n + 14] = state.hands[seat, SANDBAGS] / 2


@kernel
def _stand(state: State, seat: int, out: Any, precious: int, n: int) -> None:
    """How safely a pawn stands, and what it could shore up."""
    place = int(state.pawn[seat])
    landing = out[AWAY + seat * TILES + state.place_of[FOOLS_LANDING]]
    out[n] = landing / FAR
    out[n + 1] = 1.0 if landing >= FAR else 0.0
    out[n + 2] = 1.0 if landing == 0 else 0.0
    out[n + 3] = state.flooded >> place & 1
    around = ADJACENT[state.layout, place]
    out[n + 4] = popcount(around & tile_places(state)) / 4
    out[n + 5] = popcount(around & tile_places(state) & ~state.flooded) / 4
    near = (around | 1 << place) & state.flooded
    out[n + 6] = popcount(near) / 5
    out[n + 7] = popcount(near & precious) / 2


@kernel
def _reach(state: State, seat: int, out: Any, precious: int, n: int) -> None:
    """How many flooded tiles a pawn is how far from."""
    wet = state.flooded
    while wet:
        place = lowest_bit(wet)
        wet &= wet - 1
        away = out[AWAY + seat * TILES + place]
        if away <= 2:
            out[n] += 0.2
        elif away <= 4:
            out[n + 1] += 0.2
        else:
            out[n + 2] += 0.2
        if precious >> place & 1:
            if away <= 2:
                out[n + 3] += 0.5
            elif away <= 4:
                out[n + 4] += 0.5
            else:
                out[n + 5] += 0.5


@kernel
def _whole(state: State, out: Any, lie: FloodPiles) -> None:
    n = ALL_START
    out[n] = 1.0
    out[n + 1 + min(state.water, 9)] = 1.0
    n += 11
    out[n + state.players - 2] = 1.0
    n += 3
    captured = lifts = bags = 0
    for treasure in range(N_TREASURES):
        captured += 1 if state.captor[treasure] >= 0 else 0
    for seat in range(state.players):
        lifts += state.hands[seat, HELICOPTER]
        bags += state.hands[seat, SANDBAGS]
    out[n + captured] = 1.0
    n += 5
    out[n + min(lifts, 3)] = 1.0
    out[n + 4] = bags / 2
    _decks(state, out, n + 5)
    n += 11
    if state.phase == ACTIONS:
        out[n + min(state.left, 3)] = 1.0
    elif state.phase == DRAWING:
        out[n + 4 + min(state.left, 2)] = 1.0
    elif state.phase == FLOODING:
        out[n + 7 + min(state.left, 5)] = 1.0
    n += 13
    out[n] = state.flown
    _water(state, out, lie, n + 1)
    _going_home(state, out, captured, lifts, n + 10)


@kernel
def _decks(state: State, out: Any, n: int) -> None:
    """What treasure cards are gone and still to come."""
    out[n] = state.treasure_discard[HELICOPTER] / 3
    out[n + 1] = state.treasure_discard[SANDBAGS] / 2
    out[n + 2] = state.treasure_discard[WATERS_RISE] / 3
    rising = CARD_COPIES[WATERS_RISE] - state.treasure_discard[WATERS_RISE]
    out[n + 3] = rising / 3
    out[n + 4] = rising / max(1, state.treasure_left)
    out[n + 5] = state.treasure_left / 28


@kernel
def _water(state: State, out: Any, lie: FloodPiles, n: int) -> None:
    """How far the island has sunk, and what the flood deck has in store."""
    out[n] = state.flood_left / TILES
    out[n + 1] = state.flood_shown / TILES
    out[n + 2] = popcount(lie.top) / TILES
    out[n + 3] = popcount(lie.top & state.flooded) / 6
    out[n + 4] = popcount(lie.shown & state.flooded) / 6
    out[n + 5] = popcount(state.flooded) / TILES
    out[n + 6] = popcount(state.sunk) / TILES
    out[n + 7] = popcount(state.over) / 2
    out[n + 8] = 1.0 if state.swimming else 0.0


@kernel
def _going_home(state: State, out: Any, captured: int, lifts: int, n: int) -> None:
    """How far all are from taking off."""
    out[n] = 1.0 if can_lift_off(state) else 0.0
    gathered = far = 0.0
    for seat in range(state.players):
        away = out[AWAY + seat * TILES + state.place_of[FOOLS_LANDING]]
        gathered += 1.0 if away == 0 else 0.0
        far = max(far, away)
    out[n + 1] = gathered / state.players
    out[n + 2] = far / FAR
    if captured == N_TREASURES:
        out[n + 3] = 1.0
        out[n + 4] = far / FAR
        out[n + 5] = 1.0 if lifts else 0.0
