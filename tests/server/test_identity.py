"""Identity: cookies, tokens, personal links and invitations."""

from __future__ import annotations

import base64
import dataclasses
import math
import re
from typing import Any

import httpx
import pytest

from skerry.games import all_games, find_game
from skerry.server.app import make_app
from skerry.server.settings import Settings
from tests.server.conftest import Guest, client_of
from tests.server.responses import check_response, cookie_of

pytestmark = pytest.mark.anyio


async def test_a_cookie_is_http_only_and_same_site(settings: Settings) -> None:
    for secure in (False, True):
        async with client_of(make_app(dataclasses.replace(settings, secure=secure), all_games, find_game)) as client:
            answer = await client.post("/play/hashi")
            flags = answer.headers["set-cookie"].lower().split("; ")
            assert "httponly" in flags and "samesite=lax" in flags and "path=/" in flags
            assert ("secure" in flags) == secure and not any(flag.startswith("domain") for flag in flags)


async def test_a_forged_or_foreign_token_is_rejected(client: httpx.AsyncClient, ana: Guest, tmp_path: Any) -> None:
    token = ana.headers["authorization"].split()[1]
    elsewhere = Settings(data=tmp_path / "other", pace=0)
    async with client_of(make_app(elsewhere, all_games, find_game)) as other:
        foreign = (await Guest.register(other, "Eve")).headers["authorization"].split()[1]
    guest, _, signature = token.partition(".")
    last = signature[:-2] + ("A" if signature[-2] != "A" else "B") + signature[-1]
    forged_tokens = [
        foreign,
        token[:-1],
        guest,
        f"{guest}.",
        f"{guest}.{last}",
        f"x{token}",
        signature,
        "",
        ".",
        "a.b.c",
        "é" * 30,
    ]
    link = httpx.URL((await ana.ask("POST", "/me/link")).json()["link"]).path.rpartition("/")[2]
    for bad in [*forged_tokens, link]:
        if bad:
            response = await client.get("/api/v1/me", headers=[(b"authorization", f"Bearer {bad}".encode())])
            assert check_response(response).status_code == 401, bad
        page = await client.get("/", headers=[(b"cookie", f"skerry={bad}".encode())])
        assert check_response(page).status_code == 200 and "Ana" not in page.text
        if bad != link and "/" not in bad:
            entered = await client.post(f"/enter/{bad}")
            assert check_response(entered).status_code in (401, 404, 405) and "set-cookie" not in entered.headers
    assert (await client.post(f"/enter/{token}")).status_code == 401, "a token is not a personal link"


async def test_an_invitation_is_valid_for_its_seat_only(client: httpx.AsyncClient, ana: Guest) -> None:
    match = (await ana.open("cartagena", ["me", "open", "open"], options={"players": 3}))["id"]
    other = (await ana.open("cartagena", ["me", "open", "open"], options={"players": 3}))["id"]
    page = (await client.get(f"/m/{match}", headers=cookie_of(ana))).text
    link = next(one for one in re.findall(r'value="http://table(/m/[^"]+/seat/1/[^"]+)"', page))
    assert (await client.get(link)).status_code == 200
    signature = link.rpartition("/")[2]
    bad = [
        f"/m/{match}/seat/2/{signature}",
        f"/m/{other}/seat/1/{signature}",
        f"/m/{match}/seat/1/{signature[:-1]}",
        link + "A",
    ]
    bad += [f"/m/{match}/seat/{seat}/{signature}" for seat in ("-1", "99", "9" * 50, "9" * 5000, "x")]
    for path in bad:
        assert check_response(await client.get(path)).status_code in (403, 422), path
    spectator = await client.get(f"/m/{match}")
    assert signature not in spectator.text, "only the host gets the invitations"


async def test_ids_cannot_be_guessed(client: httpx.AsyncClient, ana: Guest) -> None:
    ids = [(await ana.open("hashi", ["me"], options={"players": 1}))["id"] for _ in range(20)]
    ids += [(await client.post("/api/v1/guests", json={"name": "Ana"})).json()["id"] for _ in range(20)]
    raw = b"".join(base64.urlsafe_b64decode(one + "==") for one in ids)
    assert len(raw) == 16 * len(ids) and len(set(ids)) == len(ids), "128 bits each"
    ones = sum(byte.bit_count() for byte in raw)
    assert abs(ones - 4 * len(raw)) < 6 * math.sqrt(2 * len(raw)), "half of the bits are ones"
