"""Match sessions: a running match in memory, kept in step with its log in the store."""

from __future__ import annotations

import asyncio
import time
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from skerry.bots.interrupts import interrupting_of
from skerry.engine.bot_titles import bot_title
from skerry.engine.errors import Illegal
from skerry.engine.game import Variant
from skerry.engine.i18n.translations import Translations
from skerry.engine.loop import TurnOrder
from skerry.engine.match import DueStep, Match, Step
from skerry.engine.messages import Message
from skerry.engine.upgrades import UpgradePath, upgrade_path
from skerry.server.labels import Labels, labels_of
from skerry.server.match_log import (
    NOBODY,
    LogEntry,
    LogRow,
    base_seq_of,
    decode_entry,
    decode_step,
    encode_events,
    entry_of_step,
    rules_version,
    upgraded_row,
)
from skerry.server.schema import RULES, UNDO
from skerry.server.stances import Stance, decode_stance
from skerry.server.stored_results import CLOSED, closed_message, stored_result

HISTORY = 40  # log rows kept in memory; steps further back are read from the store when they are undone


@dataclass(frozen=True)
class SeatHolder:
    """Who holds a seat: its guest, and the bot that plays for it, if any."""

    guest: str | None = None
    bot: str | None = None
    name: str = ""  # the guest's name
    by_hand: bool = False  # the guest turns every card by hand
    stance: Stance | None = None  # what the seat has said last about the time it needs

    @classmethod
    def of_row(cls, row: Any, guest: Any) -> SeatHolder:
        """The holder in a row of the table ``seats``; the guest is one of the table ``guests``, or None."""
        stance = decode_stance(row.stance)
        if guest is None:
            return cls(row.guest, row.bot, stance=stance)
        return cls(row.guest, row.bot, guest.name or "", bool(guest.by_hand), stance)

    @property
    def is_person(self) -> bool:
        """Whether a guest plays the seat, and no bot for them."""
        return self.guest is not None and self.bot is None

    @property
    def open(self) -> bool:
        return self.guest is None and self.bot is None

    def display_name(self, translations: Translations) -> str:
        """The guest's name, or the bot's title in the visitor's language."""
        return self.name or (bot_title(self.bot).render(translations) if self.bot else "")


