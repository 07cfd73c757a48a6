"""Where a person's data is, and the games played in the terminal: a file each, so that a new game never touches an old
one."""

from __future__ import annotations

import os
import time
from pathlib import Path

import skerry
from skerry.cli import read_file
from skerry.engine.errors import Refusal
from skerry.engine.game import Game
from skerry.engine.match import Match
from skerry.engine.messages import say


def folder() -> Path:
    """``SKERRY_DATA``, or where the system keeps such things."""
    base = os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share"
    return Path(os.environ.get("SKERRY_DATA") or Path(base) / "skerry")


def new_file(game: Game, chosen: Path | None) -> Path:
    """A file that is not there yet."""
    if chosen is not None:
        if chosen.exists():
            raise Refusal(say("there is a file {path}; --resume goes on with the game in it", path=str(chosen)))
        return chosen
    stem = f"{game.name}-{time.strftime('%Y-%m-%d-%H%M%S')}"
    names = [stem, *(f"{stem}-{i}" for i in range(2, 100))]
    return next(path for name in names if not (path := folder() / f"{name}.txt").exists())


def last_unfinished(game: Game | None, chosen: Path | None) -> tuple[Path, Match]:
    """The game in a file, or the one that was played last and is not over."""
    if chosen is not None:
        match = skerry.replay(read_file(chosen))
        if match.result is not None:
            raise Refusal(say("the game in {path} is over: {how}", path=str(chosen), how=match.result.ending.text))
        return chosen, match
    pattern = f"{game.name}-*.txt" if game else "*.txt"
    for path in sorted(folder().glob(pattern), key=lambda path: path.stat().st_mtime, reverse=True):
        text = read_file(path)
        if " running " in text.rstrip().rpartition("\n")[2]:
            return path, skerry.replay(text)
    raise Refusal(say("no unfinished game is kept in {folder}", folder=str(folder())))


def write(path: Path, match: Match) -> None:
    """Anew and at once: a crash in the middle leaves the old text."""
    path.parent.mkdir(parents=True, exist_ok=True)
    draft = path.with_name(path.name + ".new")
    draft.write_text(match.record(), encoding="utf-8")
    draft.replace(path)
