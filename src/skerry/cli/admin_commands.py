"""What the commands of ``skerry admin`` do and print."""

from __future__ import annotations

import asyncio
import contextlib
import dataclasses
import datetime
import functools
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, ParamSpec

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table

from skerry.cli.files import data_folder
from skerry.cli.output import print_json, status_console
from skerry.engine.errors import BadOption, Refusal
from skerry.engine.messages import say
from skerry.games import find_game

if TYPE_CHECKING:  # each command imports what it needs when it runs
    from skerry.server.admin.backup import Progress as OnProgress
    from skerry.server.admin.match_list import MatchSummary
    from skerry.server.admin.pruning import Pruned
    from skerry.server.admin.verification import Verification

Parameters = ParamSpec("Parameters")
FAULTS_FOUND = 1  # exit status
WIDEST = 1000  # characters of a row in a file or a pipe


def with_server_packages(command: Callable[Parameters, None]) -> Callable[Parameters, None]:
    """A command that says which packages are missing, if any are."""

    @functools.wraps(command)
    def run(*arguments: Parameters.args, **options: Parameters.kwargs) -> None:
        try:
            command(*arguments, **options)
        except ModuleNotFoundError as missing:
            if str(missing.name).startswith("skerry"):
                raise  # a fault of ours
            needed = f"this needs more packages ({missing.name}): pip install 'skerry[server]'"
            raise Refusal(needed) from None

    return run


@with_server_packages
def back_up(database: str, file: Path, overwrite: bool) -> None:
    from skerry.server.admin import backup

    with _progress("Backing up") as show:
        rows = asyncio.run(backup.back_up(_url(database), file, overwrite, show))
    size = file.stat().st_size
    print(f"Backed up {_counted(rows)} in {file} ({size:,} bytes).")


@with_server_packages
def restore_backup(database: str, file: Path, replace: bool) -> None:
    from skerry.server.admin.restoration import restore

    with _progress("Restoring") as show:
        restored = asyncio.run(restore(_url(database), file, replace, show))
    print(f"Restored {_counted(restored.rows)}.")
    if restored.left_out.total():
        print(f"Left out {_number(restored.left_out.total(), 'row')} of matches that are not in the backup.")


@with_server_packages
def verify_database(database: str, json: bool) -> None:
    from skerry.server.admin.verification import verify

    with _progress("Verifying", compiles=True) as show:
        found = asyncio.run(verify(_url(database), find_game, show))
    if json:
        print_json(dataclasses.asdict(found))
    else:
        _print_verification(found)
    if found.faults:
        raise SystemExit(FAULTS_FOUND)


@with_server_packages
def print_matches(database: str, game: str | None, finished: bool | None, limit: int, json: bool) -> None:
    from skerry.server.admin.match_list import list_matches

    found = asyncio.run(list_matches(_url(database), game, finished, limit))
    if json:
        print_json([match.as_dict() for match in found])
    else:
        _print_matches(found)


@with_server_packages
def prune_database(
    database: str, matches_older_than: int | None, finished: bool | None, guests_idle_days: int | None, yes: bool
) -> None:
    from skerry.server.admin.pruning import PruneRule, prune

    rule = PruneRule(matches_older_than, finished, guests_idle_days)
    pruned = asyncio.run(prune(_url(database), rule, dry_run=not yes))
    if yes:
        print(f"Deleted {_pruned(pruned)}. `skerry admin vacuum` frees the space.")
    else:
        print(f"With --yes, this would delete {_pruned(pruned)}. Nothing has been deleted.")


@with_server_packages
def vacuum_database(database: str) -> None:
    from skerry.server.admin.vacuum import vacuum

    done = asyncio.run(vacuum(_url(database)))
    print(f"The database had {done.before:,} bytes and has {done.after:,} now.")


@with_server_packages
def export_to_file(database: str, match: str, file: Path, overwrite: bool) -> None:
    from skerry.server.admin.match_file import export_match

    rows = asyncio.run(export_match(_url(database), match, file, overwrite))
    print(f"Exported match {match} with {_number(rows, 'action')} to {file}.")


@with_server_packages
def import_from_file(database: str, file: Path, seats: Sequence[str], host: str | None) -> None:
    from skerry.server.admin.match_file import import_match

    players = _read_seats(seats)
    with _compiling():
        done = asyncio.run(import_match(_url(database), file, find_game, players, host))
    print(f"Imported match {done.id}. Its page is /m/{done.id}")
    for seat in done.seats:
        print(f"seat {seat.seat}: {seat.name or seat.bot or 'open'}")
    if done.had_clock:
        print("It had a clock, and has none any more.")


