"""The default page: the parts of a described layout, which the server's template ``layout.html`` draws."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from skerry.engine.default_ui.names import names_in, title_text
from skerry.engine.layout import Counter, Grid, Hand, Pile, Track
from skerry.engine.notation import Names
from skerry.engine.scene import PartFamily, Scene

if TYPE_CHECKING:
    from skerry.engine.game import Game
    from skerry.engine.protocols import View


SQUARE, GAP = 100, 28  # sizes in the drawing
TITLE = 30  # height of a component's title
PATH_SHAPE = 1.6  # of a winding track: how many times as wide as high
PAWNS_IN_ROW, PAWN = 3, 29  # on a space: how many stand side by side, and how far apart
COVERS = 5  # sets of colours of the picture in the lobby


class DefaultPage:
    """The module ``ui.page`` of a game that has none."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self._tops, self._width, self._height = _arrange(game)

    def shared_parts(self, view: View) -> Scene:
        """Squares and spaces with what stands on them, piles and counters."""
        names = names_in(self.game, view)
        squares, spaces, numbers, piles = PartFamily(), PartFamily(), PartFamily(), PartFamily()
        for component in self.game.layout:
            shown = view[component.field]
            match component:
                case Grid():
                    squares.update(self._squares(component, shown, names))
                case Track():
                    spaces.update(self._spaces(component, shown[: view["players"]], names))
                case Counter():
                    values = shown[: view["players"]] if isinstance(shown, list) else [shown]
                    each = isinstance(shown, list)
                    numbers[component.field] = {"title": component.title, "values": values, "each": each}
                case Pile():
                    piles[component.field] = {"title": component.title, "count": shown}
        return {"ground": self._ground(), "square": squares, "space": spaces, "number": numbers, "pile": piles}

    def personal_parts(self, view: View) -> Scene:
        """The hands: one's own cards, and how many the others hold."""
        names, hands = names_in(self.game, view), PartFamily()
        for component in self.game.layout:
            if isinstance(component, Hand):
                for seat, hand in enumerate(view[component.field]):
                    hands[f"{component.field}-{seat}"] = _hand(component, hand, names)
        return {"hand": hands}

    def _ground(self) -> dict[str, Any]:
        titles = [
            {"text": component.title, "top": self._tops[component.field] - TITLE / 2}
            for component in self.game.layout
            if component.field in self._tops
        ]
        paths = [
            " ".join(f"{x + SQUARE / 2:g},{y + SQUARE / 2:g}" for x, y in self._path(track))
            for track in self.game.layout
            if isinstance(track, Track)
        ]
        shown = titles if len(titles) > 1 else []
        return {"width": self._width, "height": self._height, "titles": shown, "paths": paths}

    def _squares(self, grid: Grid, shown: list[Any], names: Names) -> dict[str, Any]:
        values = _flat(shown)
        left, top = (self._width - grid.columns * SQUARE) / 2, self._tops[grid.field]
        return {
            f"{grid.field}-{index}": {
                "kind": grid.kind,
                "slug": _slug(names, grid.kind, index),
                "title": grid.title,
                "number": index + 1 if not grid.kind and len(values) > 1 else 0,
                "row": index // grid.columns,
                "x": left + index % grid.columns * SQUARE,
                "y": top + index // grid.columns * SQUARE,
                "piece": grid.pieces[values[index]],
                "value": values[index],
            }
            for index in range(grid.rows * grid.columns)
        }

    def _spaces(self, track: Track, positions: list[int], names: Names) -> dict[str, Any]:
        """The spaces of a track, which winds from row to row."""
        return {
            f"{track.field}-{space}": {
                "kind": track.kind,
                "slug": _slug(names, track.kind, space),
                "x": x,
                "y": y,
                "number": space,
                "pawns": _pawns([seat for seat, position in enumerate(positions) if position == space]),
            }
            for space, (x, y) in enumerate(self._path(track))
        }

    def _path(self, track: Track) -> list[tuple[float, float]]:
        """Where each space of a track begins: every other row runs from right to left."""
        columns, left, top = (
            path_columns(track),
            (self._width - path_columns(track) * SQUARE) / 2,
            self._tops[track.field],
        )
        places = []
        for space in range(track.length):
            row, column = divmod(space, columns)
            places.append((left + (columns - 1 - column if row % 2 else column) * SQUARE, top + row * SQUARE))
        return places


def _hand(hand: Hand, shown: dict[str, Any], names: Names) -> dict[str, Any]:
    named = names[hand.kind]
    held = [] if shown["cards"] is None else list(enumerate(shown["cards"]))
    cards = [(named[card].slug, title_text(named[card]), count) for card, count in held if count]
    return {"title": hand.title, "kind": hand.kind, "total": shown["total"], "cards": cards, "open": bool(held)}


def _slug(names: Names, kind: str, index: int) -> str:
    return names[kind][index].slug if kind else ""


def _flat(values: list[Any]) -> list[int]:
    return [one for value in values for one in (_flat(value) if isinstance(value, list) else [value])]


def _arrange(game: Game) -> tuple[dict[str, float], float, float]:
    """Where each board component begins, from top to bottom, and the size of the whole drawing."""
    boards = [component for component in game.layout if isinstance(component, (Grid, Track))]
    width = max([_size(board)[0] for board in boards], default=4 * SQUARE) + 2 * GAP
    tops: dict[str, float] = {}
    top = float(GAP)
    for board in boards:
        top += TITLE if len(boards) > 1 else 0
        tops[board.field] = top
        top += _size(board)[1] + GAP
    return tops, width, max(top, 2 * GAP)


def _size(board: Grid | Track) -> tuple[float, float]:
    if isinstance(board, Grid):
        return board.columns * SQUARE, board.rows * SQUARE
    columns = path_columns(board)
    return columns * SQUARE, math.ceil(board.length / columns) * SQUARE


def path_columns(track: Track) -> int:
    """How many spaces of a track lie side by side."""
    return min(track.length, math.ceil(math.sqrt(track.length * PATH_SHAPE)))


def _pawns(seats: list[int]) -> list[tuple[int, float, float]]:
    """The seats that stand on a space, and where."""
    left = (SQUARE - (min(len(seats), PAWNS_IN_ROW) - 1) * PAWN) / 2
    top = SQUARE * 0.58 - (math.ceil(len(seats) / PAWNS_IN_ROW) - 1) * PAWN / 2
    places = (divmod(index, PAWNS_IN_ROW) for index in range(len(seats)))
    return [(seat, left + column * PAWN, top + row * PAWN) for seat, (row, column) in zip(seats, places, strict=True)]


def cover(game: Game) -> dict[str, Any]:
    """What the picture in the lobby shows of a described layout, and its set of colours."""
    colours = sum(map(ord, game.name)) % COVERS
    for component in game.layout:
        if isinstance(component, Grid):
            return {
                "shows": "grid",
                "rows": min(component.rows, 4),
                "columns": min(component.columns, 6),
                "colours": colours,
            }
        if isinstance(component, Track):
            return {"shows": "track", "rows": 3, "columns": 5, "colours": colours}
    return {"shows": "cards", "rows": 1, "columns": 5, "colours": colours}
