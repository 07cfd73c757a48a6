"""The analysis beside a replay: asked for by one press, walked through, and played on from."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.conftest import close_pages, new_page
from tests.browser.playing import open_match, set_speed, wait_for_end_elsewhere
from tests.browser.test_accessibility import serious_violations

SHORT = {"players": 2, "parts": 4, "pirates": 4}
EFFORT = 12
SIZES = {"desktop": (1366, 800), "phone": (360, 780)}


@pytest.fixture(autouse=True)
def little_effort(monkeypatch: pytest.MonkeyPatch) -> None:
    """The server runs in this process."""
    monkeypatch.setattr("skerry.server.routes.pages.analysis.EFFORT", EFFORT)


def finished_match(page: Page, site: str) -> str:
    """A short game that bots have played for the guest; the page shows its end."""
    set_speed(page)
    match = open_match(page, site, "cartagena", SHORT, ["random", "random"])
    wait_for_end_elsewhere(page, match)
    return match


def step_shown(page: Page) -> int:
    text = page.locator("#count").text_content() or ""
    return int(text.partition("/")[0])


@pytest.mark.parametrize("size", SIZES)
def test_a_match_is_analysed_its_moments_walked_through_and_played_on(browser: Browser, site: str, size: str) -> None:
    page = new_page(browser, *SIZES[size])
    match = finished_match(page, site)
    page.locator("#verdict").get_by_role("button", name="Analyse").click()
    page.wait_for_url(f"**/m/{match}/replay")
    expect(page.locator("#course svg polyline")).to_have_count(2, timeout=90_000)
    expect(page.locator("#analysis progress")).to_have_count(0, timeout=90_000)
    moments = page.locator("#moments > li")
    expect(page.locator(".course .mark")).to_have_count(moments.count())
    assert moments.count() > 0, "a game of random bots has moments"

    mark = page.locator(".course .mark").last  # it lies above those that are close to it
    touched = page.locator(f"#moment-{mark.get_attribute('data-step')}")
    mark.click()
    expect(touched).to_have_class(re.compile("looked-at"))
    expect(page.locator("#count")).to_have_text(re.compile(rf"^{touched.get_attribute('data-at')} /"))
    if size == "phone":
        headline = touched.locator(".jump").text_content() or ""
        expect(page.locator("#moment .headline")).to_have_text(headline)
    compared = page.locator("#moments > li:not([data-better=''])")
    if compared.count():
        compared.first.locator(".jump").click()
        expect(page.locator(".was-better:not(.legend)").first).to_be_attached()
        page.keyboard.press("Escape")
    assert serious_violations(page) == []

    page.locator("#count").click()
    page.keyboard.press("Home")
    expect(page.locator("#count")).to_have_text(re.compile("^0 /"))
    page.keyboard.press("m")
    expect(moments.first).to_have_class(re.compile("looked-at"))
    if moments.count() > 1:
        page.keyboard.press("m")
        expect(moments.nth(1)).to_have_class(re.compile("looked-at"))
    page.keyboard.press("Home")
    expect(page.locator("#count")).to_have_text(re.compile("^0 /"))
    page.keyboard.press("m")
    looked_at = page.locator("#moments .looked-at")
    expect(looked_at).to_have_count(1)
    at = step_shown(page)
    tools = page.locator("#moment" if size == "phone" else "#moments .looked-at")
    tools.get_by_role("button", name="Play on from here").click()
    page.wait_for_url(re.compile(rf"/m/(?!{re.escape(match)})[^/]+$"))
    again = page.url.rpartition("/")[2]
    steps: list[Any] = page.request.get(f"{site}/api/v1/matches/{again}/steps").json()
    assert len(steps) >= at
    close_pages(page)


def test_the_curve_is_a_table_too_and_the_end_says_what_decided_it(browser: Browser, site: str) -> None:
    page = new_page(browser)
    match = finished_match(page, site)
    headers = {"origin": site}
    path = f"{site}/api/v1/matches/{match}/analysis"
    page.request.post(path, data={"effort": EFFORT}, headers=headers)
    while page.request.get(path).json()["state"] != "done":
        page.wait_for_timeout(100)
    page.goto(f"{site}/m/{match}/replay")
    page.get_by_text("The curve as a table").click()
    rows = page.locator("#analysis-steps tbody tr")
    course = page.request.get(path).json()["course"]
    expect(rows).to_have_count(len(course["steps"]))
    rows.nth(4).locator("a").click()
    expect(page.locator("#count")).to_have_text(re.compile("^5 /"))
    assert (page.locator("#course-value").text_content() or "").count("%") == 2
    page.goto(f"{site}/m/{match}")
    said = page.locator("#verdict .said")
    expect(said.first).to_contain_text("at the start")
    expect(page.locator("#verdict form")).to_be_hidden()
    assert serious_violations(page) == []
    close_pages(page)


def test_without_a_script_it_is_a_form_and_tables(browser: Browser, site: str) -> None:
    page = new_page(browser)
    match = finished_match(page, site)
    path = f"{site}/api/v1/matches/{match}/analysis"
    page.request.post(path, data={"effort": EFFORT}, headers={"origin": site})
    while page.request.get(path).json()["state"] != "done":
        page.wait_for_timeout(100)
    plain = new_page(browser, java_script_enabled=False)
    plain.goto(f"{site}/m/{match}/replay")
    moment = plain.locator("#moments > li").first
    at = moment.get_attribute("data-at")
    moment.locator(".jump").click()
    plain.wait_for_url(f"**/replay?at={at}")
    close_pages(page, plain)


@pytest.mark.parametrize("size", SIZES)
def test_a_what_if_board_tries_actions_with_the_value_following(browser: Browser, site: str, size: str) -> None:
    page = new_page(browser, *SIZES[size])
    match = finished_match(page, site)
    page.goto(f"{site}/m/{match}/replay?at=4")
    page.get_by_role("button", name="What if …?").click()
    page.wait_for_url("**/what-if?at=4")
    values = page.locator("#values")
    expect(values).to_have_text(re.compile(r"\d+ %.* · .*\d+ %"), timeout=60_000)
    page.locator("#tries details").first.evaluate("one => one.open = true")
    first = page.locator("#tries .try").first
    label = first.text_content()
    first.click()
    page.wait_for_url(re.compile(r"line=\d"))
    expect(page.locator("#happened")).not_to_be_empty()
    expect(values).to_have_text(re.compile(r"\d+ %"))
    assert serious_violations(page) == []
    page.keyboard.press("u")
    page.wait_for_url(re.compile("line=$"))
    page.locator("#tries details").first.evaluate("one => one.open = true")
    expect(page.locator("#tries .try").first).to_have_text(label or "")
    page.get_by_role("link", name="Back to the replay").click()
    expect(page.locator("#count")).to_have_text(re.compile("^4 /"))
    close_pages(page)
