"""The JSON API: what a program can do, and what is refused."""

from __future__ import annotations

import json
from pathlib import Path

import httpx
import pytest

from skerry import replay
from skerry.games import all_games
from tests.server.conftest import Guest

pytestmark = pytest.mark.anyio


@pytest.mark.parametrize("game", [game.name for game in all_games()])
async def test_a_program_plays_a_whole_match_of_every_game(client: httpx.AsyncClient, game: str) -> None:
    ana = await Guest.register(client, "Ana")
    match = await ana.open(game, ["me", "me"], options={"players": 2})
    for _ in range(3000):
        standing = (await ana.ask("GET", f"/matches/{match['id']}")).json()
        if standing["result"] is not None:
            break
        await ana.play_first(match["id"], standing["waiting"][0])
    assert standing["result"] is not None
    answer = await ana.ask("GET", f"/matches/{match['id']}/record")
    assert replay(answer.text).result is not None


async def test_a_record_is_closed_while_the_match_runs(client: httpx.AsyncClient) -> None:
    ana = await Guest.register(client, "Ana")
    match = await ana.open("cartagena", ["me", "random"], options={"players": 2})
    answer = await ana.ask("GET", f"/matches/{match['id']}/record")
    assert answer.status_code == 403
    assert answer.json()["error"]["code"] == "not-yet"


async def test_an_illegal_action_is_refused_with_reason_and_rule_in_the_guests_language(
    client: httpx.AsyncClient,
) -> None:
    ana = await Guest.register(client, "Ana", "es")
    options = {"players": 2, "roles": "diver,engineer", "first": 1}  # roles without special movement
    match = await ana.open("forbidden-island", ["me", "me"], options=options)
    seat = match["waiting"][0]
    view = await ana.view(match["id"], seat)
    here = view["view"]["seats"][seat]["place"]
    answer = await ana.act(match["id"], seat, f"move {here}", 0)
    error = answer.json()["error"]
    assert answer.status_code == 422 and error["code"] == "illegal" and error["rule"] == "FI-12"
    english = await ana.ask(
        "POST",
        f"/matches/{match['id']}/actions",
        json={"seat": seat, "action": f"move {here}", "seq": 0},
        headers={"accept-language": "en"},
    )
    assert english.json()["error"]["message"] != error["message"]
    assert (await ana.view(match["id"], seat))["seq"] == 0


async def test_a_stale_action_is_refused_and_changes_nothing(client: httpx.AsyncClient) -> None:
    ana = await Guest.register(client, "Ana")
    match = await ana.open("cartagena", ["me", "me"], options={"players": 2})
    seat = match["waiting"][0]
    await ana.play_first(match["id"], seat)
    before = await ana.view(match["id"], seat)
    answer = await ana.act(match["id"], seat, before["legal"][0]["action"], 0)
    assert answer.status_code == 409
    assert answer.json()["error"] | {"message": ""} == {
        "code": "stale",
        "message": "",
        "rule": None,
        "seq": before["seq"],
    }
    assert await ana.view(match["id"], seat) == before


async def test_a_retry_with_the_same_key_is_not_played_twice(client: httpx.AsyncClient) -> None:
    ana = await Guest.register(client, "Ana")
    match = await ana.open("cartagena", ["me", "me"], options={"players": 2})
    seat = match["waiting"][0]
    action = (await ana.view(match["id"], seat))["legal"][0]["action"]
    first = await ana.act(match["id"], seat, action, 0, key="k1")
    again = await ana.act(match["id"], seat, action, 0, key="k1")
    assert first.json() == again.json() == {"seq": 1}
    assert (await ana.view(match["id"], seat))["seq"] == 1


