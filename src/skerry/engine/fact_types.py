"""What is wrong with the form of a fact sheet, in a sentence: what its author reads instead of an error of Python."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from skerry.engine.errors import BadGame
from skerry.engine.events import EventKind
from skerry.engine.layout import Counter, Grid, Hand, Pile, Track
from skerry.engine.notation import Actions
from skerry.engine.seats import MAX_SEATS

if TYPE_CHECKING:
    from skerry.engine.game import Game

NAME = re.compile(r"[a-z]+(-[a-z]+)*")
COMPONENTS = (Grid, Track, Counter, Pile, Hand)


def check_types(game: Game, ending: type[Any]) -> None:
    """Raise ``BadGame`` if a fact is not of the form that it should have."""
    if not NAME.fullmatch(game.name):
        raise BadGame(f"the name {game.name!r} is not words of a-z joined by hyphens, such as my-game")
    if not isinstance(game.seats, range):
        raise BadGame(f"seats is a range of the numbers of players, such as range(2, 5) for 2 to 4, not {game.seats!r}")
    if not game.seats or game.seats.step != 1 or game.seats[0] < 1 or game.seats[-1] > MAX_SEATS:
        raise BadGame(f"seats must be a range of consecutive numbers from 1 to {MAX_SEATS}, not {game.seats}")
    if not isinstance(game.actions, Actions):
        raise BadGame(f"actions must be Actions(Verb(…), …), not of type {type(game.actions).__name__}")
    if not hasattr(game.state_struct, "dtype"):
        raise BadGame("the class of the state is no struct: write @tk.struct above it")
    _check_tuple("endings", game.endings, ending)
    _check_tuple("events", game.events, EventKind)
    _check_tuple("layout", game.layout, *COMPONENTS)
    _check_tuple("options", game.options)
    if not game.endings:
        raise BadGame("endings are empty: a game needs at least one way to end")
    for kind, names in game.names.items():
        _check_tuple(f"the names of {kind}", names, str)
    for component in game.layout:
        if isinstance(component, Grid) and len(component.pieces) < 2:
            raise BadGame(f"the grid {component.field} needs two signs or more: the first is for the number 0")


def _check_tuple(what: str, given: Any, *kinds: type[Any]) -> None:
    """A tuple of things of some types. One thing in parentheses without a comma is no tuple."""
    wanted = " or ".join(kind.__name__ for kind in kinds) or "options"
    if not isinstance(given, (tuple, list)):
        hint = "one of them is written (…,), with a comma"
        raise BadGame(f"{what} must be a tuple of {wanted}, not of type {type(given).__name__}; {hint}")
    for one in given:
        if kinds and not isinstance(one, kinds):
            raise BadGame(f"{what} must be a tuple of {wanted}; it has a {type(one).__name__}")
