"""Names of the entities of a match, for sentences and for notation."""

from __future__ import annotations

from skerry.engine.messages import Message, say
from skerry.engine.notation import Name, Names
from skerry.games.forbidden_desert.rules import components
from skerry.games.forbidden_desert.rules.state import State


def names(state: State) -> Names:
    """Places are named by column and row, as tiles move; pawns by role. In notation, a seat's number works too."""
    pawns = [
        Name(components.ROLES[role], say(components.ROLE_TITLES[role]), (str(seat),))
        for seat, role in enumerate(list(state.role)[: state.players])
    ]
    return {
        "place": [Name(place, say("{place}", place=place)) for place in components.PLACE_NAMES],
        "pawn": pawns,
        "part": _names(components.PARTS, components.PART_TITLES, components.PART_ALIASES),
        "gear": _names(components.GEARS, components.GEAR_TITLES, components.GEAR_ALIASES),
        "number": _numbers(components.MAX_STORM_CARDS),
        "amount": _numbers(components.MAX_WATER),
        "tile": _names(components.TILE_NAMES, components.TILE_TITLES, ((),) * components.TILES),
        "card": [Name(slug, _card(card)) for card, slug in enumerate(components.STORM_NAMES)],
    }


def _names(slugs: tuple[str, ...], titles: tuple[str, ...], aliases: tuple[tuple[str, ...], ...]) -> list[Name]:
    return [Name(slug, say(title), also) for slug, title, also in zip(slugs, titles, aliases, strict=True)]


def _numbers(last: int) -> list[Name]:
    return [Name(str(n), say("{number}", number=n)) for n in range(1, last + 1)]


def _card(card: int) -> Message:
    if card == components.SUN:
        return say("Sun Beats Down")
    if card == components.PICKS_UP:
        return say("Storm Picks Up")
    direction = say(components.DIRECTIONS[card // components.MAX_WIND])
    return say("wind {direction}, {tiles}", direction=direction, tiles=card % components.MAX_WIND + 1)
