"""Summaries of matches: what lists show of them, read from the store without loading a session.

A list takes the same few statements for one match as for fifty, compiles nothing, and shows matches that cannot be
opened here as what they are.
"""

from __future__ import annotations

import functools
import json
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from skerry.engine.errors import Refusal
from skerry.engine.game import Game
from skerry.engine.i18n.translations import Translations
from skerry.engine.messages import Message
from skerry.engine.notation import Names
from skerry.engine.struct import StructBuffer
from skerry.engine.upgrades import upgrade_path
from skerry.server.errors import cannot_be_opened, not_installed
from skerry.server.faults import contain
from skerry.server.match_session import SeatHolder
from skerry.server.schema import DELETED
from skerry.server.sessions import FindGame
from skerry.server.store import Row, Store
from skerry.server.stored_results import CLOSED, closed_message

NAMES_CACHE_SIZE = 500  # matches whose names are kept


@dataclass(frozen=True)
class MatchSummary:
    """A stored match without its log."""

    header: Row  # the row of the table ``matches``, without its first state
    seats: tuple[SeatHolder, ...]
    game: Game | None  # None if it is not installed
    problem: Message | None  # why the match cannot be played on here, if so

    @property
    def id(self) -> str:
        return str(self.header.id)

    @property
    def title(self) -> str:
        return self.header.game if self.game is None else self.game.title

    @property
    def ended(self) -> str | None:
        """The name of the ending, or None while the match runs."""
        ended: str | None = self.header.ended
        return ended

    @property
    def last_activity(self) -> float:
        return float(self.header.at)

    @property
    def waiting(self) -> tuple[int, ...]:
        """The seats whose decision the game waits for."""
        if self.ended is not None or self.problem is not None:
            return ()
        return tuple(seat for seat in range(len(self.seats)) if (self.header.waiting or 0) >> seat & 1)

    @property
    def result(self) -> dict[str, Any] | None:
        """The ending, the winners and the scores, once the match is over."""
        if self.header.result is None:
            return None
        stored = json.loads(self.header.result)
        return {"ending": self.ended, "winners": stored["winners"], "scores": stored["scores"]}

    def waits_for(self, guest: str | None) -> bool:
        """Whether a guest is to move."""
        return any(
            self.seats[seat].guest == guest and self.seats[seat].bot is None
            for seat in self.waiting
            if guest is not None
        )


class MatchSummaries:
    """Reads summaries from the store."""

    def __init__(self, store: Store, find: FindGame) -> None:
        self.store = store
        self.find = find

    async def listed(self) -> list[MatchSummary]:
        """The unfinished matches that anybody may find, the newest first."""
        return await self.with_seats(await self.store.listed())

    async def of_guest(self, guest: str) -> list[MatchSummary]:
        """The matches in which a guest has a seat or that the guest opened: unfinished ones first, then the newest."""
        return await self.with_seats(await self.store.of_guest(guest))

    async def history(self, guest: str, limit: int) -> list[MatchSummary]:
        """The same with those that the guest has archived, the last played first."""
        rows = await self.store.of_guest(guest, limit, hidden=(DELETED,))
        return await self.with_seats(sorted(rows, key=lambda row: -float(row.at)))

    async def with_seed(self, guest: str, game: Game, seed: int) -> MatchSummary | None:
        """A guest's latest match of a game with this seed."""
        row = await self.store.with_seed(guest, game.name, str(seed))
        return None if row is None else (await self.with_seats([row]))[0]

    async def of_match(self, match: str) -> MatchSummary | None:
        row = await self.store.summary(match)
        return None if row is None else (await self.with_seats([row]))[0]

    async def with_seats(self, rows: Sequence[Row]) -> list[MatchSummary]:
        """Summaries from their rows."""
        holders: defaultdict[str, list[SeatHolder]] = defaultdict(list)
        for seat in await self.store.seats_of_matches([row.id for row in rows]) if rows else ():
            holders[seat.match].append(SeatHolder.of_row(seat, seat))
        return [self._summary(row, tuple(holders[row.id])) for row in rows]

    def _summary(self, row: Row, seats: tuple[SeatHolder, ...]) -> MatchSummary:
        try:
            game = self.find(row.game)
        except Exception:  # also a package that fails to import: its matches are listed all the same
            return MatchSummary(row, seats, None, not_installed(row.game))
        return MatchSummary(row, seats, game, _problem(game, row))


def seat_titles(summary: MatchSummary, first_state: bytes | None, translations: Translations) -> tuple[str, ...]:
    """The names of the seats of a match, which its first state determines. Numbers if they cannot be told here."""
    game = summary.game
    if game is not None and first_state is not None:
        try:
            names = _names(game, int(summary.header.version), first_state)[game.seat_kind]
            return tuple(names[seat].title.render(translations) for seat in range(len(summary.seats)))
        except Exception as error:
            contain("seat titles", error, match=summary.id)
    return tuple(str(seat + 1) for seat in range(len(summary.seats)))


@functools.lru_cache(NAMES_CACHE_SIZE)
def _names(game: Game, version: int, first_state: bytes) -> Names:
    content = upgrade_path(game, version).state(first_state)
    return game.ui.names(StructBuffer(game.state_struct, content).struct)


def _problem(game: Game, row: Row) -> Message | None:
    try:
        path = upgrade_path(game, row.version)
    except Refusal as refusal:
        return cannot_be_opened(refusal)
    return closed_message(path) if row.ended == CLOSED and path.is_needed else None
