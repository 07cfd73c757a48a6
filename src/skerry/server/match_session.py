"""A match in memory: where its log in the store stands, and the game at that point."""

from __future__ import annotations

import asyncio
import json
import time
from collections import deque
from dataclasses import dataclass
from typing import Any

from skerry.bots.interrupts import interrupting_of
from skerry.engine.events import EVERYBODY
from skerry.engine.game import Variant
from skerry.engine.i18n.translations import Translations
from skerry.engine.loop import TurnOrder
from skerry.engine.match import Match, Step
from skerry.server.labels import Labels, labels_of
from skerry.server.schema import UNDO

BACK = 40  # actions that are kept at hand: as far as anybody could undo


@dataclass(frozen=True)
class SeatHolder:
    """Who sits at a seat: its guest, and the bot that plays for it, if one does."""

    guest: str | None = None
    bot: str | None = None
    name: str = ""  # the guest's

    @property
    def open(self) -> bool:
        return self.guest is None and self.bot is None

    def called(self, words: Translations) -> str:
        """The guest's name, or the bot's in the reader's language."""
        return self.name or (words(self.bot) if self.bot else "")


@dataclass(frozen=True)
class LogRow:
    """One row of the log, with the columns of the table ``actions``."""

    match: str
    seq: int
    seat: int
    action: int
    key: str | None
    rows: bytes
    sealed: bool
    before: int
    state: bytes
    at: float


@dataclass(frozen=True)
class LogEntry:
    """One number of the log in the game's terms: a step, or (``undone``) that it was taken back."""

    seq: int
    step: Step
    undone: bool = False

    @property
    def secret(self) -> bool:
        """Whether some readers are told less than others."""
        return any(row[1] != EVERYBODY for row in self.step.log_rows)


