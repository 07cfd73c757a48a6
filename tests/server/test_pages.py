"""Pages without a browser: the lobby, the puzzle of the day, invitations, forms, guided games."""

from __future__ import annotations

import asyncio
import io
import re

import httpx
import pytest
import segno

import skerry
from skerry.engine.messages import Message, say
from skerry.games import all_games, find_game
from tests.server.waiting import until

pytestmark = pytest.mark.anyio


async def register(client: httpx.AsyncClient) -> str:
    """Become a guest with a cookie; return the guest's id."""
    answer = await client.post("/me", data={"name": "Ana"})
    assert answer.status_code == 303
    return str((await client.get("/api/v1/me")).json()["id"])


async def opened(client: httpx.AsyncClient, path: str, **form: str) -> str:
    answer = await client.post(path, data=form)
    assert answer.status_code == 303, answer.text
    return answer.headers["location"].removeprefix("/m/")


async def test_the_puzzle_of_the_day_is_the_same_for_all_and_is_resumed(client: httpx.AsyncClient) -> None:
    await register(client)
    match = await opened(client, "/daily/hashi")
    assert await opened(client, "/daily/hashi") == match, "the same match, not a second attempt"
    today = skerry.daily()
    view = (await client.get(f"/api/v1/matches/{match}/view", params={"seat": 0})).json()["view"]
    assert view == today.view(0)
    assert "Continue today" in (await client.get("/")).text


async def test_the_lobby_opens_a_match_with_the_chosen_options(client: httpx.AsyncClient) -> None:
    await register(client)
    match = await opened(client, "/play/forbidden-island", players="3", difficulty="elite")
    found = (await client.get(f"/api/v1/matches/{match}")).json()
    assert (found["options"]["players"], found["options"]["difficulty"]) == (3, "elite")
    assert [seat["mine"] for seat in found["seats"]] == [True, False, False]


@pytest.mark.parametrize(
    ("language", "guest", "bot"), [("es", "Invitado", "Avanzado"), ("pt", "Convidado", "Avançado")]
)
async def test_a_new_guest_and_the_bots_are_named_in_the_visitors_language(
    client: httpx.AsyncClient, language: str, guest: str, bot: str
) -> None:
    client.headers["accept-language"] = language
    await opened(client, "/new/cartagena", **{"option-players": "2", "seat-0": "me", "seat-1": "skilled"})
    assert (await client.get("/api/v1/me")).json()["name"] == guest
    assert f"<span>{guest}, {bot}</span>" in (await client.get("/")).text


async def test_the_qr_code_contains_the_link(client: httpx.AsyncClient) -> None:
    await register(client)
    match = await opened(client, "/new/cartagena", **{"seat-0": "me", "seat-1": "open", "option-players": "2"})
    page = (await client.get(f"/m/{match}/invite")).text
    link = f"http://table/m/{match}"
    assert f'value="{link}"' in page
    assert (await client.get(f"/m/{match}/qr.svg")).content == drawn(link)
    (seat_link,) = re.findall(rf'value="({link}/seat/1/[^"]+)"', page)
    assert (await client.get(f"/m/{match}/qr.svg?seat=1")).content == drawn(seat_link)
    client.cookies.clear()
    assert (await client.get(f"/m/{match}/qr.svg?seat=1")).status_code == 403, "only the host can invite to a seat"
    assert "Sit down" in (await client.get(seat_link)).text
    assert seat_link not in (await client.get(f"/m/{match}/invite")).text


def drawn(text: str) -> bytes:
    out = io.BytesIO()
    segno.make(text, error="m", micro=False).save(out, kind="svg", scale=8, border=4, dark="#000", light="#fff")
    return out.getvalue()


