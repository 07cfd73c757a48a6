"""Event streams: numbered by the log, complete for clients that reconnect, and leading to the same page."""

from __future__ import annotations

import asyncio
import json
import random
from collections.abc import Callable
from typing import Any

import httpx
import pytest

from skerry.games import all_games, find_game
from skerry.server import broadcast
from skerry.server.app import make_app, services_in
from skerry.server.settings import Limits, Settings
from skerry.server.topics import TopicKey
from tests.server.conftest import Guest, client_of
from tests.server.event_streams import OpenPage, messages

pytestmark = pytest.mark.anyio

GAMES = [game.name for game in all_games()]
SEEDS = [*range(2), *(pytest.param(seed, marks=pytest.mark.slow) for seed in range(2, 40))]


async def random_step(players: list[Guest], match: str, chance: random.Random) -> int | None:
    """Play a random legal action or an undo at a seat; return its number, or None if the match is over."""
    standing = (await players[0].ask("GET", f"/matches/{match}")).json()
    if standing["result"] is not None:
        return None
    seat = chance.choice(standing["waiting"])
    guest = players[seat]
    view = await guest.view(match, seat)
    if view["undo"] and chance.random() < 0.4:
        answer = await guest.ask("POST", f"/matches/{match}/undo", json={"seat": seat, "seq": view["seq"]})
    else:
        answer = await guest.act(match, seat, chance.choice(view["legal"])["action"], view["seq"])
    assert answer.status_code == 200, answer.text
    return int(answer.json()["seq"])


async def page_of(guest: Guest, match: str, seat: int | None) -> str:
    params = {} if seat is None else {"seat": seat}
    answer = await guest.client.get(f"/m/{match}", params=params, headers=guest.headers)
    assert answer.status_code == 200
    return answer.text


async def stream_of(guest: Guest, match: str, seat: int | None, **more: Any) -> list[tuple[int, dict[str, Any]]]:
    headers = more.pop("headers", {})
    params = ({} if seat is None else {"seat": seat}) | more
    answer = await guest.ask("GET", f"/matches/{match}/stream", params=params, headers=headers)
    assert answer.status_code == 200, answer.text
    assert answer.headers["content-type"] == "text/event-stream; charset=utf-8"
    return messages(answer.text)


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("game", GAMES)
async def test_a_page_of_any_age_is_brought_up_to_date_by_one_message(
    client: httpx.AsyncClient, game: str, seed: int
) -> None:
    """In random games with undos, the updated page equals a new one."""
    chance = random.Random(f"{game} {seed}")
    ana = await Guest.register(client, "Ana", chance.choice(["en", "es", "pt"]))
    ben, eve = await Guest.register(client, "Ben"), await Guest.register(client, "Eve")
    match = (await ana.open(game, ["me", "open"], options={"players": 2}))["id"]
    assert (await ben.sit(match, 1)).status_code == 200
    readers = [(ana, 0), (ben, 1), (eve, None)]
    length = 25 if seed < 2 else 300
    left = {0, 1, *chance.sample(range(2, length), 3)}  # some games end early
    pages: list[tuple[Guest, int | None, str, int]] = []
    for number in range(length):
        if number in left:
            guest, seat = chance.choice(readers)
            pages.append((guest, seat, await page_of(guest, match, seat), number))
        if await random_step([ana, ben], match, chance) is None:
            break
    assert len(pages) > 1
    for guest, seat, html, _ in pages:
        page = OpenPage(html)
        since = page.seen
        (seq, missed), *_ = await stream_of(guest, match, seat, since=since, page=True)
        assert seq == missed["seq"] and [step["seq"] for step in missed["steps"]] == list(range(since + 1, seq + 1))
        page.receive(missed)
        fresh = OpenPage(await page_of(guest, match, seat))
        assert page.seen == fresh.seen
        now, then = fresh.shown().by_id(), page.shown().by_id()
        assert now.keys() == then.keys()
        for name in missed["parts"]:
            assert then[name] == now[name], name
        assert page.shown() == fresh.shown()


async def test_unchanged_parts_are_not_sent(client: httpx.AsyncClient) -> None:
    ana = await Guest.register(client, "Ana")
    match = (await ana.open("cartagena", ["me", "me"], options={"players": 2}))["id"]
    everything = len(OpenPage(await page_of(ana, match, 0)).page.by_id())
    await ana.play_first(match, (await ana.view(match))["waiting"][0])
    ((_, missed),) = (await stream_of(ana, match, 0, since=0, page=True))[:1]
    assert 0 < len(missed["parts"]) < everything / 2


