"""Take the screenshots of the README: bots play each game to an interesting position, which a browser shows.

.venv/bin/python docs/pictures/browser.py [NAME …]
"""

from __future__ import annotations

import asyncio
import sys
import tempfile
from itertools import product
from pathlib import Path
from typing import Any, NamedTuple

from playwright.sync_api import Browser, Page, sync_playwright

sys.path.insert(0, str(Path(__file__).parents[2]))

from png import compress_png
from tests.browser.conftest import QUIET, chromium
from tests.server.conftest import LocalServer, client_of
from tests.server.server_main import FREE

from skerry import bots
from skerry.games import all_games, find_game
from skerry.server.app import make_app, services_in
from skerry.server.match_service import ME, OPEN
from skerry.server.match_session import MatchSession
from skerry.server.services import Services
from skerry.server.settings import Settings

FOLDER = Path(__file__).parent
SIZES = {"": (1280, 800), "-phone": (390, 844)}
SCHEMES = {"": "light", "-dark": "dark"}
MIN_CHOICES = 5  # legal actions of the first seat in a screenshot
GUEST_COOKIE = "skerry"


class Position(NamedTuple):
    """A position to show: the first one after ``steps`` in which only the first seat has to decide."""

    options: dict[str, Any]
    seed: int
    steps: int


POSITIONS = {
    "forbidden-island": Position({"players": 4, "first": 0}, seed=11, steps=60),
    "forbidden-desert": Position({"players": 3, "first": 0}, seed=5, steps=48),
    "cartagena": Position({"players": 4, "first": 0}, seed=3, steps=44),
    "hashi": Position({"players": 3}, seed=4, steps=90),
}


class OpenMatches(NamedTuple):
    """The paths of the matches' pages by game, and the cookie of the guest who plays them."""

    paths: dict[str, str]
    cookie: str


async def open_matches(settings: Settings) -> OpenMatches:
    """Open a match of each game, and play it to its position. It is the turn of the guest Ana."""
    app = make_app(settings, all_games, find_game)
    async with client_of(app) as client:
        await client.post("/me", data={"name": "Ana"})
        guest = (await client.get("/api/v1/me")).json()["id"]
        services = services_in(app)
        paths = {name: await play_to_position(services, guest, name) for name in POSITIONS}
        return OpenMatches(paths, client.cookies[GUEST_COOKIE])


async def play_to_position(services: Services, guest: str, name: str) -> str:
    options, seed, steps = POSITIONS[name]
    game = find_game(name)
    session = await services.matches.open(guest, name, options, [ME, *[OPEN] * (options["players"] - 1)], seed=seed)
    bot = bots.find(game, bots.default_bot(game))
    while session.seq < steps or not first_seat_decides(session):
        seat = session.match.waiting[-1]
        await services.matches.act(session, seat, bot.choose(session.match.copy(), seat, session.seq), session.seq)
    for seat in range(1, options["players"]):
        await services.seats.sit(session, seat, guest, bots.default_bot(game))
    return f"/m/{session.id}"


def first_seat_decides(session: MatchSession) -> bool:
    """Whether the game waits for the first seat only, which has several actions to choose from."""
    return session.match.waiting == (0,) and len(session.match.legal_ids(0)) >= MIN_CHOICES


def take_screenshots(browser: Browser, address: str, paths: dict[str, str], cookie: str) -> None:
    """Take a screenshot of each page in each size and colour scheme."""
    decoder = browser.new_page()
    for (size_suffix, (width, height)), (scheme_suffix, scheme) in product(SIZES.items(), SCHEMES.items()):
        context = browser.new_context(
            viewport={"width": width, "height": height},
            color_scheme=scheme,  # type: ignore[arg-type]
            reduced_motion="reduce",
            locale="en-GB",
        )
        context.add_cookies([{"name": GUEST_COOKIE, "value": cookie, "url": address}])
        page = context.new_page()
        for name, path in paths.items():
            page.goto(address + path)
            page.wait_for_function("() => document.readyState === 'complete'")
            save_screenshot(decoder, page, FOLDER / f"{name}{size_suffix}{scheme_suffix}.png")
        context.close()


def save_screenshot(decoder: Page, page: Page, file: Path) -> None:
    file.write_bytes(compress_png(decoder, page.screenshot()))
    print(f"{file.name}: {file.stat().st_size // 1024} KB")


def main(*names: str) -> None:
    with tempfile.TemporaryDirectory() as data:
        settings = Settings(data=Path(data), limits=FREE)
        matches = asyncio.run(open_matches(settings))
        paths = {"lobby": "/", **matches.paths}
        wanted = {name: path for name, path in paths.items() if name in (names or paths)}
        server = LocalServer(settings)
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=chromium(), args=QUIET)
            take_screenshots(browser, server.start(), wanted, matches.cookie)
            browser.close()
        server.stop()


if __name__ == "__main__":
    main(*sys.argv[1:])
