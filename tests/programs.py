"""The machine's programs that some tests run; ``python -m tests.programs`` names the Debian packages of those that are
missing for a run of all tests but the long ones."""

from __future__ import annotations

import shutil

import pytest

PACKAGES = {"curl": "curl", "sqlite3": "sqlite3", "systemd-analyze": "systemd"}
FOR_LONG_RUNS = {"nginx": "nginx", "caddy": "caddy", "openssl": "openssl", "pg_dump": "postgresql-client"}


def needs(program: str) -> pytest.MarkDecorator:
    """Skip a test where there is no such program, and say how to get it."""
    package = (PACKAGES | FOR_LONG_RUNS)[program]
    return pytest.mark.skipif(not shutil.which(program), reason=f"no {program}: apt-get install {package}")


if __name__ == "__main__":
    print(*(package for program, package in PACKAGES.items() if not shutil.which(program)))
