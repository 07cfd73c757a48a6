"""What the documentation shows, works."""

from __future__ import annotations

import re
from pathlib import Path

import skerry

ROOT = Path(__file__).parents[1]


def code_blocks(name: str, language: str = "") -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```", (ROOT / name).read_text(), flags=re.DOTALL | re.MULTILINE)


def test_the_commented_record_replays() -> None:
    (example,) = code_blocks("docs/records.md")
    match = skerry.replay(example)
    assert match.record() == "\n".join(line for line in example.splitlines() if not line.startswith("#")) + "\n"


def test_the_readme_s_python_runs() -> None:
    blocks = code_blocks("README.md", "python")
    assert blocks
    for block in blocks:
        exec(compile(block, "README.md", "exec"), {})


def test_every_room_is_on_the_map() -> None:
    text = (ROOT / "docs/architecture.md").read_text()
    for room in (ROOT / "src/skerry").iterdir():
        if room.is_dir() and room.name != "__pycache__":
            assert f"  {room.name}/" in text
    for module in (ROOT / "src/skerry/engine").glob("[!_]*.py"):
        assert module.stem in text
