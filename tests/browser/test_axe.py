"""What axe finds: nothing serious on any page, by day and by lamp."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import axe_playwright_python
import pytest
from playwright.sync_api import Browser, Page

from skerry.games import all_games
from tests.browser.conftest import close, new_page
from tests.browser.playing import hurry, i_begin, look_away_until_the_end, open_match, wait_for_turn

AXE = (Path(axe_playwright_python.__file__).parent / "axe.min.js").read_text()


def faults(page: Page) -> list[str]:
    """The serious and the critical ones, each with the first elements that have it."""
    page.evaluate(AXE)
    found: list[dict[str, Any]] = page.evaluate(
        "axe.run(document, { resultTypes: ['violations'] }).then(all => all.violations)"
    )
    return [
        f"{fault['id']} ({len(fault['nodes'])}): {' '.join(node['html'][:160] for node in fault['nodes'][:2])}"
        for fault in found
        if fault["impact"] in ("serious", "critical")
    ]


@pytest.mark.parametrize("light", ["light", "dark"])
@pytest.mark.parametrize("game", [game.name for game in all_games()])
def test_nothing_serious_at_a_table(browser: Browser, table: str, game: str, light: Any) -> None:
    page = new_page(browser, color_scheme=light)
    hurry(page)
    open_match(page, table, game, i_begin(game), ["me", "random"])
    assert wait_for_turn(page)
    assert faults(page) == []
    close(page)


@pytest.mark.parametrize("light", ["light", "dark"])
def test_nothing_serious_on_the_pages_around_it(browser: Browser, table: str, light: Any) -> None:
    page = new_page(browser, color_scheme=light)
    found: dict[str, list[str]] = {}
    for path in ("/", "/new/cartagena", *(f"/rules/{game.name}" for game in all_games()), "/me"):
        page.goto(f"{table}{path}")
        found[path] = faults(page)
    assert found == {path: [] for path in found}
    close(page)


@pytest.mark.parametrize("light", ["light", "dark"])
def test_nothing_serious_on_a_replay_and_at_a_table_on_a_phone(browser: Browser, table: str, light: Any) -> None:
    page = new_page(browser, 360, 780, color_scheme=light)
    hurry(page)
    match = open_match(page, table, "cartagena", {"players": 2, "parts": 4, "pirates": 4}, ["me", "random"])
    at_table = faults(page)
    page.request.put(f"{table}/api/v1/matches/{match}/seats/0", data={"who": "random"}, headers={"origin": table})
    look_away_until_the_end(page, match)
    finished = faults(page)
    page.goto(f"{table}/m/{match}/replay")
    assert {"table": at_table, "end": finished, "replay": faults(page)} == {"table": [], "end": [], "replay": []}
    close(page)
