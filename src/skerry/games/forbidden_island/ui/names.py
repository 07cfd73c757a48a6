"""Names of the entities of a match, for sentences and for notation."""

from __future__ import annotations

from skerry.engine.messages import say
from skerry.engine.notation import Name, Names, name_all
from skerry.games.forbidden_island.rules import components
from skerry.games.forbidden_island.rules.state import State


def names(state: State) -> Names:
    """Places are named by column and row, pawns by role. In notation, a tile's name or a seat's number works too."""
    layout = components.LAYOUTS[state.layout]
    places = [
        Name(
            place,
            say("{tile} ({place})", tile=say(components.TILE_TITLES[tile]), place=place),
            (components.TILE_NAMES[tile],),
        )
        for place, tile in zip(layout.place_names, state.tile_at, strict=True)
    ]
    pawns = [
        Name(components.ROLES[role].name, say(components.ROLES[role].title), (str(seat),))
        for seat, role in enumerate(list(state.role)[: state.players])
    ]
    cards = name_all(components.CARDS, components.CARD_TITLES, components.CARD_ALIASES)
    return {"place": places, "pawn": pawns, "treasure": cards[: components.N_TREASURES], "card": cards}
