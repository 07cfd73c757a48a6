"""Fixtures of the browser tests: a real Chromium and a running server."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Error, Page, expect, sync_playwright

from skerry.server.settings import Settings
from tests.server.conftest import LocalServer, load_games
from tests.server.conftest import deals as deals
from tests.server.server_main import FREE

PAGE_ERRORS: dict[Page, list[str]] = {}  # uncaught exceptions of each open page
QUIET = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
# Chromium draws its address bar's suggestions as pages, two for each window: half of the work of a page of ours. A
# switch replaces Playwright's own, so those of its features that can make a difference here are named again.
UNUSED_FEATURES = [
    *("WebUIOmniboxPopup", "WebUIOmniboxAimPopup", "WebUIOmniboxFullPopup"),
    *("AimEnabled", "AvoidUnnecessaryBeforeUnloadCheckSync", "DestroyProfileOnBrowserClose", "HttpsUpgrades"),
    *("LensOverlay", "MediaRouter", "NetworkTimeServiceQuerying", "OptimizationHints", "PaintHolding"),
    *("PreconnectToSearch", "ThirdPartyStoragePartitioning"),
]


def chromium() -> str | None:
    """The path of the installed browser; None if there is none but Playwright's."""
    names = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
    return os.environ.get("SKERRY_CHROMIUM") or next(filter(None, map(shutil.which, names)), None)


@pytest.fixture(scope="package")
def browser() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        own = playwright.chromium.executable_path
        path = chromium() or (own if Path(own).exists() else None)
        if path is None:
            pytest.fail(
                "no Chromium: apt-get install chromium, or .venv/bin/playwright install chromium", pytrace=False
            )
        browser = playwright.chromium.launch(
            executable_path=path, args=[*QUIET, f"--disable-features={','.join(UNUSED_FEATURES)}"]
        )
        yield browser
        browser.close()


@pytest.fixture(scope="package")
def table_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LocalServer]:
    """One server for all browser tests."""
    load_games()
    expect.set_options(timeout=20_000)
    yield (served := LocalServer(Settings(data=tmp_path_factory.mktemp("table"), pace=0.05, moment=0.3, limits=FREE)))
    served.stop()


@pytest.fixture(scope="package")
def site(table_server: LocalServer) -> str:
    """The address of the server."""
    return table_server.start()


def new_page(browser: Browser, width: int = 1366, height: int = 800, **more: Any) -> Page:
    """Open a page in a browser context of its own, and note uncaught exceptions of its scripts."""
    page = browser.new_context(viewport={"width": width, "height": height}, **{"locale": "en-GB", **more}).new_page()
    page.set_default_timeout(20_000)
    errors = PAGE_ERRORS[page] = []

    def note(error: Error) -> None:
        errors.append(str(error))

    page.on("pageerror", note)
    return page


def close_pages(*pages: Page) -> None:
    """Close pages, none of which may have had an uncaught exception."""
    for page in pages:
        page.context.close()
        assert PAGE_ERRORS.pop(page) == []
