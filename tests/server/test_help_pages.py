"""Help during a match: why something is not possible, and hints. Without a browser."""

from __future__ import annotations

import httpx
import pytest

from tests.server.conftest import Guest

pytestmark = pytest.mark.anyio

DESERT = {"players": 2, "first": 0, "roles": "archeologist,water-carrier"}


async def ask(guest: Guest, match: str, what: str, **form: str) -> httpx.Response:
    return await guest.client.post(f"/m/{match}/{what}", data=form, headers=guest.headers)


async def test_why_gives_the_rule_against_each_action_that_was_meant(client: httpx.AsyncClient) -> None:
    ana = await Guest.register(client, "Ana")
    verbs: set[str] = set()
    while not verbs >= {"move", "clear"}:  # in most deals there is sand next to the crash
        match = (await ana.open("forbidden-desert", ["me", "me"], options=DESERT))["id"]
        view = await ana.view(match, 0)
        verbs = {one["action"].split()[0] for one in view["legal"]}
    near = {touch for one in view["legal"] for touch in one["touches"]} | {f"place:{view['view']['seats'][0]['place']}"}
    far = next(f"place:{column}5" for column in "ABCDE" if f"place:{column}5" not in near)
    said = (await ask(ana, match, "why", seat="0", touches=far)).text
    assert said.count('class="reason"') > 1 and "Move to" in said and "#FD-" in said
    said = (await ask(ana, match, "why", seat="0", touches=f"verb:move|{far}")).text
    assert said.count('class="reason"') == 1 and "Move to" not in said, "only one action was meant"
    for nonsense in ("", "place:Z9", "verb:fly", "no|such|thing"):
        answer = await ask(ana, match, "why", seat="0", touches=nonsense)
        assert answer.status_code == 200, answer.text


@pytest.mark.parametrize(("game", "me"), [("forbidden-desert", "pawn:climber"), ("cartagena", "colour:red")])
async def test_touching_ones_own_piece_explains_what_to_touch(client: httpx.AsyncClient, game: str, me: str) -> None:
    ana = await Guest.register(client, "Ana")
    roles = {"roles": "climber,water-carrier"} if game == "forbidden-desert" else {}
    match = (await ana.open(game, ["me", "me"], options={"players": 2, "first": 0, **roles}))["id"]
    said = (await ask(ana, match, "why", seat="0", touches=me)).text
    assert "That&#39;s you" in said and "/rules/" not in said, "no rule is broken"
    assert "That&#39;s you" not in (await ask(ana, match, "why", seat="0", touches=f"verb:move|{me}")).text
    assert "That&#39;s you" not in (await ask(ana, match, "why", seat="1", touches=me)).text


@pytest.mark.parametrize("allowed", [False, True])
async def test_between_people_hints_are_given_only_if_the_host_allows_them(
    client: httpx.AsyncClient, allowed: bool
) -> None:
    ana, ben = await Guest.register(client, "Ana"), await Guest.register(client, "Ben")
    match = (await ana.open("forbidden-desert", ["me", "open"], options=DESERT, hints=allowed))["id"]
    assert "idea" in (await ask(ana, match, "advice", seat="0")).text, "alone with bots they always are"
    await ben.sit(match, 1)
    said = (await ask(ana, match, "advice", seat="0")).text
    assert ("idea" in said) == allowed and ("Hints are off" in said) != allowed
    page = (await client.get(f"/m/{match}", headers=ana.headers)).text
    assert ("data-no-hints" in page) != allowed


async def test_a_hint_is_a_legal_action_for_the_guest_of_the_seat_only(client: httpx.AsyncClient) -> None:
    ana, ben = await Guest.register(client, "Ana"), await Guest.register(client, "Ben", "es")
    match = (await ana.open("forbidden-desert", ["me", "me"], options=DESERT))["id"]
    said = (await ask(ana, match, "advice", seat="0")).text
    assert any(f'value="{one["action"]}"' in said for one in (await ana.view(match, 0))["legal"])
    client.cookies.clear()
    assert (await ask(ben, match, "advice", seat="0")).status_code == 403
    assert (await ask(ben, match, "why", seat="0", touches="place:A1")).status_code == 403


async def test_touching_what_comes_later_says_that_something_else_comes_first(client: httpx.AsyncClient) -> None:
    """A number is chosen before its island."""
    ana = await Guest.register(client, "Ana")
    match = (await ana.open("hashi", ["me"], options={"players": 1}))["id"]
    island = next(touch for touch in (await ana.view(match, 0))["legal"][0]["touches"] if touch.startswith("island:"))
    said = (await ask(ana, match, "why", seat="0", touches=island)).text
    assert "First choose something that glows, then this." in said
