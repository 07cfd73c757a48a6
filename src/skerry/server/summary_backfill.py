"""Completes matches that an earlier version of the server wrote: their first state, and what lists show of them.

It runs once after an upgrade, in the background, and lists show a little less of a match until it is done.
"""

from __future__ import annotations

import asyncio
import json

from skerry.engine.match import Match
from skerry.engine.upgrades import upgrade_path
from skerry.server.faults import contain
from skerry.server.sessions import FindGame, GameReady
from skerry.server.store import Row, Store, StoreDown
from skerry.server.stored_results import encode_result

BATCH = 50  # matches that are looked for at a time
RETRY = 5.0  # seconds until it goes on after the store was down


class SummaryBackfill:
    def __init__(self, store: Store, find: FindGame, game_ready: GameReady) -> None:
        self.store = store
        self.find = find
        self.game_ready = game_ready
        self._task: asyncio.Task[None] | None = None

    def open(self) -> None:
        self._task = asyncio.create_task(self._run())

    async def close(self) -> None:
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)

    async def _run(self) -> None:
        tried: set[str] = set()
        while True:
            try:
                found = await self.store.without_summary(BATCH + len(tried))
                ids = [match for match in found if match not in tried]
                if not ids:
                    return
                for match in ids:
                    tried.add(match)  # one that cannot be completed is not tried again
                    await self.complete(match)
            except StoreDown:
                await asyncio.sleep(RETRY)

    async def complete(self, match: str) -> None:
        """Complete one match, unless it was deleted meanwhile or its rules are not installed any more."""
        try:
            header = await self.store.match(match)
            if header is not None:
                await self._complete(header)
        except StoreDown:
            raise
        except Exception as error:
            contain("summary", error, match=match)

    async def _complete(self, header: Row) -> None:
        game = self.find(header.game)
        if not upgrade_path(game, header.version).same_setup:
            return  # only the rules that dealt it know its first state
        await self.game_ready(game)
        start = game.configure(json.loads(header.options)).new(int(header.seed))
        first_state = start.content
        columns = {"start": first_state, "waiting": start.waiting_in(first_state)}
        last = next(iter(await self.store.tail(header.id, 1)), None)
        if last is not None:
            await self.store.set_waiting(header.id, last.seq, start.waiting_in(bytes(last.state)))
            start.replace_content(bytes(last.state))
        await self.store.change_match(header.id, **columns, **_result_of(start, header))


def _result_of(match: Match, header: Row) -> dict[str, str]:
    return {} if match.result is None or header.ended is None else {"result": encode_result(match.result)}
