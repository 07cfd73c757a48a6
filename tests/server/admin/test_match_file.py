"""One match from one server to another: as it was, taken over by others, and never unless the rules give it."""

from __future__ import annotations

import base64
import gzip
import hashlib
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa

import skerry
from skerry.engine.errors import BadOption, Refusal, UnknownSeat
from skerry.games import find_game
from skerry.server.admin.archive import BadArchive
from skerry.server.admin.match_file import export_match, import_match
from skerry.server.admin.verification import verify
from skerry.server.errors import MatchNotFound
from skerry.server.schema import UNDO, actions, guests, matches, seats
from tests.server.admin.conftest import PlayedDatabase, server_on, silent, url_of
from tests.server.conftest import Guest

pytestmark = pytest.mark.anyio


async def exported(kept: PlayedDatabase, game: str, path: Path) -> str:
    """The file of a played match; its id."""
    (row,) = await kept.all(sa.select(matches.c.id).where(matches.c.game == game))
    await export_match(kept.url, row.id, path, False)
    return str(row.id)


async def log_of(database: str, match: str) -> list[tuple[Any, ...]]:
    columns = [column for column in actions.c if column.name != "match"]
    query = sa.select(*columns).where(actions.c.match == match).order_by(actions.c.seq)
    return [tuple(row) for row in await PlayedDatabase(database).all(query)]


async def test_a_finished_match_is_the_same_at_another_server(
    kept: PlayedDatabase, elsewhere: str, tmp_path: Path
) -> None:
    match = await exported(kept, "forbidden-island", tmp_path / "match")
    async with server_on(kept.database) as client:
        record = (await (await Guest.register(client, "Eve")).ask("GET", f"/matches/{match}/record")).text
    async with server_on(elsewhere) as client:
        eve = await Guest.register(client, "Eve")
        done = await import_match(url_of(elsewhere), tmp_path / "match", find_game, {}, None)
        assert done.id == match and not done.had_clock
        assert await log_of(elsewhere, match) == await log_of(kept.database, match)
        assert (await eve.ask("GET", f"/matches/{match}/record")).text == record
        assert skerry.replay(record).result is not None
        standing = (await eve.ask("GET", f"/matches/{match}")).json()
        assert [seat["name"] for seat in standing["seats"]] == ["Ana", "Ana"]
        assert (await eve.sit(match, 0)).status_code == 403, "a name is not an open seat"
        page = await client.get(f"/m/{match}", headers=eve.headers)
        assert page.status_code == 200
        assert match not in [one["id"] for one in (await eve.ask("GET", "/matches")).json()], "it is not listed"


async def test_a_running_match_is_taken_over(kept: PlayedDatabase, elsewhere: str, tmp_path: Path) -> None:
    match = await exported(kept, "cartagena", tmp_path / "match")
    async with server_on(elsewhere) as client:
        ben, eve = await Guest.register(client, "Ben"), await Guest.register(client, "Eve")
        await import_match(url_of(elsewhere), tmp_path / "match", find_game, {}, None)
        before = await log_of(elsewhere, match)
        standing = (await ben.ask("GET", f"/matches/{match}")).json()
        assert [seat["open"] for seat in standing["seats"]] == [True, True] and standing["seq"] == len(before)
        assert (await ben.sit(match, 0)).status_code == 200 and (await eve.sit(match, 1)).status_code == 200
        for _ in range(6):
            seat = (await ben.view(match))["waiting"][0]
            await (ben, eve)[seat].play_first(match, seat)
    assert len(await log_of(elsewhere, match)) > len(before)
    found = await verify(url_of(elsewhere), find_game, silent)
    assert (found.faults, found.compared) == ([], 0)


