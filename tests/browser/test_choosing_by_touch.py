"""Choosing an action by touching things: what is left is visible, and a choice ends with the question it answers."""

from __future__ import annotations

import re
from collections import Counter

from playwright.sync_api import Browser, Locator, Page, expect

from tests.browser.conftest import close_pages, new_page
from tests.browser.playing import (
    AT_STEP,
    FREE_POINT,
    act_elsewhere,
    confirm_reveal,
    deal_until,
    fetch_view,
    listed_actions,
    open_match,
    set_speed,
    wait_for_turn,
)

# All three begin on one tile, and the Climber can take others along.
ROPED = {"players": 3, "first": 0, "roles": "climber,archeologist,water-carrier"}


def touch(page: Page, name: str) -> None:
    """Click a thing that can be chosen."""
    point = page.locator(f'main [data-touch="{name}"].can').evaluate_all(FREE_POINT)
    assert point is not None, f"{name} cannot be reached"
    page.mouse.click(*point)


def has_two_groups(actions: list[str]) -> bool:
    """Whether the list has groups for two verbs: in a corner of the board there are few actions."""
    verbs = Counter(action.split()[0] for action in actions)
    return sum(count > 2 for count in verbs.values()) > 1


def test_all_actions_that_a_touch_leaves_are_expanded_and_have_digits(browser: Browser, site: str) -> None:
    page = new_page(browser)
    set_speed(page)
    deal_until(page, site, "forbidden-desert", ROPED, ["me"] * 3, has_two_groups)
    other = "pawn:archeologist"
    left = [value for value, touches in listed_actions(page) if other in touches]
    assert len(left) > 1, "the Climber cannot take the Archeologist along"
    assert page.locator("#table-actions details").count() > 1
    touch(page, other)
    expect(page.locator("#question")).to_be_visible()
    expect(page.locator("#table-actions [data-touches]:visible")).to_have_count(len(left))
    keys = page.locator("#table-actions [data-key]").evaluate_all("all => all.map(one => [one.dataset.key, one.value])")
    assert keys == [[str(place + 1), value] for place, value in enumerate(left)]
    page.keyboard.press("1")
    expect(page.locator("#table-seq")).to_have_value("1")
    expect(page.locator("#table-actions details[open]")).to_have_count(0)
    close_pages(page)


def act(page: Page, match: str, action: str, seat: int) -> None:
    """Act elsewhere, and wait until the page shows it."""
    act_elsewhere(page, match, action, seat)
    page.wait_for_function(AT_STEP, arg=str(fetch_view(page, match)["seq"]))


def test_a_choice_survives_actions_of_others_but_not_its_question(browser: Browser, site: str) -> None:
    """Both choose start numbers. The first has touched a 3 here, and then writes a 4 on another device."""
    page = new_page(browser)
    set_speed(page)
    match = open_match(page, site, "hashi", {"players": 2}, ["me", "me"])
    page.goto(f"{site}/m/{match}?seat=0")
    assert wait_for_turn(page)
    touch(page, "number:3")
    chosen = page.locator("[data-touch='number:3'].chosen")
    act(page, match, fetch_view(page, match, 1)["legal"][0]["action"], 1)
    expect(chosen).to_be_visible()
    expect(page.locator("#question")).to_be_visible()
    four = next(value for value, touches in listed_actions(page) if "number:4" in touches)
    act(page, match, four, 0)
    expect(page.locator("#table-prompt")).to_contain_text("Confirm your start number")
    assert [value for value, touches in listed_actions(page) if "number:3" in touches], (
        "a 3 cannot be touched any more anyway"
    )
    expect(chosen).to_have_count(0)
    expect(page.locator("#question")).to_be_hidden()
    expect(page.locator("#table-actions details[open]")).to_have_count(0)
    expect(page.locator("#table-actions [value=confirm]")).to_be_visible()
    close_pages(page)


def cartagena_after_cards(browser: Browser, site: str, cards: int) -> tuple[Page, str]:
    """A turn in Cartagena, in which some cards have taken pirates out of prison."""
    page = new_page(browser)
    set_speed(page)
    match = open_match(page, site, "cartagena", {"players": 2, "first": 0}, ["me", "me"])
    assert wait_for_turn(page)
    for _ in range(cards):
        value = next(
            value for value, _ in listed_actions(page) if value.startswith("play") and value.endswith("prison")
        )
        act(page, match, value, 0)
    return page, match


def click_sign(page: Page, sign: Locator) -> None:
    box = sign.bounding_box()
    assert box is not None
    page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)


def test_a_click_on_where_a_pirate_would_land_moves_it(browser: Browser, site: str) -> None:
    page, match = cartagena_after_cards(browser, site, cards=1)
    card = Counter(touches[1] for value, touches in listed_actions(page) if value.startswith("play")).most_common(1)[0][
        0
    ]
    touch(page, card)
    sign = page.locator(f"#aims .aim.{card.partition(':')[2]} [data-leads]").first
    starts = (sign.get_attribute("data-leads") or "").split(",")
    click_sign(page, sign)
    if len(starts) > 1:  # several pirates would land there: choose one
        expect(page.locator("#table-actions [data-touches]:visible")).to_have_count(len(starts))
        touch(page, starts[0])
    expect(page.locator("#table-seq")).to_have_value("2")
    place = starts[0].partition(":")[2]
    assert fetch_view(page, match)["seq"] == 2
    expect(page.locator("#log li").first).to_contain_text(re.compile(rf"from (the |space ){place}"))
    close_pages(page)


def test_a_click_on_where_a_pirate_would_draw_cards_moves_it_back(browser: Browser, site: str) -> None:
    page, _ = cartagena_after_cards(browser, site, cards=2)
    back = next(touches[1] for value, touches in listed_actions(page) if value.startswith("back"))
    touch(page, back)
    click_sign(page, page.locator(f"#draws-{back.partition(':')[2]} [data-leads]"))
    confirm_reveal(page)
    expect(page.locator("#log li", has_text=f"moves back from space {back.partition(':')[2]}")).to_have_count(1)
    close_pages(page)


def test_the_targets_of_a_card_are_highlighted_only_once_the_card_is_chosen(browser: Browser, site: str) -> None:
    """A Helicopter Lift can take anybody anywhere, and would highlight the whole island."""
    page = new_page(browser)
    set_speed(page)
    options = {"players": 2, "first": 0, "roles": "diver,messenger"}
    deal_until(page, site, "forbidden-island", options, ["me", "me"], lambda legal: "lift" in " ".join(legal))
    plain = {touches[1] for value, touches in listed_actions(page) if value.startswith(("move ", "shore "))}
    lit = page.locator(".board [data-touch^='place:'].can")
    assert set(lit.evaluate_all("all => all.map(one => one.dataset.touch)")) == plain
    assert page.locator(".board [data-touch^='pawn:'].can").count() == 0
    touch(page, "verb:lift")
    assert lit.count() == 0 and page.locator(".board [data-touch^='pawn:'].can").count() == 2
    touch(page, "pawn:diver")
    assert lit.count() > len(plain)
    close_pages(page)
