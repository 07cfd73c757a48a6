"""Problems: how a refusal is answered, as an HTTP status and as the JSON of an error."""

from __future__ import annotations

from pydantic import BaseModel, Field

from skerry.engine.errors import BadOption, BadRecord, Illegal, NoUndo, Refusal, UnknownGame, UnknownSeat, Unreadable
from skerry.server.errors import (
    ChallengeNotFound,
    Conflict,
    DealHidden,
    Forbidden,
    MatchNotFinished,
    MatchNotFound,
    MatchUnreadable,
    NotAnalysed,
    NoWait,
    RateLimited,
    Stale,
    TooEarly,
    Unauthenticated,
)
from skerry.server.store import StoreDown


class Problem(BaseModel):
    """Why something was not done; nothing has changed."""

    code: str = Field(examples=["illegal"])
    message: str = Field(examples=["The Cave of Embers (C3) is not flooded"])
    rule: str | None = Field(None, description="the rule that says no", examples=["FI-23"])
    seq: int | None = Field(None, description="for `stale`: where the match stands now")


class Refused(BaseModel):
    error: Problem


STATUS: dict[type[Refusal], tuple[int, str]] = {
    BadOption: (400, "bad-option"),
    Unreadable: (400, "unreadable"),
    BadRecord: (400, "bad-record"),
    Unauthenticated: (401, "not-known"),
    Forbidden: (403, "not-yours"),
    MatchNotFinished: (403, "not-yet"),
    DealHidden: (403, "deal-hidden"),
    ChallengeNotFound: (404, "no-challenge"),
    UnknownGame: (404, "unknown-game"),
    MatchNotFound: (404, "no-match"),
    NotAnalysed: (404, "not-analysed"),
    UnknownSeat: (404, "unknown-seat"),
    Stale: (409, "stale"),
    Conflict: (409, "taken"),
    TooEarly: (409, "too-early"),
    MatchUnreadable: (409, "unreadable-match"),
    NoUndo: (409, "no-undo"),
    NoWait: (409, "no-wait"),
    Illegal: (422, "illegal"),
    RateLimited: (429, "too-much"),
    StoreDown: (503, "store-down"),
}


def status_of(refusal: Refusal) -> tuple[int, str]:
    """The HTTP status and the error code of a refusal: those of the nearest class that has some."""
    return next((STATUS[kind] for kind in type(refusal).__mro__ if kind in STATUS), (400, "refused"))
