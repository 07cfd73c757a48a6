"""Refusals of the server, in addition to those of the rules. ``problems.py`` gives each its HTTP status."""

from __future__ import annotations

from skerry.engine.errors import Refusal
from skerry.engine.messages import Message, say


class Unauthenticated(Refusal):
    """The request has no guest, or one that this server does not know (any more)."""


class Forbidden(Refusal):
    """The guest may not do this: the seat is somebody else's, or only the host may do it."""


class MatchNotFinished(Refusal):
    """Available only after the end of a match."""


class NotAnalysed(Refusal):
    """Nobody has asked for the analysis of a match."""


class MatchNotFound(Refusal):
    """There is no such match, or none that this guest may know of."""


class ChallengeNotFound(Refusal):
    """There is no such challenge."""


class DealHidden(Refusal):
    """The match plays a challenge that this guest has yet to finish: nothing of its deal is shown."""

    def __init__(self, match: str, challenge: str) -> None:
        super().__init__(
            say("this table plays a challenge; you can look on once you have finished your own game of it")
        )
        self.match = match
        self.challenge = challenge


class MatchUnreadable(Refusal):
    """A match that is stored here cannot be opened, for example because its game is not installed."""


def not_installed(game: str) -> Message:
    """Why a match of an unknown game cannot be opened."""
    return say("the game {name} is not installed on this server", name=game)


def cannot_be_opened(why: Refusal) -> Message:
    """Why a match cannot be opened that the installed rules refuse."""
    return say("this match cannot be opened here: {why}", why=why.message)


class Conflict(Refusal):
    """Another request came first."""


class Stale(Refusal):
    """The client acted on an old state of the match. ``seq`` is the number of its latest step."""

    def __init__(self, seq: int) -> None:
        super().__init__(say("the match has moved on and is at {seq} now; look again", seq=seq))
        self.seq = seq


class TooEarly(Refusal):
    """Others still have time to do something before this step. ``wait`` is the number of seconds."""

    def __init__(self, wait: float) -> None:
        super().__init__(say("others still have a moment to act first"))
        self.wait = wait


class NoWait(Refusal):
    """The table does not wait for a seat: it could do nothing, or has asked too often."""


class RateLimited(Refusal):
    """A limit of this server is reached. ``wait`` is the number of seconds until a retry makes sense."""

    def __init__(self, message: Message | str, wait: float = 1.0) -> None:
        super().__init__(message)
        self.wait = wait
