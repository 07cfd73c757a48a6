"""What the summary of a test run says besides pytest's own."""

from __future__ import annotations

import sys
from typing import Any


def pytest_terminal_summary(terminalreporter: Any) -> None:
    """Which services the tests ran on: the machine's own, or private ones."""
    services = sys.modules.get("tests.table.services")
    if services is not None:
        for what, where in services.where().items():
            terminalreporter.write_line(f"{what}: {where}")
