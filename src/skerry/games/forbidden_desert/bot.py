"""A simple player: digs itself out, drinks before it is too late, fetches the parts, and goes home.

It asks itself one question after another and does the first thing that some answer proposes and that is
legal. Every answer is an action's id, or -1. Only what a world of its own imagination shows is looked at.
"""

from __future__ import annotations

from typing import Any

from skerry.engine.bits import lowest
from skerry.engine.kernel import kernel
from skerry.games.forbidden_desert import actions as act
from skerry.games.forbidden_desert.facts import (
    ALL_PARTS,
    ARCHEOLOGIST,
    AROUND,
    BESIDE,
    BLASTER,
    BLOWS,
    CANTEEN,
    EXPLORER,
    JET_PACK,
    LAUNCH_PAD,
    MIRAGE,
    MOST_WATER,
    N_PARTS,
    NAVIGATOR,
    PICKS_UP,
    PLACES,
    RESERVE,
    SHIELD,
    SUN,
    THROTTLE,
    WATER_CARRIER,
    WELL,
)
from skerry.games.forbidden_desert.forecast import cards_in_sight
from skerry.games.forbidden_desert.knowledge import looks_wet
from skerry.games.forbidden_desert.reach import buried, can_water, in_reach, tiles
from skerry.games.forbidden_desert.state import FORECAST, STORM, State
from skerry.games.forbidden_desert.storm import sheltered

THIRSTY = 1  # water at which one looks for more
IDEAS = 9
SCARCE = 8  # markers in supply at which one removes sand wherever one is


@kernel
def simple(world: State, seat: int, legal: Any, count: int, counter: Any) -> Any:
    """What stands first in the list is always to go on: draw, keep, or end."""
    if world.phase == FORECAST:
        return _find(_worst_card(world), legal, count), counter
    for idea in range(IDEAS):
        action = _idea(world, seat, idea)
        if action >= 0:
            index = _find(action, legal, count)
            if index or legal[0] == action:
                return index, counter
    return 0, counter


@kernel
def _find(action: int, legal: Any, count: int) -> int:
    for index in range(count):
        if legal[index] == action:
            return index
    return 0


@kernel
def _idea(world: State, seat: int, number: int) -> int:
    if number == 0:
        return _share(world, seat)
    if number == 1:
        return _save(world, seat)
    if world.phase == STORM:
        return act.DRAW
    if number == 2:
        return _unbury(world, seat)
    if number == 3:
        return _go_home(world, seat)
    if number == 4:
        return _sweep(world, seat)
    if number == 5:
        return _head_for(world, seat, _water_places(world, seat))
    if number == 6:
        return _head_for(world, seat, _part_places(world))
    if number == 7:
        return _head_for(world, seat, _dig_places(world))
    return act.PLAY_THROTTLE if not world.left and world.gear[seat, THROTTLE] else act.END


@kernel
def _worst_card(world: State) -> int:
    """A storm card that picks up, or the sun, or the strongest wind goes to the bottom."""
    worst, found = BLOWS - 2, act.KEEP
    for number in range(cards_in_sight(world)):
        card = world.storm_deck[world.storm_left - 1 - number]
        harm = card % BLOWS if card < SUN else BLOWS + 1 if card == PICKS_UP else BLOWS
        if harm > worst:
            worst, found = harm, act.BOTTOM + number
    return found


@kernel
def _share(world: State, seat: int) -> int:
    """One water to who has at least two less: it ends by itself."""
    for other in range(world.players):
        room = CANTEEN[world.role[other]] - world.water[other]
        if can_water(world, seat, other) and room and world.water[other] + 1 < world.water[seat]:
            return act.WATER + other * MOST_WATER
    return -1


@kernel
def _save(world: State, seat: int) -> int:
    """Gear against thirst."""
    if world.water[seat] > THIRSTY:
        return -1
    if world.gear[seat, RESERVE]:
        return act.PLAY_RESERVE
    if world.gear[seat, SHIELD] and world.phase == STORM and not sheltered(world, seat):
        return act.PLAY_SHIELD
    return -1


@kernel
def _unbury(world: State, seat: int) -> int:
    if not buried(world, seat):
        return -1
    place = world.pawn[seat]
    if world.gear[seat, BLASTER] and world.sand[place] > 2:
        return act.BLAST + place
    return _clear(world, place)


@kernel
def _clear(world: State, place: int) -> int:
    """Two markers at once, if it is the Archeologist."""
    if not world.left:
        return -1
    if world.role[world.turn] == ARCHEOLOGIST and world.blocked >> place & 1:
        return act.CLEAR_TWO + place
    return act.CLEAR + place


