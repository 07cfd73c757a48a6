"""docs/environments.md: its tables are script of the code as it is, and what it shows runs."""

from __future__ import annotations

import re
import runpy
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs/environments.md").read_text(encoding="utf-8")


def test_the_page_is_current() -> None:
    script = runpy.run_path(str(ROOT / "docs/make_environments.py"))
    assert PAGE.count(script["START"]) == len(script["generated_parts"]())
    assert script["update_page"](PAGE) == PAGE, "run python docs/make_environments.py"


@pytest.mark.parametrize("block", re.findall(r"^```python\n(.*?)^```", PAGE, flags=re.DOTALL | re.MULTILINE))
def test_the_quick_starts_run(block: str) -> None:
    exec(compile(block, "environments.md", "exec"), {})
