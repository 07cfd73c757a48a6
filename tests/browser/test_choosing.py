"""What was begun by touching: all that it can mean is in sight, and it does not outlive the question it answers."""

from __future__ import annotations

from playwright.sync_api import Browser, Page, expect

from tests.browser.conftest import close, new_page
from tests.browser.playing import FREE_POINT, WENT_TO, hurry, offers, open_match, play, standing, wait_for_turn

ROPED = {"players": 3, "first": 0, "roles": "climber,archeologist,water-carrier"}  # all begin on one tile


def touch(page: Page, name: str) -> None:
    point = page.locator(f'main [data-touch="{name}"].can').evaluate_all(FREE_POINT, name)
    assert point is not None, f"{name} cannot be reached"
    page.mouse.click(*point)


def test_all_that_a_touch_can_mean_is_unfolded_and_has_a_digit(browser: Browser, table: str) -> None:
    page = new_page(browser)
    hurry(page)
    open_match(page, table, "forbidden-desert", ROPED, ["me"] * 3)
    assert wait_for_turn(page)
    place = next(touches[1] for value, touches in offers(page) if value.startswith("move "))
    meant = [value for value, touches in offers(page) if place in touches]
    assert len({value.split()[0] for value in meant}) > 1, "alone, or with another"
    assert page.locator("#table-actions details").count() > 1
    touch(page, place)
    expect(page.locator("#answer")).to_contain_text("Choose one")
    expect(page.locator("#table-actions [data-touches]:visible")).to_have_count(len(meant))
    keys = page.locator("#table-actions [data-key]").evaluate_all("all => all.map(one => [one.dataset.key, one.value])")
    assert keys == [[str(place + 1), value] for place, value in enumerate(meant)]
    page.keyboard.press(str(meant.index(f"move {place.removeprefix('place:')}") + 1))
    expect(page.locator("#table-seq")).to_have_value("1")
    expect(page.locator("#table-actions details[open]")).to_have_count(0)
    close(page)


def act(page: Page, match: str, action: str, seat: int) -> None:
    """Somebody does something elsewhere, and the page knows it."""
    play(page, match, action, seat)
    page.wait_for_function(WENT_TO, arg=str(standing(page, match)["seq"]))


def test_what_was_begun_outlives_what_others_do_but_not_its_question(browser: Browser, table: str) -> None:
    """Two write their first number. The first has begun with a 3, and then writes a 4 on another device."""
    page = new_page(browser)
    hurry(page)
    match = open_match(page, table, "hashi", {"players": 2}, ["me", "me"])
    page.goto(f"{table}/m/{match}?seat=0")
    assert wait_for_turn(page)
    touch(page, "number:3")
    begun = page.locator("[data-touch='number:3'].chosen")
    act(page, match, standing(page, match, 1)["legal"][0]["action"], 1)
    expect(begun).to_be_visible()
    expect(page.locator("#answer")).to_contain_text("Choose one")
    four = next(value for value, touches in offers(page) if "number:4" in touches)
    act(page, match, four, 0)
    expect(page.locator("#table-prompt")).to_contain_text("Confirm your start number")
    assert [value for value, touches in offers(page) if "number:3" in touches], "a 3 would still do"
    expect(begun).to_have_count(0)
    expect(page.locator("#answer")).to_be_empty()
    expect(page.locator("#table-actions details[open]")).to_have_count(0)
    expect(page.locator("#table-actions [value=confirm]")).to_be_visible()
    close(page)
