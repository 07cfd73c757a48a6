"""Hooks for all tests: their order, skipped tests that are made to fail, and the services that tests ran on."""

from __future__ import annotations

import os
import sys
from collections.abc import Generator
from pathlib import Path
from typing import Any

import pytest

HERE = Path(__file__).parent
# What takes longest comes first, so that all processes end at about the same time. Files of a folder stay together,
# since they share a browser or a database.
FIRST = ["browser", "server", "packaging", "test_conformance.py", "games_elsewhere", "cli", "bots", "envs", "lab"]
FAIL_SKIPPED = os.environ.get("SKERRY_TEST_WHOLE", "") not in ("", "0")
_services: dict[str, str] = {}  # the services that tests used, and where each runs


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    items.sort(key=_turn)


def _turn(item: pytest.Item) -> int:
    """The place of a test's folder, or of its file, in the order."""
    name = item.path.relative_to(HERE).parts[0]
    return FIRST.index(name) if name in FIRST else len(FIRST)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport() -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """With SKERRY_TEST_WHOLE=1 a test that would be skipped fails with the reason."""
    report = yield
    if FAIL_SKIPPED and report.skipped and isinstance(report.longrepr, tuple):
        report.outcome, report.longrepr = "failed", report.longrepr[-1]
    return report


def pytest_sessionfinish(session: Any) -> None:
    """Send the services of a worker process to the main process."""
    if services := sys.modules.get("tests.server.backing_services"):
        _services.update(services.where())
    if hasattr(session.config, "workeroutput"):
        session.config.workeroutput["services"] = _services


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node: Any) -> None:
    _services.update(getattr(node, "workeroutput", {}).get("services", {}))


def pytest_terminal_summary(terminalreporter: Any) -> None:
    """List the services that the tests ran on: those of the machine, or private ones."""
    for service, where in sorted(_services.items()):
        terminalreporter.write_line(f"{service}: {where}")
