"""A challenge played by two groups, the history, the statistics and the deals of the day, on a phone and a desktop."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.conftest import close_pages, new_page
from tests.browser.playing import open_match, wait_for_end_elsewhere
from tests.browser.test_accessibility import serious_violations
from tests.browser.test_other_pages import fits

PHONE = (360, 780)
PAGES = ("/me/games", "/me/statistics", "/daily")


def check_page(page: Page) -> None:
    fits(page)
    assert serious_violations(page) == [], page.url


def finish(page: Page, site: str) -> None:
    """Let a bot play the match that the page shows to its end."""
    match = page.url.rpartition("/")[2]
    seat = page.request.put(f"{site}/api/v1/matches/{match}/seats/0", data={"who": "random"}, headers={"origin": site})
    assert seat.status == 200
    wait_for_end_elsewhere(page, match)


def test_two_groups_play_a_challenge_and_see_each_other_afterwards(browser: Browser, site: str) -> None:
    ana, ben = new_page(browser), new_page(browser, *PHONE, color_scheme="dark")
    mine = open_match(ana, site, "hashi", {"players": 1}, ["me"])
    finish(ana, site)
    ana.get_by_role("button", name="Challenge", exact=True).click()
    expect(ana.get_by_role("heading", name="Results")).to_be_visible()
    link = ana.get_by_label("Link to the challenge").input_value()
    ben.goto(f"{site}/m/{mine}")
    expect(ben.get_by_text("This table plays a challenge")).to_be_visible()
    check_page(ben)
    ben.get_by_role("link", name="Play this deal at your own table").click()
    expect(ben).to_have_url(link)
    expect(ben.get_by_role("heading", name="Results")).to_have_count(0)
    ben.get_by_label("Your name at the table").fill("Ben")
    check_page(ben)
    ben.get_by_role("button", name="Open the table").click()
    expect(ben).to_have_url(re.compile(r"/m/[\w-]{22}$"))
    finish(ben, site)
    ben.goto(link)
    expect(ben.locator(".board-of-results li")).to_have_count(2)
    expect(ben.get_by_label("Your result in a line")).to_have_value(re.compile(r"^Skerry · Hashi · \d+ points$"))
    check_page(ben)
    ben.locator(".board-of-results li:not(.mine)").get_by_role("link", name="Replay").click()
    expect(ben).to_have_url(f"{site}/m/{mine}/replay")
    close_pages(ana, ben)


@pytest.mark.parametrize(("size", "light"), [(PHONE, "dark"), ((1366, 800), "light")])
def test_the_history_is_searched_archived_and_deleted_and_adds_up(
    browser: Browser, site: str, size: tuple[int, int], light: Any
) -> None:
    page = new_page(browser, *size, color_scheme=light)
    page.goto(site)
    page.locator('form[action="/play/hashi"]').get_by_role("button").click()  # one that goes on running
    expect(page).to_have_url(re.compile(r"/m/[\w-]{22}$"))
    open_match(page, site, "hashi", {"players": 1}, ["me"])
    finish(page, site)
    for path in PAGES:
        page.goto(f"{site}{path}")
        check_page(page)
    page.goto(f"{site}/me/statistics")
    expect(page.locator(".totals li").first).to_contain_text("1")
    page.goto(f"{site}/me/games")
    page.get_by_label("Result").select_option("running")
    page.get_by_role("button", name="Show").click()
    expect(page.locator(".history h2")).to_have_count(1)
    page.get_by_role("button", name="Archive it").click()
    expect(page.get_by_text("Nothing here yet.")).to_be_visible()
    page.goto(f"{site}/me/games")
    page.get_by_role("link", name="Delete").click()
    check_page(page)
    page.get_by_role("button", name="Delete").click()
    expect(page.get_by_text("Nothing here yet.")).to_be_visible()
    page.get_by_label("Archive").check()
    page.get_by_role("button", name="Show").click()
    expect(page.locator(".history h2")).to_have_count(1)
    close_pages(page)


def test_a_deal_of_the_day_is_begun_by_keyboard_and_gone_on_with(browser: Browser, site: str) -> None:
    page = new_page(browser)
    page.goto(f"{site}/daily")
    page.get_by_role("button", name="Normal: Play").first.focus()
    page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile(r"/m/[\w-]{22}$"))
    url = page.url
    page.goto(f"{site}/daily")
    page.get_by_role("button", name="Normal: Continue").click()
    expect(page).to_have_url(url)
    close_pages(page)
