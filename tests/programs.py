"""Programs of the machine that some tests run.

``python -m tests.programs`` prints the Debian packages that are missing for all but the slow tests.
"""

from __future__ import annotations

import shutil

import pytest

PACKAGES = {"curl": "curl", "sqlite3": "sqlite3", "systemd-analyze": "systemd"}
PACKAGES_FOR_SLOW_TESTS = {"nginx": "nginx", "caddy": "caddy", "openssl": "openssl", "pg_dump": "postgresql-client"}


def needs(program: str) -> pytest.MarkDecorator:
    """Skip a test if a program is missing, and say how to install it."""
    package = (PACKAGES | PACKAGES_FOR_SLOW_TESTS)[program]
    return pytest.mark.skipif(not shutil.which(program), reason=f"no {program}: apt-get install {package}")


if __name__ == "__main__":
    print(*(package for program, package in PACKAGES.items() if not shutil.which(program)))
