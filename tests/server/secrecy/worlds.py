"""Stored worlds: the rows of a database, and the same rows with everything resampled that somebody may not know."""

from __future__ import annotations

import json
import random
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from types import SimpleNamespace
from typing import Any

from skerry.engine.events import EVERYBODY, Argument, EventKind
from skerry.engine.game import Game, Variant
from skerry.engine.match import Match
from skerry.games import find_game
from skerry.server.identity import Guest
from skerry.server.match_log import LogRow
from skerry.server.match_session import HISTORY, MatchSession
from skerry.server.schema import UNDO
from skerry.server.stored_results import encode_result
from tests.server.simulation.world import EPOCH

UNDOS = 0.15  # share of the steps that are taken back where that is possible
INTERRUPTIONS = 0.3
LONGEST = 400  # steps of a random game
LATER = 1000  # steps of a finished match before which its beginning is; they are played in different seconds

Columns = dict[str, Any]


@dataclass(frozen=True)
class StoredMatch:
    """A match as it is stored: its header, the holders of its seats, and its log."""

    header: Columns
    seats: tuple[Columns, ...]
    log: tuple[LogRow, ...]

    @property
    def id(self) -> str:
        return str(self.header["id"])

    @property
    def game(self) -> Game:
        return find_game(self.header["game"])

    @property
    def variant(self) -> Variant:
        return self.game.configure(json.loads(self.header["options"]))

    def session(self) -> MatchSession:
        """The session of this match at the end of its log, as a server has it."""
        session = MatchSession(SimpleNamespace(**self.header), self.variant)
        session.restore(self.log[-HISTORY:])
        return session


@dataclass(frozen=True)
class StoredWorld:
    """What a server finds in its database."""

    guests: tuple[Guest, ...]
    matches: tuple[StoredMatch, ...]

    def replacing(self, match: StoredMatch) -> StoredWorld:
        return replace(self, matches=tuple(match if match.id == other.id else other for other in self.matches))


@dataclass
class RandomGame:
    """A game that is played at random, with interruptions and undos, and its log."""

    session: MatchSession
    chance: random.Random
    log: list[LogRow] = field(default_factory=list)

    def play(self, limit: int = LONGEST, undos: float = UNDOS) -> None:
        match = self.session.match
        while len(self.log) < limit and match.result is None:
            last = match.steps[-1] if match.steps else None
            if last is not None and not last.sealed and self.chance.random() < undos:
                self._append(self.session.row_for_undo(last.seat, self._key))
            else:
                seat = self._next_seat(match)
                action = self.chance.choice(match.legal_ids(seat))
                self._append(self.session.row_for_action(seat, action, self._key))

    def _next_seat(self, match: Match) -> int:
        others = [seat for seat in range(match.variant.players) if seat not in match.waiting and match.legal_ids(seat)]
        if others and self.chance.random() < INTERRUPTIONS:
            return self.chance.choice(others)
        return self.chance.choice(match.waiting)

    @property
    def _key(self) -> str:
        return key_of(len(self.log) + 1)

    def _append(self, row: LogRow) -> None:
        self.session.apply_row(row)
        self.log.append(replace(row, at=EPOCH - LATER + row.seq))


def key_of(seq: int) -> str:
    """The key that the client has chosen for a request."""
    return f"key {seq}"


def played_match(variant: Variant, match: str, seed: int, limit: int = LONGEST, undos: float = UNDOS) -> StoredMatch:
    """A random game as a stored match, without holders of its seats."""
    start = variant.new(seed)
    header: Columns = {
        "id": match,
        "game": variant.game.name,
        "version": variant.game.version,
        "options": json.dumps(variant.options),
        "seed": str(seed),
        "owner": None,
        "listed": True,
        "clock": None,
        "created": EPOCH - 2 * LATER,
        "ended": None,
        "next": None,
        "guide": False,
        "origin": None,
        "start": start.content,
        "waiting": start.waiting_in(start.content),
        "result": None,
        "hints": True,
    }
    game = RandomGame(MatchSession(SimpleNamespace(**header), variant), random.Random(f"{match} {seed}"))
    game.play(limit, undos)
    result = game.session.match.result
    if result is not None:
        header |= {"ended": result.reason, "result": encode_result(result)}
    return StoredMatch(header, tuple({"guest": None, "bot": None} for _ in range(variant.players)), tuple(game.log))


