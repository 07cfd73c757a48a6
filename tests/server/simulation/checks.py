"""What must hold after each history."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Any

from skerry.server.match_session import MatchSession
from skerry.server.moments import automatic_step
from skerry.server.stances import MOST_WAITS, WAIT
from tests.server.simulation.ledger import Ledger
from tests.server.simulation.network import Answer, Lost
from tests.server.simulation.players import Player, Table, waits_for_a_bot
from tests.server.simulation.process import ABANDONED, HEARTBEAT, IDLE, ServerProcess
from tests.server.simulation.readers import WHOLE_PAGE, Reader

SLACK = 30.0  # seconds within which a bot has played, and a clock that has run out has had its effect
MOST_WAITING = MOST_WAITS * WAIT  # seconds for which a match waits since somebody asked for that
UNTIL_DROPPED = ABANDONED + IDLE + 2 * HEARTBEAT  # seconds after its last step in which a match may be in memory
COMPARED = ("seq", "seat", "events", "words")  # of a step; its action is known to others only after the end


class Checks:
    """Each check yields what is wrong, in words."""

    def __init__(self, table: Table, players: Sequence[Player], readers: Sequence[Reader]) -> None:
        self.table = table
        self.world = table.world
        self.players = {player.guest: player for player in players}
        self.readers = readers

    def ledgers(self) -> list[Ledger]:
        """The ledgers of all matches that the database has; replaying them checks numbers and states."""
        return [self.table.ledgers.of(match) for match in self.world.database.match_ids()]

    # The log

    def log(self) -> Iterator[str]:
        """Whatever was acknowledged is in the log, once and as it was sent; what was refused is not."""
        ledgers = {ledger.id: ledger for ledger in self.ledgers()}
        for (match, key), told in self.table.acknowledged.items():
            row = ledgers[match].row_of_key(key)
            if row is None:
                yield f"{key} was acknowledged as {told} of {match}, but is lost"
            elif (row.seq, row.seat, row.action) != told:
                yield f"{key} was acknowledged as {told} of {match}, but is {row.seq, row.seat, row.action}"
        for match, key in self.table.moved_on:
            row = ledgers[match].row_of_key(key)
            if row is not None:
                yield f"a client was told that {key} was not played in {match}, but it is {row.seq}"

    # What everybody sees

    async def agreement(self) -> list[str]:
        """All processes tell the same of every match, and what the log says."""
        wrong = []
        for ledger in self.ledgers():
            told = {}
            for process in self.table.processes:
                told[process.name] = await self._told(process, ledger)
                if told[process.name]["match"]["seq"] != ledger.seq:
                    wrong.append(
                        f"{process.name} is at {told[process.name]['match']['seq']} of {ledger.id}, not {ledger.seq}"
                    )
            first, *others = told.items()
            for name, what in others:
                wrong += [f"{ledger.id}: {difference}" for difference in _differences(first, (name, what))]
        return wrong

    async def _told(self, process: ServerProcess, ledger: Ledger) -> dict[str, Any]:
        somebody = next(iter(self.players.values()))
        match = (await self._get(process, f"/matches/{ledger.id}", somebody)).json
        for seat in match["seats"]:
            del seat["here"]  # known to the process that has the page only
        told = {
            "match": match,
            "view of a spectator": (await self._get(process, f"/matches/{ledger.id}/view", somebody)).json,
        }
        for row in self.world.database.seats(ledger.id):
            if row.guest in self.players:
                path = f"/matches/{ledger.id}/view?seat={row.seat}"
                answer = await self._get(process, path, self.players[row.guest])
                told[f"view of seat {row.seat}"] = answer.json
        return told

    async def _get(self, process: ServerProcess, path: str, player: Player) -> Answer:
        try:
            answer = await self.table.network.request(process, "GET", f"/api/v1{path}", player.token)
        except Lost:
            answer = Answer(0, b'"lost"')
        if answer.status != 200:
            self.world.violate(f"{process.name} answered {answer.status} to {path} of {player.name}: {answer.body!r}")
        return answer

    async def reading(self) -> list[str]:
        """Every reader has come to what a new one gets."""
        wrong = []
        for reader in self.readers:
            if reader.is_allowed and reader.match in self.table.ledgers.by_match:
                wrong += [f"{reader.name} of {reader.match}: {what}" for what in await self._read_by(reader)]
        return wrong

    async def _read_by(self, reader: Reader) -> list[str]:
        last = self.table.ledgers.of(reader.match).seq
        if not reader.is_connected:
            return ["is not connected"]
        if reader.seen != last:
            return [f"stands at {reader.seen} instead of {last}"]
        if not reader.may_follow():
            return []
        if reader.parts is None:
            return await self._compare_steps(reader)
        fresh = await self._fresh_parts(reader)
        ids = [name for name in {**fresh, **reader.parts} if fresh.get(name) != reader.parts.get(name)]
        return [f"{name} is\n{reader.parts.get(name)}\ninstead of\n{fresh.get(name)}" for name in ids]

    async def _fresh_parts(self, reader: Reader) -> dict[str, str]:
        seat = "" if reader.seat is None else f"&seat={reader.seat}"
        path = f"/api/v1/matches/{reader.match}/stream?since={WHOLE_PAGE}&page=true{seat}"
        exchange = await self.table.network.open_stream(reader.process, path, reader.player.token, None)
        text = b""
        while b"data: " not in text or not text.endswith(b"\n\n"):
            text += await exchange.next_chunk()
        exchange.cut()
        line = next(line for line in text.decode().splitlines() if line.startswith("data: "))
        return dict(json.loads(line[len("data: ") :])["parts"])

    async def _compare_steps(self, reader: Reader) -> list[str]:
        seat = "" if reader.seat is None else f"?seat={reader.seat}"
        answer = await self._get(reader.process, f"/matches/{reader.match}/steps{seat}", reader.player)
        wrong = []
        for step in answer.json:
            heard = reader.steps.get(step["seq"])
            told = {name: step.get(name) or None for name in COMPARED}
            if heard is None or {name: heard.get(name) or None for name in COMPARED} != told:
                wrong.append(f"heard {heard}, but the log says {told}")
        return wrong

    # Whoever has to act acts

    def progress(self) -> Iterator[str]:
        """No match that somebody was told of waits for a bot, or for a clock that has run out."""
        for ledger in map(self.table.ledgers.of, self.table.matches):
            seats = self.world.database.seats(ledger.id)
            waited = self._seconds_since_last(ledger)
            clock = ledger.header.clock
            if waits_for_a_bot(ledger.match, seats) and waited > SLACK:
                yield f"{ledger.id} has waited for a bot for {waited:.0f} seconds"
            if clock is not None and ledger.match.result is None and waited > clock + SLACK:
                yield f"{ledger.id} waits, but its clock of {clock} seconds has run for {waited:.0f}"
            if any(map(automatic_step, self._sessions(ledger))) and waited > SLACK + MOST_WAITING:
                yield f"{ledger.id} has waited for {waited:.0f} seconds for what should go by itself"
            ended = self.world.database.header(ledger.id).ended
            if ledger.match.result is not None and ended != ledger.match.result.reason:
                yield f"{ledger.id} is over by {ledger.match.result.reason}, but the store says {ended}"

    def _sessions(self, ledger: Ledger) -> list[MatchSession]:
        """A match as the processes have it that have it in memory."""
        found = [process.services.sessions.in_memory.get(ledger.id) for process in self.table.processes]
        return [session for session in found if session is not None]

    def _seconds_since_last(self, ledger: Ledger) -> float:
        return self.world.wall_clock() - float(ledger.rows[-1].at if ledger.rows else ledger.header.created)

    # Memory

    def memory(self) -> Iterator[str]:
        """Nothing is kept for those who have left."""
        for process in self.table.processes:
            services = process.services
            broadcaster, runner = services.broadcaster, services.bot_runner
            running = {ledger.id for ledger in self.ledgers() if self._seconds_since_last(ledger) < UNTIL_DROPPED}
            kept = {
                "sessions": [match for match in services.sessions.in_memory if match not in running],
                "topics": list(broadcaster.topics_by_match),
                "streams": broadcaster.stream_count,
                "streams by guest": broadcaster.streams_by_guest,
                "bots": [match for match in runner._tasks if match not in running],
                "clocks": [match for match in runner.clocks._timers if match not in running],
                "requests": list(process.life.requests if process.life else ()),
            }
            for what, left in kept.items():
                if left:
                    yield f"{process.name} still has {what}: {left}"

    def locks(self) -> Iterator[str]:
        for process in self.table.processes:
            for session in process.services.sessions.in_memory.values():
                if session.lock.locked():
                    yield f"{process.name} holds the lock of {session.id}"


def _differences(one: tuple[str, dict[str, Any]], other: tuple[str, dict[str, Any]]) -> Iterator[str]:
    for name, told in one[1].items():
        if told != other[1][name]:
            yield f"{one[0]} says of the {name}\n{told}\nand {other[0]}\n{other[1][name]}"
