"""The wheel works by itself: it has every file of the package, and its pages and rulebooks are found from there."""

from __future__ import annotations

import re
import subprocess
import sys
import zipfile
from collections.abc import Iterator
from email import message_from_string
from pathlib import Path

import httpx
import pytest

from tests.packaging.dockerfile import ROOT
from tests.packaging.processes import serving
from tests.python_process import process_environment, run_code

SUGGESTED_EXTRA = re.compile(r"(?:install|--from)(?: -e)? '(?:skerry|\.|\./skerry)\[([\w,-]+)\]'")


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> zipfile.ZipFile:
    folder = tmp_path_factory.mktemp("wheel")
    code = f"from hatchling.build import build_wheel; build_wheel({str(folder)!r})"
    subprocess.run([sys.executable, "-c", code], cwd=ROOT, check=True, capture_output=True)
    (path,) = folder.glob("skerry-*.whl")
    return zipfile.ZipFile(path)


@pytest.fixture(scope="module")
def installed(wheel: zipfile.ZipFile, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the content of the wheel, which programs import before the working tree."""
    folder = tmp_path_factory.mktemp("installed")
    wheel.extractall(folder)
    return folder


def test_the_wheel_has_every_file_of_the_package_and_nothing_else(wheel: zipfile.ZipFile) -> None:
    files = {
        str(path.relative_to(ROOT / "src"))
        for path in (ROOT / "src/skerry").rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }
    packed = {name for name in wheel.namelist() if ".dist-info/" not in name}
    assert packed == files and "skerry/py.typed" in packed
    assert {".py", ".npy", ".po", ".md", ".html", ".css", ".js"} <= {Path(name).suffix for name in packed}


def test_the_wheel_offers_the_check_of_games_to_pytest(wheel: zipfile.ZipFile) -> None:
    (name,) = [name for name in wheel.namelist() if name.endswith(".dist-info/entry_points.txt")]
    assert "[pytest11]\nskerry = skerry.pytest_plugin" in wheel.read(name).decode()


def metadata(wheel: zipfile.ZipFile) -> str:
    (name,) = [name for name in wheel.namelist() if name.endswith(".dist-info/METADATA")]
    return wheel.read(name).decode()


def test_every_extra_that_is_suggested_exists(wheel: zipfile.ZipFile) -> None:
    provided = set(message_from_string(metadata(wheel)).get_all("Provides-Extra", []))
    texts = [*(ROOT / "src").rglob("*.py"), *(ROOT / "src").rglob("*.po"), *(ROOT / "docs").glob("*.md")]
    found = {
        extra
        for path in (*texts, ROOT / "README.md", *(ROOT / "examples").glob("*.py"))
        for pair in SUGGESTED_EXTRA.findall(path.read_text())
        for extra in "".join(pair).split(",")
    }
    assert {"server", "hosted", "train", "cuda", "ray", "solver"} <= found <= provided


def test_rulebooks_words_and_weights_are_found_in_the_wheel(installed: Path) -> None:
    code = """
        import skerry, sys
        from skerry.cli import main
        assert skerry.__file__.startswith(sys.argv.pop())
        sys.argv[1:] = ["rules", "cartagena", "--lang", "es"]
        main()
    """
    assert "CA-94" in run_code(installed, _dedented(code, installed), SKERRY_INTERPRET="1")


def _dedented(code: str, folder: Path) -> str:
    return f"import sys; sys.argv.append({str(folder)!r})\n" + re.sub(r"^ {8}", "", code, flags=re.MULTILINE)


@pytest.fixture(scope="module")
def server(installed: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    data = tmp_path_factory.mktemp("data")
    environment = process_environment(installed, SKERRY_INTERPRET="1", SKERRY_DATA=str(data), HOME=str(data))
    with serving([sys.executable, "-m", "skerry.cli", "serve", "--port", "0"], environment, cwd=data) as url:
        yield url


def test_the_server_runs_from_the_wheel(server: str) -> None:
    with httpx.Client(base_url=server, timeout=60) as client:
        assert client.get("/healthz").json()["status"] == "ok"
        start = client.get("/", headers={"accept-language": "pt"}, follow_redirects=True)
        assert start.status_code == 200 and '<html lang="pt"' in start.text
        linked = set(re.findall(r'(?:href|src)="(/static/[^"]+)"', start.text))
        assert linked
        assert all(client.get(path).status_code == 200 for path in linked)
        guest = client.post("/api/v1/guests", json={"name": "Ana"}).json()
        body = {"game": "hashi", "options": {"players": 1}, "seats": ["me"]}
        headers = {"authorization": f"Bearer {guest['token']}"}
        assert client.post("/api/v1/matches", json=body, headers=headers).status_code < 300