async def test_an_undo_is_a_step_of_its_own_that_others_see(client: httpx.AsyncClient) -> None:
    ana, ben = await Guest.register(client, "Ana"), await Guest.register(client, "Ben")
    match = await ana.open("forbidden-island", ["me", "open"], options={"players": 2, "first": 0})
    assert (await ben.sit(match["id"], 1)).status_code == 200
    start = await ana.view(match["id"], 0)
    move = next(choice["action"] for choice in start["legal"] if choice["action"].startswith(("move", "shore", "fly")))
    assert (await ana.act(match["id"], 0, move, 0)).status_code == 200
    assert (await ana.view(match["id"], 0))["undo"]
    body = {"seat": 0, "seq": 1}
    assert (await ben.ask("POST", f"/matches/{match['id']}/undo", json={"seat": 1, "seq": 1})).status_code == 409
    assert (await ana.ask("POST", f"/matches/{match['id']}/undo", json=body)).json() == {"seq": 2}
    after = await ana.view(match["id"], 0)
    assert after["view"] == start["view"] and after["legal"] == start["legal"]
    steps = (await ben.ask("GET", f"/matches/{match['id']}/steps", params={"seat": 1, "since": 1})).json()
    assert [step["seq"] for step in steps] == [2] and steps[0]["seat"] == 0 and steps[0]["words"]


async def test_a_seat_can_be_taken_left_and_handed_to_a_bot_and_back(client: httpx.AsyncClient) -> None:
    ana, ben = await Guest.register(client, "Ana"), await Guest.register(client, "Ben")
    match = (await ana.open("cartagena", ["me", "open"], options={"players": 2}))["id"]
    assert (await ben.sit(match, 0)).status_code == 403
    seats = (await ben.sit(match, 1)).json()["seats"]
    assert [(seat["name"], seat["mine"]) for seat in seats] == [("Ana", False), ("Ben", True)]
    assert (await ana.sit(match, 1, "random")).status_code == 403, "the host cannot take a guest's seat away"
    handed = (await ben.sit(match, 1, "random")).json()["seats"][1]
    assert handed["bot"] == "random" and handed["mine"]
    assert (await ben.sit(match, 1, "me")).json()["seats"][1]["bot"] is None
    assert (await ben.sit(match, 1, "open")).json()["seats"][1]["open"]
    assert (await ana.sit(match, 1, "random")).json()["seats"][1]["bot"] == "random"
    assert (await ben.sit(match, 1)).status_code == 403, "only the host can free a bot's seat"


async def test_only_the_guest_of_a_seat_can_act_for_it_and_see_its_view(client: httpx.AsyncClient) -> None:
    ana, eve = await Guest.register(client, "Ana"), await Guest.register(client, "Eve")
    match = await ana.open("cartagena", ["me", "me"], options={"players": 2})
    seat = match["waiting"][0]
    action = (await ana.view(match["id"], seat))["legal"][0]["action"]
    assert (await eve.act(match["id"], seat, action, 0)).json()["error"]["code"] == "not-yours"
    for path in ("view", "steps", "stream"):
        answer = await eve.ask("GET", f"/matches/{match['id']}/{path}", params={"seat": seat})
        assert answer.status_code == 403, path
    watched = await eve.view(match["id"])
    assert watched["legal"] == [] and watched["seat"] is None


async def test_listed_matches_are_found_and_private_ones_are_not(client: httpx.AsyncClient) -> None:
    ana, ben = await Guest.register(client, "Ana"), await Guest.register(client, "Ben")
    listed = (await ana.open("hashi", ["me", "open"], listed=True))["id"]
    private = (await ana.open("hashi", ["me", "open"]))["id"]
    found = [match["id"] for match in (await ben.ask("GET", "/matches")).json()]
    assert listed in found and private not in found
    mine = [match["id"] for match in (await ana.ask("GET", "/matches", params={"mine": True})).json()]
    assert {listed, private} <= set(mine)


async def test_a_rematch_keeps_the_seats_and_is_opened_only_once(client: httpx.AsyncClient) -> None:
    ana, ben = await Guest.register(client, "Ana"), await Guest.register(client, "Ben")
    match = (await ana.open("hashi", ["me", "open"], options={"players": 2}))["id"]
    await ben.sit(match, 1)
    assert (await ana.ask("POST", f"/matches/{match}/rematch")).status_code == 403
    while (standing := (await ana.ask("GET", f"/matches/{match}")).json())["result"] is None:
        seat = standing["waiting"][0]
        await (ana, ben)[seat].play_first(match, seat)
    again = (await ana.ask("POST", f"/matches/{match}/rematch")).json()
    assert [seat["name"] for seat in again["seats"]] == ["Ana", "Ben"]
    assert (await ben.ask("POST", f"/matches/{match}/rematch")).json()["id"] == again["id"]


