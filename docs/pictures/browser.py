"""Screenshots for the README: bots play each game into its middle, and a browser shows the table there.

.venv/bin/python docs/pictures/browser.py [NAME …]
"""

from __future__ import annotations

import asyncio
import sys
import tempfile
from itertools import product
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Page, sync_playwright

sys.path.insert(0, str(Path(__file__).parents[2]))

from docs.pictures.png import small
from tests.browser.conftest import QUIET, chromium
from tests.server.conftest import Served, client_of
from tests.server.server_main import FREE

from skerry import bots
from skerry.games import all_games, find_game
from skerry.server.app import make_app, services_in
from skerry.server.match_service import ME, OPEN, MatchService
from skerry.server.match_session import MatchSession
from skerry.server.settings import Settings

FOLDER = Path(__file__).parent
SIZES = {"": (1280, 800), "-phone": (390, 844)}
SCHEMES = {"": "light", "-dark": "dark"}
# Options, a seed, and how far into the game: positions where there is something to see.
GAMES: dict[str, tuple[dict[str, Any], int, int]] = {
    "forbidden-island": ({"players": 4, "first": 0}, 11, 60),
    "forbidden-desert": ({"players": 3, "first": 0}, 5, 48),
    "cartagena": ({"players": 4, "first": 0}, 3, 44),
    "hashi": ({"players": 3}, 4, 90),
}


async def set_tables(settings: Settings) -> tuple[dict[str, str], str]:
    """A table of each game in its middle, Ana's turn; their addresses, and Ana's mark."""
    app = make_app(settings, all_games, find_game)
    async with client_of(app) as client:
        await client.post("/me", data={"name": "Ana"})
        guest = (await client.get("/api/v1/me")).json()["id"]
        matches = services_in(app).matches
        tables = {name: await play_into(matches, guest, name) for name in GAMES}
        return tables, client.cookies["skerry"]


async def play_into(matches: MatchService, guest: str, name: str) -> str:
    options, seed, steps = GAMES[name]
    game = find_game(name)
    session = await matches.open(guest, name, options, [ME, *[OPEN] * (options["players"] - 1)], seed=seed)
    bot = bots.find(game, bots.default_bot(game))
    while session.seq < steps or not at_rest(session):
        seat = session.match.waiting[-1]
        await matches.act(session, seat, bot.choose(session.match.copy(), seat, session.seq), session.seq)
    for seat in range(1, options["players"]):
        await matches.sit(session, seat, guest, bots.default_bot(game))
    return f"/m/{session.id}"


def at_rest(session: MatchSession) -> bool:
    """Whether it is for the first seat alone to choose."""
    return session.match.waiting == (0,) and len(session.match.legal_ids(0)) > 4


def take(browser: Browser, address: str, paths: dict[str, str], mark: str) -> None:
    painter = browser.new_page()
    for (end, (width, height)), (look, scheme) in product(SIZES.items(), SCHEMES.items()):
        context = browser.new_context(
            viewport={"width": width, "height": height},
            color_scheme=scheme,  # type: ignore[arg-type]
            reduced_motion="reduce",
            locale="en-GB",
        )
        context.add_cookies([{"name": "skerry", "value": mark, "url": address}])
        page = context.new_page()
        for name, path in paths.items():
            page.goto(address + path)
            page.wait_for_function("() => document.readyState === 'complete'")
            keep(painter, page, FOLDER / f"{name}{end}{look}.png")
        context.close()


def keep(painter: Page, page: Page, file: Path) -> None:
    file.write_bytes(small(painter, page.screenshot()))
    print(f"{file.name}: {file.stat().st_size // 1024} KB")


def main(*names: str) -> None:
    with tempfile.TemporaryDirectory() as data:
        settings = Settings(data=Path(data), limits=FREE)
        tables, mark = asyncio.run(set_tables(settings))
        paths = {"lobby": "/", **tables}
        table = Served(settings)
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=chromium(), args=QUIET)
            take(browser, table.start(), {name: path for name, path in paths.items() if name in (names or paths)}, mark)
            browser.close()
        table.stop()


if __name__ == "__main__":
    main(*sys.argv[1:])