async def test_an_invitation_names_each_guest_once(client: httpx.AsyncClient) -> None:
    await register(client)
    sitting = {"seat-0": "me", "seat-1": "me", "seat-2": "open", "seat-3": "open"}
    match = await opened(client, "/new/cartagena", **sitting, **{"option-players": "4"})
    link = re.findall(r'value="([^"]+/seat/3/[^"]+)"', (await client.get(f"/m/{match}/invite")).text)[0]
    client.cookies.clear()
    assert "already there: Ana</p>" in (await client.get(link)).text
    await register(client)  # another guest of the same name
    assert (await client.post(f"/m/{match}/sit", data={"seat": "2"})).status_code == 303
    assert "already there: Ana, Ana</p>" in (await client.get(link)).text


@pytest.mark.parametrize("game", ["forbidden-island", "forbidden-desert"])
async def test_ending_the_turn_is_offered_after_everything_else(client: httpx.AsyncClient, game: str) -> None:
    await register(client)
    page = (await client.get(f"/m/{await opened(client, f'/guide/{game}')}")).text
    offers = re.findall(r'name="action"\s+value="([^"]+)"', page)
    assert len(offers) > 2 and offers.index("end") == len(offers) - 1


@pytest.mark.parametrize(
    ("host", "only_here"),
    [
        *(("127.0.0.1:8000", True), ("localhost", True), ("[::1]:8000", True), ("table.localhost", True)),
        *(("192.168.0.7:8000", False), ("skerry.example", False), ("localhost.example", False)),
    ],
)
async def test_an_invitation_warns_of_links_that_work_on_this_computer_only(
    client: httpx.AsyncClient, host: str, only_here: bool
) -> None:
    await register(client)
    match = await opened(client, "/new/hashi", **{"option-players": "2", "seat-0": "me", "seat-1": "open"})
    page = (await client.get(f"/m/{match}/invite", headers={"host": host})).text
    assert f'value="http://{host}/m/{match}"' in page
    assert ("These links work on this computer only." in page) == only_here


async def test_a_play_without_effect_is_asked_about(client: httpx.AsyncClient, monkeypatch: pytest.MonkeyPatch) -> None:
    """The page's script asks what the button of an action says."""
    game = find_game("forbidden-desert")
    wasted = game.actions.first_id("excavate")

    def question(state: object, seat: int, action: int) -> Message | None:
        return say("Why not?") if action == wasted else None

    monkeypatch.setattr(game.ui, "question", question)
    await register(client)
    page = (await client.get(f"/m/{await opened(client, '/guide/forbidden-desert')}")).text
    assert re.search(r'value="excavate"[^>]*data-ask="Why not\?"', page) and page.count("data-ask=") == 1


async def _opponents(client: httpx.AsyncClient, path: str) -> set[str]:
    match = await opened(client, path, players="2")
    return {seat["bot"] for seat in (await client.get(f"/api/v1/matches/{match}")).json()["seats"] if not seat["mine"]}


async def test_a_first_game_is_against_a_bot_for_beginners(client: httpx.AsyncClient) -> None:
    await register(client)
    assert await _opponents(client, "/guide/cartagena") == await _opponents(client, "/play/cartagena") == {"novice"}
    assert await _opponents(client, "/play/forbidden-island") == {"skilled"}, "in a cooperative game bots help"
    options = {"option-players": "2", "option-parts": "4", "option-pirates": "4"}
    await opened(client, "/new/cartagena", **options, **{"seat-0": "random", "seat-1": "random"})

    async def is_no_first_game() -> bool:
        """Once the end of the game between the bots is stored, a moment after its last step."""
        return await _opponents(client, "/play/cartagena") == {"skilled"}

    await until(is_no_first_game)


async def test_the_lobby_names_each_player_once(client: httpx.AsyncClient) -> None:
    client.cookies.clear()
    form = {"option-players": "4", "seat-0": "me", "seat-1": "skilled", "seat-2": "me", "seat-3": "skilled"}
    match = await opened(client, "/new/forbidden-desert", **form)
    line = re.search(rf'href="/m/{match}">.*?<span>(.*?)</span>', (await client.get("/")).text, re.DOTALL)
    assert line is not None
    assert line[1] == "Guest × 2, Skilled × 2"


