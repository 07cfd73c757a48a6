"""Make the picture of a report in the README: ``make pictures``.

.venv/bin/python docs/pictures/report.py
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

from PIL import Image
from playwright.sync_api import sync_playwright

import skerry
from skerry.lab import sweep
from skerry.lab.report import simulation_report

sys.path.insert(0, str(Path(__file__).parents[2]))

from tests.browser.conftest import QUIET, chromium

PICTURE = Path(__file__).parent / "report.png"
WIDTH = 900
FIGURES = 2  # the picture ends after the second one
MARGIN = 16
GAMES = 5_000
COMMAND = f"skerry simulate forbidden-island --seats skilled --games {GAMES} --sweep difficulty=all --sweep players=all"


def main() -> None:
    results = sweep(
        skerry.game("forbidden-island"), {"difficulty": "all", "players": "all"}, bots=["skilled"], games=GAMES
    )
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        path = Path(folder) / "report.html"
        path.write_text(simulation_report(results, COMMAND), encoding="utf-8")
        browser = playwright.chromium.launch(executable_path=chromium(), args=QUIET)
        page = browser.new_page(viewport={"width": WIDTH, "height": 800}, color_scheme="light")
        page.goto(path.as_uri())
        box = page.locator(".figure").nth(FIGURES - 1).bounding_box()
        assert box
        end = box["y"] + box["height"] + MARGIN
        page.screenshot(path=PICTURE, full_page=True, clip={"x": 0, "y": 0, "width": WIDTH, "height": end})
        browser.close()
    Image.open(PICTURE).convert("RGB").quantize(64, dither=Image.Dither.NONE).save(PICTURE, optimize=True)


if __name__ == "__main__":
    main()
