"""The examples in the documentation work, and its map of the package is complete."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import skerry

ROOT = Path(__file__).parents[1]


def code_blocks(name: str, language: str = "") -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```", (ROOT / name).read_text(), flags=re.DOTALL | re.MULTILINE)


def test_the_commented_game_record_replays() -> None:
    (example,) = code_blocks("docs/records.md")
    match = skerry.replay(example)
    assert match.record() == "\n".join(line for line in example.splitlines() if not line.startswith("#")) + "\n"


def test_the_python_examples_of_the_readme_run() -> None:
    blocks = code_blocks("README.md", "python")
    assert blocks
    for block in blocks:
        exec(compile(block, "README.md", "exec"), {})


def test_the_python_example_of_the_analysis_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    record = ROOT / "tests/records/forbidden-island-island-of-shadows-2-elite.txt"
    (tmp_path / "game.txt").write_text(record.read_text())
    (example,) = code_blocks("docs/analysis.md", "python")
    exec(compile(example.replace("effort=50", "effort=2"), "docs/analysis.md", "exec"), {})


def test_every_package_and_engine_module_is_on_the_map() -> None:
    text = (ROOT / "docs/architecture.md").read_text()
    for package in (ROOT / "src/skerry").iterdir():
        if package.is_dir() and package.name != "__pycache__":
            assert f"  {package.name}/" in text
    for module in (ROOT / "src/skerry/engine").glob("[!_]*.py"):
        assert module.stem in text