# Arguments


def _url(database: str) -> str:
    """The URL of the database that ``skerry serve`` would use."""
    from skerry.server.settings import Settings

    return Settings(database=database, data=data_folder()).database_url


def _read_seats(given: Sequence[str]) -> dict[int, str]:
    players: dict[int, str] = {}
    for text in given:
        seat, _, player = text.partition("=")
        if not (seat.isdecimal() and len(seat) < 3 and player):
            raise BadOption(say("a seat is given as SEAT=WHO, such as 0=open, not {text!r}", text=text))
        players[int(seat)] = player
    return players


# Output


@contextlib.contextmanager
def _progress(title: str, compiles: bool = False) -> Iterator[OnProgress]:
    """A progress bar on standard error, if that is a terminal. It also shows what is compiled meanwhile."""
    console = status_console()
    columns = (TextColumn("{task.description}"), BarColumn(bar_width=None), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=console, disable=not console.is_terminal, expand=True, transient=True) as progress:
        task = progress.add_task(title, total=None)

        def show(done: int, total: int, /) -> None:
            progress.update(task, completed=done, total=total)

        def show_compiling(subject: str, count: str) -> None:
            progress.update(task, description=f"{title} (compiling {subject}: {count})" if count else title)

        with _compiling(show_compiling) if compiles else contextlib.nullcontext():
            yield show


@contextlib.contextmanager
def _compiling(show: Callable[[str, str], None] | None = None) -> Iterator[None]:
    """Show what is compiled meanwhile."""
    from skerry.cli.compile_progress import compile_progress  # imports numba

    with compile_progress("the rules", show=show):
        yield


def _number(count: int, noun: str) -> str:
    plural = f"{noun}es" if noun.endswith("ch") else f"{noun}s"
    return f"{count:,} {noun if count == 1 else plural}"


def _counted(rows: Mapping[str, int]) -> str:
    named = [_number(rows.get(table, 0), noun) for table, noun in (("guests", "guest"), ("matches", "match"))]
    return f"{', '.join(named)} and {_number(rows.get('actions', 0), 'action')}"


def _pruned(pruned: Pruned) -> str:
    kinds = [_number(pruned.finished, "finished match"), _number(pruned.unfinished, "unfinished match")]
    return f"{' and '.join(kinds)} with {_number(pruned.actions, 'action')}, and {_number(pruned.guests, 'guest')}"


def _print_verification(found: Verification) -> None:
    print(f"Checked {_number(found.matches, 'match')}: {_number(found.replayed, 'action')} replayed", end="")
    print(f", {found.compared:,} only compared with each other." if found.compared else ".")
    for reason, count in sorted(found.reasons.items()):
        print(f"Not replayed to the end, {_number(count, 'match')}: {reason}")
    if found.unmarked_ends:
        print(f"Over, but not marked so until next opened: {_number(found.unmarked_ends, 'match')}")
    if not found.faults:
        print("No faults.")
        return
    table = _table("match", "rows", "what is wrong")
    for fault in found.faults:
        table.add_row(fault.match, fault.rows, fault.text)
    _print_table(table)
    print(f"{_number(len(found.faults), 'fault')}.")


def _print_matches(found: Sequence[MatchSummary]) -> None:
    table = _table("match", "game", "rules", "players", "actions", "last action", "state")
    for match in found:
        at = datetime.datetime.fromtimestamp(match.last_activity, datetime.UTC).strftime("%Y-%m-%d %H:%M")
        players = ", ".join(match.players)
        table.add_row(match.id, match.game, str(match.version), players, f"{match.actions:,}", at, match.state)
    _print_table(table)


def _table(*columns: str) -> Table:
    table = Table(box=None, pad_edge=False, header_style="dim")
    for column in columns:
        table.add_column(column, no_wrap=column not in ("players", "what is wrong"), overflow="fold")
    return table


def _print_table(table: Table) -> None:
    """Print a table; where nobody sees it, as wide as it is, so that a program finds each row in one line."""
    console = Console(highlight=False, markup=False)
    if not console.is_terminal:
        console.width = WIDEST
    console.print(table)
