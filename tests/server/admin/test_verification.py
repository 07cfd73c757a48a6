"""Verification: played matches have no fault, and every kind of damage is found where it is."""

from __future__ import annotations

import dataclasses
import json
import random
import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa

from skerry.engine.errors import UnknownGame
from skerry.engine.game import Game
from skerry.engine.upgrades import Upgrade
from skerry.games import find_game
from skerry.server.admin.log_check import Fault
from skerry.server.admin.verification import Verification, verify
from skerry.server.schema import RULES, UNDO, actions, matches, seats
from tests.server.admin.conftest import PlayedDatabase, dump, server_on, silent
from tests.server.conftest import Guest

pytestmark = pytest.mark.anyio
STATE = "the state is not what the rules give"


async def verified(kept: PlayedDatabase, find: Callable[[str], Game] = find_game) -> Verification:
    return await verify(kept.url, find, silent)


async def a_row(kept: PlayedDatabase, game: str, *conditions: Any) -> Any:
    """A row in the middle of the log of a game's match, which the next row does not take back."""
    log = sa.select(actions).join(matches).where(matches.c.game == game).order_by(actions.c.seq)
    undone = {row.seq - 1 for row in await kept.all(log.where(actions.c.action == UNDO))}
    rows = [row for row in await kept.all(log.where(*conditions)) if row.seq not in undone]
    return rows[len(rows) // 2]


async def damage(kept: PlayedDatabase, row: Any, **columns: Any) -> None:
    this = (actions.c.match == row.match) & (actions.c.seq == row.seq)
    assert await kept.execute(sa.update(actions).where(this).values(**columns)) == 1


async def the_fault(kept: PlayedDatabase) -> Fault:
    (fault,) = (await verified(kept)).faults
    return fault


def flipped(content: bytes, place: int) -> bytes:
    changed = bytearray(content)
    changed[place] ^= 1
    return bytes(changed)


async def test_played_matches_have_no_fault(kept: PlayedDatabase) -> None:
    found = await verified(kept)
    ((rows,),) = await kept.all(sa.select(sa.func.count()).select_from(actions))
    assert (found.faults, found.matches, found.replayed, found.compared) == ([], 4, rows, 0)
    ((undos,),) = await kept.all(sa.select(sa.func.count()).where(actions.c.action == UNDO))
    assert undos >= 10, "these matches do not show whether undos are checked"
    ended = await kept.all(sa.select(matches.c.ended).where(matches.c.ended.is_not(None)))
    assert len(ended) == 2


async def test_verification_changes_nothing(kept_in_file: PlayedDatabase) -> None:
    await damage(kept_in_file, await a_row(kept_in_file, "hashi"), rows=b"?")
    file = Path(kept_in_file.database.removeprefix("sqlite:///"))
    was = dump(file)
    assert (await verified(kept_in_file)).faults
    assert dump(file) == was


async def test_people_play_meanwhile(database: str) -> None:
    """A match that grows while it is read has no gap, no wrong end and no other fault."""
    async with server_on(database) as client:
        ana = await Guest.register(client, "Ana")
        match = (await ana.open("cartagena", ["me", "random"], options={"players": 2, "first": 0}))["id"]
        kept = PlayedDatabase(database)
        for _ in range(15):
            standing = (await ana.ask("GET", f"/matches/{match}")).json()
            if 0 in standing["waiting"]:
                await ana.play_first(match, 0)
            assert (await verified(kept)).faults == []


# Damaged rows


async def test_one_damaged_state_is_one_fault(kept: PlayedDatabase) -> None:
    """The rows after it are replayed from what the rules give, not from what is stored."""
    row = await a_row(kept, "cartagena", actions.c.action >= 0)
    await damage(kept, row, state=flipped(row.state, 3))
    fault = await the_fault(kept)
    assert (fault.match, fault.rows, fault.text) == (row.match, str(row.seq), STATE)


async def test_every_byte_counts(kept_in_file: PlayedDatabase) -> None:
    chance = random.Random(3)
    rows = await kept_in_file.all(sa.select(actions))
    for _ in range(25):
        row = chance.choice(rows)
        column = chance.choice(["state", "rows"])
        content: bytes = getattr(row, column)
        place = chance.randrange(len(content))
        await damage(kept_in_file, row, **{column: flipped(content, place)})
        faults = (await verified(kept_in_file)).faults
        assert [(fault.match, fault.first) for fault in faults] == [(row.match, row.seq)], (column, place, faults)
        await damage(kept_in_file, row, **{column: content})


async def test_a_state_of_another_size(kept_in_file: PlayedDatabase) -> None:
    row = await a_row(kept_in_file, "hashi", actions.c.action >= 0)
    await damage(kept_in_file, row, state=row.state[:-1])
    assert (await the_fault(kept_in_file)).text == STATE


async def test_another_action(kept_in_file: PlayedDatabase) -> None:
    """All that follows from it is not what is stored, or cannot be played."""
    row = await a_row(kept_in_file, "forbidden-island", actions.c.action >= 0)
    await damage(kept_in_file, row, action=row.action + 1)
    first = (await verified(kept_in_file)).faults[0]
    assert (first.match, first.first) == (row.match, row.seq)
    assert first.text == STATE or "do not allow its action" in first.text


async def test_an_action_that_does_not_exist(kept_in_file: PlayedDatabase) -> None:
    row = await a_row(kept_in_file, "cartagena", actions.c.action >= 0)
    await damage(kept_in_file, row, action=30_000)
    found = await verified(kept_in_file)
    (fault,) = found.faults
    assert fault.first == row.seq and "do not allow its action" in fault.text
    assert found.compared and found.reasons == {"they follow a row that is wrong": 1}


async def test_another_seat(kept_in_file: PlayedDatabase) -> None:
    row = await a_row(kept_in_file, "cartagena", actions.c.action >= 0)
    await damage(kept_in_file, row, seat=1 - row.seat)
    fault = (await verified(kept_in_file)).faults[0]
    assert fault.first == row.seq


async def test_a_missing_row(kept: PlayedDatabase) -> None:
    row = await a_row(kept, "hashi", actions.c.action >= 0)
    await kept.execute(sa.delete(actions).where(actions.c.match == row.match, actions.c.seq == row.seq))
    found = await verified(kept)
    assert (found.faults[0].rows, found.faults[0].text) == (str(row.seq), "the row is missing")
    assert found.compared > 0, "what follows it cannot be replayed"


async def test_several_missing_rows_are_one_fault(kept_in_file: PlayedDatabase) -> None:
    row = await a_row(kept_in_file, "hashi")
    gone = (actions.c.match == row.match) & actions.c.seq.between(row.seq, row.seq + 3)
    await kept_in_file.execute(sa.delete(actions).where(gone))
    fault = (await verified(kept_in_file)).faults[0]
    assert (fault.rows, fault.text) == (f"{row.seq}–{row.seq + 3}", "the row is missing")


async def test_a_finished_match_that_was_cut(kept_in_file: PlayedDatabase) -> None:
    row = (await kept_in_file.all(sa.select(matches).where(matches.c.game == "forbidden-island")))[0]
    last = sa.select(sa.func.max(actions.c.seq)).where(actions.c.match == row.id).scalar_subquery()
    await kept_in_file.execute(sa.delete(actions).where(actions.c.match == row.id, actions.c.seq == last))
    fault = await the_fault(kept_in_file)
    assert fault.text == f"it is stored as ended ({row.ended}), but by the rules it is running"


async def test_other_events(kept_in_file: PlayedDatabase) -> None:
    row = await a_row(kept_in_file, "forbidden-desert", actions.c.action >= 0, sa.func.length(actions.c.rows) > 5)
    rows = json.loads(row.rows)
    rows[0][-1] += 1
    await damage(kept_in_file, row, rows=json.dumps(rows, separators=(",", ":")).encode())
    fault = await the_fault(kept_in_file)
    assert (fault.first, fault.text) == (row.seq, "the events are not what the rules give")


@pytest.mark.parametrize("rows", [b"", b"?", b"{}", b"[1]", b'"a"', b"[" * 5000, b"\xff"])
async def test_events_that_cannot_be_read(kept: PlayedDatabase, rows: bytes) -> None:
    for action in (actions.c.action >= 0, actions.c.action == UNDO):
        row = await a_row(kept, "hashi", action)
        await damage(kept, row, rows=rows)
        fault = (await verified(kept)).faults[0]
        assert (fault.match, fault.first) == (row.match, row.seq)
        await damage(kept, row, rows=row.rows)


async def test_a_step_that_may_be_taken_back_by_mistake(kept_in_file: PlayedDatabase) -> None:
    row = await a_row(kept_in_file, "forbidden-island", actions.c.sealed)
    await damage(kept_in_file, row, sealed=False)
    fault = await the_fault(kept_in_file)
    assert (fault.first, fault.text) == (row.seq, "whether it can be taken back is not what the rules say")


async def test_other_seats_that_the_game_waits_for(kept_in_file: PlayedDatabase) -> None:
    row = await a_row(kept_in_file, "cartagena", actions.c.action >= 0)
    await damage(kept_in_file, row, waiting=row.waiting ^ 3)
    fault = await the_fault(kept_in_file)
    assert (fault.first, fault.text) == (row.seq, "the seats that the game waits for are not what the rules give")


async def test_a_row_that_follows_another_one(kept_in_file: PlayedDatabase) -> None:
    row = await a_row(kept_in_file, "cartagena", actions.c.action >= 0)
    await damage(kept_in_file, row, before=row.before - 1)
    faults = (await verified(kept_in_file)).faults
    assert f"it says that it follows row {row.before - 1}, but it follows row {row.before}" in [
        one.text for one in faults
    ]
    assert faults[0].first == row.seq


# Damaged undos


async def test_an_undo_with_another_state(kept: PlayedDatabase) -> None:
    row = await a_row(kept, "hashi", actions.c.action == UNDO)
    await damage(kept, row, state=flipped(row.state, 0))
    fault = await the_fault(kept)
    assert (fault.first, fault.text) == (row.seq, f"its state is not that of row {row.before}, to which it returns")


async def test_an_undo_to_another_row(kept_in_file: PlayedDatabase) -> None:
    row = await a_row(kept_in_file, "hashi", actions.c.action == UNDO)
    await damage(kept_in_file, row, before=row.before - 1)
    faults = (await verified(kept_in_file)).faults
    assert faults[0].first == row.seq and "does not fit row" in faults[0].text


async def test_an_undo_of_another_action(kept_in_file: PlayedDatabase) -> None:
    row = await a_row(kept_in_file, "hashi", actions.c.action == UNDO)
    ((undone,),) = json.loads(row.rows)
    await damage(kept_in_file, row, rows=json.dumps([[undone + 1]]).encode())
    fault = await the_fault(kept_in_file)
    assert fault.first == row.seq and "does not fit row" in fault.text


async def test_an_undo_by_another_seat(kept_in_file: PlayedDatabase) -> None:
    row = await a_row(kept_in_file, "forbidden-island", actions.c.action == UNDO)
    await damage(kept_in_file, row, seat=1 - row.seat)
    fault = await the_fault(kept_in_file)
    assert fault.first == row.seq and "does not fit row" in fault.text


# Damaged matches


async def change_match(kept: PlayedDatabase, game: str, **columns: Any) -> str:
    (row,) = await kept.all(sa.select(matches.c.id).where(matches.c.game == game))
    await kept.execute(sa.update(matches).where(matches.c.id == row.id).values(**columns))
    return str(row.id)


@pytest.mark.parametrize(
    ("columns", "text"),
    [
        ({"ended": "won"}, "it is stored as ended (won), but by the rules it is"),
        ({"result": '{"winners": [0], "scores": [9], "won": true}'}, "its stored result is not the one that the rules"),
        ({"start": b"\0" * 10}, "the first state is not the one that the seed gives"),
        ({"waiting": 8}, "the seats that the game waits for at the start are not those"),
        ({"options": "?"}, "its options or its seed cannot be read"),
        ({"options": "[]"}, "its options or its seed cannot be read"),
        ({"options": '{"players": 9}'}, "its options or its seed cannot be read"),
        ({"seed": "-1"}, "its options or its seed cannot be read"),
        ({"seed": "x"}, "its options or its seed cannot be read"),
    ],
    ids=str,
)
async def test_a_match_with_another(kept_in_file: PlayedDatabase, columns: dict[str, Any], text: str) -> None:
    match = await change_match(kept_in_file, "forbidden-island", **columns)
    fault = (await verified(kept_in_file)).faults[0]
    assert fault.match == match and fault.text.startswith(text)


async def test_another_seed_gives_another_game(kept_in_file: PlayedDatabase) -> None:
    match = await change_match(kept_in_file, "forbidden-island", seed="5")
    texts = [fault.text for fault in (await verified(kept_in_file)).faults if fault.match == match]
    assert "the first state is not the one that the seed gives" in texts


async def test_an_end_that_the_server_had_no_time_to_note_is_no_fault(kept: PlayedDatabase) -> None:
    """It is killed between the last action and the end: the next one who opens the match notes it."""
    await change_match(kept, "forbidden-island", ended=None, result=None)
    found = await verified(kept)
    assert (found.faults, found.unmarked_ends) == ([], 1)


async def test_missing_seats_and_guests(kept: PlayedDatabase) -> None:
    (match,) = await kept.all(sa.select(matches.c.id).where(matches.c.game == "cartagena"))
    await kept.execute(sa.delete(seats).where(seats.c.match == match.id, seats.c.seat == 0))
    await kept.execute(sa.update(seats).where(seats.c.match == match.id).values(guest="nobody"))
    texts = {fault.text for fault in (await verified(kept)).faults}
    assert texts == {
        "its seats are not numbered from 0 without gaps",
        "it has 1 seats for 2 players",
        "seat 1 is held by a guest who does not exist",
    }


async def test_one_bad_match_does_not_keep_the_others_from_being_checked(kept_in_file: PlayedDatabase) -> None:
    await change_match(kept_in_file, "hashi", options="?")
    found = await verified(kept_in_file)
    assert found.matches == 4 and found.replayed > 100


async def test_rows_of_no_match(kept_in_file: PlayedDatabase) -> None:
    """SQLite keeps them if somebody deletes a match by hand, with foreign keys off."""

    connection = sqlite3.connect(kept_in_file.database.removeprefix("sqlite:///"))
    (match,) = connection.execute("DELETE FROM matches WHERE game = 'hashi' RETURNING id").fetchone()
    connection.commit()
    connection.close()
    assert [(fault.match, fault.text) for fault in (await verified(kept_in_file)).faults] == [
        (match, "there is no such match, but there are seats of it"),
        (match, "there is no such match, but there are actions of it"),
    ]


async def test_a_damaged_page_is_a_fault_and_not_the_end(kept_in_file: PlayedDatabase) -> None:
    file = Path(kept_in_file.database.removeprefix("sqlite:///"))
    content = bytearray(file.read_bytes())
    leaves = [page for page in range(4096, len(content), 4096) if content[page] == 13]
    page = leaves[len(leaves) // 2]
    content[page + 3 : page + 5] = b"\xff\xff"  # it has more cells than fit
    file.write_bytes(content)
    texts = [fault.text for fault in (await verified(kept_in_file)).faults]
    assert any("malformed" in text or "damaged" in text for text in texts)


# Other rules than the installed ones


async def test_a_game_that_is_not_installed_is_compared_and_said_so(kept_in_file: PlayedDatabase) -> None:
    def without_hashi(name: str) -> Game:
        if name == "hashi":
            raise UnknownGame("there is no game hashi")
        return find_game(name)

    found = await verified(kept_in_file, without_hashi)
    ((rows,),) = await kept_in_file.all(
        sa.select(sa.func.count()).select_from(actions.join(matches)).where(matches.c.game == "hashi")
    )
    assert (found.faults, found.compared) == ([], rows)
    assert found.reasons == {"There is no game hashi": 1}
    row = await a_row(kept_in_file, "hashi", actions.c.action == UNDO)
    await damage(kept_in_file, row, state=flipped(row.state, 0))
    (fault,) = (await verified(kept_in_file, without_hashi)).faults
    assert fault.first == row.seq


VERSION = find_game("cartagena").version
INSTALLED, LATER = b"[[%d]]" % VERSION, b"[[%d]]" % (VERSION + 1)  # rows of the log: the rules change to that version


def upgraded(name: str, upgrade: Upgrade) -> Callable[[str], Game]:
    """The games, one of which has one more version of its rules."""
    game = find_game(name)
    later = dataclasses.replace(game, version=game.version + 1)
    vars(later)["upgrades"] = (*game.upgrades, upgrade)
    return lambda wanted: later if wanted == name else find_game(wanted)


async def test_matches_of_compatible_earlier_rules_are_replayed(kept_in_file: PlayedDatabase) -> None:
    find = upgraded("cartagena", Upgrade(text="A sentence is clearer.", continues=True))
    found = await verified(kept_in_file, find)
    assert (found.faults, found.compared) == ([], 0)


async def test_matches_that_go_another_way_under_later_rules_are_compared(kept_in_file: PlayedDatabase) -> None:
    """Under the rules of today they would have gone another way: that is no fault, and it is said."""
    find = upgraded(
        "cartagena", Upgrade(text="Cards count twice.", continues=True, state=lambda state: flipped(state, 1))
    )
    found = await verified(kept_in_file, find)
    assert found.faults == [] and found.compared > 20
    assert found.reasons == {"the game goes another way under the installed rules": 1}


async def test_a_change_of_rules_must_not_change_the_state(kept: PlayedDatabase) -> None:
    find = upgraded("cartagena", Upgrade(text="A sentence is clearer.", continues=True))
    (match,) = await kept.all(sa.select(matches.c.id).where(matches.c.game == "cartagena"))
    last = (await kept.all(sa.select(actions).where(actions.c.match == match.id).order_by(actions.c.seq)))[-1]
    base = last.before if last.action == UNDO else last.seq
    row = {**last._mapping, "seq": last.seq + 1, "seat": -1, "action": RULES, "key": None, "rows": LATER}
    await kept.execute(sa.insert(actions).values(**row | {"before": base, "sealed": True}))
    found = await verified(kept, find)
    assert (found.faults, found.compared) == ([], 0)
    this = (actions.c.match == match.id) & (actions.c.seq == last.seq + 1)
    await kept.execute(sa.update(actions).where(this).values(state=flipped(last.state, 2)))
    (fault,) = (await verified(kept, find)).faults
    assert (fault.first, fault.text) == (last.seq + 1, "the change of the rules has changed the state")
    await kept.execute(sa.update(actions).where(this).values(state=last.state, rows=INSTALLED))
    (fault,) = (await verified(kept, find)).faults
    assert (fault.first, fault.text) == (last.seq + 1, f"the rules change from version {VERSION} to version {VERSION}")


async def test_a_match_that_went_on_under_later_rules_is_replayed(database: str) -> None:
    """The server of the later version writes the change into the log when it opens the match, and people play on."""
    find = upgraded("cartagena", Upgrade(text="A sentence is clearer.", continues=True))
    async with server_on(database) as client:
        ana = await Guest.register(client, "Ana")
        match = (await ana.open("cartagena", ["me", "me"], options={"players": 2, "first": 0}))["id"]
        await ana.play_first(match, 0)
    async with server_on(database, find) as client:
        ana.client = client
        for _ in range(3):
            await ana.play_first(match, (await ana.view(match))["waiting"][0])
    kept = PlayedDatabase(database)
    rules = await kept.all(sa.select(actions).where(actions.c.action == RULES))
    assert len(rules) == 1, "the server has not noted the change of rules"
    found = await verified(kept, find)
    assert (found.faults, found.compared) == ([], 0) and found.replayed >= 5
    under_earlier_rules = await verified(kept)
    assert (under_earlier_rules.faults, under_earlier_rules.replayed) == ([], 1)
    assert f"version {VERSION + 1} of the rules" in next(iter(under_earlier_rules.reasons))


async def test_what_a_change_of_rules_does_is_unknown_without_the_game(kept_in_file: PlayedDatabase) -> None:
    """The state after it has the layout of later rules, which only the game can read."""
    (match,) = await kept_in_file.all(sa.select(matches.c.id).where(matches.c.game == "cartagena"))
    log = await kept_in_file.all(sa.select(actions).where(actions.c.match == match.id).order_by(actions.c.seq))
    last = log[-1]
    row = {**last._mapping, "seq": last.seq + 1, "seat": -1, "action": RULES, "key": None, "rows": b"[[2]]"}
    row |= {"before": last.before if last.action == UNDO else last.seq, "sealed": True, "state": last.state + b"more"}
    await kept_in_file.execute(sa.insert(actions).values(**row))

    def without_cartagena(name: str) -> Game:
        if name == "cartagena":
            raise UnknownGame("there is no game cartagena")
        return find_game(name)

    found = await verified(kept_in_file, without_cartagena)
    assert (found.faults, found.compared) == ([], len(log) + 1)