async def test_last_event_id_takes_precedence_over_since(client: httpx.AsyncClient) -> None:
    """A browser that reconnects by itself repeats the URL of its first request."""
    ana = await Guest.register(client, "Ana")
    match = (await ana.open("cartagena", ["me", "me"], options={"players": 2}))["id"]
    while (seq := await ana.play_first(match, (await ana.view(match))["waiting"][0])) < 6:
        pass
    seq = (await ana.view(match))["seq"]
    for last in (0, 3, seq):
        ((number, missed), *_) = await stream_of(ana, match, 0, since=1, headers={"last-event-id": str(last)})
        assert number == seq and [step["seq"] for step in missed["steps"]] == list(range(last + 1, seq + 1))
    for nonsense in ("", "abc", "-1", "9" * 40):
        ((_, missed), *_) = await stream_of(ana, match, 0, since=1, headers={"last-event-id": nonsense})
        assert [step["seq"] for step in missed["steps"]] == list(range(2, seq + 1))


async def test_a_future_number_gets_the_whole_page(client: httpx.AsyncClient) -> None:
    ana = await Guest.register(client, "Ana")
    match = (await ana.open("cartagena", ["me", "me"], options={"players": 2}))["id"]
    ((seq, missed), *_) = await stream_of(ana, match, 0, since=10**6, page=True)
    page = OpenPage(await page_of(ana, match, 0)).page.by_id()
    assert seq == 0 and missed["steps"] == [] and set(missed["parts"]) <= set(page) and len(missed["parts"]) > 10


async def test_a_stream_agrees_with_the_steps_and_the_view(client: httpx.AsyncClient) -> None:
    ana = await Guest.register(client, "Ana")
    match = (await ana.open("forbidden-island", ["me", "me"], options={"players": 2, "first": 0}))["id"]
    start = await ana.view(match, 0)
    move = next(one["action"] for one in start["legal"] if one["action"].startswith(("move", "shore", "fly")))
    assert (await ana.act(match, 0, move, 0)).status_code == 200
    assert (await ana.ask("POST", f"/matches/{match}/undo", json={"seat": 0, "seq": 1})).status_code == 200
    ((seq, message), *_) = await stream_of(ana, match, 0, since=0)
    assert seq == message["seq"] == 2 and "parts" not in message
    assert message["steps"][0]["action"] == move and message["steps"][1]["undone"] == move
    assert message["steps"] == [
        {name: value for name, value in step.items() if value is not None and (name != "events" or value)}
        | ({"events": step["events"]} if "undone" not in message["steps"][number] else {})
        for number, step in enumerate((await ana.ask("GET", f"/matches/{match}/steps", params={"seat": 0})).json())
    ]
    now = await ana.view(match, 0)
    assert (message["waiting"], message["result"]) == (now["waiting"], now["result"])
    ((_, spectators), *_) = await stream_of(ana, match, None, since=0)
    assert all("action" not in step and not step.get("undone") for step in spectators["steps"])


async def test_the_number_of_streams_is_limited_for_each_guest_and_in_total(settings: Settings) -> None:
    few = Settings(
        data=settings.data, pace=0, limits=Limits(streams=2, all_streams=3, requests=1e6, requests_burst=10**6)
    )
    app: Any = make_app(few, all_games, find_game)
    async with client_of(app) as client:
        ana, ben = await Guest.register(client, "Ana"), await Guest.register(client, "Ben")
        match = (await ana.open("cartagena", ["me", "me"], options={"players": 2}))["id"]
        await ana.play_first(match, (await ana.view(match))["waiting"][0])
        # Many at the same time: none must slip in while another is still being counted.
        answers = await asyncio.gather(
            *(ana.ask("GET", f"/matches/{match}/stream", params={"since": 0}) for _ in range(6))
        )
        statuses = sorted(answer.status_code for answer in answers)
        assert statuses == [200, 200, 429, 429, 429, 429]
        refused = next(answer for answer in answers if answer.status_code == 429)
        assert refused.json()["error"]["code"] == "too-much" and "close some" in refused.json()["error"]["message"]
        assert int(refused.headers["retry-after"]) > 0
        both = [(ana, 2), (ben, 2)]
        asked = [who.ask("GET", f"/matches/{match}/stream", params={"since": 0}) for who, n in both for _ in range(n)]
        answers = await asyncio.gather(*asked)
        assert sorted(answer.status_code for answer in answers) == [200, 200, 200, 429]
        broadcaster = services_in(app).broadcaster
        assert (
            broadcaster.stream_count == 0 and broadcaster.streams_by_guest == {} and broadcaster.topics_by_match == {}
        )


