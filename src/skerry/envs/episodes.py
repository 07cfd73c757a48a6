"""What environments say about a game beside its observations: how it ended, the scores, and actions in words."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from skerry.engine.game import Game
from skerry.engine.notation import Names
from skerry.engine.struct import StructBuffer
from skerry.envs.batch import Batch

ILLEGAL_ACTION, LIMIT_REACHED = "illegal action", "limit"  # endings that are not the game's own
PASS = "pass"


def ending_names(batch: Batch) -> NDArray[np.object_]:
    """How each game ended in the last step, by the names of the game's endings; empty where it goes on."""
    own = np.array([ILLEGAL_ACTION, *(ending.name for ending in batch.game.endings)], np.object_)
    names = np.full(batch.count, "", np.object_)
    names[batch.terminated] = own[batch.endings[batch.terminated]]
    names[batch.truncated] = LIMIT_REACHED
    return names


def episode_info(batch: Batch, number: int = 0) -> dict[str, Any]:
    """The seat to decide (-1: none) and the rewards of all seats; at the end also how it ended, and the scores."""
    info: dict[str, Any] = {"seat": int(batch.seats[number]), "rewards": batch.rewards[number].tolist()}
    if batch.terminated[number] or batch.truncated[number]:
        info |= {"ending": str(ending_names(batch)[number]), "scores": batch.scores[number].tolist()}
    return info


def names_in(game: Game, state: NDArray[Any]) -> Names:
    """The names of the entities in a game."""
    return game.ui.names(StructBuffer(game.state_struct, state.tobytes()).struct)


class ActionTexts:
    """The texts of the actions of one game of a batch, as ``skerry.engine.notation`` writes them."""

    def __init__(self, batch: Batch, number: int = 0) -> None:
        self._game, self._size = batch.game, batch.config.actions
        self._names = names_in(batch.game, batch.states[number : number + 1])
        self._texts: dict[int, str] = {}

    def __getitem__(self, action: int) -> str:
        text = self._texts.get(action)
        if text is None:
            text = self._texts[action] = self._text(action)
        return text

    def _text(self, action: int) -> str:
        if not 0 <= action < self._size:
            return f"no action: {action}"
        if action == self._game.actions.size:
            return PASS
        return self._game.actions.action(action, self._names).text
