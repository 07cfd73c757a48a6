"""axe-core finds no serious accessibility violations on any page, in light and dark mode."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import axe_playwright_python
import pytest
from playwright.sync_api import Browser, Page

from skerry.games import all_games
from tests.browser.conftest import close_pages, new_page
from tests.browser.playing import open_match, options_with_first_turn, set_speed, wait_for_end_elsewhere, wait_for_turn

AXE = (Path(axe_playwright_python.__file__).parent / "axe.min.js").read_text()


def serious_violations(page: Page) -> list[str]:
    """The serious and critical violations that axe finds, each with the first elements that have it."""
    page.evaluate(AXE)
    found: list[dict[str, Any]] = page.evaluate(
        "axe.run(document, { resultTypes: ['violations'] }).then(all => all.violations)"
    )
    return [
        f"{one['id']} ({len(one['nodes'])}): {' '.join(node['html'][:160] for node in one['nodes'][:2])}"
        for one in found
        if one["impact"] in ("serious", "critical")
    ]


@pytest.mark.parametrize("light", ["light", "dark"])
@pytest.mark.parametrize("game", [game.name for game in all_games()])
def test_no_serious_violation_on_a_match_page(browser: Browser, site: str, game: str, light: Any) -> None:
    page = new_page(browser, color_scheme=light)
    set_speed(page)
    open_match(page, site, game, options_with_first_turn(game), ["me", "random"])
    assert wait_for_turn(page)
    assert serious_violations(page) == []
    close_pages(page)


@pytest.mark.parametrize("light", ["light", "dark"])
def test_no_serious_violation_on_the_other_pages(browser: Browser, site: str, light: Any) -> None:
    page = new_page(browser, color_scheme=light)
    found: dict[str, list[str]] = {}
    for path in ("/", "/new/cartagena", *(f"/rules/{game.name}" for game in all_games()), "/me"):
        page.goto(f"{site}{path}")
        found[path] = serious_violations(page)
    assert found == {path: [] for path in found}
    close_pages(page)


@pytest.mark.parametrize("light", ["light", "dark"])
def test_no_serious_violation_on_a_phone_during_and_after_a_match_and_in_its_replay(
    browser: Browser, site: str, light: Any
) -> None:
    page = new_page(browser, 360, 780, color_scheme=light)
    set_speed(page)
    match = open_match(page, site, "cartagena", {"players": 2, "parts": 4, "pirates": 4}, ["me", "random"])
    during = serious_violations(page)
    page.request.put(f"{site}/api/v1/matches/{match}/seats/0", data={"who": "random"}, headers={"origin": site})
    wait_for_end_elsewhere(page, match)
    finished = serious_violations(page)
    page.goto(f"{site}/m/{match}/replay")
    assert {"table": during, "end": finished, "replay": serious_violations(page)} == {
        "table": [],
        "end": [],
        "replay": [],
    }
    close_pages(page)
