"""Names of the entities of a match, for sentences and for notation."""

from __future__ import annotations

from skerry.engine.messages import Message, say
from skerry.engine.notation import Name, Names, name_all
from skerry.games.forbidden_desert.rules import components
from skerry.games.forbidden_desert.rules.state import State


def names(state: State) -> Names:
    """Places are named by column and row, as tiles move; pawns by role. In notation, a seat's number works too."""
    pawns = [
        Name(components.ROLES[role].name, say(components.ROLES[role].title), (str(seat),))
        for seat, role in enumerate(list(state.role)[: state.players])
    ]
    return {
        "place": [Name(place, say("{place}", place=place)) for place in components.PLACE_NAMES],
        "pawn": pawns,
        "part": name_all(components.PARTS, components.PART_TITLES, components.PART_ALIASES),
        "gear": name_all(components.GEARS, components.GEAR_TITLES, components.GEAR_ALIASES),
        "number": _numbers(components.MAX_STORM_CARDS),
        "amount": _numbers(components.MAX_WATER),
        "tile": name_all(components.TILE_NAMES, components.TILE_TITLES),
        "card": [Name(slug, _card(card)) for card, slug in enumerate(components.STORM_NAMES)],
    }


def _numbers(last: int) -> list[Name]:
    return [Name(str(n), say("{number}", number=n)) for n in range(1, last + 1)]


def _card(card: int) -> Message:
    if card == components.SUN:
        return say("Sun Beats Down")
    if card == components.PICKS_UP:
        return say("Storm Picks Up")
    direction = say(components.DIRECTIONS[card // components.MAX_WIND])
    return say(
        "the wind carries {tiles} {tiles:tile|tiles} {direction}",
        direction=direction,
        tiles=card % components.MAX_WIND + 1,
    )
