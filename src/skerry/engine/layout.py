"""A described layout: what a game's board shows, without a line of HTML.

A game lists components, each of which shows one field of the state. The view, the page in the browser and the board in
the terminal are made from them. A component says by its kind who may see its field: a ``Grid``, a ``Track`` and a
``Counter`` are open to all, of a ``Pile`` only the size is, and of a ``Hand`` its own seat sees the cards, the others
how many they are. A field that no component names is shown to nobody.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from skerry.engine.messages import Msgid


@dataclass(frozen=True, kw_only=True)
class Grid:
    """A board of squares: the field has a number for each square, row by row."""

    field: str  # of the state
    rows: int  # from top to bottom
    columns: int  # from left to right
    pieces: tuple[str, ...]  # the sign of each number, the first one for 0: ("", "X", "O")
    kind: str = ""  # of the entities that actions name: touching a square chooses one
    title: Msgid = "Board"  # as people read it


@dataclass(frozen=True, kw_only=True)
class Track:
    """A row of spaces along which seats move: the field has the space of each seat, counted from 0."""

    field: str  # of the state
    length: int  # the number of spaces
    kind: str = ""  # of the entities that actions name: touching a space chooses one
    title: Msgid = "Track"  # as people read it


@dataclass(frozen=True, kw_only=True)
class Counter:
    """A number, or one number for each seat."""

    field: str  # of the state
    title: Msgid  # as people read it


@dataclass(frozen=True, kw_only=True)
class Pile:
    """A face-down pile. The field has its size or, for each kind of card, how many are in it."""

    field: str  # of the state
    title: Msgid  # as people read it


@dataclass(frozen=True, kw_only=True)
class Hand:
    """The cards of each seat: the field has, for each seat and each kind of card, how many it holds."""

    field: str  # of the state
    kind: str  # of the entities that cards are; ``Game.names`` or ``ui.names`` name them
    title: Msgid = "Hand"  # as people read it


Component: TypeAlias = Grid | Track | Counter | Pile | Hand
