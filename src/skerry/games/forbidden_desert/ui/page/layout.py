"""Coordinates of the drawn board: the 25 squares, and positions on a square for pawns and parts."""

from __future__ import annotations

from collections.abc import Sequence

from skerry.games.forbidden_desert.rules.components import N_PARTS, PLACE_NAMES, SIDE

TILE = 100
PITCH = 104  # a tile and the gap beside it
MARGIN = 26  # for the letters of columns and the numbers of rows, and for clue signs on the far sides

CORNERS = {
    name: (MARGIN + PITCH * (place % SIDE), MARGIN + PITCH * (place // SIDE)) for place, name in enumerate(PLACE_NAMES)
}
COLUMNS = {name[0]: corner[0] for name, corner in CORNERS.items()}
ROWS = {name[1]: corner[1] for name, corner in CORNERS.items()}

# Feet of the pawns, by the number of pawns on a tile; those behind come first, so that the others are drawn over them.
PAWN_POSITIONS = (
    (),
    ((50, 94),),
    ((34, 94), (66, 94)),
    ((22, 94), (50, 94), (78, 94)),
    ((36, 64), (64, 64), (22, 97), (78, 97)),
    ((35, 61), (65, 61), (20, 98), (50, 98), (80, 98)),
)
# Centres of the parts, by the number of parts on a tile.
PART_POSITIONS = (
    (),
    ((50, 38),),
    ((32, 38), (68, 38)),
    ((24, 38), (50, 38), (76, 38)),
    ((18, 38), (39, 38), (61, 38), (82, 38)),
)
# The offset of each clue's line, below the names of the tiles; they differ, so that several fit in a row or column.
CLUE_OFFSETS = tuple(28 + 19 * part for part in range(N_PARTS))


def positions_on_tiles(
    places: Sequence[str | None], positions: Sequence[Sequence[tuple[int, int]]]
) -> list[tuple[int, int]]:
    """Coordinates of some things from the place of each; (0, 0) for those that have no place.

    ``positions`` holds the positions on a tile for each number of things on it.
    """
    drawn = []
    taken: dict[str, int] = {}
    for place in places:
        if place is None:
            drawn.append((0, 0))
            continue
        nth = taken.get(place, 0)
        taken[place] = nth + 1
        x, y = CORNERS[place]
        dx, dy = positions[places.count(place)][nth]
        drawn.append((x + dx, y + dy))
    return drawn
