"""The names of a match's entities, in sentences and in notation."""

from __future__ import annotations

import functools

from skerry.engine.messages import say
from skerry.engine.notation import Name, Names, name_all, seat_numbers
from skerry.games.cartagena.rules import components
from skerry.games.cartagena.rules.state import State


def names(state: State) -> Names:
    """Spaces are named by number, pirates by colour. A seat's number and a symbol's letter are accepted, too."""
    return _names(state.story, state.players)


@functools.cache
def _names(story: int, players: int) -> Names:
    cards = [
        Name(slug, say(title), (letter,) if slug == symbol else (f"d{letter}",))
        for slug, title, symbol, letter in zip(
            components.CARDS,
            components.CARD_TITLES,
            components.SYMBOLS * 2,
            components.SYMBOL_LETTERS.lower() * 2,
            strict=True,
        )
    ]
    colours = name_all(components.COLOURS, components.COLOUR_TITLES, seat_numbers(components.COLOURS))
    harbours = name_all(components.HARBOURS, components.HARBOUR_TITLES)
    return {"place": place_names(story), "card": cards, "colour": colours[:players], "harbour": harbours}


@functools.cache
def place_names(story: int) -> list[Name]:
    """The names of the places. On Tortuga alone, the start is the half-sunk sloop, and there is no other."""
    if story == components.TORTUGA:
        start, sloop = Name("sloop", say("the half-sunk sloop")), Name("open-sea", say("the open sea"))
    else:
        start, sloop = Name("prison", say("the prison")), Name("sloop", say("the sloop"))
    spaces = [Name(str(space), say("space {number}", number=space)) for space in range(1, components.SPACES + 1)]
    return [start, *spaces, sloop, Name("hideout", say("the hideout"))]
