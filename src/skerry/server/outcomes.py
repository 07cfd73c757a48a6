"""Outcomes: how a finished match went for one guest, and in the few words of a list or of a line that is shared."""

from __future__ import annotations

import json
from collections.abc import Sequence
from enum import StrEnum

from skerry.engine.game import Game
from skerry.engine.messages import Message, format_list, say
from skerry.engine.struct import StructBuffer
from skerry.engine.upgrades import upgrade_path
from skerry.server.faults import contain
from skerry.server.match_summaries import MatchSummary
from skerry.server.stored_results import CLOSED


class Outcome(StrEnum):
    """How a match stands for a guest."""

    RUNNING = "running"
    WON = "won"
    LOST = "lost"
    POINTS = "points"  # of a match that only one plays
    OVER = "over"  # without the guest, or closed


def seats_of(summary: MatchSummary, guest: str) -> tuple[int, ...]:
    return tuple(seat for seat, holder in enumerate(summary.seats) if holder.guest == guest)


def outcome_for(summary: MatchSummary, guest: str) -> Outcome:
    if summary.ended is None:
        return Outcome.RUNNING
    mine, result = seats_of(summary, guest), summary.result
    if result is None or not mine or summary.ended == CLOSED:
        return Outcome.OVER
    if summary.game is not None and summary.game.cooperative:
        return Outcome.WON if is_won(summary) else Outcome.LOST
    if len(summary.seats) == 1:
        return Outcome.POINTS
    return Outcome.WON if set(mine) & set(result["winners"]) else Outcome.LOST


def is_won(summary: MatchSummary) -> bool:
    """Whether the team of a co-operative match has won."""
    return bool(json.loads(summary.header.result or "{}").get("won"))


def points_of(summary: MatchSummary, seats: Sequence[int]) -> float | None:
    """The best score of some seats, if the scores say more than who won."""
    scores = summary.result["scores"] if summary.result is not None else []
    if not scores or (len(scores) > 1 and max(scores) <= 1) or (summary.game is not None and summary.game.cooperative):
        return None
    return max((scores[seat] for seat in seats), default=None)


def outcome_words(summary: MatchSummary, guest: str, final: Message | None) -> Message:
    """How a match went for a guest: won, lost, points, and how close it was."""
    outcome = outcome_for(summary, guest)
    words = [say(OUTCOME_TEXTS[outcome])] if outcome is not Outcome.POINTS else []
    points = points_of(summary, seats_of(summary, guest))
    if points is not None:
        words.append(_points(points))
    return _joined([*words, *([final] if final is not None else [])])


def table_words(summary: MatchSummary, names: Sequence[str], final: Message | None) -> Message:
    """How a match went, for somebody who was not at it: the team, the points of whoever is alone, or the winners."""
    result = summary.result or {"winners": [], "scores": []}
    if summary.game is not None and summary.game.cooperative:
        words = say(OUTCOME_TEXTS[Outcome.WON if is_won(summary) else Outcome.LOST])
    elif len(summary.seats) == 1:
        words = _points(result["scores"][0])
    else:
        winners = [Message("{name}", {"name": names[seat]}) for seat in result["winners"]]
        words = say("won by {winners}", winners=format_list(winners)) if winners else say("over")
        points = points_of(summary, result["winners"])
        words = words if points is None else _joined([words, _points(points)])
    return words if final is None else _joined([words, final])


OUTCOME_TEXTS = {
    Outcome.RUNNING: "running",
    Outcome.WON: "won",
    Outcome.LOST: "lost",
    Outcome.POINTS: "points",
    Outcome.OVER: "over",
}
TEXTS = tuple(OUTCOME_TEXTS.values())


def _points(points: float) -> Message:
    return say("{points} points", points=int(points) if float(points).is_integer() else points)


def _joined(words: Sequence[Message]) -> Message:
    first, *rest = words
    for word in rest:
        first = Message("{first}, {second}", {"first": first, "second": word})
    return first


def final_words(game: Game | None, version: int, final_state: bytes | None) -> Message | None:
    """What the game says of the end of a match, given its last state."""
    if game is None or final_state is None:
        return None
    try:
        content = upgrade_path(game, version).state(final_state)
        return game.ui.final(StructBuffer(game.state_struct, content).struct)
    except Exception as error:
        contain("final words", error)
        return None
