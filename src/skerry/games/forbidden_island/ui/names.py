"""What the entities of a match are called, in sentences and in notation."""

from __future__ import annotations

from skerry.engine.errors import say
from skerry.engine.notation import Name, Names
from skerry.games.forbidden_island.rules import components
from skerry.games.forbidden_island.rules.state import State


def names(state: State) -> Names:
    """Places are called by their chart position, pawns by their role; typed, a tile's name or a seat will do too."""
    chart = components.CHARTS[state.layout]
    places = [
        Name(
            place,
            say("{tile} ({place})", tile=say(components.TILE_TITLES[tile]), place=place),
            (components.TILE_NAMES[tile],),
        )
        for place, tile in zip(chart.places, state.tile_at, strict=True)
    ]
    pawns = [
        Name(components.ROLES[role], say(components.ROLE_TITLES[role]), (str(seat),))
        for seat, role in enumerate(list(state.role)[: state.players])
    ]
    cards = [
        Name(name, say(title), also)
        for name, title, also in zip(components.CARDS, components.CARD_TITLES, components.CARD_ALIASES, strict=True)
    ]
    return {"place": places, "pawn": pawns, "treasure": cards[: components.N_TREASURES], "card": cards}
