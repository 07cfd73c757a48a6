"""The checkpoint files of unfinished runs."""

from __future__ import annotations

import os
import time
from pathlib import Path

import pytest

from skerry.cli.checkpoint_files import delete_old_checkpoints
from tests.cli.commands import run


def test_runs_that_nobody_resumes_are_deleted_after_eight_weeks(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("SKERRY_DATA", str(tmp_path))
    names = [f"hashi-{digit * 16}.jsonl" for digit in "abc"] + ["mine.jsonl"]
    old, current, young, other_name = (tmp_path / "unfinished" / name for name in names)
    old.parent.mkdir()
    for path in (old, current, young, other_name):
        path.touch()
        days = 50 if path == young else 60
        os.utime(path, (time.time() - days * 86400,) * 2)
    delete_old_checkpoints(current=current)
    assert set(old.parent.iterdir()) == {current, young, other_name}
    run("simulate", "cartagena", "--games", "1")
    assert set(old.parent.iterdir()) == {young, other_name}
