"""Make the picture of an analysis in the README: ``make pictures``.

.venv/bin/python docs/pictures/analysis.py
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

from PIL import Image
from playwright.sync_api import sync_playwright

import skerry
from skerry.analysis import analyse
from skerry.bots import find
from skerry.cli.output import seat_name
from skerry.engine.i18n.translations import translations
from skerry.engine.match import Match
from skerry.lab.report.analysis import analysis_report

sys.path.insert(0, str(Path(__file__).parents[2]))

from tests.browser.conftest import QUIET, chromium

PICTURE = Path(__file__).parent / "analysis.png"
WIDTH = 900
MARGIN = 16
EFFORT = 60
SEED = 3
TEAM = ("skilled", "novice", "skilled", "skilled")


def played() -> Match:
    """A game that was lost."""
    match = skerry.game("forbidden-island", players=len(TEAM), difficulty="normal").new(SEED)
    bots = [find(match.game, name) for name in TEAM]
    while match.result is None:
        seat = match.waiting[0]
        match.play(seat, bots[seat].choose(match, seat, len(match.steps)))
    return match


def main() -> None:
    match = played()
    translate = translations("en", *match.game.packages, "skerry.engine.i18n")
    names = [seat_name(match, seat, translate) for seat in range(match.variant.players)]
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        path = Path(folder) / "analysis.html"
        path.write_text(analysis_report(analyse(match, EFFORT), names, translate), encoding="utf-8")
        browser = playwright.chromium.launch(executable_path=chromium(), args=QUIET)
        page = browser.new_page(viewport={"width": WIDTH, "height": 800}, color_scheme="light")
        page.goto(path.as_uri())
        box = page.locator(".figure").first.bounding_box()
        assert box
        end = box["y"] + box["height"] + MARGIN
        page.screenshot(path=PICTURE, full_page=True, clip={"x": 0, "y": 0, "width": WIDTH, "height": end})
        browser.close()
    Image.open(PICTURE).convert("RGB").quantize(64, dither=Image.Dither.NONE).save(PICTURE, optimize=True)


if __name__ == "__main__":
    main()
