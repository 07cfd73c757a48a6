"""The requests and responses of the JSON API."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from fastapi import Path, Query
from pydantic import BaseModel, BeforeValidator, ConfigDict, Field

from skerry.server.identity import LONGEST_NAME


class Strict(BaseModel):
    """A request: unknown fields and values of other types are refused."""

    model_config = ConfigDict(extra="forbid", strict=True)


def _as_integer(given: Any) -> Any:
    """In JSON, 2.0 is an integer too."""
    return int(given) if isinstance(given, float) and given.is_integer() else given


Whole = Annotated[int, BeforeValidator(_as_integer)]


Language = Literal["en", "es", "pt"]


class GuestIn(Strict):
    name: str = Field(min_length=1, max_length=LONGEST_NAME, examples=["Ana"])
    language: Language = "en"


class GuestChange(Strict):
    name: str | None = Field(None, min_length=1, max_length=LONGEST_NAME)
    language: Language | None = None
    by_hand: bool | None = Field(None, description="whether you turn every card yourself")


class GuestOut(BaseModel):
    id: str
    name: str
    language: str
    by_hand: bool = Field(description="whether you turn every card yourself; otherwise they go by themselves")


class NewGuest(GuestOut):
    token: str = Field(description="send it as `Authorization: Bearer TOKEN`, and keep it secret: it identifies you")


class Link(BaseModel):
    link: str


class MatchIn(Strict):
    game: str = Field(max_length=60, examples=["forbidden-island"])
    options: dict[str, str | int | bool] = Field({}, description="see `GET /games`", max_length=40)
    seats: list[Annotated[str, Field(max_length=40)]] = Field(
        [], description="for each seat `me`, `open` or a bot's name; seats that are not named are open", max_length=16
    )
    listed: bool = Field(False, description="shown in the lobby; otherwise the match is found by its link only")
    hints: bool = Field(False, description="pages may ask for hints although several people play")
    clock: Whole | None = Field(None, description="seconds per decision; then a bot makes it", ge=5, le=2_592_000)


class SeatOut(BaseModel):
    seat: int
    title: str = Field(description="the game's name for it: a role, a colour")
    name: str | None = Field(description="the guest's name")
    bot: str | None = Field(description="the bot that plays it")
    open: bool
    mine: bool
    here: bool = Field(description="whether a page or a program of the guest is connected")


class MatchOut(BaseModel):
    id: str
    game: str
    options: dict[str, Any]
    seats: list[SeatOut]
    listed: bool
    clock: int | None
    seq: int = Field(description="the last number of the log")
    waiting: list[int] = Field(description="the seats whose decision the game waits for")
    result: dict[str, Any] | None
    link: str = Field(description="anybody with this link can watch, and take a free seat")
    rematch: str | None = None
    challenge: str | None = Field(None, description="the challenge whose deal it plays")
    problem: str | None = Field(None, description="why this match cannot be played on here, if so")


class Choice(BaseModel):
    action: str = Field(examples=["move C3"])
    label: str = Field(examples=["Move to Cave of Embers (C3)"])
    touches: list[str] = Field(description="its verb and the entities it names", examples=[["verb:move", "place:C3"]])


class ViewOut(BaseModel):
    seq: int
    seat: int | None
    view: dict[str, Any]
    prompt: str
    legal: list[Choice]
    undo: bool
    waiting: list[int]
    result: dict[str, Any] | None


class ActionIn(Strict):
    seat: Whole = Field(ge=0, le=15)
    action: str = Field(max_length=200, description="its text, such as `move C3`", examples=["move C3"])
    seq: Whole = Field(
        ge=0,
        le=2**31 - 1,
        description="the last number you have seen; if the match has gone on, the action is refused as stale",
    )
    key: str | None = Field(
        None, min_length=1, max_length=64, description="a key of your choice: the same key is not played twice"
    )


class UndoIn(Strict):
    seat: Whole = Field(ge=0, le=15)
    seq: Whole = Field(ge=0, le=2**31 - 1)
    key: str | None = Field(None, min_length=1, max_length=64)


class TimeIn(Strict):
    seat: Whole = Field(ge=0, le=15)
    wait: bool = Field(description="true: the table waits for you; false: it goes on without you in this turn")


class AdviceIn(Strict):
    seat: Whole = Field(ge=0, le=15)


class Advised(BaseModel):
    action: str = Field(examples=["move C3"])
    label: str = Field(examples=["Move to Cave of Embers (C3)"])
    value: float = Field(description="the chance to win, from 0 to 1, or the score: see `unit`", examples=[0.63])
    low: float = Field(description="with `high`, a 95 % interval", examples=[0.6])
    high: float = Field(examples=[0.66])
    why: str = Field(examples=["63 % to win, from 412 simulated games; the next best (Shore up C3): 58 %"])


class AdviceOut(BaseModel):
    seat: int
    seq: int = Field(description="the number of the log that the advice is about")
    unit: Literal["chance", "score"]
    wait: bool = Field(description="out of turn: doing none of this now is as good")
    actions: list[Advised] = Field(description="the best first")


class Done(BaseModel):
    seq: int = Field(description="the number of your action in the log")


class StepOut(BaseModel):
    seq: int
    seat: int | None = Field(description="none for a change of the rules, which `words` tells")
    action: str | None = Field(None, description="shown to its own seat only; after the end, to everybody")
    undone: str | None = None
    events: list[dict[str, Any]] = []
    words: list[str] = Field(description="the events as sentences")


class SitIn(Strict):
    who: str = Field(max_length=40, description="`me`, `open` or a bot's name", examples=["me"])


class SeatsIn(Strict):
    seats: list[Annotated[str, Field(max_length=40)]] = Field(
        [], description="for each seat `me`, `open` or a bot's name; seats that are not named are open", max_length=16
    )


class ChallengeIn(Strict):
    """Either a match, or a game with options, or a game with a day."""

    match: str | None = Field(None, max_length=24, description="a finished match that you have played")
    game: str | None = Field(None, max_length=60, examples=["forbidden-island"])
    options: dict[str, str | int | bool] = Field({}, description="see `GET /games`", max_length=40)
    day: str | None = Field(None, max_length=10, description="`today`, or a day like 2026-11-20 in UTC")
    level: str | None = Field(None, max_length=40, description="the difficulty of a deal of the day")


class ChallengeResult(BaseModel):
    match: str
    names: list[str | None] = Field(description="by seat: the guest's name")
    bots: list[str | None] = Field(description="by seat: the bot that played it at the end")
    result: dict[str, Any] | None
    steps: int
    first_try: bool = Field(description="whether nobody at the table knew the deal; other tries are not ranked")


class ChallengeOut(BaseModel):
    id: str
    game: str
    options: dict[str, Any]
    day: str | None
    level: str | None
    link: str = Field(description="anybody with this link can play the same deal")
    results: list[ChallengeResult] | None = Field(description="the best first; null until you have finished your own")


class Export(BaseModel):
    guest: GuestOut
    matches: list[dict[str, Any]] = Field(description="your matches, the last played first")
    statistics: dict[str, Any]
    challenges: list[dict[str, Any]] = Field(description="the challenges that you have made or played")


ChallengeId = Annotated[str, Path(max_length=24, pattern=r"^[A-Za-z0-9_-]{1,24}$", description="a challenge")]
MatchId = Annotated[str, Path(max_length=24, pattern=r"^[A-Za-z0-9_-]{1,24}$", description="a match")]
SeatNumber = Annotated[int, Path(ge=0, le=15)]
FromSeat = Annotated[int | None, Query(ge=0, le=15, description="one of your seats; without it, as a spectator")]
