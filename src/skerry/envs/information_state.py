"""What a player has seen and done so far, for algorithms that need perfect recall.

A step is kept as it was: who did what, what it told, and the state after it. What a player knows of it is worked out
when somebody asks, and condensed to a digest, so that two histories have the same digest if and only if the player
could not tell them apart: the player's own actions, the events that the player was told, the view after every step.
"""

from __future__ import annotations

import hashlib
import json
from typing import Any

import numpy as np
from numpy.typing import NDArray

from skerry.engine.events import LOG_WIDTH, WRITTEN, read_events
from skerry.engine.game import Game
from skerry.engine.notation import Names
from skerry.engine.struct import StructBuffer

DIGEST_SIZE = 16
BEGINNING = -1  # in place of the seat that acted
Step = tuple[int, int, bytes, bytes]  # the seat, its action or pass, the rows of the event log, the state after it


class History:
    """The steps of a game so far, as a chain: going on makes a new link and leaves the old ones as they are, so that
    copies of a position share them."""

    __slots__ = ("before", "digests", "step")

    def __init__(self, before: History | None, step: Step, digests: dict[int, bytes] | None = None) -> None:
        self.before = before
        self.step = step
        self.digests = digests or {}  # by player, as far as somebody has asked

    def __deepcopy__(self, memo: dict[int, Any]) -> History:
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        links = [*reversed(list(self._links()))]
        return _history_of, ([link.step for link in links], links[0].digests)

    def _links(self) -> Any:
        link: History | None = self
        while link is not None:
            yield link
            link = link.before

    def then(self, seat: int, action: int, log: NDArray[np.int16], content: bytes) -> History:
        """One step more."""
        return History(self, (seat, action, log[1 : log[0, WRITTEN] + 1].tobytes(), content))

    def digest(self, game: Game, names: Names, player: int) -> bytes:
        """What a player has seen and done, condensed."""
        unread = []
        link: History | None = self
        while link is not None and player not in link.digests:
            unread.append(link)
            link = link.before
        known = link.digests[player] if link is not None else b""
        for link in reversed(unread):
            known = link.digests[player] = _digest(known, game, names, player, link.step)
        return known

    def as_known_to(self, game: Game, names: Names, player: int, players: int) -> History:
        """A history that says nothing but what one player knows. Where the rest was resampled, the others have seen
        what nobody can say, and what they did see must not be told."""
        known = self.digest(game, names, player)
        digests = {
            other: hashlib.blake2b(known + bytes([other]), digest_size=DIGEST_SIZE).digest() for other in range(players)
        }
        return History(None, self.step, digests | {player: known})


def first_link(content: bytes) -> History:
    """The history of a game that has just begun."""
    return History(None, (BEGINNING, 0, b"", content))


def _history_of(steps: list[Step], digests: dict[int, bytes]) -> History:
    first, *others = steps
    history = History(None, first, digests)
    for step in others:
        history = History(history, step)
    return history


def _digest(known: bytes, game: Game, names: Names, player: int, step: Step) -> bytes:
    seat, action, log, content = step
    rows = np.frombuffer(log, np.int16).reshape(-1, LOG_WIDTH).tolist()
    told = [event.as_dict() for event in read_events(game.events, rows, names, player)]
    view = game.ui.view(StructBuffer(game.state_struct, content).struct, player)
    seen = json.dumps([action if seat == player else None, told, view], sort_keys=True)
    return hashlib.blake2b(known + seen.encode(), digest_size=DIGEST_SIZE).digest()
