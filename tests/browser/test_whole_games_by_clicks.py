"""Whole games are played by clicks alone."""

from __future__ import annotations

import random
from typing import Any

import pytest
from playwright.sync_api import Browser, expect

from tests.browser.conftest import close_pages, new_page
from tests.browser.playing import open_match, set_speed, step_and_actions, touch, wait_for_turn

SIZES = {"desktop": (1366, 800), "phone": (360, 780)}
# For each game its options, its seats, and the verbs that bring it to an end, the most wanted first.
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
def test_a_whole_game_is_played_by_clicks_alone(browser: Browser, site: str, game: str, size: str) -> None:
    page = new_page(browser, *SIZES[size])
    set_speed(page)
    options, seats, ending = GAMES[game]
    rng = random.Random(game)
    clicks = named = on_things = 0
    while clicks <= 5:  # the island can sink in the first turns
        open_match(page, site, game, options, seats)
        while wait_for_turn(page):
            step, actions = step_and_actions(page)
            if not actions:  # the page has changed since it was the player's turn
                continue
            by_verb = [[one for one in actions if one[1][0] == f"verb:{verb}"] for verb in ending]
            usual = next(filter(None, by_verb), actions)[-1]
            with_things = [one for one in actions if len(one[1]) > 1]
            value, touches = rng.choice(with_things) if with_things and rng.random() < 0.5 else usual
            touched = touch(page, value, touches, step)
            named += len(touches) > 1
            on_things += touched > 0 and len(touches) > 1
            clicks += 1
            assert clicks < 400, "the game does not end"
        expect(page.locator("#table-result h2")).to_be_visible()
    assert on_things >= named // 2, f"of {named} actions with things only {on_things} were done by clicks on them"
    assert page.evaluate("document.documentElement.scrollHeight") <= SIZES[size][1] + 2, "the page scrolls"
    close_pages(page)
