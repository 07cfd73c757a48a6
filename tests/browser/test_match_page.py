"""The page of a match, for one or several people."""

from __future__ import annotations

import json
import re

import pytest
from playwright.sync_api import Browser, Page, Route, expect

from skerry.games import all_games
from tests.browser.conftest import close_pages, new_page
from tests.browser.playing import (
    AT_STEP,
    EXPAND,
    current_step,
    fetch_view,
    listed_actions,
    open_match,
    press,
    set_option,
    set_speed,
    turn_cards_by_hand,
    wait_for_match,
    wait_for_turn,
)

DESKTOP, PHONE = (1366, 800), (360, 780)


def step(page: Page, prefer: str) -> None:
    """Press the last action that begins with a text, else the last of all, and wait until it is done."""
    page.wait_for_function("() => document.querySelector('#table-actions button[name=action]')")
    seq = page.locator("#table-seq").input_value()
    buttons = page.locator("#table-actions button[name=action]")
    values = buttons.evaluate_all("all => all.map(one => one.value)")
    wanted = [place for place, value in enumerate(values) if value.startswith(prefer)]
    press(page, values[wanted[-1] if wanted else -1], seq)  # the end of a turn is last
    page.wait_for_function("seq => document.getElementById('table-seq').value !== seq", arg=seq)


@pytest.mark.parametrize("game", [game.name for game in all_games()])
@pytest.mark.parametrize("size", [DESKTOP, PHONE], ids=["desktop", "phone"])
def test_a_newcomer_plays_against_bots_after_two_clicks(
    browser: Browser, site: str, game: str, size: tuple[int, int]
) -> None:
    page = new_page(browser, *size)
    set_speed(page)
    page.goto(site)
    page.locator(f'form[action="/play/{game}"] button').click()
    wait_for_match(page)
    turn_cards_by_hand(page, site)
    over = page.locator("#table-result:not([hidden])")  # the island can sink within three actions
    for _ in range(3):
        expect(page.locator("#table-actions :is(button, summary)").or_(over).first).to_be_visible()
        if not over.count():
            step(page, "")
    if not page.locator("#log li").count():  # drafts are logged once all have confirmed
        step(page, "confirm")
    expect(page.locator("#log li")).not_to_have_count(0)
    width = page.evaluate("document.documentElement.scrollWidth")
    assert width <= size[0], f"the page is {width} wide"
    close_pages(page)


def test_two_browsers_finish_a_match_despite_a_reload_and_a_lost_connection(browser: Browser, site: str) -> None:
    ana, ben = new_page(browser), new_page(browser, *PHONE)
    for page in (ana, ben):
        set_speed(page)
    ana.goto(f"{site}/new/cartagena")
    for option, value in {"players": "2", "parts": "4", "pirates": "4", "first": "0"}.items():
        set_option(ana, option, value)
    ana.locator("[name=seat-1]").select_option("open")
    ana.get_by_role("button", name="Open the table").click()
    wait_for_match(ana)
    ben.goto(ana.url)
    with ben.expect_navigation():
        ben.get_by_role("button", name="Sit down").click()
    expect(ben.locator("#table-seat-1 .dot")).to_have_count(1)
    for page in (ana, ben):
        turn_cards_by_hand(page, site)
    for turn in range(400):
        if not ana.locator("#table-result").is_hidden():
            break
        if turn == 10:
            ben.reload()
        if turn == 20:
            _lose_and_restore_connection(ana, ben)
        _step_in_both(ana, ben)
    for page in (ana, ben):
        expect(page.locator("#table-result")).to_be_visible()
    verdicts = sorted(page.locator("#table-result h2").inner_text().partition(":")[0] for page in (ana, ben))
    assert verdicts == ["You lost", "You won"]
    assert current_step(ana) == current_step(ben)
    assert "draws a card" in ana.locator("#log").inner_text(), "Ben's cards were revealed to Ana"
    close_pages(ana, ben)


def _lose_and_restore_connection(ana: Page, ben: Page) -> None:
    """Ben loses the connection while Ana goes on: the page says so, and catches up by itself."""
    while not ana.locator("#table-prompt[data-turn]").count():
        _step_in_both(ana, ben)
    ben.context.set_offline(True)
    seq = _step_and_reached_seq(ana, ana)
    expect(ben.locator("#connection")).to_be_visible()
    ben.context.set_offline(False)
    for page in (ana, ben):
        page.wait_for_function(AT_STEP, arg=seq)


def _step_in_both(ana: Page, ben: Page) -> None:
    """Act for whoever is to move, and wait until both pages show the result."""
    mover = ana if ana.locator("#table-prompt[data-turn]").count() else ben
    seq = _step_and_reached_seq(mover, ana)
    for page in (ana, ben):
        page.wait_for_function(AT_STEP, arg=seq)


