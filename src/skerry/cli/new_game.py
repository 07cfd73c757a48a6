"""``skerry new-game``: the project of a small game that works."""

from __future__ import annotations

import re
from importlib.resources import files
from pathlib import Path

from skerry.engine.errors import BadOption, UnknownGame
from skerry.games import find_game

NAME = re.compile(r"[a-z]+(-[a-z]+)*")
TEMPLATE = files("skerry.cli") / "new_game_template"
FILES = {
    "pyproject.toml.txt": "pyproject.toml",
    "README.md.txt": "README.md",
    "game.py.txt": "src/{module}.py",
    "test_game.py.txt": "tests/test_{module}.py",
}


def write_project(name: str, folder: Path | None) -> None:
    """Write the project of a game into a new folder, and say what comes next."""
    if not NAME.fullmatch(name):
        raise BadOption(f"{name!r} is not a name of a game: words of a-z joined by hyphens, such as my-game")
    _check_that_it_is_free(name)
    target = folder or Path(name)
    if target.exists():
        raise BadOption(f"{target} exists already; name another folder with --folder")
    module, title = name.replace("-", "_"), name.replace("-", " ").capitalize()
    for source, path in FILES.items():
        text = (TEMPLATE / source).read_text(encoding="utf-8")
        for gap, value in {"@NAME@": name, "@MODULE@": module, "@TITLE@": title}.items():
            text = text.replace(gap, value)
        written = target / path.format(module=module)
        written.parent.mkdir(parents=True, exist_ok=True)
        written.write_text(text, encoding="utf-8")
    print(f"{target} has the project of {title}. Next:")
    print(f"  cd {target} && pip install -e .")
    print(f"  skerry check-game {name}")
    print(f"  skerry play {name}")


def _check_that_it_is_free(name: str) -> None:
    try:
        found = find_game(name)
    except UnknownGame:
        return
    raise BadOption(f"there is already a game {name}, in {found.package}")
