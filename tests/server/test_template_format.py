"""Templates can be read: short lines, and indentation in steps of two."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import skerry

SOURCES = Path(skerry.__file__).parent
TEMPLATES = sorted([*SOURCES.glob("server/templates/*.html"), *SOURCES.glob("games/*/ui/page/*.html")])
LINE_LENGTH = 120

# Path data without expressions is not for reading, and a line break in it would help nobody.
PATH_DATA = re.compile(r'"[MLHVCSQTAZ\d .,-]{60,}"', re.IGNORECASE)


@pytest.mark.parametrize("template", TEMPLATES, ids=lambda template: str(template.relative_to(SOURCES)))
def test_the_lines_of_a_template_are_short_and_indented_in_steps_of_two(template: Path) -> None:
    for number, line in enumerate(template.read_text(encoding="utf-8").splitlines(), 1):
        where = f"{template.name}:{number}"
        assert len(PATH_DATA.sub('""', line)) <= LINE_LENGTH, f"{where} is longer than {LINE_LENGTH} characters"
        assert "\t" not in line, f"{where} has a tab"
        assert line == line.rstrip(), f"{where} ends with blanks"
        assert (len(line) - len(line.lstrip(" "))) % 2 == 0, f"{where} is not indented in steps of two"
