"""Take the screenshots of an analysis beside a replay: bots play a game, it is analysed, and one moment is looked at.

.venv/bin/python docs/pictures/analysis_page.py [FOLDER]
"""

from __future__ import annotations

import asyncio
import sys
import tempfile
from pathlib import Path

from playwright.sync_api import Browser, Page, sync_playwright

sys.path.insert(0, str(Path(__file__).parents[2]))

from tests.browser.conftest import QUIET, chromium
from tests.server.conftest import LocalServer, client_of
from tests.server.server_main import FREE

from browser import FOLDER, GUEST_COOKIE, SCHEMES, SIZES, save_screenshot
from skerry import bots
from skerry.games import all_games, find_game
from skerry.server.app import make_app, services_in
from skerry.server.match_service import ME, OPEN
from skerry.server.settings import Settings

GAME, PLAYERS, SEED = "forbidden-island", 4, 1
EFFORT = 60
NAME = "analysis-page"


async def play(settings: Settings) -> tuple[str, str]:
    """Play a game to its end; its id, and the cookie of the guest Ana."""
    app = make_app(settings, all_games, find_game)
    async with client_of(app) as client:
        await client.post("/me", data={"name": "Ana"})
        guest = (await client.get("/api/v1/me")).json()["id"]
        services, game = services_in(app), find_game(GAME)
        players = [ME, *[OPEN] * (PLAYERS - 1)]
        session = await services.matches.open(guest, GAME, {"players": PLAYERS}, players, seed=SEED)
        bot = bots.find(game, bots.default_bot(game))
        while session.ended is None:
            seat = session.match.waiting[0]
            await services.matches.act(session, seat, bot.choose(session.match.copy(), seat, session.seq), session.seq)
        return session.id, client.cookies[GUEST_COOKIE]


def analyse(page: Page, address: str, match: str) -> None:
    """Ask for the analysis, and wait for it."""
    path = f"{address}/api/v1/matches/{match}/analysis"
    asked = page.request.post(path, data={"effort": EFFORT}, headers={"origin": address})
    assert asked.ok, asked.text()
    while page.request.get(path).json()["state"] != "done":
        page.wait_for_timeout(500)


def look_at_worst(page: Page) -> None:
    """Look at a moment in which something else would have been better."""
    page.locator("#moments .jump:is(.blunder, .mistake, .inaccuracy)").first.click()
    page.locator("#moments .looked-at").wait_for()


def take(browser: Browser, address: str, match: str, cookie: str, folder: Path) -> None:
    decoder = browser.new_page()
    for size, (width, height) in SIZES.items():
        for scheme, colours in SCHEMES.items():
            context = browser.new_context(
                viewport={"width": width, "height": height},
                color_scheme=colours,  # type: ignore[arg-type]
                reduced_motion="reduce",
                locale="en-GB",
            )
            context.add_cookies([{"name": GUEST_COOKIE, "value": cookie, "url": address}])
            page = context.new_page()
            page.goto(f"{address}/")
            analyse(page, address, match)
            page.goto(f"{address}/m/{match}/replay")
            look_at_worst(page)
            page.evaluate("scrollTo(0, 0)")
            save_screenshot(decoder, page, folder / f"{NAME}{size}{scheme}.png")
            context.close()


def main(folder: str = str(FOLDER)) -> None:
    with tempfile.TemporaryDirectory() as data:
        settings = Settings(data=Path(data), limits=FREE)
        match, cookie = asyncio.run(play(settings))
        server = LocalServer(settings)
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=chromium(), args=QUIET)
            take(browser, server.start(), match, cookie, Path(folder))
            browser.close()
        server.stop()


if __name__ == "__main__":
    main(*sys.argv[1:])
