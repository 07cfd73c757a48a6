"""The documented ways to install work in an empty home: pip, pipx and uvx. They need the network."""

from __future__ import annotations

import os
import subprocess
import sys
import venv
from collections.abc import Callable
from pathlib import Path

import httpx
import pytest

from tests.packaging.dockerfile import ROOT
from tests.packaging.processes import serving

SERVE = ["serve", "--port", "0"]
Install = Callable[[Path, str, dict[str, str]], list[str]]


def with_pip(folder: Path, package: str, environment: dict[str, str]) -> list[str]:
    programs = new_venv(folder / "venv")
    run([programs / "pip", "install", "--quiet", package], environment)
    return [str(programs / "skerry")]


def with_pipx(folder: Path, package: str, environment: dict[str, str]) -> list[str]:
    programs = new_venv(folder / "tools")
    run([programs / "pip", "install", "--quiet", "pipx"], environment)
    run([programs / "pipx", "install", package], environment)
    return [str(folder / ".local/bin/skerry")]


def with_uvx(folder: Path, package: str, environment: dict[str, str]) -> list[str]:
    programs = new_venv(folder / "tools")
    run([programs / "pip", "install", "--quiet", "uv"], environment)
    return [str(programs / "uvx"), "--python", sys.executable, "--from", package, "skerry"]


def new_venv(folder: Path) -> Path:
    venv.create(folder, with_pip=True)
    return folder / "bin"


def run(command: list[Path | str], environment: dict[str, str]) -> None:
    done = subprocess.run(command, env=environment, cwd=environment["HOME"], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr[-2000:]


@pytest.mark.slow
@pytest.mark.parametrize("install", [with_pip, with_pipx, with_uvx])
def test_the_wheel_is_installed_and_serves(tmp_path: Path, install: Install) -> None:
    code = f"from hatchling.build import build_wheel; build_wheel({str(tmp_path)!r})"
    subprocess.run([sys.executable, "-c", code], cwd=ROOT, check=True)
    (wheel,) = tmp_path.glob("skerry-*.whl")
    hidden = {"PYTHONPATH", "VIRTUAL_ENV", "XDG_DATA_HOME", "XDG_CACHE_HOME", "SKERRY_CACHE", "SKERRY_DATA"}
    environment = {name: value for name, value in os.environ.items() if name not in hidden}
    environment |= {"HOME": str(tmp_path), "SKERRY_INTERPRET": "0"}
    with serving([*install(tmp_path, f"{wheel}[server]", environment), *SERVE], environment, tmp_path, 900) as url:
        assert httpx.get(f"{url}/healthz", timeout=60).json()["status"] == "ok"
        assert httpx.get(url, timeout=60, follow_redirects=True).status_code == 200
    assert (tmp_path / ".local/share/skerry/skerry.db").exists()
    assert (tmp_path / ".cache/skerry-kernels").exists()
