"""To screen readers the board is a grid, and each place has a name that says what is there."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from tests.browser.conftest import close_pages, new_page
from tests.browser.playing import open_match, set_speed, wait_for_turn

# The options, the name of the board, how many rows and places it has, the pattern of a place's name, and the pawns
# that some names end with.
BOARDS: dict[str, tuple[dict[str, Any], str, tuple[int, int], str, tuple[str, ...]]] = {
    "forbidden-island": (
        {"players": 2, "first": 0, "roles": "diver,engineer"},
        "The island",
        (6, 24),
        r"\w.* \([A-F][1-6]\), (dry|flooded)",
        ("Diver", "Engineer"),
    ),
    "forbidden-desert": (
        {"players": 2, "first": 0, "roles": "archeologist,climber"},
        "The desert",
        (5, 25),
        r"[A-E][1-5]: \w+",
        ("Archeologist, Climber",),
    ),
    "cartagena": (
        {"players": 2, "parts": 6, "first": 0},
        "The passage",
        (8, 38),
        r"Space \d+, \w+|The (prison|sloop)",
        ("6 Red, 6 Green",),
    ),
    "hashi": ({"players": 1, "board": "A"}, "The paper of", (0, 0), r"[A-Z]\d.*: (no number|\d of \d bridges?)", ()),
}


def board(page: Page, game: str) -> Locator:
    return page.get_by_role("grid", name=BOARDS[game][1])


@pytest.mark.parametrize("game", BOARDS)
def test_the_board_is_a_grid_of_named_places(browser: Browser, site: str, game: str) -> None:
    options, _, (rows, places), pattern, occupants = BOARDS[game]
    page = new_page(browser)
    set_speed(page)
    open_match(page, site, game, options, ["me"] * options["players"])
    assert wait_for_turn(page)
    grid = board(page, game)
    expect(grid).to_have_count(1)
    cells = grid.get_by_role("gridcell")
    if places:
        assert (grid.get_by_role("row").count(), cells.count()) == (rows, places)
    assert grid.get_by_role("row").get_by_role("gridcell").count() == cells.count() > 10
    names = [_name(cell) for cell in cells.all()]
    assert all(re.match(pattern, name) for name in names), names
    assert len(set(names)) == len(names)
    for pawns in occupants:
        assert sum(name.endswith(pawns) for name in names) == 1, f"{pawns} in {names}"
    close_pages(page)


def _name(cell: Locator) -> str:
    """The accessible name of a place."""
    found = re.search(r'gridcell "(.+?)"', cell.aria_snapshot())
    return found[1].strip() if found else ""


def test_a_place_that_can_be_chosen_is_enabled_and_a_chosen_one_is_current(browser: Browser, site: str) -> None:
    page = new_page(browser)
    set_speed(page)
    open_match(page, site, "cartagena", {"players": 2, "first": 0}, ["me", "random"])
    assert wait_for_turn(page)
    grid = board(page, "cartagena")
    enabled = grid.get_by_role("gridcell", disabled=False)
    expect(enabled).not_to_have_count(0)
    assert enabled.count() < grid.get_by_role("gridcell").count(), "only pirates that can move are chosen"
    enabled.first.focus()
    page.keyboard.press("Enter")
    expect(grid.locator("[role=gridcell][aria-current=true]")).to_have_count(1)
    page.keyboard.press("Escape")
    expect(grid.locator("[role=gridcell][aria-current=true]")).to_have_count(0)
    close_pages(page)
