"""What docs/laboratory.md shows, works."""

from __future__ import annotations

import pytest

from tests.test_docs import code_blocks


def test_the_laboratory_s_python_runs(capsys: pytest.CaptureFixture[str]) -> None:
    (block,) = code_blocks("docs/laboratory.md", "python")
    exec(compile(block, "docs/laboratory.md", "exec"), {})
    printed = capsys.readouterr().out
    assert printed.startswith("200 ") and "'players': 3" in printed and "novice: " in printed