@kernel
def _sweep(world: State, seat: int) -> int:
    """When hardly any markers are left, the most sand in reach."""
    if world.supply >= SCARCE:
        return -1
    best, most = -1, 0
    for place in range(PLACES):
        if in_reach(world, seat) >> place & 1 and world.sand[place] > most:
            best, most = place, world.sand[place]
    if best >= 0 and most > 2 and world.gear[seat, BLASTER]:
        return act.BLAST + best
    return _clear(world, best) if best >= 0 else -1


@kernel
def _find_tile(world: State, tile: int) -> int:
    """The place of an excavated tile, or -1."""
    for place in range(PLACES):
        if world.tile_at[place] == tile and world.excavated >> place & 1:
            return place
    return -1


@kernel
def _go_home(world: State, seat: int) -> int:
    """With all parts, to the launch pad; who is there clears it and, as the Navigator, fetches the others."""
    pad = _find_tile(world, LAUNCH_PAD)
    if world.taken != ALL_PARTS or pad < 0:
        return -1
    if world.pawn[seat] != pad:
        if world.gear[seat, JET_PACK] and not world.blocked >> pad & 1:
            return act.JET + pad
        return _head_for(world, seat, 1 << pad)
    if world.blocked >> pad & 1:
        return _clear(world, pad)
    if world.role[seat] == NAVIGATOR:
        for other in range(world.players):
            steps = _towards(world, other, 1 << pad, tiles(world) & ~world.blocked)
            if world.pawn[other] != pad and steps and not buried(world, other):
                return act.GUIDE + other * PLACES + lowest(steps)
    return act.END


@kernel
def _thirsty(world: State) -> int:
    """Where those are who need water."""
    places = 0
    for seat in range(world.players):
        if world.water[seat] <= THIRSTY:
            places |= 1 << world.pawn[seat]
    return places


@kernel
def _water_places(world: State, seat: int) -> int:
    """For the thirsty a water tile, else a shelter; for the Water Carrier a well, or whom she can give to."""
    wells, drops = 0, 0
    for place in range(PLACES):
        if place != world.storm and looks_wet(world, place):
            if not world.excavated >> place & 1:
                drops |= 1 << place
            elif world.tile_at[place] < MIRAGE:
                wells |= 1 << place
    if world.role[seat] == WATER_CARRIER and wells:
        if world.water[seat] + 1 < CANTEEN[WATER_CARRIER]:
            return wells
        return _thirsty(world)
    if world.water[seat] > THIRSTY:
        return 0
    return drops if drops else world.tunnels


@kernel
def _part_places(world: State) -> int:
    places = 0
    for part in range(N_PARTS):
        if world.part_at[part] >= 0:
            places |= 1 << world.part_at[part]
    return places & tiles(world)


@kernel
def _dig_places(world: State) -> int:
    """Dunes to excavate, those without sand first; wells are kept for later."""
    places = tiles(world) & ~world.excavated
    for place in range(PLACES):
        if place != world.storm and looks_wet(world, place):
            places &= ~(1 << place)
    if places & ~world.sandy:
        return places & ~world.sandy
    return places & ~world.blocked if places & ~world.blocked else places


@kernel
def _head_for(world: State, seat: int, places: int) -> int:
    """The next thing to do to reach the nearest of some places, or to work there."""
    if not places or not world.left:
        return -1
    here = world.pawn[seat]
    if places >> here & 1:
        return _work(world, seat, here)
    free = tiles(world) if seat == world.climber else tiles(world) & ~world.blocked
    steps = _towards(world, seat, places, free)
    if steps:
        return act.MOVE + lowest(steps)
    steps = _towards(world, seat, places, tiles(world))
    if not steps:
        return -1
    return _clear(world, lowest(steps))


@kernel
def _work(world: State, seat: int, here: int) -> int:
    if not world.excavated >> here & 1:
        return _clear(world, here) if world.sandy >> here & 1 else act.EXCAVATE
    if world.blocked >> here & 1:
        return _clear(world, here)
    for part in range(N_PARTS):
        if world.part_at[part] == here:
            return act.TAKE + part
    if world.role[seat] == WATER_CARRIER and WELL <= world.tile_at[here] < MIRAGE:
        return act.FILL
    return act.END


@kernel
def _towards(world: State, seat: int, places: int, free: int) -> int:
    """The first steps of the shortest ways to the nearest of some places, over free tiles."""
    here = 1 << world.pawn[seat]
    ring = places & free
    seen = ring
    diagonal = world.role[seat] == EXPLORER
    while ring:
        wider = _spread(world, ring, diagonal)
        if wider & here:
            return ring & _spread(world, here, diagonal)
        ring = wider & free & ~seen
        seen |= ring
    return 0


@kernel
def _spread(world: State, places: int, diagonal: bool) -> int:
    """All places one step from any of a set, tunnels included."""
    found = world.tunnels if places & world.tunnels else 0
    while places:
        place = lowest(places)
        places &= places - 1
        found |= AROUND[place] if diagonal else BESIDE[place]
    return found
