"""Game records: a match as text, and back. ``docs/records.md`` shows one with comments.

The last line contains the number of actions, how the match stands, and a digest of everything above it and of the state
it leads to, so that a truncated or edited file is noticed.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field

from skerry.engine.errors import BadRecord, Refusal
from skerry.engine.game import Game
from skerry.engine.match import Match
from skerry.engine.messages import say
from skerry.engine.upgrades import NewerRules, upgrade_path

FORMAT = "skerry record 1"
RULES_LINE = "rules "  # from here on the match went on under a later version of the rules
Line = tuple[int, str]  # its number in the file and its text


@dataclass
class Header:
    """What stands before the actions: the game, its options, the seed and the names of the seats."""

    game: str = ""
    version: int = 0
    options: dict[str, str] = field(default_factory=dict)
    seed: int = -1
    seats: dict[int, str] = field(default_factory=dict)


@dataclass(frozen=True)
class PlayedUnder:
    """The versions of the rules that a match was played under, if it began before the installed one."""

    version: int  # at the start
    changes: Mapping[int, int]  # later versions, by the number of actions before them
    content: bytes  # the last state as it was stored


def write_record(match: Match, played_under: PlayedUnder | None = None) -> str:
    """The game record of a match so far."""
    versions = played_under or PlayedUnder(match.game.version, {}, match.content)
    lines = [FORMAT, f"game {match.game.name} {versions.version}"]
    lines += [f"option {name} {value}" for name, value in match.variant.options.items()]
    lines.append(f"seed {match.seed}")
    lines += [f"seat {seat} {name}" for seat, name in enumerate(match.seats) if name]
    for number, step in enumerate(match.steps):
        if number in versions.changes:
            lines.append(f"{RULES_LINE}{versions.changes[number]}")
        lines.append(f"{step.seat} {step.action.text}")
    return "\n".join([*lines, _last_line(match, lines, versions.content)]) + "\n"


def _last_line(match: Match, lines: list[str], content: bytes) -> str:
    digest = hashlib.sha256("\n".join(lines).encode("utf-8", "surrogatepass") + content).hexdigest()[:16]
    return f"{_standing(match)} {digest}"


def _standing(match: Match) -> str:
    return f"end {len(match.steps)} {match.result.reason if match.result else 'running'}"


def read_record(text: str, find: Callable[[str], Game]) -> Match:
    """Replay a game record. ``BadRecord`` names the line that a match under these rules would not have written."""
    if not isinstance(text, str):
        raise BadRecord("a record is a text")
    lines = [(number, line) for number, line in enumerate(text.splitlines(), 1) if line and not line.startswith("#")]
    if not lines or lines[0][1] != FORMAT:
        raise BadRecord(say("this is not a record: it does not begin with {format!r}", format=FORMAT))
    if not lines[-1][1].startswith("end "):
        raise BadRecord(say("the record is cut off: line {line} is not its end", line=lines[-1][0]))
    body = iter(lines[1:-1])
    header, first_action = _read_header(body)
    match = _new_match(header, find)
    for number, line in [*first_action, *body]:
        if not (line.startswith(RULES_LINE) and header.version < match.game.version):
            _play(match, number, line)
    written = [line for _, line in lines[:-1]]
    _check_last_line(match, header, written, lines[-1][1])
    return match


def _check_last_line(match: Match, header: Header, written: list[str], last: str) -> None:
    if header.version == match.game.version:
        if _last_line(match, written, match.content) != last:
            raise BadRecord(
                "the record was changed after it was written, or is cut: its last line does not fit the rest"
            )
    elif _standing(match) != last.rpartition(" ")[0]:  # the digest is of a state under the earlier rules
        raise BadRecord(
            say(
                "it was written under version {old} of the rules; under version {new} the game goes another way",
                old=header.version,
                new=match.game.version,
            )
        )


def _read_header(lines: Iterator[Line]) -> tuple[Header, list[Line]]:
    """The header, and the line of the first action, which had to be read to find the header's end."""
    header = Header()
    for number, line in lines:
        if line[:1].isdecimal():
            return header, [(number, line)]
        _read_field(header, number, line)
    return header, []


def _read_field(header: Header, number: int, line: str) -> None:
    try:
        match line.split(" ", 2):
            case ["game", name, version]:
                header.game, header.version = name, int(version)
            case ["option", name, value]:
                header.options[name] = value
            case ["seed", seed]:
                header.seed = int(seed)
            case ["seat", seat, name] if len(seat) == 1:
                header.seats[int(seat)] = name
            case _:
                raise ValueError
    except ValueError:
        raise BadRecord(say("line {number} is not understood: {line!r}", number=number, line=line[:80])) from None


def _new_match(header: Header, find: Callable[[str], Game]) -> Match:
    try:
        game = find(header.game)
        variant = game.configure(upgrade_path(game, header.version).options(header.options))
        seats = [header.seats.get(seat, "") for seat in range(max(header.seats, default=-1) + 1)]
        return variant.new(header.seed, seats)
    except NewerRules as refusal:
        raise BadRecord(refusal.message) from refusal
    except Refusal as refusal:
        raise BadRecord(say("its head is wrong: {reason}", reason=refusal.message)) from refusal


def _play(match: Match, number: int, line: str) -> None:
    seat, _, text = line.partition(" ")
    try:
        if len(seat) != 1 or not seat.isdecimal():
            raise BadRecord("a line is a seat and an action")
        match.play(int(seat), text)
    except Refusal as refusal:
        raise BadRecord(
            say("line {number}, {line!r}: {reason}", number=number, line=line[:80], reason=refusal.message),
            refusal.rule,
        ) from refusal
