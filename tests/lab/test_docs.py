"""The examples in docs/laboratory.md work."""

from __future__ import annotations

import pytest

from tests.test_docs import code_blocks


def test_the_python_example_runs(capsys: pytest.CaptureFixture[str]) -> None:
    (block,) = code_blocks("docs/laboratory.md", "python")
    exec(compile(block, "docs/laboratory.md", "exec"), {})
    printed = capsys.readouterr().out
    assert printed.startswith("200 ") and "'players': 3" in printed and "novice: " in printed
