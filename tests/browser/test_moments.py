"""Before something goes by itself, people who could do something first see their time, and can ask for more."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from skerry.games.forbidden_island.rules.components import HAND_CARD_KINDS, SANDBAGS
from skerry.server.app import services_in
from skerry.server.settings import Settings
from tests.browser.conftest import close_pages, new_page
from tests.browser.playing import act_elsewhere, current_step, fetch_view, open_match, set_speed
from tests.server.conftest import LocalServer
from tests.server.server_main import FREE

OPTIONS = {"players": 2, "first": 0, "roles": "engineer,diver"}
WAIT, GO_ON = "#table-moment [value=wait]", "#table-moment [value=go]"


@pytest.fixture(scope="module")
def slow_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LocalServer]:
    """A server at which moments last for longer than a test."""
    served = LocalServer(Settings(data=tmp_path_factory.mktemp("moments"), pace=0.05, moment=600.0, limits=FREE))
    served.start()
    yield served
    served.stop()


def before_a_draw(browser: Browser, server: LocalServer, by_hand: bool = False) -> tuple[Page, str]:
    """The page of somebody who holds Sandbags and has ended their actions."""
    page = new_page(browser)
    set_speed(page)
    match = open_match(page, server.server.address, "forbidden-island", OPTIONS, ["me", "novice"], by_hand=False)
    if by_hand:
        page.get_by_label("Settings").click()
        with page.expect_response("**/api/v1/me"):
            page.locator("[data-profile=by_hand]").select_option("true")
        page.reload()
    state = services_in(server.app).sessions.in_memory[match].match.state
    for card in range(HAND_CARD_KINDS):
        state.hands[0, card] = state.hands[1, card] = 0
    state.hands[0, SANDBAGS] = 1
    state.flooded = sum(1 << int(state.place_of[tile]) for tile in range(18, 24))
    act_elsewhere(page, match, "end")
    return page, match


@pytest.mark.parametrize("how", ["click", "key"])
def test_the_table_waits_for_who_asks_until_they_let_it_go_on(
    browser: Browser, slow_server: LocalServer, how: str
) -> None:
    page, match = before_a_draw(browser, slow_server)
    expect(page.locator("#table-moment.timed")).to_contain_text("Next: Draw a treasure card")
    page.locator(WAIT).click() if how == "click" else page.keyboard.press("w")
    expect(page.locator("#table-moment")).to_contain_text("Everybody is waiting for you.")
    expect(page.locator(WAIT)).to_have_count(0)
    assert fetch_view(page, match)["seq"] == 1
    page.locator(GO_ON).click() if how == "click" else page.keyboard.press("g")
    page.wait_for_function("() => Number(document.getElementById('table-seq').value) > 1")
    close_pages(page)


def test_the_card_can_be_played_and_the_draw_comes_after_it(browser: Browser, slow_server: LocalServer) -> None:
    page, match = before_a_draw(browser, slow_server)
    sandbags = next(one["action"] for one in fetch_view(page, match)["legal"] if one["action"].startswith("sandbags"))
    act_elsewhere(page, match, sandbags)
    expect(page.locator("#table-seq")).to_have_value("2")
    page.locator("#table-actions [value=draw]").click()
    page.wait_for_function("() => Number(document.getElementById('table-seq').value) > 2")
    close_pages(page)


def test_who_turns_every_card_sees_no_countdown_of_their_own(browser: Browser, slow_server: LocalServer) -> None:
    page, match = before_a_draw(browser, slow_server, by_hand=True)
    expect(page.locator("#table-actions [value=draw]")).to_be_visible()
    assert "Next" not in page.locator("#table-moment").inner_text()
    assert current_step(page) == str(fetch_view(page, match)["seq"]) == "1"
    page.goto(f"{slow_server.server.address}/me")
    expect(page.locator("#by_hand")).to_have_value("yes")
    close_pages(page)