async def test_forgetting_a_guest_keeps_other_guests_matches(client: httpx.AsyncClient) -> None:
    ana, ben = await Guest.register(client, "Ana"), await Guest.register(client, "Ben")
    shared = (await ana.open("cartagena", ["open", "me"], options={"players": 2, "first": 1}))["id"]
    await ben.sit(shared, 0)
    await ana.play_first(shared, 1)
    alone = (await ana.open("hashi", ["me"], options={"players": 1}))["id"]
    assert (await ana.ask("DELETE", "/me")).status_code == 204
    assert (await ana.ask("GET", "/me")).status_code == 401
    assert (await ben.ask("GET", f"/matches/{alone}")).status_code == 404
    left = (await ben.ask("GET", f"/matches/{shared}")).json()
    assert left["seq"] == 1 and [seat["name"] for seat in left["seats"]] == ["Ben", None] and left["seats"][1]["open"]
    everything = json.dumps([left, (await ben.ask("GET", f"/matches/{shared}/steps")).json()])
    assert "Ana" not in everything


async def test_a_personal_link_makes_another_device_the_same_guest(client: httpx.AsyncClient) -> None:
    ana = await Guest.register(client, "Ana")
    link = (await ana.ask("POST", "/me/link")).json()["link"]
    path = httpx.URL(link).path
    page = await client.get(path)
    assert page.status_code == 200 and "set-cookie" not in page.headers
    entered = await client.post(path)
    assert entered.status_code == 303 and "HttpOnly" in entered.headers["set-cookie"]
    token = entered.cookies["skerry"]
    me = await client.get("/api/v1/me", headers={"authorization": f"Bearer {token}"})
    assert me.json()["name"] == "Ana"
    broken = path[:-5] + ("A" if path[-5] != "A" else "B") + path[-4:]  # not the last character, which has unused bits
    assert (await client.get(broken)).status_code == 401


@pytest.mark.parametrize(("game", "option"), [("hashi", "board"), ("cartagena", "set")])
async def test_an_option_that_would_read_a_file_of_the_server_is_refused(
    client: httpx.AsyncClient, tmp_path: Path, game: str, option: str
) -> None:
    """Through the API and through the page; the file is never read."""
    secret = tmp_path / "secret.board"
    secret.write_text("xyzzy\n")
    ana = await Guest.register(client, "Ana")
    body = {"game": game, "options": {option: str(secret)}, "seats": ["me"]}
    answer = await ana.ask("POST", "/matches", json=body)
    assert answer.status_code == 400 and answer.json()["error"]["code"] == "bad-option"
    page = await client.post(f"/new/{game}", data={f"option-{option}": str(secret)})
    assert page.status_code == 400
    for text in (answer.text, page.text):
        assert "cannot name a file of this server" in text and "&#39;x&#39;" not in text and "'x'" not in text


async def test_bots_play_until_the_game_waits_for_a_person(client: httpx.AsyncClient) -> None:
    import anyio

    ana = await Guest.register(client, "Ana")
    match = (await ana.open("cartagena", ["me", "random", "random"], options={"players": 3, "first": 1}))["id"]
    with anyio.fail_after(60):
        while (standing := (await ana.ask("GET", f"/matches/{match}")).json())["waiting"] != [0]:
            await anyio.sleep(0.02)
    assert standing["seq"] >= 2


async def test_when_the_clock_runs_out_one_decision_is_played_and_the_seat_stays(client: httpx.AsyncClient) -> None:
    import anyio

    ana = await Guest.register(client, "Ana")
    match = (await ana.open("cartagena", ["me", "me"], options={"players": 2}, clock=5))["id"]
    with anyio.fail_after(60):
        while (standing := (await ana.ask("GET", f"/matches/{match}")).json())["seq"] == 0:
            await anyio.sleep(0.1)
    assert all(seat["name"] == "Ana" and seat["bot"] is None for seat in standing["seats"])
