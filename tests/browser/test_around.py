"""Around the table, in browsers: lobby, puzzle of the day, invitations, forms, rules, first games, replays."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Browser, Page, expect

from skerry.games import all_games
from skerry.server.routes.pages.match import qr_svg
from tests.browser.conftest import close, new_page
from tests.browser.playing import look_away_until_the_end, open_match

PHONE = (360, 780)


def fits(page: Page) -> None:
    width = page.evaluate("document.documentElement.scrollWidth")
    assert width <= page.evaluate("innerWidth"), f"{page.url} is {width} wide"


def test_every_page_fits_a_phone_and_has_a_title(browser: Browser, table: str) -> None:
    page = new_page(browser, *PHONE)
    for path in ("/", "/me", "/nowhere", *(f"/{one}/{game.name}" for one in ("new", "rules") for game in all_games())):
        page.goto(table + path)
        fits(page)
        assert "Skerry" in page.title()
        assert page.locator("h1").first.evaluate("one => one.getBoundingClientRect().left") >= 8, (
            f"{path} has no margin"
        )
    close(page)


def test_the_lobby_opens_a_table_with_what_is_chosen_in_place(browser: Browser, table: str) -> None:
    page = new_page(browser)
    page.goto(table)
    form = page.locator('form[action="/play/forbidden-island"]')
    form.locator("[name=players]").select_option("3")
    form.get_by_role("button").click()
    expect(page.locator("article.seat")).to_have_count(3)
    page.goto(table)
    expect(page.locator(".matches li")).to_contain_text("Forbidden Island")
    close(page)


def test_todays_puzzle_is_begun_and_gone_on_with(browser: Browser, table: str) -> None:
    page = new_page(browser)
    page.goto(table)
    page.get_by_role("button", name="Play today's puzzle").click()
    expect(page).to_have_url(re.compile(r"/m/[\w-]{22}$"))
    url = page.url
    page.goto(table)
    page.get_by_role("button", name="Go on with today's puzzle").click()
    expect(page).to_have_url(url)
    close(page)


def test_somebody_is_invited_by_a_code_and_sits_down(browser: Browser, table: str) -> None:
    ana, ben = new_page(browser), new_page(browser, *PHONE)
    ana.context.grant_permissions(["clipboard-read", "clipboard-write"])
    ana.goto(f"{table}/new/cartagena")
    ana.locator("[name=option-players]").select_option("2")
    expect(ana.locator("#seat-1")).to_be_visible()
    expect(ana.locator("#seat-2")).to_be_hidden()
    ana.locator("#seat-1").select_option("open")
    ana.get_by_role("button", name="Open the table").click()
    expect(ana).to_have_url(re.compile(r"/m/[\w-]{22}$"))
    match = ana.url
    ana.goto(f"{match}/invite")
    link = ana.locator("#link").input_value()
    assert link == match
    code = ana.request.get(f"{match}/qr.svg")
    assert code.body() == qr_svg(link)
    ana.get_by_role("button", name="Copy").first.click()
    expect(ana.get_by_role("button", name="Copied")).to_be_visible()
    assert ana.evaluate("navigator.clipboard.readText()") == link
    ben.goto(ana.locator("#seat-1").input_value())
    fits(ben)
    ben.get_by_label("Your name at the table").fill("Ben")
    ben.get_by_role("button", name="Sit down").click()
    expect(ben).to_have_url(match)
    expect(ben.locator(".seat.shown #table-seat-1")).to_be_visible()
    expect(ben.locator(".seat.shown #table-seat-1 .name")).to_have_text("Ben")
    close(ana, ben)


@pytest.mark.parametrize("size", [PHONE, (1280, 800)])
def test_who_comes_by_the_link_sits_down_where_one_plays_until_no_seat_is_free(
    browser: Browser, table: str, size: tuple[int, int]
) -> None:
    ana, ben, eva = new_page(browser), new_page(browser, *size), new_page(browser, *size)
    match = open_match(ana, table, "forbidden-island", {"players": 2, "roles": "pilot,diver"}, ["me", "open"])
    expect(ana.locator("#table-chair")).to_be_hidden()
    for page in (ben, eva):
        page.goto(f"{table}/m/{match}")
        expect(page.locator("#table-chair")).to_contain_text("There is a free seat for you")
        expect(page.locator("#table-chair button")).to_be_in_viewport(ratio=1)
    ben.locator("#table-chair").get_by_role("button", name="Sit down: Diver").click()
    expect(ben.locator(".seat.shown #table-seat-1")).to_be_visible()
    expect(ben.locator("#table-chair")).to_be_hidden()
    expect(eva.locator("#table-seat-1 .name")).to_contain_text("Guest")
    expect(eva.locator("#table-chair")).to_be_hidden()
    close(ana, ben, eva)


@pytest.mark.parametrize("size", [PHONE, (1280, 800)])
def test_a_newcomer_sits_down_by_a_name_and_is_not_asked_again(
    browser: Browser, table: str, size: tuple[int, int]
) -> None:
    ana, ben = new_page(browser), new_page(browser, *size)
    match = open_match(ana, table, "forbidden-island", {"players": 3}, ["me", "open", "open"])
    ben.goto(f"{table}/m/{match}")
    fits(ben)
    ben.get_by_label("Your name at the table").fill("Ben")
    ben.keyboard.press("Enter")
    expect(ben.locator(".seat.shown #table-seat-1 .name")).to_have_text("Ben")
    expect(ana.locator("#table-seat-1 .name")).to_have_text("Ben")
    for page in (ana, ben):
        expect(page.get_by_label("Your name at the table")).to_have_count(0)
    close(ana, ben)


@pytest.mark.parametrize("size", [PHONE, (1280, 800)])
def test_who_is_played_for_by_a_bot_is_told_so_and_takes_the_seat_again(
    browser: Browser, table: str, size: tuple[int, int]
) -> None:
    page = new_page(browser, *size)
    match = open_match(page, table, "cartagena", {"players": 2, "first": 1}, ["me", "open"])
    page.request.put(f"{table}/api/v1/matches/{match}/seats/0", data={"who": "skilled"}, headers={"origin": table})
    expect(page.locator("#table-chair")).to_contain_text("A bot plays for you: skilled")
    expect(page.locator("#ask-advice")).to_be_hidden()
    page.locator("#table-chair").get_by_role("button", name="Take it again").click()
    expect(page.locator("#table-chair")).to_be_hidden()
    expect(page.locator("#ask-advice")).to_be_visible()
    close(page)


def test_a_form_shows_the_seats_there_are_and_keeps_what_was_wrong(browser: Browser, table: str) -> None:
    page = new_page(browser)
    page.goto(f"{table}/new/forbidden-desert")
    page.locator("[name=option-players]").select_option("3")
    expect(page.locator("[name=option-roles-2]")).to_be_visible()
    expect(page.locator("[name=option-roles-3]")).to_be_hidden()
    for seat in (0, 1):
        page.locator(f"[name=option-roles-{seat}]").select_option("climber")
    page.get_by_role("button", name="Open the table").click()
    expect(page.get_by_role("alert")).to_contain_text("twice")
    expect(page.locator("[name=option-players]")).to_have_value("3")
    page.locator("[name=option-roles-1]").select_option("navigator")
    page.get_by_role("button", name="Open the table").click()
    expect(page.locator("#table-seat-1")).to_contain_text("Navigator")
    close(page)


def test_rules_are_searched_while_one_types(browser: Browser, table: str) -> None:
    page = new_page(browser)
    page.goto(f"{table}/rules/forbidden-island")
    everything = page.locator(".rule:visible").count()
    page.get_by_role("searchbox").fill("sandbags")
    expect(page.locator(".rule:visible").first).to_contain_text(re.compile("sandbags", re.IGNORECASE))
    assert 0 < page.locator(".rule:visible").count() < everything
    page.get_by_role("searchbox").fill("FI-22")
    expect(page.locator(".picture:visible")).to_have_accessible_name(re.compile("Earth Stone"))
    page.get_by_role("searchbox").fill("xyzzy")
    expect(page.get_by_role("status")).to_be_visible()
    page.goto(f"{table}/rules/forbidden-island#FI-10")
    expect(page.locator(".rule:target")).to_be_in_viewport()
    close(page)


def test_a_replay_is_scrubbed_stepped_by_keys_and_played_on(browser: Browser, table: str) -> None:
    page = new_page(browser)
    match = open_match(page, table, "cartagena", {"players": 2, "parts": 4, "pirates": 4}, ["random", "random"])
    look_away_until_the_end(page, match)
    page.get_by_role("link", name="Replay").click()
    last = int(page.locator("#at").get_attribute("max") or 0)
    expect(page.locator("#count")).to_have_text(f"{last} / {last}")
    page.locator("#at").evaluate("(one) => { one.value = 7; one.dispatchEvent(new Event('input')) }")
    expect(page).to_have_url(re.compile("at=7"))
    seen = page.locator("#main .board").inner_html()
    page.locator("body").press("ArrowRight")
    expect(page).to_have_url(re.compile("at=8"))
    page.get_by_role("link", name="Back").click()
    expect(page).to_have_url(re.compile("at=7"))
    assert page.locator("#main .board").inner_html() == seen
    page.reload()
    expect(page.locator("#count")).to_have_text(f"7 / {last}")
    page.get_by_role("button", name="Play back").click()
    expect(page).to_have_url(re.compile(r"at=(9|\d\d)"))
    page.get_by_role("button", name="Pause").click()
    page.locator("#seen-by").select_option("1")
    expect(page).to_have_url(re.compile("seat=1"))
    page.locator("#at").evaluate("(one) => { one.value = 7; one.dispatchEvent(new Event('input')) }")
    expect(page).to_have_url(re.compile("at=7"))
    page.get_by_role("button", name="Play on with bots").click()
    expect(page).to_have_url(re.compile(r"/m/[\w-]{22}$"))
    expect(page.locator(".seat.shown #table-seat-1")).to_be_visible()
    assert int(page.locator("#table-seq").input_value()) >= 7
    close(page)


@pytest.mark.parametrize(("game", "options"), [("hashi", {"players": 1}), ("cartagena", {"players": 2, "pirates": 4})])
def test_a_replay_on_a_phone_has_its_controls(browser: Browser, table: str, game: str, options: dict[str, int]) -> None:
    page = new_page(browser, 360, 780)
    match = open_match(page, table, game, options, ["skilled"] * options["players"])
    look_away_until_the_end(page, match)
    page.goto(f"{table}/m/{match}/replay")
    for control in ("#at", "#autoplay", "#steps"):
        page.locator(control).scroll_into_view_if_needed()
        expect(page.locator(control)).to_be_in_viewport(ratio=0.9)
    close(page)


def test_the_language_is_changed_at_a_table_on_a_phone(browser: Browser, table: str) -> None:
    page = new_page(browser, *PHONE)
    open_match(page, table, "hashi", {"players": 1}, ["me"])
    page.get_by_role("button", name="Settings").click()
    page.locator(".menu").get_by_role("button", name="es", exact=True).click()
    expect(page.locator("html[lang=es]")).to_have_count(1)
    expect(page.locator("#table-actions")).to_be_visible()
    close(page)


@pytest.mark.parametrize("size", [(360, 640), (1280, 800)])
@pytest.mark.parametrize("language", ["en", "es", "pt"])
def test_all_controls_of_a_replay_are_in_sight(
    browser: Browser, table: str, size: tuple[int, int], language: str
) -> None:
    page = new_page(browser, *size)
    page.request.post(f"{table}/me", form={"name": "Ana", "language": language}, headers={"origin": table})
    roles = {"players": 2, "roles": "meteorologist,water-carrier"}
    match = open_match(page, table, "forbidden-desert", roles, ["random"] * 2)
    look_away_until_the_end(page, match)
    page.goto(f"{table}/m/{match}/replay?seat=1")
    assert page.locator("html").get_attribute("lang") == language
    expect(page.locator("#play-on")).to_be_in_viewport(ratio=1)
    expect(page.locator(".board-svg")).to_be_in_viewport(ratio=1)
    assert len(set(page.locator("#steps > *").evaluate_all("all => all.map(one => one.offsetTop)"))) == 1
    desk = page.locator(".desk").evaluate("one => [one.scrollHeight, one.clientHeight]")
    assert desk[0] <= desk[1], "nothing is left to scroll to"
    expect(page.locator("#prompt")).not_to_contain_text(". ·")
    close(page)


LONG = "Maximiliana Bartholomäa von Hohenzollern"


def test_a_long_name_and_a_long_role_leave_a_table_as_wide_as_the_phone(browser: Browser, table: str) -> None:
    """Who plays sees the own seat in one line; who looks on, the name of the role that is to move."""
    page = new_page(browser, 360, 640, locale="pt-BR", is_mobile=True, has_touch=True)
    page.goto(f"{table}/me")
    page.locator("#name").fill(LONG)
    page.get_by_role("button", name="Guardar").first.click()
    below, above = (page.locator(one).first.bounding_box() for one in (".option > button", "#name"))
    assert below is not None and above is not None and below["x"] == above["x"], "a button stands below its field"
    for who in ("me", "open"):
        options = {"players": 2, "first": 0, "roles": "meteorologist,water-carrier"}
        open_match(page, table, "forbidden-desert", options, [who] * 2)
        fits(page)
        expect(page.locator(".menu > button")).to_be_in_viewport(ratio=1)
        expect(page.locator("label:has(#tab-log)")).to_be_in_viewport(ratio=1)
        if who == "me":
            line = page.locator(".seat.shown .sitting")
            assert line.evaluate("one => one.offsetHeight") <= 40, "one line"
            assert line.locator(".name").get_attribute("title") == LONG
    close(page)