async def test_an_open_stream_sends_each_step_once_and_heartbeats(served: str) -> None:
    async with httpx.AsyncClient(base_url=served, timeout=20) as client:
        ana = await Guest.register(client, "Ana")
        match = (await ana.open("cartagena", ["me", "me"], options={"players": 2}))["id"]
        heard: list[int] = []
        beats = 0
        async with client.stream("GET", f"/api/v1/matches/{match}/stream", headers=ana.headers) as stream:
            lines = stream.aiter_lines()
            playing = asyncio.create_task(_play(ana, match, 12))
            async for line in lines:
                beats += line.startswith(": still here")
                if line.startswith("data: "):
                    heard += [step["seq"] for step in json.loads(line[6:])["steps"]]
                if beats >= 2 and playing.done() and heard[-1] == playing.result():
                    break
        assert heard == list(range(1, playing.result() + 1))


async def test_a_reader_who_comes_and_goes_takes_no_change_from_the_others(settings: Settings) -> None:
    """While some pages wait for their message, another is opened on the newer match and closed again."""
    app = make_app(settings, all_games, find_game)
    async with client_of(app) as client:
        ana = await Guest.register(client, "Ana")
        match = (await ana.open("cartagena", ["me", "me"], options={"players": 2}))["id"]
        services = services_in(app)
        session = await services.sessions.get(match)
        broadcaster = services.broadcaster
        staying = await broadcaster.subscribe(session, TopicKey(match, 0, "en", True), None, "ana")
        topics = staying.topic.match_topics
        page = OpenPage(await page_of(ana, match, 0))
        staying.topic.messages.clear()
        published = topics.snapshot(session)
        staying.topic.publish(published, [])
        row = session.row_for_action(
            session.match.waiting[0], session.match.legal_ids(session.match.waiting[0])[0], None
        )
        session.apply_row(row)  # as another process may have written it
        topics.invalidate()
        coming = await broadcaster.subscribe(session, TopicKey(match, None, "en", True), None, "eve")
        broadcaster.unsubscribe(coming)
        topics.all_published(published)
        count = staying.topic.message_count
        staying.topic.publish(topics.snapshot(session), list(session.recent))
        ((_, message),) = messages((staying.topic.messages_since(count) or b"").decode())
        page.receive(message)
        assert page.shown() == OpenPage(await page_of(ana, match, 0)).shown()


async def test_who_leaves_a_seat_sees_nothing_more_of_it(served: str) -> None:
    async with httpx.AsyncClient(base_url=served, timeout=20) as client:
        ana, ben = await Guest.register(client, "Ana"), await Guest.register(client, "Ben")
        match = (await ana.open("cartagena", ["me", "me"], options={"players": 2, "first": 0}))["id"]
        path = f"/api/v1/matches/{match}/stream"
        async with client.stream("GET", path, params={"seat": 0}, headers=ana.headers) as stream:
            lines = stream.aiter_lines()
            assert (await anext(lines)).startswith("retry")
            assert (await ana.sit(match, 0, "open")).status_code == 200
            assert (await ben.sit(match, 0)).status_code == 200
            await ben.play_first(match, 0)
            assert [line async for line in lines if line.startswith("data: ")] == [], "the stream goes on"


async def test_spectators_get_quick_steps_together_and_players_get_each(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(broadcast, "SPECTATOR_INTERVAL", 1.5)
    app = make_app(settings, all_games, find_game)
    async with client_of(app) as client:
        ana = await Guest.register(client, "Ana")
        match = (await ana.open("cartagena", ["me", "me"], options={"players": 2}))["id"]
        services = services_in(app)
        session = await services.sessions.get(match)
        seat = session.match.waiting[0]
        player, spectator = [
            (await services.broadcaster.subscribe(session, TopicKey(match, who, "en", True), None, "ana")).topic
            for who in (seat, None)
        ]
        await asyncio.sleep(0.1)
        for _ in range(3):
            card = next(action.id for action in session.match.legal(seat) if action.verb == "play")
            await services.matches.act(session, seat, card, session.seq)
            await _until(lambda: player.seq == session.seq)
        assert spectator.seq == 0, "spectators get a message only after the interval"
        await _until(lambda: spectator.seq == session.seq)
        together = list(range(1, session.seq + 1))
        assert _steps_by_message(spectator.messages) == [together]
        assert _steps_by_message(player.messages) == [[number] for number in together]


def _steps_by_message(sent: list[bytes]) -> list[list[int]]:
    found = [[step["seq"] for step in one["steps"]] for _, one in messages(b"".join(sent).decode())]
    return [steps for steps in found if steps]


async def _until(done: Callable[[], bool]) -> None:
    async with asyncio.timeout(20):
        while not done():
            await asyncio.sleep(0.005)


async def _play(guest: Guest, match: str, count: int) -> int:
    for number in range(count):
        await random_step([guest] * 2, match, random.Random(number))
    return int((await guest.view(match))["seq"])
