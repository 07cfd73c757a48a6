"""A first visit right after the installation: nothing is compiled yet."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from skerry.engine.kernel import INTERPRETED
from tests.browser.conftest import close_pages, new_page
from tests.browser.playing import PAST_STEP, press, step_and_actions
from tests.server.command import ServeCommand

pytestmark = pytest.mark.skipif(INTERPRETED, reason="nothing is compiled")


@pytest.fixture
def cold_server(tmp_path: Path) -> Iterator[ServeCommand]:
    server = ServeCommand(tmp_path / "data", str(tmp_path / "cache"))
    yield server
    server.kill()


def test_play_now_shows_progress_then_the_board_then_a_turn_with_bots(
    browser: Browser, cold_server: ServeCommand
) -> None:
    page = new_page(browser)
    page.goto(cold_server.url)
    page.locator('form[action="/play/forbidden-island"] button').click()
    bar = page.locator("#getting-ready-bar")
    expect(bar).to_be_visible()
    expect(page.locator("#getting-ready-count")).to_have_text(re.compile(r"\d+ of \d+"), timeout=60_000)
    page.wait_for_url(re.compile("/m/"), timeout=120_000)
    expect(page.locator("#table-prompt")).to_be_visible()
    play_until_it_is_my_turn_again(page)
    close_pages(page)


def play_until_it_is_my_turn_again(page: Page) -> None:
    """Play a turn with the last action on offer, which passes or draws, until the bot has played its own turn."""
    bot = page.locator("#table-seat-1 b").inner_text()
    while True:
        page.wait_for_function("() => document.querySelector('#table-prompt[data-turn]')", timeout=120_000)
        if page.locator("#log li").filter(has_text=bot).count():
            return
        step, actions = step_and_actions(page)
        press(page, actions[-1][0], step)
        page.wait_for_function(PAST_STEP, arg=step)
