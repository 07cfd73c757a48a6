"""The history service: archiving and deleting matches of one's own history, and the export of all that is stored."""

from __future__ import annotations

import datetime
from typing import Any

from skerry.server.challenge_store import ChallengeStore
from skerry.server.errors import Conflict, MatchNotFound
from skerry.server.history import HistoryEntry, first_states_of, game_texts, history_of, roles_of, statistics_of
from skerry.server.history_store import HistoryStore
from skerry.server.identity import Guest
from skerry.server.match_summaries import MatchSummaries
from skerry.server.outcomes import Outcome, seats_of
from skerry.server.schema import ARCHIVED, DELETED
from skerry.server.sessions import SessionRegistry


class HistoryService:
    def __init__(self, sessions: SessionRegistry, summaries: MatchSummaries) -> None:
        self.sessions = sessions
        self.summaries = summaries
        self.store = HistoryStore(sessions.store.database)
        self.challenges = ChallengeStore(sessions.store.database)

    async def entries(self, guest: str) -> list[HistoryEntry]:
        return await history_of(self.summaries, self.store, guest)

    async def archive(self, guest: str, match: str) -> None:
        """Take a match off the guest's lists."""
        await self._require_own(guest, match)
        await self.store.mark(guest, match, ARCHIVED)

    async def unarchive(self, guest: str, match: str) -> None:
        await self._require_own(guest, match)
        await self.store.unmark(guest, match)

    async def delete(self, guest: str, match: str) -> None:
        """Delete a match that nobody else has a seat in; hide one that others have played."""
        await self._require_own(guest, match)
        if await self.store.delete_match(guest, match):
            self.sessions.forget(match)
            return
        summary = await self.summaries.of_match(match)
        if summary is not None and summary.ended is None and seats_of(summary, guest):
            raise Conflict("others are still playing at this table; leave your seat first")
        await self.store.mark(guest, match, DELETED)

    async def _require_own(self, guest: str, match: str) -> None:
        summary = await self.summaries.of_match(match)
        if summary is None or not (summary.header.owner == guest or seats_of(summary, guest)):
            raise MatchNotFound("match not found")

    async def export(self, guest: Guest) -> dict[str, Any]:
        """Everything that is stored about a guest, as JSON."""
        entries = await self.entries(guest.id)
        roles = roles_of(entries, await first_states_of(self.sessions.store, entries), guest.language)
        texts = game_texts(None, guest.language)
        statistics = statistics_of(entries, roles, texts, datetime.datetime.now(datetime.UTC).date())
        made = await self.challenges.known_to(guest.id)
        return {
            "guest": {"id": guest.id, "name": guest.name, "language": guest.language, "by_hand": guest.by_hand},
            "matches": [_exported(entry, roles.get(entry.id, ())) for entry in entries],
            "statistics": statistics.as_dict(),
            "challenges": [
                {"id": row.id, "game": row.game, "day": row.day, "mine": row.owner == guest.id} for row in made
            ],
        }


def _exported(entry: HistoryEntry, roles: tuple[str, ...]) -> dict[str, Any]:
    header = entry.summary.header
    return {
        "id": entry.id,
        "game": header.game,
        "options": entry.options,
        "created": _iso(header.created),
        "last_action": _iso(entry.summary.last_activity),
        "outcome": entry.outcome.value,
        "result": None if entry.outcome is Outcome.RUNNING else entry.summary.result,
        "seats": list(entry.seats),
        "roles": list(roles),
        "people": [name for _, name in entry.partners],
        "bots": list(entry.bots),
        "archived": entry.archived,
        "challenge": header.challenge,
    }


def _iso(seconds: float) -> str:
    return datetime.datetime.fromtimestamp(seconds, datetime.UTC).isoformat(timespec="seconds")
