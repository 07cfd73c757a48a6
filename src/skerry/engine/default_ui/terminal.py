"""The default board in a terminal, from a described layout."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rich.box import SQUARE
from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from skerry.engine.default_ui.names import names_in
from skerry.engine.layout import Component, Counter, Grid, Hand, Pile, Track

if TYPE_CHECKING:
    from skerry.engine.game import Game
    from skerry.engine.messages import Translate
    from skerry.engine.notation import Name, Names
    from skerry.engine.protocols import View


def default_board(game: Game, view: View, width: int, translate: Translate = str) -> RenderableType:
    """The board of a view, for a terminal of this width."""
    names = names_in(game, view)
    return Group(*(_drawn(game, component, view, names, translate) for component in game.layout))


def _drawn(game: Game, component: Component, view: View, names: Names, translate: Translate) -> RenderableType:
    shown = view[component.field]
    match component:
        case Grid():
            return Group(Text(translate(component.title), "dim"), _grid(component, shown, names))
        case Track():
            return _track(component, shown[: view["players"]], translate)
        case Counter():
            numbers = shown[: view["players"]] if isinstance(shown, list) else [shown]
            return Text(f"{translate(component.title)}: {', '.join(map(str, numbers))}")
        case Pile():
            return Text(f"{translate(component.title)}: {shown}")
        case Hand():
            return Group(*(_hand(game, component, seat, hand, names, translate) for seat, hand in enumerate(shown)))


def _grid(grid: Grid, shown: list[Any], names: Names) -> Table:
    """The squares; an empty one shows its name, so that it can be typed."""
    named = names.get(grid.kind, ())
    table = Table(box=SQUARE, show_header=False, show_lines=True)
    values = [value for row in shown for value in (row if isinstance(row, list) else [row])]
    for row in range(grid.rows):
        cells = []
        for index in range(row * grid.columns, (row + 1) * grid.columns):
            piece = grid.pieces[values[index]]
            cells.append(Text(piece, "bold") if piece or not named else Text(named[index].slug, "dim"))
        table.add_row(*cells)
    return table


def _track(track: Track, positions: list[int], translate: Translate) -> Text:
    line = Text(f"{translate(track.title)}: ")
    for space in range(track.length):
        here = [str(seat + 1) for seat, position in enumerate(positions) if position == space]
        line.append(f"[{','.join(here) or ' '}]", "bold" if here else "dim")
    return line


def _hand(game: Game, hand: Hand, seat: int, shown: dict[str, Any], names: Names, translate: Translate) -> Text:
    owner = names[game.seat_kind][seat].title.render(translate)
    if shown["cards"] is None:
        return Text(f"{owner}: {translate(hand.title)} {shown['total']}")
    cards = [_card(names[hand.kind][card], count) for card, count in enumerate(shown["cards"]) if count]
    return Text(f"{owner}: {', '.join(cards) or '–'}")


def _card(name: Name, count: int) -> str:
    """A card as it is typed, and how many there are if there are several."""
    return name.slug if count == 1 else f"{name.slug} ×{count}"
