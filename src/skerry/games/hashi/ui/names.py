"""The names of a match's entities, in sentences and in notation."""

from __future__ import annotations

from skerry.engine.messages import say
from skerry.engine.notation import Name, Names, name_all, seat_numbers
from skerry.games.hashi.rules import components
from skerry.games.hashi.rules.board import place_name
from skerry.games.hashi.rules.state import State
from skerry.games.hashi.ui.reasons import line_name

CARD_NAMES = tuple(f"{number}x{bridges}" for number, bridges in components.CARDS)  # a 5 with three bridges is 5x3


def names(state: State) -> Names:
    """Islands are named by column and row, lines by their two islands, players by the colour of their pen."""
    return {
        "island": [_untranslated_name(island_slug(state, island)) for island in range(components.ISLANDS)],
        "line": [_line_name(line_name(state, line)) for line in range(state.lines)],
        "number": [_untranslated_name(str(number)) for number in components.START_NUMBERS],
        "player": name_all(components.PENS, components.PEN_TITLES, seat_numbers(components.PENS))[: state.players],
        "bonus": name_all(components.BONUSES, components.BONUS_TITLES),
        "card": [_untranslated_name(name) for name in CARD_NAMES],
        "rank": name_all(components.RANK_NAMES, components.RANK_TITLES),
    }


def _untranslated_name(word: str) -> Name:
    return Name(word, say("{name}", name=word))


def _line_name(name: str) -> Name:
    first, _, second = name.partition("-")
    return Name(name, say("{name}", name=name), (f"{second}-{first}".lower(),))


def island_slug(state: State, island: int) -> str:
    return place_name(state.row[island], state.column[island])