async def test_an_undo_is_still_possible_after_an_import(kept: PlayedDatabase, elsewhere: str, tmp_path: Path) -> None:
    match = await exported(kept, "hashi", tmp_path / "match")
    assert UNDO in [row[2] for row in await log_of(kept.database, match)]
    async with server_on(elsewhere) as client:
        ben = await Guest.register(client, "Ben")
        await import_match(url_of(elsewhere), tmp_path / "match", find_game, {0: "Ben"}, None)
        view = await ben.view(match, 0)
        if not view["undo"]:
            await ben.play_first(match, 0)
            view = await ben.view(match, 0)
        assert view["undo"]
        answer = await ben.ask("POST", f"/matches/{match}/undo", json={"seat": 0, "seq": view["seq"]})
        assert answer.status_code == 200, answer.text


async def test_a_taken_id_is_replaced(kept: PlayedDatabase, tmp_path: Path) -> None:
    match = await exported(kept, "forbidden-desert", tmp_path / "match")
    done = await import_match(kept.url, tmp_path / "match", find_game, {}, None)
    assert done.id != match
    assert await log_of(kept.database, done.id) == await log_of(kept.database, match)
    found = await verify(kept.url, find_game, silent)
    assert (found.faults, found.matches) == ([], 5)


async def test_seats_can_be_given(database: str, tmp_path: Path) -> None:
    async with server_on(database) as client:
        ana, ben = await Guest.register(client, "Ana"), await Guest.register(client, "Ben")
        opened = await ana.open("cartagena", ["me", "skilled", "random", "open"], options={"players": 4}, clock=60)
        await export_match(url_of(database), opened["id"], tmp_path / "match", False)
        url, file = url_of(database), tmp_path / "match"
        ben_id = (await ben.ask("GET", "/me")).json()["id"]
        done = await import_match(url, file, find_game, {0: ben_id, 1: "open", 3: "random"}, "Ana")
        standing = (await ben.ask("GET", f"/matches/{done.id}")).json()
        assert [(seat["name"], seat["bot"], seat["open"]) for seat in standing["seats"]] == [
            ("Ben", None, False),
            (None, None, True),
            (None, "random", False),
            (None, "random", False),
        ]
        assert standing["seats"][0]["mine"] and standing["clock"] is None and done.had_clock
        assert (await ben.sit(done.id, 2, "open")).status_code == 403
        assert (await ana.sit(done.id, 2, "open")).status_code == 200, "the host may change the seat of a bot"


async def test_who_is_not_there_cannot_be_given_a_seat(kept: PlayedDatabase, tmp_path: Path) -> None:
    await exported(kept, "cartagena", tmp_path / "match")
    was = await kept.all(sa.select(matches.c.id))
    await kept.execute(sa.insert(guests).values(id="twin", name="Ana", language="en", created=0.0))
    for players, host, error, text in (
        ({0: "Nobody"}, None, BadOption, "no guest and the game no bot 'Nobody'"),
        ({0: "Ana"}, None, BadOption, "Several guests"),
        ({2: "open"}, None, UnknownSeat, "no seat 2"),
        ({}, "Nobody", BadOption, "has no guest"),
    ):
        with pytest.raises(error, match=text):
            await import_match(kept.url, tmp_path / "match", find_game, players, host)
    assert await kept.all(sa.select(matches.c.id)) == was
    assert len(await kept.all(sa.select(seats))) == 7


async def test_a_match_that_does_not_exist_is_not_exported(kept_in_file: PlayedDatabase, tmp_path: Path) -> None:
    with pytest.raises(MatchNotFound):
        await export_match(kept_in_file.url, "nothing", tmp_path / "match", False)
    assert not (tmp_path / "match").exists()


# Files that somebody has changed, with the right digest


Lines = list[Any]


def changed(file: Path, change: Callable[[Lines], None]) -> Path:
    """A match file with other rows, whole in itself."""
    lines: Lines = [json.loads(line) for line in gzip.decompress(file.read_bytes()).splitlines()]
    change(lines)
    text = [json.dumps(line, separators=(",", ":")).encode() + b"\n" for line in lines[:-1]]
    lines[-1]["sha256"] = hashlib.sha256(b"".join(text)).hexdigest()
    text.append(json.dumps(lines[-1]).encode() + b"\n")
    other = file.with_name("changed")
    other.write_bytes(gzip.compress(b"".join(text)))
    return other