def _step_and_reached_seq(mover: Page, first: Page) -> str:
    """Act, and return the number of the step that is reached: forced steps follow before the request is answered."""
    expect(mover.locator("#table-prompt")).to_have_attribute("data-turn", "")
    with mover.expect_response("**/actions"):
        step(mover, "play")
    return str(fetch_view(first, first.url.rpartition("/")[2])["seq"])


def test_a_touch_on_the_board_acts_and_can_be_undone(browser: Browser, site: str) -> None:
    page = new_page(browser)
    set_speed(page)
    open_match(page, site, "forbidden-island", {"players": 2, "first": 0}, ["me", "me"])
    start = page.locator("#table-prompt").inner_text()
    action = page.locator("#table-actions button[value^='move ']").first.get_attribute("value")
    assert action is not None
    place = action.split()[1]
    page.locator(f"[data-touch='place:{place}'].can").first.click(force=True)  # a pawn may cover it
    page.wait_for_function(
        "() => document.getElementById('table-seq').value !== '0' || document.querySelector('.board .chosen')"
    )
    if page.locator("#table-seq").input_value() == "0":  # it leaves more than one action
        press(page, action)
    expect(page.locator("#table-seq")).to_have_value("1")
    page.get_by_role("button", name="Undo").click()
    expect(page.locator("#table-seq")).to_have_value("2")
    expect(page.locator("#table-prompt")).to_have_text(start)
    close_pages(page)


def test_a_pawn_that_cannot_be_chosen_does_not_block_its_tile(browser: Browser, site: str) -> None:
    """Both begin on one tile. Move away, then back by a click on the pawn that stayed there."""
    page = new_page(browser)
    set_speed(page)
    while True:
        match = open_match(page, site, "forbidden-desert", {"players": 2, "first": 0}, ["me", "me"])
        assert wait_for_turn(page)
        stays = fetch_view(page, match)["view"]["seats"][1]
        press(
            page, next(one["action"] for one in fetch_view(page, match)["legal"] if one["action"].startswith("move "))
        )
        expect(page.locator("#table-seq")).to_have_value("1")
        pawn = page.locator(f".board .pawn[data-touch='pawn:{stays['role']}']")
        if pawn.evaluate("one => !one.classList.contains('can')"):  # else the pawn itself can be moved
            break
    box = pawn.bounding_box()
    assert box is not None
    page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    page.wait_for_function("() => document.getElementById('table-seq').value !== '1' || question.checkVisibility()")
    if page.locator("#table-seq").input_value() == "1":  # sand may be cleared there too
        press(page, f"move {stays['place']}")
    expect(page.locator("#table-seq")).to_have_value("2")
    close_pages(page)


def test_a_refused_action_says_why_and_links_to_the_rule(browser: Browser, site: str) -> None:
    page = new_page(browser)
    set_speed(page)
    open_match(page, site, "forbidden-island", {"players": 2}, ["me", "me"])
    assert wait_for_turn(page)

    def play_lift_off(route: Route) -> None:
        """What the page sends is another action, which is not legal."""
        body = json.loads(route.request.post_data or "")
        route.continue_(post_data=json.dumps(body | {"action": "lift off"}))

    page.route("**/actions", play_lift_off)
    press(page, listed_actions(page)[0][0])
    expect(page.locator("#answer a")).to_have_attribute("href", re.compile(r"/rules/forbidden-island#FI-\d\d"))
    page.locator("#answer a").click()
    expect(page.locator(".rule:target")).to_be_visible()
    close_pages(page)


def test_the_match_page_works_without_scripts(browser: Browser, site: str) -> None:
    page = new_page(browser, java_script_enabled=False)
    page.goto(site)
    page.locator('form[action="/play/hashi"] button').click()
    for _ in range(2):
        seq = page.locator("#table-seq").get_attribute("value")
        button = page.locator("#table-actions button[name=action]").first
        if not button.is_visible():
            page.locator("#table-actions summary").first.click()
        button.click()
        assert page.locator("#table-seq").get_attribute("value") != seq
    close_pages(page)


def test_hovering_over_an_action_shows_where_its_card_leads(browser: Browser, site: str) -> None:
    page = new_page(browser)
    set_speed(page)
    open_match(page, site, "cartagena", {"players": 2, "first": 0}, ["me", "me"])
    assert wait_for_turn(page)
    value = next(value for value, _ in listed_actions(page) if value.startswith("play"))
    aim = page.locator(f"#aims .{value.split()[1].removeprefix('dark-')} .mark").first
    expect(aim).to_be_hidden()
    button = page.locator(f"#table-actions [value='{value}']")
    button.evaluate(EXPAND)
    button.hover()
    expect(aim).to_be_visible()
    page.mouse.move(0, 0)
    expect(aim).to_be_hidden()
    close_pages(page)
