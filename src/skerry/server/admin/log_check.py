"""The check of one stored match: is it what the rules make of its seed and its actions?

Every action is played again from the state that the rules gave before it, and what is stored must be the same byte for
byte. A stored state is compared and never played from, because compiled rules do not check what they are given: a
damaged state could crash them. So after an action that the rules do not allow, what follows is compared row with row
only, until an undo leads back to a state that is known.

The rows of a match that was played under earlier rules are read as the installed version reads them. If the game goes
another way under the installed rules, that is no fault; these rows are compared with each other only.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, field

from skerry.engine.errors import Refusal
from skerry.engine.match import Match, Step
from skerry.engine.upgrades import NewerRules, UpgradePath, upgrade_path
from skerry.server.admin.stored_match import StoredMatch
from skerry.server.match_log import LogRow, base_seq_of, encode_events, rules_version, upgraded_row
from skerry.server.schema import RULES, UNDO
from skerry.server.sessions import FindGame
from skerry.server.stored_results import CLOSED, encode_result

UNREADABLE = (
    ValueError,
    TypeError,
    KeyError,
    IndexError,
    AttributeError,
    OverflowError,
    RecursionError,
)  # of damaged columns


@dataclass(frozen=True)
class Fault:
    """What is wrong with some rows of a match, or with the match itself if it names none."""

    match: str
    text: str
    first: int = 0
    last: int = 0

    @property
    def rows(self) -> str:
        """Such as "7" or "7–12"."""
        return "" if not self.first else str(self.first) if self.first == self.last else f"{self.first}–{self.last}"


@dataclass
class CheckedMatch:
    """What came out of a check."""

    faults: list[Fault] = field(default_factory=list)
    replayed: int = 0  # rows that the rules gave again
    compared: int = 0  # rows that were compared with each other only
    reason: str = ""  # why, if any were
    end_is_unmarked: bool = False  # the game is over, but the server stopped before it noted that

    @property
    def why(self) -> str:
        """Why the match is not proven."""
        if not self.faults:
            return self.reason
        first = self.faults[0]
        return f"row {first.rows}: {first.text}" if first.first else first.text

    @property
    def is_proven(self) -> bool:
        """Whether the rules give all that is stored."""
        return not self.faults and not self.compared and not self.reason


def check_match(stored: StoredMatch, find: FindGame) -> CheckedMatch:
    """Check a match, whatever is wrong with it."""
    check = _LogCheck(stored, find)
    try:
        check.run()
    except Exception as error:  # a fault in one match must not keep the others from being checked
        check.fault(f"it cannot be checked: {type(error).__name__}: {error}")
    return check.checked


class _LogCheck:
    def __init__(self, stored: StoredMatch, find: FindGame) -> None:
        self.stored = stored
        self.find = find
        self.checked = CheckedMatch()
        self.rows: dict[int, LogRow] = {}  # as the installed rules read them
        self.states: dict[int, bytes] = {}  # by row: the state after it, as the rules give it; 0 is the setup
        self.match: Match | None = None
        self.version = 0  # of the rules under which the next row was written

    def fault(self, text: str, first: int = 0, last: int = 0) -> None:
        """Note a fault; rows that follow each other with the same fault are noted as one."""
        faults = self.checked.faults
        if first and faults and faults[-1].text == text and faults[-1].last == first - 1:
            first = faults.pop().first
        faults.append(Fault(self.stored.header.id, text, first, last or first))

    def run(self) -> None:
        self._check_numbers()
        self._check_seats()
        path = self._begin()
        for row in self.stored.log:
            path = self._read_row(row, path)
        if path is not None and not self._is_missing_rows:
            self._check_end()

    # The match

    def _check_numbers(self) -> None:
        expected = 1
        for row in self.stored.log:
            if row.seq > expected:
                self.fault("the row is missing", expected, row.seq - 1)
            elif row.seq < expected:
                self.fault("rows are numbered from 1", row.seq)
            expected = row.seq + 1

    @property
    def _is_missing_rows(self) -> bool:
        return bool(self.stored.log) and self.stored.log[-1].seq != len(self.stored.log)

    def _check_seats(self) -> None:
        if [seat.seat for seat in self.stored.seats] != list(range(len(self.stored.seats))) or not self.stored.seats:
            self.fault("its seats are not numbered from 0 without gaps")
        for seat in self.stored.seats:
            if seat.guest is not None and seat.name is None:
                self.fault(f"seat {seat.seat} is held by a guest who does not exist")

    def _begin(self) -> UpgradePath | None:
        """Set the match up from its seed. None if its rules are not installed."""
        header = self.stored.header
        self.version = int(header.version)
        try:
            game = self.find(header.game)
            path = upgrade_path(game, self.version)
        except Refusal as refusal:
            self.checked.reason = str(refusal)
            return None
        try:
            self.match = game.configure(path.options(json.loads(header.options))).new(int(header.seed))
        except (Refusal, *UNREADABLE) as error:
            self.fault(f"its options or its seed cannot be read: {error}")
            self.checked.reason = "its options or its seed cannot be read"
            return None
        if self.match.variant.players != len(self.stored.seats):
            self.fault(f"it has {len(self.stored.seats)} seats for {self.match.variant.players} players")
        if header.start is None or path.state(bytes(header.start)) == self.match.content:
            self.states[0] = self.match.content
        elif path.is_needed:
            self._go_on_without_rules()
        else:
            self.fault("the first state is not the one that the seed gives")
            self.states[0] = self.match.content
        if not path.is_needed and header.waiting not in (None, self.match.waiting_in(self.match.content)):
            self.fault("the seats that the game waits for at the start are not those that the rules give")
        return path

    def _go_on_without_rules(self) -> None:
        self.checked.reason = "the game goes another way under the installed rules"

    # Rows

    def _read_row(self, stored: LogRow, path: UpgradePath | None) -> UpgradePath | None:
        """Check a row, and return how the rows after it are read."""
        try:
            if path is not None and stored.action == RULES:
                path = self._rules_after(stored, path)
            row = upgraded_row(stored, path) if path is not None else stored
            self.rows[row.seq] = row
            known = len(self.checked.faults)
            self._check_links(row)
            replays = self._replays(row)
        except UNREADABLE:
            self.fault("the row cannot be read", stored.seq)
            replays = False
            known = len(self.checked.faults)
        if replays:
            self.checked.replayed += 1
        elif len(self.checked.faults) == known:
            self.checked.compared += 1
            self.checked.reason = self.checked.reason or "they follow a row that is wrong"
        return path

    def _rules_after(self, row: LogRow, path: UpgradePath) -> UpgradePath | None:
        """How the rows from a change of the rules on are read. None if these rules are not installed."""
        version = rules_version(row)
        if version <= self.version:
            self.fault(f"the rules change from version {self.version} to version {version}", row.seq)
            return path
        self.version = version
        try:
            return upgrade_path(path.game, version)
        except NewerRules as refusal:
            self.checked.reason = str(refusal)
            self.match = None
            return None

    def _base_of(self, seq: int) -> int:
        """The row whose state a row began from: the one before it, or the one that an undo before it returned to."""
        before = self.rows.get(seq - 1)
        return base_seq_of(before) if before is not None else seq - 1

    def _check_links(self, row: LogRow) -> None:
        """Compare a row with the other rows that it names."""
        base = self._base_of(row.seq)
        if row.action == UNDO:
            self._check_undo(row, self.rows.get(base))
        elif row.before != base and (base == 0 or base in self.rows):
            self.fault(f"it says that it follows row {row.before}, but it follows row {base}", row.seq)
        elif (
            row.action == RULES and self.match is not None and base in self.rows and row.state != self.rows[base].state
        ):
            self.fault("the change of the rules has changed the state", row.seq)

    def _check_undo(self, row: LogRow, undone: LogRow | None) -> None:
        if undone is None:
            return  # it is missing, which has been noted
        if undone.action < 0 or undone.sealed:
            self.fault(f"it takes back row {undone.seq}, which cannot be taken back", row.seq)
        elif (row.seat, json.loads(row.rows), row.before) != (undone.seat, [[undone.action]], undone.before):
            self.fault(f"it does not fit row {undone.seq}, which it takes back", row.seq)
        elif row.before in self.rows and row.state != self.rows[row.before].state and row.before not in self.states:
            self.fault(f"its state is not that of row {row.before}, to which it returns", row.seq)

    def _replays(self, row: LogRow) -> bool:
        """Whether the state before a row is known, so that what the rules give could be compared with the row."""
        if self.match is None:
            return False
        if row.action == UNDO:
            return self._replay_undo(self.match, row)
        base = self.states.get(self._base_of(row.seq))
        if base is None:
            return False
        self.match.replace_content(base)
        if row.action == RULES:
            self.states[row.seq] = base
            return True
        return self._replay_action(self.match, row)

    def _replay_undo(self, match: Match, row: LogRow) -> bool:
        state, base = self.states.get(row.before), self.states.get(self._base_of(row.seq))
        if state is None:
            return False
        if base is not None:
            match.replace_content(base)
            if match.result is not None:
                self.fault("it takes back a step after the end of the game", row.seq)
        if row.state != state:
            self.fault(f"its state is not that of row {row.before}, to which it returns", row.seq)
        return True

    def _replay_action(self, match: Match, row: LogRow) -> bool:
        try:
            step = match.prepare(row.seat, row.action)
        except Refusal as refusal:
            if self._is_of_earlier_rules(match):
                self._go_on_without_rules()
                return False
            self.fault(f"the rules do not allow its action: {refusal}", row.seq)
            return True
        differences = list(_differences(match, step, row))
        if differences and self._is_of_earlier_rules(match):
            self._go_on_without_rules()
            return False
        self.states[row.seq] = step.after
        for text in differences:
            self.fault(text, row.seq)
        return True

    def _is_of_earlier_rules(self, match: Match) -> bool:
        return self.version < match.game.version

    # The end

    def _check_end(self) -> None:
        """Compare how the match is said to have ended with what the rules say of its last state."""
        assert self.match is not None
        header = self.stored.header
        state = self.states.get(self._base_of(len(self.stored.log) + 1))
        if state is None:
            return
        self.match.replace_content(state)
        result = self.match.result
        ended = None if result is None else result.reason
        if header.ended in (None, CLOSED):
            self.checked.end_is_unmarked = result is not None
        elif header.ended != ended:
            self.fault(f"it is stored as ended ({header.ended}), but by the rules it is {ended or 'running'}")
        elif result is not None and header.result is not None and header.result != encode_result(result):
            self.fault("its stored result is not the one that the rules give")


def _differences(match: Match, step: Step, row: LogRow) -> Iterator[str]:
    """What the rules give otherwise than it is stored."""
    if step.after != row.state:
        yield "the state is not what the rules give"
    if encode_events(step.log_rows) != bytes(row.rows):
        yield "the events are not what the rules give"
    if step.sealed != bool(row.sealed):
        yield "whether it can be taken back is not what the rules say"
    if row.waiting is not None and row.waiting != match.waiting_in(step.after):
        yield "the seats that the game waits for are not what the rules give"