def cut_at(stored: StoredMatch, depth: int) -> StoredMatch:
    """A match as it was after so many rows of its log, when it was running."""
    assert depth < len(stored.log) or stored.header["ended"] is None
    return replace(stored, header=stored.header | {"ended": None, "result": None}, log=stored.log[:depth])


class Resampler:
    """Replaces everything in a running match that one of its seats, or a spectator (None), cannot know."""

    def __init__(self, stored: StoredMatch, seat: int | None, chance: random.Random) -> None:
        self.stored, self.seat, self.chance = stored, seat, chance
        self.game = stored.game
        self._match = stored.variant.new(int(stored.header["seed"]))
        self._actions: dict[int, int] = {}  # the action of each row of the log, as it is in the other world

    def resampled(self) -> StoredMatch:
        header = self.stored.header | {
            "seed": str(self.chance.getrandbits(64)),
            "start": self._state(self.stored.header["start"]),
        }
        log: list[LogRow] = []
        for row in self.stored.log:
            before = log[row.before - 1].state if row.before else header["start"]
            log.append(self._row(row, before))
        return replace(self.stored, header=header, log=tuple(log))

    def _state(self, content: bytes) -> bytes:
        """Another state that the seat cannot tell from this one. The game waits for the same seats in it."""
        self._match.replace_content(content)
        world = self._match.determinized(-1 if self.seat is None else self.seat, self.chance.getrandbits(64)).content
        assert self._match.waiting_in(world) == self._match.waiting_in(content)
        return world

    def _row(self, row: LogRow, before: bytes) -> LogRow:
        if row.action == UNDO:
            ((undone,),) = json.loads(row.rows)
            self._actions[row.seq] = UNDO
            undone = undone if row.seat == self.seat else self._other_action(row.seat, before, undone)
            return replace(row, rows=json.dumps([[undone]]).encode(), state=self._state(row.state))
        action = row.action if row.seat == self.seat else self._other_action(row.seat, before, row.action)
        events = [self._event(event) for event in json.loads(row.rows)]
        return replace(row, action=action, rows=json.dumps(events).encode(), state=self._state(row.state))

    def _other_action(self, seat: int, before: bytes, action: int) -> int:
        """Another action that the seat could have played: of another's step the events are known, not the action."""
        self._match.replace_content(before)
        others = [number for number in self._match.legal_ids(seat) if number != action]
        return self.chance.choice(others) if others else action

    def _event(self, event: Sequence[int]) -> list[int]:
        kind, readers, *numbers = event
        if readers == EVERYBODY or (self.seat is not None and readers >> self.seat & 1):
            return list(event)
        told: EventKind = self.game.events[kind]
        arguments = zip(told.arguments, numbers, strict=False)
        known = [self._other_value(argument, number) if argument.secret else number for argument, number in arguments]
        return [kind, readers, *known, *numbers[len(known) :]]

    def _other_value(self, argument: Argument, number: int) -> int:
        if argument.slot is None:
            return number + self.chance.randint(1, 9)
        others = [index for index in range(argument.slot.size) if index != number]
        return self.chance.choice(others) if others else number


def visible_position(match: Match, seat: int | None) -> str:
    """All that a seat may know of a position, as text."""
    legal = [] if seat is None else match.legal_ids(seat)
    offered = [(action, match.reveals(seat, action)) for action in legal] if seat is not None else []
    return json.dumps([match.view(seat), str(match.prompt(seat)), match.waiting, offered])