async def test_a_guest_whose_seat_a_bot_plays_is_offered_that_seat_only(client: httpx.AsyncClient) -> None:
    await register(client)
    match = await opened(client, "/new/hashi", **{"option-players": "2", "seat-0": "me", "seat-1": "open"})
    before = (await client.get(f"/m/{match}")).text
    assert "data-turn" in before and "data-touches" in before and not offered(before)
    assert (await client.post(f"/m/{match}/sit", data={"seat": "0", "who": "novice"})).status_code == 303
    page = (await client.get(f"/m/{match}")).text
    assert "A bot is playing for you: Beginner" in page and offered(page) == [("0", "Take the seat back")]
    assert "data-turn" not in page and "data-touches" not in page
    assert (await client.post(f"/m/{match}/sit", data={"seat": "0"})).status_code == 303
    assert not offered((await client.get(f"/m/{match}")).text)


async def test_free_seats_are_offered_to_spectators_until_the_end(client: httpx.AsyncClient) -> None:
    await register(client)
    form = {"option-players": "3", "option-roles-0": "pilot", "option-roles-1": "diver", "option-roles-2": "explorer"}
    match = await opened(
        client, "/new/forbidden-island", **form, **{"seat-0": "me", "seat-1": "open", "seat-2": "open"}
    )
    assert offered((await client.get(f"/m/{match}")).text) == [], "a guest with a seat is offered none"
    client.cookies.clear()
    assert offered((await client.get(f"/m/{match}")).text) == [("1", "Sit down: Diver"), ("2", "Sit down: Explorer")]
    assert (await client.post(f"/m/{match}/sit", data={"seat": "2"})).status_code == 303
    assert (await client.get(f"/api/v1/matches/{match}")).json()["seats"][2]["mine"]
    client.cookies.clear()
    assert offered((await client.get(f"/m/{match}")).text) == [("1", "Sit down: Diver")]


def offered(page: str) -> list[tuple[str, str]]:
    """The seats that a page offers, with the texts of their buttons."""
    return re.findall(r'form="sit" name="seat" value="(\d)"[^>]*>([^<]+)<', page)


async def test_a_refused_form_says_why_and_keeps_its_values(client: httpx.AsyncClient) -> None:
    form = {
        "option-players": "3",
        "option-difficulty": "elite",
        "option-roles-0": "diver",
        "option-roles-1": "diver",
        "seat-0": "me",
        "seat-1": "open",
        "clock": "300",
        "listed": "on",
    }
    answer = await client.post("/new/forbidden-island", data=form)
    assert answer.status_code == 400
    assert "gives one choice twice" in answer.text
    for kept in ('value="elite" checked', 'value="diver" selected', 'value="300" selected', 'name="listed" checked'):
        assert kept in answer.text
    assert re.search(r'name="option-roles-1"[^>]*aria-invalid="true"', answer.text)
    match = await opened(client, "/new/forbidden-island", **(form | {"option-roles-1": "pilot"}))
    found = (await client.get(f"/api/v1/matches/{match}")).json()
    assert found["options"]["roles"] == "diver,pilot,random"
    assert [seat["title"] for seat in found["seats"]][:2] == ["Diver", "Pilot"]


async def test_a_preset_fills_in_the_form(client: httpx.AsyncClient) -> None:
    page = (await client.get("/new/cartagena", params={"preset": "the-works"})).text
    assert (
        re.search(r'href="\?preset=the-works" aria-current="true"', page) and page.count('" aria-current="true"') == 1
    )
    for chosen in ('value="full" checked', 'value="back-then-morgan" checked', 'value="on" selected'):
        assert chosen in page
    plain = (await client.get("/new/cartagena", params={"preset": "no-such-preset"})).text
    assert 'value="escape" checked' in plain and '" aria-current="true"' not in plain


