"""Options of commands about the variant to play and the bots at its seats."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from skerry.engine.errors import BadOption
from skerry.engine.game import Game, Variant
from skerry.engine.messages import say
from skerry.games import find_game

PLAYERS = "players"


class Seating(NamedTuple):
    """A variant, and the names of those at its seats."""

    variant: Variant
    seats: tuple[str, ...]


def read_names(text: str | None) -> tuple[str, ...]:
    """The names in a comma-separated list."""
    return tuple(name.strip() for name in text.split(",")) if text else ()


def read_seating(name: str, seats: str | None, options: dict[str, str], default: str) -> Seating:
    """The variant and the name at each seat.

    A single name takes all seats. Several names set the number of players, unless an option does.
    """
    names = read_names(seats)
    if len(names) > 1 and PLAYERS not in options:
        options = {**options, PLAYERS: str(len(names))}
    variant = find_game(name).configure(options)
    if len(names) == 1:
        names *= variant.players
    return Seating(variant, names or (default,) * variant.players)


def read_sweep_base(game: Game, seats: str | None, options: Mapping[str, str], vary: Mapping[str, str]) -> Seating:
    """The variant that a sweep starts from, and the bots. They may be fewer than the seats of its variants."""
    for name in vary:
        if name in options:
            raise BadOption(f"{name} is both in --option and in --sweep")
    if seats and "bots" in vary:
        raise BadOption("bots are both in --seats and in --sweep")
    names = read_names(seats)
    if len(names) > 1 and PLAYERS not in options and PLAYERS not in vary:
        options = {**options, PLAYERS: str(len(names))}
    variant = game.configure(options)
    if len(names) > 1 and PLAYERS not in vary and len(names) != variant.players:
        raise BadOption(say("{given} bots for {wanted} seats", given=len(names), wanted=variant.players))
    return Seating(variant, names)
