"""The other pages: lobby, puzzle of the day, invitations, forms, rulebooks, replays."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Browser, Page, expect

from skerry.games import all_games
from skerry.server.routes.pages.match import qr_svg
from tests.browser.conftest import close_pages, new_page
from tests.browser.playing import open_match, wait_for_end_elsewhere, wait_for_match

PHONE = (360, 780)


def fits(page: Page) -> None:
    """The page is no wider than its window."""
    width = page.evaluate("document.documentElement.scrollWidth")
    assert width <= page.evaluate("innerWidth"), f"{page.url} is {width} wide"


def test_every_page_fits_a_phone_and_has_a_title(browser: Browser, site: str) -> None:
    page = new_page(browser, *PHONE)
    for path in ("/", "/me", "/nowhere", *(f"/{one}/{game.name}" for one in ("new", "rules") for game in all_games())):
        page.goto(site + path)
        fits(page)
        assert "Skerry" in page.title()
        assert page.locator("h1").first.evaluate("one => one.getBoundingClientRect().left") >= 8, (
            f"{path} has no margin"
        )
    close_pages(page)


def test_the_lobby_starts_a_match_with_the_options_chosen_there(browser: Browser, site: str) -> None:
    page = new_page(browser)
    page.goto(site)
    form = page.locator('form[action="/play/forbidden-island"]')
    form.locator("[name=players]").select_option("3")
    form.get_by_role("button").click()
    expect(page.locator("article.seat")).to_have_count(3)
    page.goto(site)
    expect(page.locator(".matches li")).to_contain_text("Forbidden Island")
    close_pages(page)


def test_the_puzzle_of_the_day_is_started_and_resumed(browser: Browser, site: str) -> None:
    page = new_page(browser)
    page.goto(site)
    page.get_by_role("button", name="Play today's puzzle").click()
    wait_for_match(page)
    url = page.url
    page.goto(site)
    page.get_by_role("button", name="Continue today's puzzle").click()
    expect(page).to_have_url(url)
    close_pages(page)


def test_a_guest_is_invited_to_a_seat_by_link_and_takes_it(browser: Browser, site: str) -> None:
    ana, ben = new_page(browser), new_page(browser, *PHONE)
    ana.context.grant_permissions(["clipboard-read", "clipboard-write"])
    ana.goto(f"{site}/new/cartagena")
    ana.locator("[name=option-players]").select_option("2")
    expect(ana.locator("[name=seat-1]")).to_be_visible()
    expect(ana.locator("[name=seat-2]")).to_be_hidden()
    ana.locator("[name=seat-1]").select_option("open")
    ana.get_by_role("button", name="Open the table").click()
    wait_for_match(ana)
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
    expect(ben.locator("#main")).to_have_attribute("data-seat", "1")
    expect(ben.locator(".seat.shown #table-seat-1 .name")).to_have_text("Ben")
    close_pages(ana, ben)


@pytest.mark.parametrize("size", [PHONE, (1280, 800)])
def test_guests_with_the_link_take_free_seats_on_the_match_page(
    browser: Browser, site: str, size: tuple[int, int]
) -> None:
    ana, ben, eva = new_page(browser), new_page(browser, *size), new_page(browser, *size)
    match = open_match(ana, site, "forbidden-island", {"players": 2, "roles": "pilot,diver"}, ["me", "open"])
    expect(ana.locator("#table-seat-offer")).to_be_hidden()
    for page in (ben, eva):
        page.goto(f"{site}/m/{match}")
        expect(page.locator("#table-seat-offer")).to_contain_text("There is a free seat:")
        expect(page.locator("#table-seat-offer button")).to_be_in_viewport(ratio=1)
    ben.locator("#table-seat-offer").get_by_role("button", name="Sit down: Diver").click()
    expect(ben.locator("#main")).to_have_attribute("data-seat", "1")
    expect(ben.locator("#table-seat-offer")).to_be_hidden()
    expect(eva.locator("#table-seat-1 .name")).to_contain_text("Guest")
    expect(eva.locator("#table-seat-offer")).to_be_hidden()
    close_pages(ana, ben, eva)


@pytest.mark.parametrize("size", [PHONE, (1280, 800)])
def test_a_newcomer_gives_a_name_when_sitting_down_and_is_not_asked_again(
    browser: Browser, site: str, size: tuple[int, int]
) -> None:
    ana, ben = new_page(browser), new_page(browser, *size)
    match = open_match(ana, site, "forbidden-island", {"players": 3}, ["me", "open", "open"])
    ben.goto(f"{site}/m/{match}")
    fits(ben)
    ben.get_by_label("Your name at the table").fill("Ben")
    ben.keyboard.press("Enter")
    expect(ben.locator(".seat.shown #table-seat-1 .name")).to_have_text("Ben")
    expect(ana.locator("#table-seat-1 .name")).to_have_text("Ben")
    for page in (ana, ben):
        expect(page.get_by_label("Your name at the table")).to_have_count(0)
    close_pages(ana, ben)


@pytest.mark.parametrize("size", [PHONE, (1280, 800)])
def test_a_player_replaced_by_a_bot_is_told_and_takes_the_seat_back(
    browser: Browser, site: str, size: tuple[int, int]
) -> None:
    page = new_page(browser, *size)
    match = open_match(page, site, "cartagena", {"players": 2, "first": 1}, ["me", "open"])
    page.request.put(f"{site}/api/v1/matches/{match}/seats/0", data={"who": "skilled"}, headers={"origin": site})
    expect(page.locator("#table-seat-offer")).to_contain_text("A bot is playing for you: Skilled")
    expect(page.locator("#ask-advice")).to_be_hidden()
    page.locator("#table-seat-offer").get_by_role("button", name="Take the seat back").click()
    expect(page.locator("#table-seat-offer")).to_be_hidden()
    expect(page.locator("#ask-advice")).to_be_visible()
    close_pages(page)


def test_the_form_shows_the_chosen_number_of_seats_and_keeps_invalid_input(browser: Browser, site: str) -> None:
    page = new_page(browser)
    page.goto(f"{site}/new/forbidden-desert")
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
    close_pages(page)


def test_rules_are_searched_as_one_types(browser: Browser, site: str) -> None:
    page = new_page(browser)
    page.goto(f"{site}/rules/forbidden-island")
    total = page.locator(".rule:visible").count()
    page.get_by_role("searchbox").fill("sandbags")
    expect(page.locator(".rule:visible").first).to_contain_text(re.compile("sandbags", re.IGNORECASE))
    assert 0 < page.locator(".rule:visible").count() < total
    page.get_by_role("searchbox").fill("FI-22")
    expect(page.locator(".picture:visible")).to_have_accessible_name(re.compile("Earth Stone"))
    page.get_by_role("searchbox").fill("xyzzy")
    expect(page.get_by_role("status")).to_be_visible()
    page.goto(f"{site}/rules/forbidden-island#FI-10")
    expect(page.locator(".rule:target")).to_be_in_viewport()
    close_pages(page)


def test_a_replay_is_scrubbed_stepped_by_keys_and_continued_as_a_match(browser: Browser, site: str) -> None:
    page = new_page(browser)
    match = open_match(page, site, "cartagena", {"players": 2, "parts": 4, "pirates": 4}, ["random", "random"])
    wait_for_end_elsewhere(page, match)
    page.get_by_role("link", name="Replay").click()
    page.wait_for_url("**/replay*")
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
    page.wait_for_url(re.compile("seat=1"))
    page.locator("#at").evaluate("(one) => { one.value = 7; one.dispatchEvent(new Event('input')) }")
    expect(page).to_have_url(re.compile("at=7"))
    page.get_by_role("button", name="Continue with bots").click()
    wait_for_match(page)
    expect(page.locator(".seat.shown #table-seat-1")).to_be_visible()
    assert int(page.locator("#table-seq").input_value()) >= 7
    close_pages(page)


@pytest.mark.parametrize(("game", "options"), [("hashi", {"players": 1}), ("cartagena", {"players": 2, "pirates": 4})])
def test_the_controls_of_a_replay_are_usable_on_a_phone(
    browser: Browser, site: str, game: str, options: dict[str, int]
) -> None:
    page = new_page(browser, 360, 780)
    match = open_match(page, site, game, options, ["skilled"] * options["players"])
    wait_for_end_elsewhere(page, match)
    page.goto(f"{site}/m/{match}/replay")
    for control in ("#at", "#autoplay", "#steps"):
        page.locator(control).scroll_into_view_if_needed()
        expect(page.locator(control)).to_be_in_viewport(ratio=0.9)
    close_pages(page)


def test_the_language_is_changed_on_a_match_page_on_a_phone(browser: Browser, site: str) -> None:
    page = new_page(browser, *PHONE)
    open_match(page, site, "hashi", {"players": 1}, ["me"])
    page.get_by_role("button", name="Settings").click()
    page.locator(".menu").get_by_role("button", name="es", exact=True).click()
    expect(page.locator("html[lang=es]")).to_have_count(1)
    expect(page.locator("#table-actions")).to_be_visible()
    close_pages(page)


@pytest.mark.parametrize("size", [(360, 640), (1280, 800)])
@pytest.mark.parametrize("language", ["en", "es", "pt"])
def test_all_controls_of_a_replay_are_visible(
    browser: Browser, site: str, size: tuple[int, int], language: str
) -> None:
    page = new_page(browser, *size)
    page.request.post(f"{site}/me", form={"name": "Ana", "language": language}, headers={"origin": site})
    roles = {"players": 2, "roles": "meteorologist,water-carrier"}
    match = open_match(page, site, "forbidden-desert", roles, ["random"] * 2)
    wait_for_end_elsewhere(page, match)
    page.goto(f"{site}/m/{match}/replay?seat=1")
    assert page.locator("html").get_attribute("lang") == language
    expect(page.locator("#play-on")).to_be_in_viewport(ratio=1)
    expect(page.locator(".board-svg")).to_be_in_viewport(ratio=1)
    assert len(set(page.locator("#steps > *").evaluate_all("all => all.map(one => one.offsetTop)"))) == 1
    desk = page.locator(".desk").evaluate("one => [one.scrollHeight, one.clientHeight]")
    assert desk[0] <= desk[1], "the controls scroll"
    expect(page.locator("#prompt")).not_to_contain_text(". ·")
    close_pages(page)


LONG = "Maximiliana Bartholomäa von Hohenzollern"


def test_a_match_page_with_a_long_name_and_a_long_role_fits_a_phone(browser: Browser, site: str) -> None:
    """Players see their own seat in one line, spectators the role that is to move."""
    page = new_page(browser, 360, 640, locale="pt-BR", is_mobile=True, has_touch=True)
    page.goto(f"{site}/me")
    page.locator("#name").fill(LONG)
    page.get_by_role("button", name="Salvar").first.click()
    below, above = (page.locator(one).first.bounding_box() for one in (".option > button", "#name"))
    assert below is not None and above is not None and below["x"] == above["x"], "the button is not below its field"
    for who in ("me", "open"):
        options = {"players": 2, "first": 0, "roles": "meteorologist,water-carrier"}
        open_match(page, site, "forbidden-desert", options, [who] * 2)
        fits(page)
        expect(page.locator(".menu > button")).to_be_in_viewport(ratio=1)
        expect(page.locator("label:has(#tab-log)")).to_be_in_viewport(ratio=1)
        if who == "me":
            line = page.locator(".seat.shown .sitting")
            assert line.evaluate("one => one.offsetHeight") <= 40, "the seat takes more than one line"
            assert line.locator(".name").get_attribute("title") == LONG
    close_pages(page)


def test_an_open_table_appears_in_the_lobby_without_a_reload(browser: Browser, site: str) -> None:
    ana, ben = new_page(browser), new_page(browser)
    ben.goto(site)
    ana.goto(f"{site}/new/hashi")
    ana.locator("[name=seat-1]").select_option("open")
    ana.locator("[name=listed]").check()
    ana.get_by_role("button", name="Open the table").click()
    ana.wait_for_url("**/m/*")
    path = ana.url.removeprefix(site)
    expect(ben.locator(f'#open-tables a[href="{path}"]')).to_be_visible()
    close_pages(ana, ben)