async def test_a_wrong_value_is_explained_at_its_field(client: httpx.AsyncClient) -> None:
    form = {"option-players": "9", "seat-0": "me"}
    page = (await client.post("/new/forbidden-desert", data=form)).text
    field = page.split('id="option-players"')[1].split('<div class="option"')[0]
    assert 'aria-invalid="true"' in field.split(">")[0]
    assert re.search(r'<p class="problem">[^<]*from 2 to 5', re.sub(r"\s+", " ", field))


async def test_the_chance_of_bots_is_shown_beside_each_difficulty(client: httpx.AsyncClient) -> None:
    page = re.sub(r"\s+", " ", (await client.get("/new/forbidden-island")).text)
    novice = page.split('value="novice"')[1].split("</label>")[0]
    assert (
        '<span class="chance" data-players="4"> <meter max="100" value="65.1"></meter> Skilled bots win 65 %' in novice
    )


async def test_an_option_is_chosen_from_a_list_or_typed(client: httpx.AsyncClient) -> None:
    form = {"option-players": "2", "option-parts": "5", "seat-0": "me", "seat-1": "me"}
    match = await opened(client, "/new/cartagena", **form)
    assert (await client.get(f"/api/v1/matches/{match}")).json()["options"]["parts"] == 5
    match = await opened(client, "/new/cartagena", **form, **{"option-parts-own": "bdfa"})
    assert (await client.get(f"/api/v1/matches/{match}")).json()["options"]["parts"] == "bdfa"
    answer = await client.post("/new/cartagena", data=form | {"option-parts-own": "bdff"})
    assert answer.status_code == 400 and 'value="5" selected' in answer.text
    assert re.search(r'name="option-parts-own"[^>]*aria-invalid="true"[^>]*>bdff</textarea>', answer.text)


@pytest.mark.parametrize(
    ("language", "board"), [("en", "a little harder"), ("es", "un poco más difícil"), ("pt", "um pouco mais difícil")]
)
async def test_the_help_texts_of_a_new_hashi_match_are_for_players(
    client: httpx.AsyncClient, language: str, board: str
) -> None:
    client.headers["accept-language"] = language
    page = (await client.get("/new/hashi")).text
    helps = re.findall(r"<small[^>]*>(.*?)</small>", page)
    assert any(board in text for text in helps)
    assert not [text for text in helps if re.search(r"\bfree\b|\bfile\b|archivo|arquivo|\.board", text)], helps
    form = {"option-players": "2", "option-start-own": "C4:3", "seat-0": "me", "seat-1": "me"}
    assert any(form["option-start-own"] in text for text in helps)
    match = await opened(client, "/new/hashi", **form)
    assert (await client.get(f"/api/v1/matches/{match}")).json()["options"]["start"] == "C4:3"


async def test_form_fields_of_seats_that_do_not_exist_are_ignored(client: httpx.AsyncClient) -> None:
    roles = {f"option-roles-{seat}": "diver" if seat else "pilot" for seat in range(4)}
    sitting = {f"seat-{seat}": "me" if seat < 2 else "nobody" for seat in range(4)}
    match = await opened(client, "/new/forbidden-island", **roles, **sitting, **{"option-players": "2"})
    found = (await client.get(f"/api/v1/matches/{match}")).json()
    assert found["options"]["roles"] == "pilot,diver" and len(found["seats"]) == 2


@pytest.mark.parametrize("game", [game.name for game in all_games()])
async def test_following_the_guide_leads_through_all_its_comments(client: httpx.AsyncClient, game: str) -> None:
    await register(client)
    match = await opened(client, f"/guide/{game}")
    last = len(find_game(game).tutorial.steps)
    said: set[int] = set()
    async with asyncio.timeout(120):
        while last not in said:
            page = (await client.get(f"/m/{match}")).text
            assert 'class="guide-count"' in page, "following the guide never leaves its line"
            said.add(int(re.findall(r'guide-count">(\d+)/', page)[0]))
            if not await _follow_guide(client, match, page):
                await asyncio.sleep(0.02)  # the bots are playing
    assert said == set(range(1, last + 1)), "each comment is shown"


