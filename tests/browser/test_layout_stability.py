"""Temporary messages and expanded groups neither move the board and the hand nor cover the board."""

from __future__ import annotations

from collections import Counter

import pytest
from playwright.sync_api import Browser, Page, expect

from skerry.games import all_games
from tests.browser.conftest import close_pages, new_page
from tests.browser.playing import (
    deal_until,
    listed_actions,
    open_match,
    options_with_first_turn,
    set_speed,
    touch,
    wait_for_turn,
)

SIZES = {"desktop": (1280, 800), "phone": (360, 740)}
# Positions and sizes, as if nothing were scrolled; of the list of actions the position only.
PLACES = """() => [".board-svg", ".seat.shown", "#table-prompt", "#table-actions"].map((one) => {
  const element = document.querySelector(one);
  const scrolled = (up) => (up ? up.scrollTop + scrolled(up.parentElement) : 0);
  const { x, y, width, height } = element.getBoundingClientRect();
  return [one, x, y + scrolled(element.parentElement), width, one === "#table-actions" ? "" : height].join(" ");
})"""


# Whether a message covers the board.
COVERED = """(message) => {
  const [over, board] = [message, document.querySelector(".board-svg")].map((one) => one.getBoundingClientRect());
  const beside = over.right <= board.left || over.left >= board.right;
  return !beside && over.top < board.bottom && over.bottom > board.top;
}"""


def places(page: Page) -> list[str]:
    """PLACES of board, hand, prompt and list."""
    found: list[str] = page.evaluate(PLACES)
    return found


@pytest.mark.parametrize("game", [game.name for game in all_games()])
@pytest.mark.parametrize("size", SIZES)
def test_hints_reasons_and_expanded_groups_move_nothing(browser: Browser, site: str, game: str, size: str) -> None:
    page = new_page(browser, *SIZES[size])
    set_speed(page)
    open_match(page, site, game, options_with_first_turn(game), ["me", "me"])
    assert wait_for_turn(page)
    still = places(page)
    page.get_by_role("button", name="Hint").click()
    expect(page.locator("#advice .idea").first).to_be_visible()
    assert places(page) == still, "a hint"
    page.locator("#advice summary").click()
    assert places(page) == still, "more hints"
    assert not page.locator("#advice").evaluate(COVERED)
    page.keyboard.press("Escape")
    expect(page.locator("#advice")).to_be_empty()
    useful = {one for _, touches in listed_actions(page) for one in touches}
    things = page.locator(".board [data-touch]").evaluate_all("all => all.map(one => one.dataset.touch)")
    useless = next(one for one in things if one not in useful)
    page.locator(f".board [data-touch='{useless}']").first.dispatch_event("click")
    expect(page.locator("#answer")).not_to_be_empty()
    assert places(page) == still, "a reason"
    assert not page.locator("#answer").evaluate(COVERED)
    page.locator("#answer").click(position={"x": 4, "y": 4})
    expect(page.locator("#answer")).to_be_empty()
    for group in page.locator("#table-actions summary").all():
        group.click()
        assert places(page) == still, "an expanded group"
        assert page.locator("#table-actions details[open] button").first.is_visible()
        page.keyboard.press("Escape")
        assert places(page) == still
    close_pages(page)


def test_questions_and_hints_do_not_cover_the_board_in_landscape(browser: Browser, site: str) -> None:
    page = new_page(browser, 640, 400)
    set_speed(page)
    options = {"players": 2, "first": 0, "roles": "archeologist,water-carrier"}
    open_match(page, site, "forbidden-desert", options, ["me", "me"])
    assert wait_for_turn(page)
    page.get_by_role("button", name="Hint").click()
    expect(page.locator("#advice .idea").first).to_be_visible()
    assert not page.locator("#advice").evaluate(COVERED)
    page.locator("#advice").get_by_role("button", name="Close").click()
    while not page.locator("#table-actions [data-confirm]").count():
        touch(page, *next(offer for offer in listed_actions(page) if offer[0].startswith(("move", "clear"))))
    page.locator("#table-actions [data-confirm]").first.click()
    expect(page.locator("#confirmation")).to_be_visible()
    assert not page.locator("#confirmation").evaluate(COVERED)
    close_pages(page)


# Positions and sizes of the actions and groups of the list.
CHOICES = """() => [...document.querySelectorAll("#table-actions :is(button, summary)")].map((one) => {
  const { x, y, width, height } = one.getBoundingClientRect();
  return [x, y, width, height].join(" ");
})"""


def has_four_controls(actions: list[str]) -> bool:
    """Whether the list shows four buttons and folded groups: of more than two actions of a verb, if there are many."""
    verbs = Counter(action.split()[0] for action in actions)
    return sum(1 if count > 2 and len(actions) > 4 else count for count in verbs.values()) > 3


def test_digits_that_come_and_go_move_nothing(browser: Browser, site: str) -> None:
    page = new_page(browser)
    set_speed(page)
    options = {"players": 2, "first": 0}
    deal_until(page, site, "forbidden-desert", options, ["me", "me"], has_four_controls)
    expect(page.locator("#table-actions [data-key]").nth(3)).to_be_attached()
    still = page.evaluate(CHOICES)
    page.locator("#table-actions").evaluate(
        "list => { for (const one of list.querySelectorAll('[data-key]')) delete one.dataset.key }"
    )
    assert page.evaluate(CHOICES) == still
    close_pages(page)


# The controls and the hand that a question overlaps.
OVER = """(question) => [...document.querySelectorAll("#act :is(button, summary), .seat.shown, #ask-advice")].filter(
  (one) => one.checkVisibility() && ((over, { left, right, top, bottom }) =>
    over.left < right && over.right > left && over.top < bottom && over.bottom > top)(
    question.getBoundingClientRect(), one.getBoundingClientRect())
).map((one) => one.outerHTML.slice(0, 80))"""


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("language", ["en", "es", "pt"])
def test_the_question_about_an_incomplete_choice_replaces_the_prompt_and_covers_nothing(
    browser: Browser, site: str, size: str, language: str
) -> None:
    page = new_page(browser, *SIZES[size])
    set_speed(page)
    options = {"players": 3, "first": 0, "roles": "climber,archeologist,water-carrier"}
    open_match(page, site, "forbidden-desert", options, ["me"] * 3)
    page.request.post(f"{site}/me", form={"language": language}, headers={"origin": site})
    page.reload()
    expect(page.locator(f"html[lang={language}]")).to_have_count(1)
    assert wait_for_turn(page)
    still = places(page)
    page.locator(".board [data-touch='pawn:water-carrier'].can").dispatch_event("click")
    expect(page.locator("#question")).to_be_visible()
    expect(page.locator("#table-prompt")).not_to_be_visible()
    assert page.locator("#question").evaluate(OVER) == []
    assert places(page) == still
    close_pages(page)
