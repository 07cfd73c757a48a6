"""Moments: what goes by itself at a table, and the time that people have before it.

A step is due when nobody has to decide anything (``Match.due_step``): the end of a turn without actions left, or a card
that is turned over. It goes by itself, in the name of the seat whose step it is, and is a step of the log like any
other.

People who could do something else first, such as play a card or undo what they have just done, get a moment before it:
a few seconds after the last step has been shown, longer if they ask the table to wait, none if they have said that they
need none in this turn. All of this follows from the log and from the seats as they are stored, so that all processes
agree about it, and so does the next process after a crash. Whoever has a moment is public: it depends on what everybody
knows to be possible, never on a hidden card.

Nobody can stall for ever: each step that reveals something is followed by a limited number of others before which
anybody gets time, undone ones included, and a seat can ask the table to wait a few times a turn.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import NamedTuple

from skerry.engine.match import DueStep
from skerry.engine.messages import say
from skerry.engine.notation import Action
from skerry.server.errors import NoWait, TooEarly
from skerry.server.match_session import MatchSession
from skerry.server.stances import MOST_WAITS, WAIT, Stance

EVENT_TIME = 0.4  # seconds in which a page shows an event
LONGEST_PLAYBACK = 5.0  # seconds in which a page shows all events of a message
JUST_ASKED = 2.0  # seconds within which a request to wait is taken to be the same one, repeated
MOST_MOMENTS = 30  # rows of the log since something was revealed: beyond that, nobody gets time


class Moment(NamedTuple):
    """The time that people have before a step that is due."""

    due: DueStep
    until_by_seat: dict[int, float]

    @property
    def until(self) -> float:
        """The end of the time that people have; 0 if nobody needs any."""
        return max(self.until_by_seat.values(), default=0.0)


def moment_of(session: MatchSession) -> Moment | None:
    """The moment before the next step, if that goes by itself."""
    due = session.due_step
    if due is None or not _has_begun(session, due):
        return None
    return Moment(due, dict(_times(session, due)))


def _has_begun(session: MatchSession, due: DueStep) -> bool:
    """Whether a step may go by itself: after something that cannot be undone; or if it is an automatic one. Without
    moments, nobody could undo anything before the end of their actions: then it is theirs to end them."""
    if not session.match.steps:
        return False
    is_sealed = session.match.steps[-1].sealed
    if session.header.guide:  # a tutorial comments on what could be done first
        return is_sealed and not due.free
    if is_sealed:
        return True
    is_automatic = session.game.actions.is_automatic(due.action.id)
    return is_automatic and (session.moment_seconds > 0 or not _ends_actions(session, due.action))


def _ends_actions(session: MatchSession, action: Action) -> bool:
    verb, _ = session.game.actions.decode(action.id)
    return verb.ends_turn


def _times(session: MatchSession, due: DueStep) -> Iterator[tuple[int, float]]:
    """Until when each seat has time that needs some."""
    if session.header.guide or session.rows_since_reveal > MOST_MOMENTS:
        return
    last = session.match.steps[-1]
    shown = session.last_activity + min(LONGEST_PLAYBACK, EVENT_TIME * len(last.log_rows))
    for seat in sorted(_seats_with_time(session, due)):
        if session.seats[seat].is_person:
            stance = session.stance(seat)
            needs_none = stance.passes or not session.moment_seconds
            until = max(stance.until, 0.0 if needs_none else shown + session.moment_seconds)
            if until:
                yield seat, until


def _seats_with_time(session: MatchSession, due: DueStep) -> set[int]:
    """Who could do something else before a step that is due. Cards that can be played before the end of somebody's
    actions can be played after it too, so that only its own seat has time then."""
    free = set() if _ends_actions(session, due.action) else set(due.free)
    if _may_regret(session):
        free.add(session.match.steps[-1].seat)
    return free


def _may_regret(session: MatchSession) -> bool:
    """Whether the last step can be undone, and did not only end actions of which none was left."""
    match = session.match
    last = match.steps[-1]
    return not last.sealed and not (_ends_actions(session, last.action) and match.took_nothing_away(last))


def held_until(session: MatchSession) -> float:
    """The time before which nothing goes by itself: no due step, and no step of a bot."""
    moment = moment_of(session)
    asked = (session.stance(seat).until for seat in seats_asking(session))
    return max(0.0 if moment is None else moment.until, *asked, 0.0)


def automatic_step(session: MatchSession) -> Moment | None:
    """The step that goes by itself at the seat of a person who does not turn every card by hand."""
    moment = moment_of(session)
    if moment is None:
        return None
    holder = session.seats[moment.due.seat]
    return moment if holder.is_person and not holder.by_hand else None


def immediate_step(session: MatchSession) -> DueStep | None:
    """A step that goes by itself at once: nobody has time before it, and no bot wants to be asked."""
    moment = automatic_step(session)
    return None if moment is None or held_until(session) or session.bots_to_ask else moment.due


def step_to_play(session: MatchSession) -> DueStep | None:
    """The step that goes by itself now: its time has come."""
    moment = automatic_step(session)
    return None if moment is None or held_until(session) > time.time() else moment.due


def check_has_time(session: MatchSession, seat: int, action: str | int) -> None:
    """Refuse a due step as long as others than its own player have time to do something else first."""
    moment = moment_of(session)
    if moment is None or seat != moment.due.seat or session.match.action(action) != moment.due.action:
        return
    mine = session.seats_of(session.seats[seat].guest) or (seat,)
    asked = {other: session.stance(other).until for other in seats_asking(session)}
    times = [until for other, until in (*moment.until_by_seat.items(), *asked.items()) if other not in mine]
    left = max(times, default=0.0) - time.time()
    if left > 0:
        raise TooEarly(left)


def seats_asking(session: MatchSession) -> tuple[int, ...]:
    """The seats for which the table waits, or has waited since the last step, because they asked for it."""
    return tuple(
        seat
        for seat, holder in enumerate(session.seats)
        if holder.is_person and session.stance(seat).until > session.last_activity and session.match.legal_ids(seat)
    )


# What seats say about the time they need


def stance_of_waiting(session: MatchSession, seat: int) -> Stance:
    """The stance of a seat that asks the table to wait, or a refusal if it has nothing to wait for."""
    stance, now = session.stance(seat), time.time()
    if not may_wait(session, seat):
        raise NoWait("you have nothing to play now, so the table doesn't wait")
    if stance.until > now + WAIT - JUST_ASKED:
        return stance
    if stance.waits >= MOST_WAITS:
        raise NoWait(say("the table waits for each seat {most} times a turn at most", most=MOST_WAITS))
    return stance.waiting(now)


def may_wait(session: MatchSession, seat: int) -> bool:
    """Whether a seat could do something while the game waits for another, or before a step that is due."""
    moment = moment_of(session)
    if moment is not None and (seat in moment.until_by_seat or seat in moment.due.free):
        return True
    return seat not in session.match.waiting and bool(session.match.legal_ids(seat))