class MatchSession:
    def __init__(self, head: Any, variant: Variant) -> None:
        self.id: str = head.id
        self.head = head
        self.game = variant.game
        self.match: Match = variant.new(int(head.seed))
        self.seats: tuple[SeatHolder, ...] = ()
        self.ended: str | None = head.ended
        self.seq = 0
        self.at: float = head.created  # when the last thing happened
        self.recent: deque[LogEntry] = deque(maxlen=BACK)
        self._speech: dict[str, Labels] = {}  # by language
        self.lock = asyncio.Lock()
        self.used = time.monotonic()
        self.start = self.match.content
        self.base = 0  # the number whose state is the present one; behind ``seq`` after an undo
        self.turn_order = TurnOrder(interrupting_of(self.game))
        self._befores: list[int] = []  # for each step that could be undone, the number it began from

    def load(self, tail: list[Any]) -> None:
        """Stand where the log stands, given its last rows: as many steps as could be taken back are kept."""
        if not tail:
            return
        known = {row.seq: row for row in tail}
        chain: list[Any] = []
        seq = self.base = base_of(tail[-1])
        while seq in known and (not known[seq].before or known[seq].before in known):
            chain.append(known[seq])
            seq = 0 if known[seq].sealed else known[seq].before
        self._stand(tail[-1])
        for row in reversed(chain):
            self._take(row, known[row.before].state if row.before else self.start)
        self.seq, self.at = tail[-1].seq, tail[-1].at

    def follow(self, row: Any) -> None:
        """Do what the next row of the log tells."""
        self.recent.append(happened(self.match, row))
        if row.action != UNDO:
            waited, turn = self.match.waiting, int(self.match.state.turns)
            self._take(row, self.match.content)
            self.turn_order.stepped(row.seat, row.seat not in waited, turn == self.match.state.turns)
        elif self.match.steps:
            self.match.undo(row.seat)
            self._befores.pop()
        else:
            self._stand(row)
        if row.action == UNDO:
            self.turn_order.undone()
        self.seq, self.at, self.base = row.seq, row.at, base_of(row)

    def _stand(self, row: Any) -> None:
        """Be where a row ends, with no step at hand."""
        self.match.apply(step_of(self.match, row, b"") if row.action != UNDO else _undone(self.match, row, row.state))
        self.match.steps.clear()
        self._befores.clear()

    @property
    def unread(self) -> bool:
        """Whether there is an earlier step that is not at hand."""
        return self.base > 0 and not self.match.steps

    def recall(self, row: Any, before: bytes) -> None:
        """Have the step at hand that led to the present."""
        self._take(row, before)

    def _take(self, row: Any, before: bytes) -> None:
        step = step_of(self.match, row, before)
        self.match.apply(step)
        self._befores.append(row.before)
        if step.sealed:  # nobody takes back what lies before
            del self.match.steps[:-1], self._befores[:-1]

    def playing(self, seat: int, given: str | int, key: str | None) -> LogRow:
        """The row that an action of a seat would be; a refusal if it is not allowed."""
        step = self.match.prepare(seat, given)
        return self._row(seat, step.action.id, key, step.log_rows, step.sealed, self.base, step.after)

    def undoing(self, seat: int, key: str | None) -> LogRow:
        """The row that taking back the last step would be; a refusal if that is not allowed."""
        undone = self.match.undoable_step(seat)
        return self._row(seat, UNDO, key, ((undone.action.id,),), False, self._befores[-1], undone.before)

    def _row(
        self, seat: int, action: int, key: str | None, rows: Any, sealed: bool, before: int, state: bytes
    ) -> LogRow:
        written = json.dumps(rows, separators=(",", ":")).encode()
        return LogRow(self.id, self.seq + 1, seat, action, key, written, sealed, before, state, time.time())

    def speech(self, words: Translations) -> Labels:
        """What it is put into words with."""
        found = self._speech.get(words.language)
        if found is None:
            found = self._speech[words.language] = labels_of(self.match, words)
        return found

    @property
    def bots(self) -> tuple[int, ...]:
        """The seats that bots play and that are to be asked: who might interrupt, then whom the game waits for."""
        played = {seat for seat, sitting in enumerate(self.seats) if sitting.bot is not None}
        if not played:
            return ()
        interrupters = self.turn_order.interrupters(self.match.state)
        return tuple(seat for seat in (*interrupters, *self.match.waiting) if seat in played)

    @property
    def people(self) -> tuple[int, ...]:
        """The seats that are played by people, or will be."""
        return tuple(seat for seat, sitting in enumerate(self.seats) if sitting.bot is None)

    @property
    def awaited(self) -> tuple[int, ...]:
        """The seats that the game waits for and no bot plays."""
        return tuple(seat for seat in self.match.waiting if self.seats[seat].bot is None)

    def seats_of(self, guest: str | None) -> tuple[int, ...]:
        return tuple(n for n, sitting in enumerate(self.seats) if guest is not None and sitting.guest == guest)


def logged(match: str, seq: int, step: Step) -> LogRow:
    """The row of a step that follows the one before it."""
    written = json.dumps(step.log_rows, separators=(",", ":")).encode()
    return LogRow(match, seq, step.seat, step.action.id, None, written, step.sealed, seq - 1, step.after, time.time())


def base_of(row: Any) -> int:
    """The number of the row that first had this row's state."""
    return int(row.before if row.action == UNDO else row.seq)


def happened(match: Match, row: Any) -> LogEntry:
    """What a row tells, without the states around it; that of an undo names the action that was taken back."""
    undone = row.action == UNDO
    return LogEntry(row.seq, _undone(match, row, b"") if undone else _step(match, row, b"", b""), undone)


def step_of(match: Match, row: Any, before: bytes) -> Step:
    return _step(match, row, before, row.state)


def _step(match: Match, row: Any, before: bytes, after: bytes) -> Step:
    rows = tuple(map(tuple, json.loads(row.rows)))
    return Step(row.seat, match.action(int(row.action)), rows, bool(row.sealed), before, after)


def _undone(match: Match, row: Any, after: bytes) -> Step:
    ((undone,),) = json.loads(row.rows)
    return Step(row.seat, match.action(undone), (), False, b"", after)
