"""The list of matches for an administrator, and vacuuming."""

from __future__ import annotations

import pytest
import sqlalchemy as sa

from skerry.games import find_game
from skerry.server.admin.match_list import OPEN_SEAT, RUNNING, list_matches
from skerry.server.admin.vacuum import vacuum
from skerry.server.admin.verification import verify
from skerry.server.schema import actions, matches
from tests.server.admin.conftest import PlayedDatabase, server_on, silent, url_of
from tests.server.conftest import Guest

pytestmark = pytest.mark.anyio


async def test_the_list_says_who_plays_and_how_far_it_is(database: str) -> None:
    async with server_on(database) as client:
        ana, ben = await Guest.register(client, "Ana"), await Guest.register(client, "Ben")
        first = (await ana.open("cartagena", ["me", "open", "skilled"], options={"players": 3, "first": 0}))["id"]
        second = (await ben.open("hashi", ["me"], options={"players": 1}))["id"]
        await ana.play_first(first, 0)
    newest, oldest = await list_matches(url_of(database))
    assert (newest.id, oldest.id) == (first, second), "the last played match comes first"
    assert newest.players == ("Ana", OPEN_SEAT, "skilled") and oldest.players == ("Ben",)
    assert newest.game == "cartagena" and newest.version == find_game("cartagena").version
    assert newest.actions >= 1 and oldest.actions == 0 and newest.state == RUNNING
    assert newest.last_activity > oldest.last_activity


async def test_the_list_can_be_narrowed(kept: PlayedDatabase) -> None:
    everything = await list_matches(kept.url)
    assert [match.id for match in everything] == [
        match.id for match in sorted(everything, key=lambda match: -match.last_activity)
    ]
    assert [match.game for match in await list_matches(kept.url, game="hashi")] == ["hashi"]
    over = await list_matches(kept.url, finished=True)
    assert {match.game for match in over} == {"forbidden-island", "forbidden-desert"}
    assert all(match.state != RUNNING for match in over)
    assert {match.state for match in await list_matches(kept.url, finished=False)} == {RUNNING}
    assert await list_matches(kept.url, limit=3) == everything[:3]
    ((rows,),) = await kept.all(sa.select(sa.func.count()).select_from(actions))
    assert sum(match.actions for match in everything) == rows


async def test_no_match_is_opened_for_the_list(kept: PlayedDatabase) -> None:
    """A match whose game is not installed, or whose options are damaged, is listed like any other."""
    await kept.execute(sa.update(matches).where(matches.c.game == "hashi").values(game="whist", options="?"))
    assert {match.game for match in await list_matches(kept.url)} == {
        "whist",
        "cartagena",
        "forbidden-island",
        "forbidden-desert",
    }


async def test_vacuuming_keeps_all_that_was_not_deleted(kept: PlayedDatabase) -> None:
    await kept.execute(sa.delete(matches).where(matches.c.game != "cartagena"))
    done = await vacuum(kept.url)
    if kept.database.startswith("sqlite"):  # PostgreSQL keeps it for new rows
        assert 0 < done.after < done.before / 1.5
    found = await verify(kept.url, find_game, silent)
    assert (found.faults, found.matches) == ([], 1)


async def test_people_play_after_a_vacuum(database: str) -> None:
    async with server_on(database) as client:
        ana = await Guest.register(client, "Ana")
        match = (await ana.open("cartagena", ["me", "me"], options={"players": 2, "first": 0}))["id"]
        await vacuum(url_of(database))
        assert await ana.play_first(match, 0) >= 1
