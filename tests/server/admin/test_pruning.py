"""Pruning: only what is old enough goes, a dry run deletes nothing, and whoever plays loses nothing."""

from __future__ import annotations

import asyncio
import time

import pytest
import sqlalchemy as sa

from skerry.engine.errors import BadOption
from skerry.games import find_game
from skerry.server.admin import pruning
from skerry.server.admin.pruning import DAY, Pruned, PruneRule, prune
from skerry.server.admin.verification import verify
from skerry.server.database import Database
from skerry.server.schema import actions, guests, matches, metadata, seats
from tests.server.admin.conftest import PlayedDatabase, server_on, silent, url_of
from tests.server.conftest import Guest

pytestmark = pytest.mark.anyio


@pytest.fixture
async def aged(database: str) -> PlayedDatabase:
    """Small matches of various ages: their names say how old, and whether they are over."""
    url = url_of(database)
    opened = Database(url)
    await opened.open()
    await opened.close()
    kept = PlayedDatabase(database)
    for name, created in (("ana", 400), ("ben", 400), ("eve", 400), ("new", 1)):
        await kept.execute(sa.insert(guests).values(id=name, name=name, language="en", created=days_ago(created)))
    for name, holder, created, played, ended in (
        ("old over", "ana", 400, 300, "won"),
        ("old running", "ana", 400, 300, None),
        ("old unplayed", "ben", 300, None, None),
        ("young over", "ben", 20, 10, "won"),
        ("old, but played again", "ana", 400, 2, None),
    ):
        await add_match(kept, name, holder, days_ago(created), None if played is None else days_ago(played), ended)
    return kept


def days_ago(days: float) -> float:
    return time.time() - days * DAY


async def add_match(
    kept: PlayedDatabase, name: str, guest: str, created: float, played: float | None, ended: str | None
) -> None:
    columns = {"id": name, "game": "hashi", "version": 1, "options": "{}", "seed": "1", "owner": guest}
    await kept.execute(sa.insert(matches).values(**columns, listed=False, created=created, ended=ended, guide=False))
    await kept.execute(sa.insert(seats).values(match=name, seat=0, guest=guest))
    if played is not None:
        row = {"match": name, "seq": 1, "seat": 0, "action": 0, "rows": b"[]", "sealed": False, "before": 0}
        await kept.execute(sa.insert(actions).values(**row, state=b"", at=played))


async def ids(kept: PlayedDatabase, table: sa.Table) -> set[str]:
    return {row[0] for row in await kept.all(sa.select(table.c.match if "match" in table.c else table.c.id))}


OLD = {"old over", "old running", "old unplayed"}


@pytest.mark.parametrize(
    ("rule", "gone", "guests_gone", "pruned"),
    [
        pytest.param(PruneRule(100), OLD, set(), Pruned(1, 2, 2, 0), id="old matches"),
        pytest.param(PruneRule(100, True), {"old over"}, set(), Pruned(1, 0, 1, 0), id="old finished matches"),
        pytest.param(PruneRule(100, False), OLD - {"old over"}, set(), Pruned(0, 2, 1, 0), id="old unfinished matches"),
        pytest.param(PruneRule(5), {*OLD, "young over"}, set(), Pruned(2, 2, 3, 0), id="matches of a week"),
        pytest.param(PruneRule(guests_idle_days=100), set(), {"eve"}, Pruned(0, 0, 0, 1), id="idle guests"),
        pytest.param(PruneRule(100, None, 100), OLD, {"eve"}, Pruned(1, 2, 2, 1), id="old matches and idle guests"),
        pytest.param(
            PruneRule(5, None, 100),
            {*OLD, "young over"},
            {"ben", "eve"},
            Pruned(2, 2, 3, 2),
            id="matches of a week and idle guests",
        ),
        pytest.param(PruneRule(1000, None, 1000), set(), set(), Pruned(), id="nothing so old"),
    ],
)
async def test_only_what_is_old_enough_goes(
    aged: PlayedDatabase, rule: PruneRule, gone: set[str], guests_gone: set[str], pruned: Pruned
) -> None:
    before = {table.name: await ids(aged, table) for table in (matches, seats, actions, guests)}
    assert await prune(aged.url, rule, dry_run=True) == pruned
    assert {table.name: await ids(aged, table) for table in (matches, seats, actions, guests)} == before
    assert await prune(aged.url, rule, dry_run=False) == pruned
    assert await ids(aged, guests) == before["guests"] - guests_gone
    for table in (matches, seats, actions):
        assert await ids(aged, table) == before[table.name] - gone
    assert await prune(aged.url, rule, dry_run=False) == Pruned(), "all that could go has gone"


