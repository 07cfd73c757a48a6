"""The requests and responses of analyses."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, Field

from skerry.server.analysis.jobs import EFFORT
from skerry.server.routes.api.models import Strict, Whole

VIEWPOINT = r"^(table|spectator|open|seat-[0-9]{1,2})$"
GradeOut = Literal["best", "good", "inaccuracy", "mistake", "blunder"]
BySeat = list[float]


class AnalysisIn(Strict):
    viewpoint: str | None = Field(
        None,
        max_length=12,
        pattern=VIEWPOINT,
        description="from whose knowledge: `table` (what the players knew then) or, where players hide cards from each "
        "other, `open` (all hands), `spectator` or `seat-0`, …; by default `table` or `open`",
    )
    effort: Whole = Field(
        EFFORT,
        ge=1,
        le=20_000,
        description="worlds for a value and simulated games for a decision; a server has a limit",
    )


class ProgressOut(BaseModel):
    done: int = Field(description="decisions that are graded")
    total: int = Field(description="decisions to be graded; 0 until the course is known")


class MomentOut(BaseModel):
    step: int = Field(description="counted from 1", examples=[92])
    turn: int
    seat: int
    kind: Literal["luck", "best", "good", "inaccuracy", "mistake", "blunder"]
    headline: str = Field(examples=["Blunder: 11 percentage points lost"])
    words: list[str] = Field(description="what happened", examples=[["The Engineer shores up Gold Gate (D2)"]])
    why: str | None = Field(description="what would have been better")
    better: str | None = Field(description="a better action, or `pass`", examples=["lift messenger E4"])


class AnalysedSeatOut(BaseModel):
    seat: int
    decisions: BySeat = Field(description="what this seat's choices brought each seat")
    losses: float = Field(description="what this seat lost against the best that was found")
    grades: dict[GradeOut, int]


class AnalysedStepOut(BaseModel):
    step: int = Field(description="counted from 1")
    turn: int
    seat: int
    decider: int = Field(description="whose decision it is: another seat's, if that did not interrupt")
    action: str | None
    words: list[str]
    values: BySeat = Field(description="after the step")
    luck: BySeat
    decision: BySeat
    grade: GradeOut | None = None
    loss: float | None = None
    value: float | None = Field(None, description="what the played action was worth")
    better: str | None = None


class CourseOut(BaseModel):
    unit: Literal["chance", "points"] = Field(description="the chance to win from 0 to 1, or a single player's points")
    complete: bool
    initial: BySeat
    final: BySeat = Field(description="`final` less `initial` is `luck` and `decisions` together, for each seat")
    luck: BySeat
    luck_error: BySeat = Field(description="standard error of the luck")
    decisions: BySeat
    verdict: list[str] = Field(examples=[["66 % at the start; luck cost 5 %, choices cost 62 %"]])
    notes: list[str] = Field(description="for which players the values hold, and what they know")
    seats: list[AnalysedSeatOut]
    moments: list[MomentOut] = Field(description="the steps that mattered most")
    steps: list[AnalysedStepOut]


class AnalysisOut(BaseModel):
    match: str
    viewpoint: str
    state: Literal["queued", "running", "done", "failed"]
    effort: int
    version: str = Field(description="of Skerry, which made it")
    outdated: bool = Field(description="another version made it; asking again makes it anew")
    ahead: int = Field(description="analyses that come before it, while it is `queued`")
    progress: ProgressOut
    course: CourseOut | None = Field(description="what there is so far")
