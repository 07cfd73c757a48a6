"""Which databases the commands work on: wrong ones are refused with their name, and never made."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa

from skerry.engine.errors import Refusal
from skerry.games import find_game
from skerry.server.admin.backup import back_up
from skerry.server.admin.connection import UnusableDatabase
from skerry.server.admin.match_file import export_match, import_match
from skerry.server.admin.match_list import list_matches
from skerry.server.admin.pruning import PruneRule, prune
from skerry.server.admin.restoration import restore
from skerry.server.admin.vacuum import vacuum
from skerry.server.admin.verification import verify
from tests.server import backing_services
from tests.server.admin.conftest import PlayedDatabase, dump, silent, url_of
from tests.server.backing_services import free_port

pytestmark = pytest.mark.anyio
Command = Callable[[str, Path], Awaitable[Any]]

COMMANDS: dict[str, Command] = {
    "backup": lambda url, played: back_up(url, played.with_name("new"), False, silent),
    "verify": lambda url, played: verify(url, find_game, silent),
    "list": lambda url, played: list_matches(url),
    "prune": lambda url, played: prune(url, PruneRule(1), dry_run=True),
    "vacuum": lambda url, played: vacuum(url),
    "export": lambda url, played: export_match(url, "match", played.with_name("new"), False),
}
RESTORE: Command = lambda url, played: restore(url, played, False, silent)  # noqa: E731
each_command = pytest.mark.parametrize("command", COMMANDS.values(), ids=COMMANDS)


@pytest.mark.parametrize("url", ["", "foo", "mysql://ana:secret@host/name", "sqlite://", "sqlite://file.db"])
async def test_what_is_no_url_of_ours_is_refused(url: str, played: Path) -> None:
    for command in (*COMMANDS.values(), RESTORE):
        with pytest.raises(UnusableDatabase, match="no database that Skerry can use") as refusal:
            await command(url, played)
        assert "secret" not in str(refusal.value)


@each_command
async def test_a_file_that_does_not_exist_is_not_made(command: Command, tmp_path: Path, played: Path) -> None:
    with pytest.raises(UnusableDatabase, match=r"no database at sqlite:///.*typo\.db"):
        await command(url_of(f"sqlite:///{tmp_path / 'typo.db'}"), played)
    assert list(tmp_path.iterdir()) == []


@each_command
async def test_a_file_of_something_else(command: Command, tmp_path: Path, played: Path) -> None:
    other = tmp_path / "other.db"
    other.write_text("no database" * 1000)
    with pytest.raises(UnusableDatabase, match="file is not a database"):
        await command(url_of(f"sqlite:///{other}"), played)
    assert other.read_text() == "no database" * 1000


@each_command
async def test_an_empty_database(command: Command, database: str, played: Path, tmp_path: Path) -> None:
    (tmp_path / "table.db").touch()
    with pytest.raises(UnusableDatabase, match="none of its tables"):
        await command(url_of(database), played)


@pytest.mark.parametrize("command", [*COMMANDS.values(), RESTORE], ids=[*COMMANDS, "restore"])
async def test_a_server_that_does_not_answer(command: Command, played: Path) -> None:
    with pytest.raises(UnusableDatabase, match="cannot be used") as refusal:
        await command(url_of(f"postgresql://ana:secret@127.0.0.1:{free_port()}/name"), played)
    assert "secret" not in str(refusal.value) and "Connect call failed" in str(refusal.value)


async def test_a_database_that_the_server_does_not_have(played: Path) -> None:
    with backing_services.postgresql_database() as url:
        gone = url
    for command in (*COMMANDS.values(), RESTORE):
        with pytest.raises(UnusableDatabase, match=r"database .* does not exist"):
            await command(url_of(gone), played)


@pytest.mark.parametrize("name", [name for name in COMMANDS if name != "backup"])
async def test_tables_of_an_earlier_version_are_left_to_the_server(
    name: str, kept_in_file: PlayedDatabase, played: Path, tmp_path: Path
) -> None:
    """Commands do not migrate: a server of that version may be running."""
    await kept_in_file.execute(sa.text("UPDATE alembic_version SET version_num = '0001'"))
    was = dump(tmp_path / "kept.db")
    with pytest.raises(UnusableDatabase, match=r"earlier version of Skerry \(0001\).*skerry serve"):
        await COMMANDS[name](kept_in_file.url, played)
    assert dump(tmp_path / "kept.db") == was


async def test_an_import_needs_a_database_too(tmp_path: Path, kept: PlayedDatabase) -> None:
    (match, *_) = await list_matches(kept.url)
    await export_match(kept.url, match.id, tmp_path / "match", False)
    with pytest.raises(Refusal, match="no database at"):
        await import_match(url_of(f"sqlite:///{tmp_path / 'typo.db'}"), tmp_path / "match", find_game, {}, None)
    assert not (tmp_path / "typo.db").exists()
