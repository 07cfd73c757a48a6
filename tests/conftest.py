"""What a skipped test means, and what the summary of a test run says besides pytest's own."""

from __future__ import annotations

import os
import sys
from collections.abc import Generator
from typing import Any

import pytest

WHOLE = os.environ.get("SKERRY_TEST_WHOLE", "") not in ("", "0")


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport() -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """With SKERRY_TEST_WHOLE=1 nothing is left out: a test that would be skipped fails, with the reason."""
    report = yield
    if WHOLE and report.skipped and isinstance(report.longrepr, tuple):
        report.outcome, report.longrepr = "failed", report.longrepr[-1]
    return report


def pytest_terminal_summary(terminalreporter: Any) -> None:
    """Which services the tests ran on: the machine's own, or private ones."""
    services = sys.modules.get("tests.table.services")
    if services is not None:
        for what, where in services.where().items():
            terminalreporter.write_line(f"{what}: {where}")
