"""What was begun by touching: all that it can mean is in sight, and it does not outlive the question it answers."""

from __future__ import annotations

import re
from collections import Counter

from playwright.sync_api import Browser, Locator, Page, expect

from tests.browser.conftest import close, new_page
from tests.browser.playing import (
    FREE_POINT,
    WENT_TO,
    agree,
    deal_until,
    hurry,
    offers,
    open_match,
    play,
    standing,
    wait_for_turn,
)

ROPED = {"players": 3, "first": 0, "roles": "climber,archeologist,water-carrier"}  # all begin on one tile


def touch(page: Page, name: str) -> None:
    point = page.locator(f'main [data-touch="{name}"].can').evaluate_all(FREE_POINT, name)
    assert point is not None, f"{name} cannot be reached"
    page.mouse.click(*point)


def test_all_that_a_touch_can_mean_is_unfolded_and_has_a_digit(browser: Browser, table: str) -> None:
    page = new_page(browser)
    hurry(page)
    deal_until(page, table, "forbidden-desert", ROPED, ["me"] * 3, "#table-actions details >> nth=1")
    place = next(touches[1] for value, touches in offers(page) if value.startswith("move "))
    meant = [value for value, touches in offers(page) if place in touches]
    assert len({value.split()[0] for value in meant}) > 1, "alone, or with another"
    assert page.locator("#table-actions details").count() > 1
    touch(page, place)
    expect(page.locator("#question")).to_be_visible()
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
    expect(page.locator("#question")).to_be_visible()
    four = next(value for value, touches in offers(page) if "number:4" in touches)
    act(page, match, four, 0)
    expect(page.locator("#table-prompt")).to_contain_text("Confirm your start number")
    assert [value for value, touches in offers(page) if "number:3" in touches], "a 3 would still do"
    expect(begun).to_have_count(0)
    expect(page.locator("#question")).to_be_hidden()
    expect(page.locator("#table-actions details[open]")).to_have_count(0)
    expect(page.locator("#table-actions [value=confirm]")).to_be_visible()
    close(page)


def passage(browser: Browser, table: str, cards: int) -> tuple[Page, str]:
    """My turn in Cartagena, with pirates out of prison that played so many cards."""
    page = new_page(browser)
    hurry(page)
    match = open_match(page, table, "cartagena", {"players": 2, "first": 0}, ["me", "me"])
    assert wait_for_turn(page)
    for _ in range(cards):
        value = next(value for value, _ in offers(page) if value.startswith("play") and value.endswith("prison"))
        act(page, match, value, 0)
    return page, match


def click_sign(page: Page, sign: Locator) -> None:
    box = sign.bounding_box()
    assert box is not None
    page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)


def test_a_click_on_where_a_pirate_would_land_moves_it(browser: Browser, table: str) -> None:
    page, match = passage(browser, table, cards=1)
    card = Counter(touches[1] for value, touches in offers(page) if value.startswith("play")).most_common(1)[0][0]
    touch(page, card)
    sign = page.locator(f"#aims .{card.partition(':')[2]} [data-leads]").first
    starts = (sign.get_attribute("data-leads") or "").split(",")
    click_sign(page, sign)
    if len(starts) > 1:  # they would land on the same space: which of them?
        expect(page.locator("#table-actions [data-touches]:visible")).to_have_count(len(starts))
        touch(page, starts[0])
    expect(page.locator("#table-seq")).to_have_value("2")
    place = starts[0].partition(":")[2]
    assert standing(page, match)["seq"] == 2
    expect(page.locator("#log li").first).to_contain_text(re.compile(rf"from (the |space ){place}"))
    close(page)


def test_a_click_on_where_a_pirate_would_fetch_cards_moves_it_back(browser: Browser, table: str) -> None:
    page, _ = passage(browser, table, cards=2)
    back = next(touches[1] for value, touches in offers(page) if value.startswith("back"))
    touch(page, back)
    click_sign(page, page.locator(f"#draws-{back.partition(':')[2]} [data-leads]"))
    agree(page)
    expect(page.locator("#log li", has_text=f"moves back from space {back.partition(':')[2]}")).to_have_count(1)
    close(page)


def test_what_a_card_can_do_lights_up_only_once_the_card_is_chosen(browser: Browser, table: str) -> None:
    """A Helicopter Lift can take anybody anywhere: all the island would glow."""
    page = new_page(browser)
    hurry(page)
    while not page.url.startswith(f"{table}/m/") or not any(value.startswith("lift ") for value, _ in offers(page)):
        open_match(
            page, table, "forbidden-island", {"players": 2, "first": 0, "roles": "diver,messenger"}, ["me", "me"]
        )
        assert wait_for_turn(page)
    plain = {touches[1] for value, touches in offers(page) if value.startswith(("move ", "shore "))}
    lit = page.locator(".board [data-touch^='place:'].can")
    assert set(lit.evaluate_all("all => all.map(one => one.dataset.touch)")) == plain
    assert page.locator(".board [data-touch^='pawn:'].can").count() == 0
    touch(page, "verb:lift")
    assert lit.count() > len(plain) and page.locator(".board [data-touch^='pawn:'].can").count() == 2
    close(page)
