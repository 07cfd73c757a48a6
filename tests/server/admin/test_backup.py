"""Backups and restores: a moment of a database in use, into a database of either kind."""

from __future__ import annotations

import asyncio
import dataclasses
import gzip
import hashlib
import json
import os
import sqlite3
from pathlib import Path
from typing import Any

import httpx
import pytest
import sqlalchemy as sa

from skerry.engine.errors import Refusal
from skerry.games import all_games, find_game
from skerry.server.admin import backup
from skerry.server.admin.archive import BACKUP, ArchiveReader, BadArchive
from skerry.server.admin.backup import DamagedDatabase, back_up
from skerry.server.admin.connection import UnusableDatabase
from skerry.server.admin.restoration import NotEmpty, restore
from skerry.server.admin.verification import verify
from skerry.server.app import make_app
from skerry.server.database import Database
from skerry.server.schema import REVISIONS, matches, metadata
from skerry.server.settings import Settings
from tests.server.admin.conftest import PlayedDatabase, dump, server_on, silent, url_of
from tests.server.conftest import Guest, client_of
from tests.server.server_main import FREE
from tests.server.simulated_players import Player

pytestmark = pytest.mark.anyio
RELEASES = sorted((Path(__file__).parents[1] / "databases").glob("*.sql.gz"))


async def contents(database: str) -> dict[str, list[Any]]:
    """All rows of all tables."""
    opened = Database(url_of(database))
    try:
        return {
            table.name: [tuple(row) for row in await opened.all(sa.select(table).order_by(*table.primary_key.columns))]
            for table in metadata.sorted_tables
        }
    finally:
        await opened.close()


async def test_a_backup_restores_into_either_kind_of_database(
    kept: PlayedDatabase, elsewhere: str, tmp_path: Path
) -> None:
    counts = await back_up(kept.url, tmp_path / "backup", False, silent)
    assert await restore(url_of(elsewhere), tmp_path / "backup", False, silent) == (counts, {})
    restored = await contents(elsewhere)
    assert restored == await contents(kept.database)
    assert {name: len(rows) for name, rows in restored.items() if rows} == counts
    assert counts["actions"] > 150 and counts["matches"] == 4


async def test_a_restored_server_goes_on(database: str, elsewhere: str, tmp_path: Path) -> None:
    """Its guests are signed in as before, by the key in the backup, and their matches go on where they were."""
    own_key = dataclasses.replace(Settings(), pace=0, limits=FREE)
    async with client_of(make_app(dataclasses.replace(own_key, database=database), all_games, find_game)) as client:
        ana = await Guest.register(client, "Ana")
        match = (await ana.open("cartagena", ["me", "me"], options={"players": 2, "first": 0}))["id"]
        assert await ana.play_first(match, 0) == 1
    await back_up(url_of(database), tmp_path / "backup", False, silent)
    await restore(url_of(elsewhere), tmp_path / "backup", False, silent)
    async with client_of(make_app(dataclasses.replace(own_key, database=elsewhere), all_games, find_game)) as client:
        ana.client = client
        assert (await ana.ask("GET", "/me")).json()["name"] == "Ana"
        assert await ana.play_first(match, (await ana.view(match))["waiting"][0]) == 2


async def keep_opening_matches(client: httpx.AsyncClient, stop: asyncio.Event) -> None:
    """Open one match after the other and play in each, so that every table grows all the time."""
    while not stop.is_set():
        guest = await Guest.register(client, "Eve")
        match = (await guest.open("cartagena", ["me", "me"], options={"players": 2, "first": 0}))["id"]
        await guest.play_first(match, 0)


