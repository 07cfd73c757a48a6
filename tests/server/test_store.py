"""The store: its schema, its guarantees about logs, and the deletion of guests."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa
from alembic import command
from alembic.autogenerate import compare_metadata
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory

from skerry.server.schema import REVISIONS, metadata
from skerry.server.settings import Settings
from skerry.server.store import Store, StoreDown

pytestmark = pytest.mark.anyio


@pytest.fixture
async def store(database: str) -> AsyncIterator[Store]:
    store = Store(Settings(database=database).database_url)
    await store.open()
    yield store
    await store.close()


async def add_match(store: Store, match: str, owner: str = "ana", sitting: tuple[Any, ...] = ("ana", None)) -> None:
    columns = {"id": match, "game": "hashi", "version": 1, "options": "{}", "seed": str(2**64 - 1), "owner": owner}
    columns |= {"listed": False, "clock": None, "created": time.time(), "ended": None, "next": None}
    await store.add_match(columns, [{"guest": guest, "bot": None} for guest in sitting])


def entry(match: str, seq: int, key: str | None = None) -> dict[str, Any]:
    row = {"match": match, "seq": seq, "seat": 0, "action": 7, "key": key, "rows": b"[]", "sealed": False}
    return row | {"before": seq - 1, "state": bytes([seq % 256] * 40), "at": time.time(), "waiting": 1}


# Tables


async def test_the_migrations_create_the_schema(store: Store) -> None:
    async with store.database.engine.connect() as connection:
        differences = await connection.run_sync(
            lambda sync: compare_metadata(MigrationContext.configure(sync, opts={"compare_type": True}), metadata)
        )
    assert differences == []


def test_the_revisions_are_those_of_the_migrations() -> None:
    config = Config()
    config.set_main_option("script_location", "skerry.server:migrations")
    revisions = [script.revision for script in ScriptDirectory.from_config(config).walk_revisions()]
    assert tuple(revisions[::-1]) == REVISIONS


async def test_the_migrations_can_be_reverted_and_repeated(store: Store) -> None:
    config = Config()
    config.set_main_option("script_location", "skerry.server:migrations")

    def run(sync: sa.Connection, to: str) -> set[str]:
        config.attributes["connection"] = sync
        (command.downgrade if to == "base" else command.upgrade)(config, to)
        return set(sa.inspect(sync).get_table_names())

    for to, expected in (
        ("base", set()),
        ("head", set(metadata.tables)),
        ("base", set()),
        ("head", set(metadata.tables)),
    ):
        async with store.database.engine.begin() as connection:
            assert await connection.run_sync(run, to) - {"alembic_version"} == expected
    await add_match(store, "m")
    assert await store.append(entry("m", 1))


async def test_several_processes_can_open_a_new_store_at_the_same_time(database: str) -> None:
    stores = [Store(Settings(database=database).database_url) for _ in range(4)]
    await asyncio.gather(*(store.open() for store in stores))
    assert len({await store.secret() for store in stores}) == 1, "they sign with the same key"
    await asyncio.gather(*(store.close() for store in stores))


async def test_the_folder_of_the_database_is_created(tmp_path: Path) -> None:
    store = Store(Settings(data=tmp_path / "a" / "b").database_url)
    await store.open()
    await store.ping()
    await store.close()
    assert (tmp_path / "a" / "b" / "skerry.db").exists()


# Logs


async def test_a_log_number_is_taken_once(store: Store) -> None:
    await add_match(store, "m")
    answers = await asyncio.gather(*(store.append(entry("m", 1, f"key {n}")) for n in range(20)))
    assert sorted(answers) == [False] * 19 + [True]
    assert [row.key for row in await store.log("m")] == [f"key {answers.index(True)}"]


async def test_a_key_is_taken_once_in_a_match(store: Store) -> None:
    for match in ("m", "n"):
        await add_match(store, match)
    assert await store.append(entry("m", 1, "same"))
    assert not await store.append(entry("m", 2, "same"))
    assert await store.append(entry("n", 1, "same")), "another match has keys of its own"
    assert await store.append(entry("m", 2)) and await store.append(entry("m", 3)), "rows without a key do not conflict"
    found = await store.entry_by_key("m", "same")
    assert found is not None and found.seq == 1
    assert await store.entry_by_key("m", "other") is None


async def test_pending_rows_are_written_together(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    ids = [f"m{n}" for n in range(60)]
    for match in ids:
        await add_match(store, match)
    batches = []
    write = store.log_writer.write_batch

    async def count(batch: Any) -> None:
        batches.append(len(batch))
        await write(batch)

    monkeypatch.setattr(store.log_writer, "write_batch", count)
    assert all(await asyncio.gather(*(store.append(entry(match, 1)) for match in ids)))
    assert sum(batches) == 60 and len(batches) <= 3, "each row has a commit of its own"
    assert await store.last_seqs(ids) == dict.fromkeys(ids, 1)


async def test_only_the_conflicting_rows_of_a_batch_are_refused(store: Store) -> None:
    ids = [f"m{n}" for n in range(9)]
    for match in ids:
        await add_match(store, match)
    assert await store.append(entry("m4", 1)) and await store.append(entry("m7", 1, "same"))
    entries = [entry("m7", 2, "same") if match == "m7" else entry(match, 1) for match in ids]
    written = await asyncio.gather(*(store.append(one) for one in entries))
    assert written == [match not in ("m4", "m7") for match in ids]
    assert await store.last_seqs(ids) == dict.fromkeys(ids, 1)


async def test_a_write_to_a_deleted_match_does_not_affect_others(store: Store) -> None:
    await add_match(store, "m")
    answers = await asyncio.gather(
        store.append(entry("gone", 1)),
        store.append(entry("m", 1)),
        store.append(entry("gone", 2)),
        return_exceptions=True,
    )
    assert isinstance(answers[0], StoreDown) and answers[1] is True and isinstance(answers[2], StoreDown)


async def test_a_row_that_cannot_be_written_does_not_stop_the_writer(store: Store) -> None:
    await add_match(store, "m")
    for bad in ("a\0b", "\ud800", object()):
        one = asyncio.gather(store.append(entry("m", 1) | {"key": bad}), return_exceptions=True)
        (answer,) = await asyncio.wait_for(one, 10)
        if answer is True:  # SQLite accepts some of them
            await store.database.execute(sa.delete(metadata.tables["actions"]))
    assert await asyncio.wait_for(store.append(entry("m", 1)), 10)


async def test_states_are_kept_byte_for_byte(store: Store) -> None:
    await add_match(store, "m")
    row = entry("m", 1) | {"state": bytes(range(256)) * 4, "rows": b"[[1,2]]", "action": -1, "sealed": True}
    await store.append(row)
    (kept,) = await store.log("m")
    assert {name: getattr(kept, name) for name in row} == row
    head = await store.match("m")
    assert head is not None and head.seed == str(2**64 - 1)


async def test_a_log_can_be_read_from_any_number(store: Store) -> None:
    await add_match(store, "m")
    for seq in range(1, 8):
        await store.append(entry("m", seq))
    assert [row.seq for row in await store.log("m", 4)] == [5, 6, 7]
    assert [row.seq for row in await store.log("m", 2, 2)] == [3, 4]
    assert [row.seq for row in await store.tail("m", 3)] == [5, 6, 7]
    assert await store.entry("m", 8) is None and await store.entry("m", 0) is None


# Guests


async def test_forgetting_a_guest_deletes_all_but_shared_matches(store: Store) -> None:
    for guest in ("ana", "ben"):
        await store.add_guest(id=guest, name=guest.title(), language="en", created=0.0)
    await add_match(store, "alone", "ana", ("ana", None))
    await add_match(store, "shared", "ana", ("ana", "ben"))
    await add_match(store, "watched", "ana", (None, None))
    await add_match(store, "hosted", "ana", (None, "ben"))
    await add_match(store, "visited", "ben", ("ana", "ben"))
    await add_match(store, "others", "ben", ("ben", None))
    for match in ("alone", "shared"):
        await store.append(entry(match, 1))
    await store.set_next("shared", "alone")
    await store.change_match("visited", origin="watched")
    assert sorted(await store.forget_guest("ana")) == ["shared", "visited"]
    shared, visited = await store.match("shared"), await store.match("visited")
    assert shared is not None and shared.next is None and visited is not None and visited.origin is None
    left = {
        match for match in ("alone", "shared", "watched", "hosted", "visited", "others") if await store.match(match)
    }
    assert left == {"shared", "hosted", "visited", "others"}
    assert await store.log("alone") == [] and await store.seats("alone") == []
    assert [row.seq for row in await store.log("shared")] == [1]
    async with store.database.engine.connect() as connection:
        for table in metadata.sorted_tables:
            for row in await connection.execute(sa.select(table)):
                assert "ana" not in [str(value).lower() for value in row], table.name


async def test_a_free_seat_is_given_once(store: Store) -> None:
    await add_match(store, "m", "ana", ("ana", None))
    free = (await store.seats("m"))[1]
    taken = await asyncio.gather(*(store.set_seat("m", 1, free, guest, None) for guest in ("ben", "eve", "rui")))
    assert sorted(taken) == [False, False, True]
    assert (await store.seats("m"))[1].guest == ("ben", "eve", "rui")[taken.index(True)]


async def test_a_store_that_cannot_be_opened_raises_store_down(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("no folder")
    store = Store(f"sqlite+aiosqlite:///{tmp_path / 'file' / 'skerry.db'}")
    with pytest.raises((StoreDown, OSError)):
        await store.open()
    await store.close()
    nowhere = Store("postgresql+asyncpg://nobody@127.0.0.1:1/none")
    with pytest.raises(StoreDown):
        await nowhere.open()
    await nowhere.close()
