"""Whole games in a browser, from the first click to the last."""

from __future__ import annotations

import random
from typing import Any

import pytest
from playwright.sync_api import Browser, expect

from tests.browser.conftest import close, new_page
from tests.browser.playing import hurry, offers, open_match, touch, wait_for_turn

SIZES = {"desktop": (1366, 800), "phone": (360, 780)}
# Games; what is done mostly, so that they end.
GAMES: dict[str, tuple[dict[str, Any], list[str], tuple[str, ...]]] = {
    "forbidden-island": (
        {"players": 2, "first": 0},
        ["me", "random"],
        ("flood", "draw", "lift off", "discard", "end"),
    ),
    "forbidden-desert": ({"players": 2, "first": 0}, ["me", "random"], ("draw", "keep", "end")),
    "cartagena": (
        {"players": 2, "parts": 4, "pirates": 4, "first": 0, "draw": "morgan"},
        ["me", "random"],
        ("play", "morgan", "end"),
    ),
    "hashi": ({"players": 1}, ["me"], ("confirm",)),
}


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("game", GAMES)
def test_a_whole_game_is_played_by_clicks_alone(browser: Browser, table: str, game: str, size: str) -> None:
    page = new_page(browser, *SIZES[size])
    hurry(page)
    options, seats, onward = GAMES[game]
    whim = random.Random(game)
    clicks = named = on_things = 0
    while clicks <= 5:  # an island can be lost in the first turns
        open_match(page, table, game, options, seats)
        while wait_for_turn(page):
            offered = offers(page)
            if not offered:  # it is being drawn anew
                continue
            plain = [[one for one in offered if one[1][0] == f"verb:{verb}"] for verb in onward]
            usual = next(filter(None, plain), offered)[-1]
            things = [one for one in offered if len(one[1]) > 1]
            value, touches = whim.choice(things) if things and whim.random() < 0.5 else usual
            touched = touch(page, value, touches)
            named += len(touches) > 1
            on_things += touched > 0 and len(touches) > 1
            clicks += 1
            assert clicks < 400, "this game does not end"
        expect(page.locator("#table-result h2")).to_be_visible()
    assert on_things >= named // 2, f"of {named} actions with things {on_things} were done on these"
    assert page.evaluate("document.documentElement.scrollHeight") <= SIZES[size][1] + 2, "nobody scrolls to play"
    close(page)