async def test_a_backup_is_one_moment_while_people_play(
    database: str, elsewhere: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It has all that was acknowledged before it began, and of each match the beginning of its log without a gap."""
    monkeypatch.setattr(backup, "ROWS_AT_ONCE", 2)  # so that much happens between the first row and the last
    async with server_on(database) as client:
        players = [await Player.register(client, number, "cartagena", ["me", "me"]) for number in range(4)]
        stop = asyncio.Event()
        playing = [asyncio.create_task(player.play(stop)) for player in players]
        playing.append(asyncio.create_task(keep_opening_matches(client, stop)))
        backups = []
        for number in range(3):
            await until_played(players, 30 * (number + 1))
            before = [dict(player.acknowledged) for player in players]
            path = tmp_path / f"backup {number}"
            await back_up(url_of(database), path, False, silent)
            backups.append((path, before))
        await until_played(players, 120)
        stop.set()
        await asyncio.gather(*playing)
    logs = await contents(database)
    for path, before in backups:
        await restore(url_of(elsewhere), path, True, silent)
        restored = await contents(elsewhere)
        assert 0 < len(restored["actions"]) < len(logs["actions"]), "nobody played meanwhile"
        by_match = {player.match: [row for row in restored["actions"] if row[0] == player.match] for player in players}
        for player, acknowledged in zip(players, before, strict=True):
            rows = by_match[player.match]
            assert rows == [row for row in logs["actions"] if row[0] == player.match][: len(rows)]
            assert acknowledged.items() <= {row[4]: row[1] for row in rows}.items()
        found = await verify(url_of(elsewhere), find_game, silent)
        assert (found.faults, found.replayed) == ([], len(restored["actions"]))


async def until_played(players: list[Player], count: int) -> None:
    while sum(len(player.acknowledged) for player in players) < count:
        await asyncio.sleep(0.01)


@pytest.mark.parametrize("release", RELEASES, ids=lambda path: path.name.removesuffix(".sql.gz"))
async def test_a_backup_needs_no_migration(release: Path, elsewhere: str, tmp_path: Path) -> None:
    """A database of a released version is backed up as it is, and restored with today's tables."""
    old = tmp_path / "old.db"
    connection = sqlite3.connect(old)
    connection.executescript(gzip.decompress(release.read_bytes()).decode())
    connection.close()
    was = dump(old)
    counts = await back_up(url_of(f"sqlite:///{old}"), tmp_path / "backup", False, silent)
    assert dump(old) == was
    assert ArchiveReader(tmp_path / "backup", BACKUP).manifest.schema in REVISIONS[:-1]
    await restore(url_of(elsewhere), tmp_path / "backup", False, silent)
    assert len((await contents(elsewhere))["actions"]) == counts["actions"] > 1000
    found = await verify(url_of(elsewhere), find_game, silent)
    assert (found.faults, found.matches, found.replayed) == ([], 8, counts["actions"])
    async with server_on(elsewhere) as client:
        assert (await client.get("/healthz")).status_code == 200


async def test_rows_of_a_match_that_somebody_deleted_by_hand_are_left_out(
    kept_in_file: PlayedDatabase, elsewhere: str, tmp_path: Path
) -> None:
    """Without foreign keys, as in SQLite's own shell: the backup can still be restored."""
    connection = sqlite3.connect(kept_in_file.database.removeprefix("sqlite:///"))
    connection.execute("DELETE FROM matches WHERE game = 'hashi'")
    connection.commit()
    connection.close()
    counts = await back_up(kept_in_file.url, tmp_path / "backup", False, silent)
    restored = await restore(url_of(elsewhere), tmp_path / "backup", False, silent)
    assert restored.left_out["seats"] == 1 and restored.left_out["actions"] > 20
    assert restored.rows + restored.left_out == counts
    found = await verify(url_of(elsewhere), find_game, silent)
    assert (found.faults, found.matches) == ([], 3)


# What is refused, and what it leaves behind


async def test_a_database_that_is_not_empty_is_kept(kept: PlayedDatabase, played: Path) -> None:
    was = await contents(kept.database)
    with pytest.raises(NotEmpty, match="not empty"):
        await restore(kept.url, played, False, silent)
    assert await contents(kept.database) == was


async def test_replacing_leaves_nothing_of_before(kept: PlayedDatabase, played: Path) -> None:
    was = await contents(kept.database)
    guests = metadata.tables["guests"]
    await kept.execute(sa.insert(guests).values(id="eve", name="Eve", language="en", created=0.0))
    await kept.execute(sa.delete(matches))
    await restore(kept.url, played, True, silent)
    assert await contents(kept.database) == was


async def test_a_server_that_was_only_started_counts_as_empty(database: str, played: Path) -> None:
    async with server_on(database):
        pass
    await restore(url_of(database), played, False, silent)
    assert len((await contents(database))["matches"]) == 4


async def test_a_database_in_use_is_kept(database: str, played: Path) -> None:
    async with server_on(database) as client:
        ana = await Guest.register(client, "Ana")
        with pytest.raises(NotEmpty, match="stop the server first"):
            await restore(url_of(database), played, True, silent)
        assert (await ana.ask("GET", "/me")).json()["name"] == "Ana"


async def test_a_damaged_backup_touches_nothing(kept: PlayedDatabase, played: Path, tmp_path: Path) -> None:
    was = await contents(kept.database)
    content = bytearray(played.read_bytes())
    content[len(content) // 2] ^= 1
    (tmp_path / "damaged").write_bytes(content)
    with pytest.raises(BadArchive, match="damaged"):
        await restore(kept.url, tmp_path / "damaged", True, silent)
    assert await contents(kept.database) == was
    nowhere = tmp_path / "nowhere.db"
    with pytest.raises(BadArchive, match="damaged"):
        await restore(url_of(f"sqlite:///{nowhere}"), tmp_path / "damaged", False, silent)
    assert not nowhere.exists()


def with_manifest(archive: Path, path: Path, **changed: Any) -> Path:
    """An archive that says something else about itself, and is whole."""
    manifest, *rows, _ = gzip.decompress(archive.read_bytes()).splitlines(keepends=True)
    lines = [json.dumps(json.loads(manifest) | changed).encode() + b"\n", *rows]
    end = json.loads(gzip.decompress(archive.read_bytes()).splitlines()[-1])
    end["sha256"] = hashlib.sha256(b"".join(lines)).hexdigest()
    path.write_bytes(gzip.compress(b"".join([*lines, json.dumps(end).encode() + b"\n"])))
    return path


async def test_a_backup_of_later_tables_touches_nothing(kept: PlayedDatabase, played: Path, tmp_path: Path) -> None:
    was = await contents(kept.database)
    later = with_manifest(played, tmp_path / "later", schema="9999", skerry="99.1")
    with pytest.raises(BadArchive, match=r"later version of Skerry \(99\.1\)"):
        await restore(kept.url, later, True, silent)
    assert await contents(kept.database) == was


async def test_a_restore_that_fails_half_way_touches_nothing(
    kept: PlayedDatabase, played: Path, tmp_path: Path
) -> None:
    """A backup whose rows do not fit the tables of the revision that it names."""
    was = await contents(kept.database)
    wrong = with_manifest(played, tmp_path / "wrong", schema="0001")
    with pytest.raises(BadArchive, match="does not fit the tables"):
        await restore(kept.url, wrong, True, silent)
    assert await contents(kept.database) == was


async def test_tables_of_a_later_version_are_not_touched(kept: PlayedDatabase, played: Path) -> None:
    await kept.execute(sa.text("UPDATE alembic_version SET version_num = '9999'"))
    was = await contents(kept.database)
    for attempt in (
        back_up(kept.url, played.with_name("never"), False, silent),
        restore(kept.url, played, True, silent),
        verify(kept.url, find_game, silent),
    ):
        with pytest.raises(UnusableDatabase, match=r"later version of Skerry \(9999\)"):
            await attempt
    assert await contents(kept.database) == was and not played.with_name("never").exists()


async def test_a_file_with_a_damaged_page_is_not_backed_up(kept_in_file: PlayedDatabase, tmp_path: Path) -> None:
    file = tmp_path / "kept.db"
    content = bytearray(file.read_bytes())
    for page in range(4096, len(content), 4096):
        if content[page] == 13:  # a leaf of a table: say that it has more cells than fit
            content[page + 3 : page + 5] = b"\xff\xff"
    file.write_bytes(content)
    with pytest.raises((DamagedDatabase, UnusableDatabase), match=r"damaged|malformed"):
        await back_up(kept_in_file.url, tmp_path / "backup", False, silent)
    assert not (tmp_path / "backup").exists()


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="needs /dev/full")
async def test_a_full_disk_is_told_and_leaves_nothing(
    kept: PlayedDatabase, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened = os.open

    def open_full(path: Any, flags: int, *more: Any, **named: Any) -> int:
        full = str(path).endswith(".part")
        if full:
            os.close(opened(path, flags, *more, **named))
        return opened("/dev/full", os.O_WRONLY) if full else opened(path, flags, *more, **named)

    monkeypatch.setattr(os, "open", open_full)
    with pytest.raises(Refusal, match="No space left on device"):
        await back_up(kept.url, tmp_path / "folder-backup", False, silent)
    assert not [path for path in tmp_path.iterdir() if "backup" in path.name]


async def test_nothing_is_left_beside_a_backup(kept: PlayedDatabase, tmp_path: Path) -> None:
    folder = tmp_path / "backups"
    folder.mkdir()
    await back_up(kept.url, folder / "backup", False, silent)
    assert [path.name for path in folder.iterdir()] == ["backup"]


async def test_progress_ends_at_the_number_of_rows(kept: PlayedDatabase, tmp_path: Path) -> None:
    told: list[tuple[int, int]] = []
    counts = await back_up(kept.url, tmp_path / "backup", False, lambda done, total: told.append((done, total)))
    assert told == sorted(told) and told[-1] == (sum(counts.values()),) * 2
