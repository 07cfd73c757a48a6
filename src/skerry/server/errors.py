"""What the table refuses, besides what the rules refuse."""

from __future__ import annotations

from skerry.engine.errors import Refusal
from skerry.engine.messages import Message, say


class NoMatch(Refusal):
    """No such match, or none that this guest may know of."""


class NotYours(Refusal):
    """Somebody else's seat, or something only its guest or the host of a match may do."""


class Stale(Refusal):
    """The match has gone on since the asker last looked."""

    def __init__(self, seq: int) -> None:
        super().__init__(say("the match has gone on: it is at {seq} now; look again", seq=seq))
        self.seq = seq


class Taken(Refusal):
    """Somebody was quicker."""


class TooMuch(Refusal):
    """A limit of this table."""

    def __init__(self, message: Message | str, wait: float = 1.0) -> None:
        super().__init__(message)
        self.wait = wait


class NotYet(Refusal):
    """Something that is open only after the end of a match."""


class NotKnown(Refusal):
    """A guest that this table does not know (any more)."""
