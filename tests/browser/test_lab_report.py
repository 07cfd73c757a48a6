"""A report of the laboratory, opened in a browser."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Browser

from skerry.lab.report import simulation_report
from tests.browser.conftest import close_pages, new_page
from tests.browser.test_accessibility import serious_violations
from tests.lab.test_report import ISLAND


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_report_fits_a_phone_and_has_no_serious_violation(browser: Browser, tmp_path: Path, scheme: str) -> None:
    path = tmp_path / "report.html"
    path.write_text(simulation_report(ISLAND, "skerry simulate"))
    page = new_page(browser, width=360, height=780, color_scheme=scheme)
    page.goto(path.as_uri())
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    assert page.locator("svg").count() > 8
    assert serious_violations(page) == []
    close_pages(page)
