"""What a skipped test means, and what the summary of a test run says besides pytest's own."""

from __future__ import annotations

import os
import sys
from collections.abc import Generator
from typing import Any

import pytest

WHOLE = os.environ.get("SKERRY_TEST_WHOLE", "") not in ("", "0")
_services: dict[str, str] = {}  # those that tests used, and where each came from


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport() -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """With SKERRY_TEST_WHOLE=1 nothing is left out: a test that would be skipped fails, with the reason."""
    report = yield
    if WHOLE and report.skipped and isinstance(report.longrepr, tuple):
        report.outcome, report.longrepr = "failed", report.longrepr[-1]
    return report


def pytest_sessionfinish(session: Any) -> None:
    """One of several processes tells the one that sums up."""
    if services := sys.modules.get("tests.server.backing_services"):
        _services.update(services.where())
    if hasattr(session.config, "workeroutput"):
        session.config.workeroutput["services"] = _services


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node: Any) -> None:
    _services.update(getattr(node, "workeroutput", {}).get("services", {}))


def pytest_terminal_summary(terminalreporter: Any) -> None:
    """Which services the tests ran on: the machine's own, or private ones."""
    for what, where in sorted(_services.items()):
        terminalreporter.write_line(f"{what}: {where}")
