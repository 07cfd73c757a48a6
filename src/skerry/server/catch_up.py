"""Catching up: the one message that brings a client of any age up to date."""

from __future__ import annotations

from typing import NamedTuple

from skerry.server.match_log import LogRow, decode_entry
from skerry.server.match_session import MatchSession
from skerry.server.presenter import Snapshot, data_message, page_message, parts_at
from skerry.server.renderer import parts_by_id, renderer_for
from skerry.server.sessions import SessionRegistry
from skerry.server.topics import TopicKey, sse_message


class Missed(NamedTuple):
    """What the store knows about the time since a client's last message."""

    rows: list[LogRow]
    state: bytes | None  # the state that the client knows; None if there is no such number in the log


async def read_missed(sessions: SessionRegistry, session: MatchSession, since: int) -> Missed:
    rows = await sessions.log(session, max(since, 0)) if since < session.seq else []
    return Missed(rows, await _state_at(sessions, session, since))


async def _state_at(sessions: SessionRegistry, session: MatchSession, seq: int) -> bytes | None:
    if seq == session.seq:
        return session.match.content
    if seq == 0:
        return session.initial_state
    row = await sessions.entry(session, seq) if 0 < seq < session.seq else None
    return None if row is None else bytes(row.state)


def missed_message(snapshot: Snapshot, key: TopicKey, missed: Missed) -> bytes:
    """The steps that were missed and, for a page, all parts that look different now."""
    session = snapshot.session
    seq = session.seq
    entries = [decode_entry(session.match, row) for row in missed.rows if row.seq <= seq]
    if not key.page:
        return sse_message(seq, data_message(session, key.seat, key.language, entries))
    renderer = renderer_for(session.game, key.language)
    parts = parts_by_id(snapshot.scene(key.seat, renderer))
    old = {} if missed.state is None else parts_at(session, key.seat, renderer, missed.state)
    changed = [renderer.part_json(part) for element_id, part in parts.items() if old.get(element_id) != part]
    return sse_message(seq, page_message(seq, snapshot.steps_json(key.seat, renderer.translations, entries), changed))
