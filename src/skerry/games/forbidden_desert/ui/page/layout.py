"""Where things lie on the drawn board: 25 squares, and spots on a square for what stands there."""

from __future__ import annotations

from collections.abc import Sequence

from skerry.games.forbidden_desert.rules.components import N_PARTS, PLACE_NAMES, SIDE

TILE = 100
PITCH = 104  # a tile and the gap beside it
MARGIN = 26  # the letters and numbers of the chart; clue signs on the far sides

CORNERS = {
    name: (MARGIN + PITCH * (place % SIDE), MARGIN + PITCH * (place // SIDE)) for place, name in enumerate(PLACE_NAMES)
}
COLUMNS = {name[0]: corner[0] for name, corner in CORNERS.items()}
ROWS = {name[1]: corner[1] for name, corner in CORNERS.items()}

# Feet of the pawns that share a tile; those behind come first, so that the others are drawn over them.
FEET = (
    (),
    ((50, 94),),
    ((34, 94), (66, 94)),
    ((22, 94), (50, 94), (78, 94)),
    ((36, 64), (64, 64), (22, 97), (78, 97)),
    ((35, 61), (65, 61), (20, 98), (50, 98), (80, 98)),
)
# Middles of the parts that lie on one tile.
SPOTS = (
    (),
    ((50, 38),),
    ((32, 38), (68, 38)),
    ((24, 38), (50, 38), (76, 38)),
    ((18, 38), (39, 38), (61, 38), (82, 38)),
)
# Each clue's line has a track of its own below the tiles' names, so that several can share a row or column.
TRACKS = tuple(28 + 19 * part for part in range(N_PARTS))


def spread(places: Sequence[str | None], spots: Sequence[Sequence[tuple[int, int]]]) -> list[tuple[int, int]]:
    """Where each of some things is drawn, given the place of each; (0, 0) for those that lie nowhere."""
    drawn = []
    taken: dict[str, int] = {}
    for place in places:
        if place is None:
            drawn.append((0, 0))
            continue
        nth = taken.get(place, 0)
        taken[place] = nth + 1
        x, y = CORNERS[place]
        dx, dy = spots[places.count(place)][nth]
        drawn.append((x + dx, y + dy))
    return drawn