def column(lines: Lines, section: str, name: str) -> int:
    (head,) = [line for line in lines if isinstance(line, dict) and line.get("section") == section]
    return int(head["columns"].index(name))


def first_row(lines: Lines, section: str) -> int:
    return next(n for n, line in enumerate(lines) if isinstance(line, dict) and line.get("section") == section) + 1


def set_in(section: str, name: str, value: Any, row: int = 0) -> Callable[[Lines], None]:
    def change(lines: Lines) -> None:
        lines[first_row(lines, section) + row][column(lines, section, name)] = value

    return change


def drop_last_action(lines: Lines) -> None:
    del lines[-2]
    lines[-1]["rows"]["actions"] -= 1


def later_tables(lines: Lines) -> None:
    lines[0]["schema"] = "9999"


ZEROS = base64.b64encode(bytes(100)).decode()


@pytest.mark.parametrize(
    ("change", "text"),
    [
        (set_in("actions", "state", ZEROS, 5), "row 6: the state is not what the rules give"),
        (set_in("actions", "action", 30_000, 5), "row 6: the rules do not allow its action"),
        (set_in("match", "seed", "5"), "the first state is not the one that the seed gives"),
        (set_in("match", "ended", None), ""),
        (set_in("match", "ended", "won"), "it is stored as ended"),
        (set_in("match", "game", "whist"), "no game 'whist'"),
        (set_in("match", "version", 9), "version 9 of the rules"),
        (set_in("match", "id", "../../etc"), "its id is not one"),
        (set_in("match", "id", "x" * 25), "id is too long"),
        (set_in("match", "id", 7), "id is not str"),
        (set_in("match", "created", "now"), "created is not float"),
        (set_in("match", "guide", 1), "guide is not bool"),
        (set_in("actions", "seat", True, 3), "seat is not int"),
        (set_in("actions", "key", "a\0b", 3), "key is not text"),
        (set_in("actions", "at", None, 3), "at is not float"),
        (set_in("seats", "name", ""), "1 to 40 characters"),
        (set_in("seats", "seat", 1), "numbered from 0"),
        (drop_last_action, "by the rules it is running"),
        (later_tables, "later version"),
    ],
)
async def test_only_what_the_rules_give_is_imported(
    kept_in_file: PlayedDatabase, tmp_path: Path, change: Callable[[Lines], None], text: str
) -> None:
    await exported(kept_in_file, "forbidden-island", tmp_path / "match")
    file = changed(tmp_path / "match", change)
    if not text:  # the server that wrote it had no time to note the end
        done = await import_match(kept_in_file.url, file, find_game, {}, None)
        assert [seat.name for seat in done.seats] == ["Ana", "Ana"], "a match that is over keeps its names"
        return
    with pytest.raises(Refusal) as refusal:
        await import_match(kept_in_file.url, file, find_game, {}, None)
    assert text in str(refusal.value)
    assert len(await kept_in_file.all(sa.select(matches))) == 4 and len(await kept_in_file.all(sa.select(guests))) == 1


async def test_an_import_reads_no_file_of_the_server(kept_in_file: PlayedDatabase, tmp_path: Path) -> None:
    """A board can be drawn in a file, which a match of this server would name."""
    await exported(kept_in_file, "hashi", tmp_path / "match")
    options = json.dumps({"players": 1, "board": "/srv/secret.board"})
    file = changed(tmp_path / "match", set_in("match", "options", options))
    with pytest.raises(BadOption, match="Option board cannot name a file of this server"):
        await import_match(kept_in_file.url, file, find_game, {}, None)


async def test_a_damaged_file_is_refused(kept_in_file: PlayedDatabase, tmp_path: Path) -> None:
    await exported(kept_in_file, "cartagena", tmp_path / "match")
    content = bytearray((tmp_path / "match").read_bytes())
    content[len(content) // 2] ^= 1
    (tmp_path / "match").write_bytes(content)
    with pytest.raises(BadArchive, match="damaged"):
        await import_match(kept_in_file.url, tmp_path / "match", find_game, {}, None)