async def test_more_matches_than_go_at_once(aged: PlayedDatabase, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pruning, "MATCHES_AT_ONCE", 2)
    assert await prune(aged.url, PruneRule(5), dry_run=False) == Pruned(2, 2, 3, 0)
    assert await ids(aged, matches) == {"old, but played again"}


async def test_no_link_leads_to_a_match_that_has_gone(aged: PlayedDatabase) -> None:
    await aged.execute(
        sa.update(matches).where(matches.c.id == "young over").values(next="old over", origin="old over")
    )
    await prune(aged.url, PruneRule(100), dry_run=False)
    (row,) = await aged.all(sa.select(matches.c.next, matches.c.origin).where(matches.c.id == "young over"))
    assert (row.next, row.origin) == (None, None)


async def test_an_action_at_the_last_moment_keeps_its_match(aged: PlayedDatabase) -> None:
    """It is being written while the match is chosen, and committed before the match is deleted."""
    opened = Database(aged.url)
    async with opened.engine.connect() as writer:
        if opened.is_sqlite:
            await writer.exec_driver_sql("BEGIN IMMEDIATE")
        row = {"match": "old over", "seq": 2, "seat": 0, "action": 0, "rows": b"[]", "sealed": False, "before": 1}
        await writer.execute(sa.insert(actions).values(**row, state=b"", at=time.time()))
        task = asyncio.create_task(prune(aged.url, PruneRule(100), dry_run=False))
        await asyncio.sleep(0.5)
        assert not task.done(), "it does not wait for the action"
        await writer.commit()
    assert await task == Pruned(0, 2, 1, 0)
    await opened.close()
    assert await ids(aged, matches) == {"old over", "young over", "old, but played again"}


@pytest.mark.parametrize("rule", [PruneRule(), PruneRule(finished=True), PruneRule(None, False, 3)], ids=str)
async def test_a_rule_by_which_nothing_could_go_is_refused(aged: PlayedDatabase, rule: PruneRule) -> None:
    with pytest.raises(BadOption, match="--matches-older-than DAYS"):
        await prune(aged.url, rule, dry_run=False)
    assert len(await ids(aged, matches)) == 5


async def test_people_go_on_playing(database: str) -> None:
    """A server whose old matches and idle guests go keeps the match that is played, and everybody in it."""
    async with server_on(database) as client:
        ana, eve = await Guest.register(client, "Ana"), await Guest.register(client, "Eve")
        old = (await eve.open("cartagena", ["me", "me"], options={"players": 2}))["id"]
        played = (await ana.open("cartagena", ["me", "me"], options={"players": 2, "first": 0}))["id"]
        kept = PlayedDatabase(database)
        await kept.execute(sa.update(guests).values(created=0.0))
        await kept.execute(sa.update(matches).values(created=0.0))
        await ana.play_first(played, 0)
        assert await prune(kept.url, PruneRule(7, None, 7), dry_run=False) == Pruned(0, 1, 0, 1)
        await ana.play_first(played, (await ana.view(played))["waiting"][0])
        assert (await ana.ask("GET", f"/matches/{old}")).status_code in (200, 404)  # from memory for a while
        assert (await verify(kept.url, find_game, silent)).faults == []
    assert await ids(kept, metadata.tables["guests"]) == {row.guest for row in await kept.all(sa.select(seats.c.guest))}
