"""Match sessions: a running match in memory, kept in step with its log in the store."""

from __future__ import annotations

import asyncio
import time
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from skerry.bots.interrupts import interrupting_of
from skerry.engine.game import Variant
from skerry.engine.i18n.translations import Translations
from skerry.engine.loop import TurnOrder
from skerry.engine.match import Match
from skerry.server.labels import Labels, labels_of
from skerry.server.match_log import LogEntry, LogRow, base_seq_of, decode_entry, decode_step, decode_undo, encode_events
from skerry.server.schema import UNDO

HISTORY = 40  # log rows kept in memory; steps further back are read from the store when they are undone


@dataclass(frozen=True)
class SeatHolder:
    """Who holds a seat: its guest, and the bot that plays for it, if any."""

    guest: str | None = None
    bot: str | None = None
    name: str = ""  # the guest's name

    @property
    def open(self) -> bool:
        return self.guest is None and self.bot is None

    def display_name(self, words: Translations) -> str:
        """The guest's name, or the bot's name in the visitor's language."""
        return self.name or (words(self.bot) if self.bot else "")


class MatchSession:
    """A match, its seats and its recent steps.

    All changes go through the log: a row is built here, committed by the match service and only then applied.
    """

    def __init__(self, header: Any, variant: Variant) -> None:
        self.id: str = header.id
        self.header = header  # the row of the table ``matches``
        self.game = variant.game
        self.match: Match = variant.new(int(header.seed))
        self.initial_state = self.match.content
        self.seats: tuple[SeatHolder, ...] = ()
        self.ended: str | None = header.ended  # the name of the ending
        self.lock = asyncio.Lock()
        self.last_used = time.monotonic()
        self.last_activity: float = header.created  # time of the last log row
        self.recent: deque[LogEntry] = deque(maxlen=HISTORY)
        self.seq = 0  # the number of the last log row
        self.base_seq = 0  # the seq at which the current state first occurred; less than ``seq`` after an undo
        self.turn_order = TurnOrder(interrupting_of(self.game))  # which seats may interrupt now
        self._base_seqs: list[int] = []  # for each step in ``match.steps``: the seq of the state that it began from
        self._labels: dict[str, Labels] = {}  # by language

    # Following the log

    def restore(self, tail: Sequence[LogRow]) -> None:
        """Set the match to the end of its log, given the last rows, and keep the steps that could still be undone."""
        if not tail:
            return
        known = {row.seq: row for row in tail}
        undoable: list[LogRow] = []
        seq = self.base_seq = base_seq_of(tail[-1])
        while seq in known and (not known[seq].before or known[seq].before in known):
            undoable.append(known[seq])
            seq = 0 if known[seq].sealed else known[seq].before
        self._jump_to(tail[-1])
        for row in reversed(undoable):
            self._take_step(row, known[row.before].state if row.before else self.initial_state)
        self.seq = tail[-1].seq
        self.last_activity = tail[-1].at

    def apply_row(self, row: LogRow) -> None:
        """Apply the next row of the log."""
        self.recent.append(decode_entry(self.match, row))
        if row.action == UNDO:
            self._apply_undo(row)
        else:
            waiting = self.match.waiting
            turn = int(self.match.state.turns)
            self._take_step(row, self.match.content)
            self.turn_order.stepped(row.seat, row.seat not in waiting, turn == self.match.state.turns)
        self.seq = row.seq
        self.last_activity = row.at
        self.base_seq = base_seq_of(row)

    def _apply_undo(self, row: LogRow) -> None:
        if self.match.steps:
            self.match.undo(row.seat)
            self._base_seqs.pop()
        else:
            self._jump_to(row)
        self.turn_order.undone()

    def _jump_to(self, row: LogRow) -> None:
        """Take over a row's state, without any step that could be undone."""
        undo = row.action == UNDO
        step = decode_undo(self.match, row, row.state) if undo else decode_step(self.match, row, b"")
        self.match.apply(step)
        self.match.steps.clear()
        self._base_seqs.clear()

    @property
    def lacks_previous_step(self) -> bool:
        """Whether there is an earlier step that is in the store, but not in memory."""
        return self.base_seq > 0 and not self.match.steps

    def restore_previous_step(self, row: LogRow, before: bytes) -> None:
        """Put back into memory the step that led to the current state, so that it can be undone."""
        self._take_step(row, before)

    def _take_step(self, row: LogRow, before: bytes) -> None:
        step = decode_step(self.match, row, before)
        self.match.apply(step)
        self._base_seqs.append(row.before)
        if step.sealed:  # nothing before this step can be undone any more
            del self.match.steps[:-1]
            del self._base_seqs[:-1]

    # Rows to be committed

    def row_for_action(self, seat: int, given: str | int, key: str | None) -> LogRow:
        """The log row of an action, or a refusal if the rules do not allow it."""
        step = self.match.prepare(seat, given)
        return self._new_row(
            seat=seat,
            action=step.action.id,
            key=key,
            rows=encode_events(step.log_rows),
            sealed=step.sealed,
            before=self.base_seq,
            state=step.after,
        )

    def row_for_undo(self, seat: int, key: str | None) -> LogRow:
        """The log row of an undo, or a refusal if the last step cannot be taken back."""
        undone = self.match.undoable_step(seat)
        return self._new_row(
            seat=seat,
            action=UNDO,
            key=key,
            rows=encode_events([[undone.action.id]]),
            sealed=False,
            before=self._base_seqs[-1],
            state=undone.before,
        )

    def _new_row(self, **columns: Any) -> LogRow:
        return LogRow(match=self.id, seq=self.seq + 1, at=time.time(), **columns)

    # Reading

    def labels(self, words: Translations) -> Labels:
        """The texts of this match in one language."""
        found = self._labels.get(words.language)
        if found is None:
            found = self._labels[words.language] = labels_of(self.match, words)
        return found

    @property
    def bots_to_ask(self) -> tuple[int, ...]:
        """The bot seats to ask for an action: those that may interrupt, then those that the game waits for."""
        bot_seats = {seat for seat, holder in enumerate(self.seats) if holder.bot is not None}
        if not bot_seats:
            return ()
        may_interrupt = self.turn_order.interrupters(self.match.state)
        return tuple(seat for seat in (*may_interrupt, *self.match.waiting) if seat in bot_seats)

    @property
    def human_seats(self) -> tuple[int, ...]:
        """The seats that no bot plays, open ones included."""
        return tuple(seat for seat, holder in enumerate(self.seats) if holder.bot is None)

    @property
    def people_to_move(self) -> tuple[int, ...]:
        """The seats that the game waits for and no bot plays."""
        return tuple(seat for seat in self.match.waiting if self.seats[seat].bot is None)

    def seats_of(self, guest: str | None) -> tuple[int, ...]:
        return tuple(seat for seat, holder in enumerate(self.seats) if guest is not None and holder.guest == guest)