class MatchSession:
    """A match, its seats and its recent steps.

    All changes go through the log: a row is built here, committed by the match service and only then applied.
    """

    def __init__(
        self, header: Any, variant: Variant, rules_changes: Sequence[LogRow] = (), moment_seconds: float = 0.0
    ) -> None:
        self.id: str = header.id
        self.header = header  # the row of the table ``matches``
        self.game = variant.game
        self.rules_changes = {row.seq: rules_version(row) for row in rules_changes}  # by the seq from which they hold
        self.closed: Message | None = None  # why the match cannot go on under the installed rules
        self.match: Match = variant.new(int(header.seed))
        if header.start is not None:
            self.match.replace_content(self.path_at(0).state(bytes(header.start)))
        self.match.stored_result = stored_result(self.game, header)
        self.initial_state = self.match.content
        self.seats: tuple[SeatHolder, ...] = ()
        self.ended: str | None = header.ended  # the name of the ending
        self.moment_seconds = moment_seconds  # that people have before a step that they could interrupt
        self.loaded_at = time.time()
        self.lock = asyncio.Lock()
        self.seats_lock = asyncio.Lock()
        self.last_used = time.monotonic()
        self.last_activity: float = header.created  # time of the last log row
        self.recent: deque[LogEntry] = deque(maxlen=HISTORY)
        self.seq = 0  # the number of the last log row
        self.base_seq = 0  # the seq at which the current state first occurred; less than ``seq`` after an undo
        self.turn_order = TurnOrder(interrupting_of(self.game))  # which seats may interrupt now
        self.stand_ins: dict[int, str | None] = {}  # by seat: what plays for a bot that is being compiled
        self._base_seqs: list[int] = []  # for each step in ``match.steps``: the seq of the state that it began from
        self._labels: dict[str, Labels] = {}  # by language
        self._due: tuple[int, DueStep | None] | None = None  # the step that is due, and the seq at which it is
        self._prepared: tuple[LogRow, Step] | None = None  # the latest row that was made here, and its step

    # Versions of the rules

    def version_at(self, seq: int) -> int:
        """The version of the rules under which a row of the log was written."""
        changes = [version for since, version in self.rules_changes.items() if since <= seq]
        return max([int(self.header.version), *changes])

    def path_at(self, seq: int) -> UpgradePath:
        """What leads from a row of the log to the installed rules."""
        return upgrade_path(self.game, self.version_at(seq))

    def upgraded(self, rows: Sequence[LogRow]) -> list[LogRow]:
        """Rows of the store as the installed version of the rules would have written them."""
        if not self.rules_changes and self.header.version == self.game.version:
            return list(rows)
        self.rules_changes.update((row.seq, rules_version(row)) for row in rows if row.action == RULES)
        return [upgraded_row(row, self.path_at(row.seq)) for row in rows]

    def close(self, path: UpgradePath) -> None:
        """End a match that cannot go on under the installed rules."""
        self.ended = CLOSED
        self.closed = closed_message(path)

    def row_for_rules(self) -> LogRow:
        """The log row from which the match goes on under the installed rules."""
        return self._new_row(
            seat=NOBODY,
            action=RULES,
            key=None,
            rows=encode_events([[self.game.version]]),
            sealed=True,
            before=self.base_seq,
            state=self.match.content,
        )

    # Following the log

    def restore(self, tail: Sequence[LogRow]) -> None:
        """Set the match to the end of its log, given the last rows, and keep the steps that could still be undone."""
        if not tail:
            return
        known = {row.seq: row for row in tail}
        undoable: list[LogRow] = []
        seq = self.base_seq = base_seq_of(tail[-1])
        while seq in known and known[seq].action != RULES and (not known[seq].before or known[seq].before in known):
            undoable.append(known[seq])
            seq = 0 if known[seq].sealed else known[seq].before
        self._jump_to(tail[-1])
        for row in reversed(undoable):
            before = known[row.before].state if row.before else self.initial_state
            self._take_step(row, decode_step(self.match, row, before))
        self.seq = tail[-1].seq
        self.last_activity = tail[-1].at

    def apply_row(self, row: LogRow) -> None:
        """Apply the next row of the log."""
        step = self._prepared_step(row)
        self.recent.append(decode_entry(self.match, row) if step is None else entry_of_step(row.seq, step))
        if row.action == UNDO:
            self._apply_undo(row)
        elif row.action == RULES:
            self.rules_changes[row.seq] = rules_version(row)
            self._jump_to(row)
        else:
            with self.turn_order.step_of(row.seat, self.match):
                self._take_step(row, step or decode_step(self.match, row, self.match.content))
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
        self.match.replace_content(bytes(row.state))
        self.match.steps.clear()
        self._base_seqs.clear()

    @property
    def lacks_previous_step(self) -> bool:
        """Whether there is an earlier step that is in the store, but not in memory."""
        return self.base_seq > 0 and not self.match.steps

    def restore_previous_step(self, row: LogRow, before: bytes) -> None:
        """Put back into memory the step that led to the current state, so that it can be undone."""
        self._take_step(row, decode_step(self.match, row, before))

    def _prepared_step(self, row: LogRow) -> Step | None:
        """The step of a row that was made here a moment ago, which then need not be decoded."""
        prepared, self._prepared = self._prepared, None
        return prepared[1] if prepared is not None and prepared[0] is row else None

    def _take_step(self, row: LogRow, step: Step) -> None:
        self.match.apply(step)
        self._base_seqs.append(row.before)
        if step.sealed:  # nothing before this step can be undone any more
            del self.match.steps[:-1]
            del self._base_seqs[:-1]

    # Rows to be committed

    def row_for_action(self, seat: int, given: str | int, key: str | None) -> LogRow:
        """The log row of an action, or a refusal if the rules do not allow it."""
        self._check_open()
        step = self.match.prepare(seat, given)
        row = self._new_row(
            seat=seat,
            action=step.action.id,
            key=key,
            rows=encode_events(step.log_rows),
            sealed=step.sealed,
            before=self.base_seq,
            state=step.after,
        )
        self._prepared = row, step
        return row

    def row_for_undo(self, seat: int, key: str | None) -> LogRow:
        """The log row of an undo, or a refusal if the last step cannot be taken back."""
        self._check_open()
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

    def _check_open(self) -> None:
        if self.closed is not None:
            raise Illegal(self.closed)

    def _new_row(self, state: bytes, **columns: Any) -> LogRow:
        waiting = self.match.waiting_in(state)
        return LogRow(match=self.id, seq=self.seq + 1, at=time.time(), state=state, waiting=waiting, **columns)

    # Reading

    def labels(self, translations: Translations) -> Labels:
        """The texts of this match in one language."""
        found = self._labels.get(translations.language)
        if found is None:
            found = self._labels[translations.language] = labels_of(self.match, translations)
        return found

    @property
    def bots_to_ask(self) -> tuple[int, ...]:
        """The bot seats to ask for an action: those that want to interrupt, then those that the game waits for."""
        bot_seats = {seat for seat, holder in enumerate(self.seats) if holder.bot is not None}
        if not bot_seats:
            return ()
        interrupting = self.turn_order.interrupters(self.match.state)
        return tuple(seat for seat in (*interrupting, *self.match.waiting) if seat in bot_seats)

    @property
    def due_step(self) -> DueStep | None:
        """The step with which the match goes on by itself unless somebody does something else first."""
        if self.ended is not None:
            return None
        if self._due is None or self._due[0] != self.seq:
            self._due = self.seq, self.match.due_step()
        return self._due[1]

    @property
    def rows_since_reveal(self) -> int:
        """How many rows of the log have come since something was revealed, or since the first of them in memory."""
        return self.seq - (self._base_seqs[0] if self._base_seqs else self.base_seq)

    def stance(self, seat: int) -> Stance:
        """What a seat has said in this turn about the time it needs."""
        turn, stance = int(self.match.state.turns), self.seats[seat].stance
        return stance if stance is not None and stance.turn == turn else Stance(turn)

    @property
    def human_seats(self) -> tuple[int, ...]:
        """The seats that no bot plays, open ones included."""
        return tuple(seat for seat, holder in enumerate(self.seats) if holder.bot is None)

    @property
    def people_to_move(self) -> tuple[int, ...]:
        """The seats that the game waits for and no bot plays."""
        return tuple(seat for seat in self.match.waiting if self.seats[seat].bot is None)

    @property
    def allows_hints(self) -> bool:
        """Whether seats may ask for hints. In a match between people, the host says so."""
        people = {holder.guest for holder in self.seats if holder.guest is not None and holder.bot is None}
        return len(people) < 2 or bool(self.header.hints)

    def may_act(self, seat: int) -> bool:
        """Whether a seat has something to decide, waited for or not."""
        return self.ended is None and (seat in self.match.waiting or bool(self.match.legal_ids(seat)))

    def seats_sharing_a_device(self, guest: str | None) -> tuple[int, ...]:
        """The seats that a guest plays, if they are several: people who pass one device on."""
        seats = tuple(seat for seat in self.seats_of(guest) if self.seats[seat].bot is None)
        return seats if len(seats) > 1 else ()

    def outcome_for(self, seat: int | None) -> Message:
        """Who won or lost and how. Who shares one device plays for several, and is told the winner instead of "you"."""
        together = self.game.cooperative or seat is None or len(self.seats_of(self.seats[seat].guest)) <= 1
        return self.match.outcome(seat if together else None)

    def seats_of(self, guest: str | None) -> tuple[int, ...]:
        return tuple(seat for seat, holder in enumerate(self.seats) if guest is not None and holder.guest == guest)
