"""The kernels that rollouts are made of, as protocols."""

from __future__ import annotations

from typing import Any, Protocol

from numpy.typing import NDArray

from skerry.bots.workspace import Workspace


class RolloutPolicy(Protocol):
    """Choose an action for a seat in the workspace's first world, whose ``count`` legal actions are in its buffer.

    Returns the index of the action, or ``PASS`` for a seat that may only interrupt, and the next random state.
    """

    def __call__(self, workspace: Workspace, seat: int, count: int, rng: Any, /) -> tuple[int, Any]: ...


class FinalValue(Protocol):
    """The value of the end of a game to a seat, and the number of the ending; 0 if the game is not over."""

    def __call__(self, state: Any, seat: int, won: NDArray[Any], scores: NDArray[Any], /) -> tuple[float, int]: ...