async def _follow_guide(client: httpx.AsyncClient, match: str, page: str) -> bool:
    """Do what the guide says, if it is the guest's turn and the page is up to date; return whether it was done."""
    do = re.findall(r'guide-do">Now: <b>([^<]+)</b>', page)
    view = (await client.get(f"/api/v1/matches/{match}/view", params={"seat": 0})).json()
    if not do or re.findall(r'id="table-seq"[^>]* value="(\d+)"', page) != [str(view["seq"])]:
        return False
    (action,) = {one["action"] for one in view["legal"] if one["label"] == unescaped(do[0])}
    answer = await client.post(
        f"/api/v1/matches/{match}/actions", json={"seat": 0, "action": action, "seq": view["seq"]}
    )
    return answer.status_code == 200


def unescaped(text: str) -> str:
    return text.replace("&#39;", "'").replace("&amp;", "&")


async def test_a_guide_offers_a_way_back_to_its_line(client: httpx.AsyncClient) -> None:
    await register(client)
    match = await opened(client, "/guide/forbidden-island")
    act = {"seat": 0, "action": "move D5", "seq": 0}
    assert (await client.post(f"/api/v1/matches/{match}/actions", json=act)).status_code == 200
    page = (await client.get(f"/m/{match}")).text
    assert "The tutorial suggested:" in page and "Cave of Embers" in page
    assert (await client.post(f"/api/v1/matches/{match}/undo", json={"seat": 0, "seq": 1})).status_code == 200
    assert 'guide-count">1/' in (await client.get(f"/m/{match}")).text, "back on the line"
    for seq, action in ((2, "move D5"), (3, "move E5")):
        act = {"seat": 0, "action": action, "seq": seq}
        assert (await client.post(f"/api/v1/matches/{match}/actions", json=act)).status_code == 200
    assert "on your own from here" in (await client.get(f"/m/{match}")).text


async def test_a_tutorial_goes_on_where_its_line_was_left(client: httpx.AsyncClient) -> None:
    await register(client)
    match = await opened(client, "/guide/forbidden-island")
    followed = 0
    for _ in range(2):
        while not await _follow_guide(client, match, (await client.get(f"/m/{match}")).text):
            await asyncio.sleep(0.02)
        followed += 1
    view = (await client.get(f"/api/v1/matches/{match}/view", params={"seat": 0})).json()
    left_at = view["view"]
    for action in ("move D4", "end", "draw"):  # what is drawn cannot be taken back
        act = {"seat": 0, "action": action, "seq": view["seq"]}
        assert (await client.post(f"/api/v1/matches/{match}/actions", json=act)).status_code == 200
        view = (await client.get(f"/api/v1/matches/{match}/view", params={"seat": 0})).json()
    page = (await client.get(f"/m/{match}")).text
    assert "on your own from here" in page and f'action="/m/{match}/guide"' in page
    again = await opened(client, f"/m/{match}/guide")
    view = (await client.get(f"/api/v1/matches/{again}/view", params={"seat": 0})).json()
    assert again != match and view["view"] == left_at and view["seq"] == followed
    assert "guide-count" in (await client.get(f"/m/{again}")).text


async def test_only_a_tutorial_has_a_way_back_to_it(client: httpx.AsyncClient) -> None:
    await register(client)
    match = await opened(client, "/play/hashi")
    assert (await client.post(f"/m/{match}/guide")).status_code == 409
    other = await opened(client, "/guide/hashi")
    client.cookies.clear()
    assert (await client.post(f"/m/{other}/guide")).status_code in (401, 403)


async def test_an_unknown_address_is_answered_with_a_page(client: httpx.AsyncClient) -> None:
    answer = await client.get("/nowhere", headers={"accept-language": "es"})
    assert answer.status_code == 404
    assert "Página no encontrada." in answer.text and 'href="/"' in answer.text
