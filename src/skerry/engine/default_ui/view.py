"""The default view: what the components of the layout show, and nothing else."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from skerry.engine.default_ui.names import default_names, shown_names
from skerry.engine.layout import Component, Hand, Pile

if TYPE_CHECKING:
    from skerry.engine.game import Game
    from skerry.engine.protocols import State, View


def default_view(game: Game, state: State, seat: int | None) -> View:
    """All that a seat, or a spectator (None), may see."""
    players = int(state.players) if hasattr(state, "players") else game.seats[-1]
    names = game.ui.names(state)
    own_names = {} if names is default_names(game) else {"names": shown_names(game, names)}
    return {
        "players": players,
        "seat": seat,
        **own_names,
        **{component.field: _shown(component, state, seat, players) for component in game.layout},
    }


def _shown(component: Component, state: State, seat: int | None, players: int) -> Any:
    value = plain(getattr(state, component.field))
    match component:
        case Pile():
            return total(value)
        case Hand():
            return [
                {"total": sum(cards), "cards": cards if owner == seat else None}
                for owner, cards in enumerate(value[:players])
            ]
        case _:
            return value


def plain(value: Any) -> Any:
    """A field of a struct as plain numbers and lists."""
    return int(value) if isinstance(value, (int, np.integer)) else np.asarray(value).tolist()


def total(value: Any) -> int:
    """The sum of all numbers of a field."""
    return int(value) if isinstance(value, int) else sum(map(total, value))
