"""Automatic saving of games played in the terminal: a record file for each game, rewritten after every step."""

from __future__ import annotations

import time
from pathlib import Path

import skerry
from skerry.cli.files import data_folder, read_text_file
from skerry.engine.errors import Refusal
from skerry.engine.game import Game
from skerry.engine.match import Match
from skerry.engine.messages import say


def new_file(game: Game, chosen: Path | None) -> Path:
    """The chosen file, or one in the data folder; a file that does not exist yet."""
    if chosen is not None:
        if chosen.exists():
            raise Refusal(say("the file {path} exists already; --resume continues the game in it", path=str(chosen)))
        return chosen
    stem = f"{game.name}-{time.strftime('%Y-%m-%d-%H%M%S')}"
    names = [stem, *(f"{stem}-{i}" for i in range(2, 100))]
    return next(path for name in names if not (path := data_folder() / f"{name}.txt").exists())


def find_unfinished(game: Game | None, chosen: Path | None) -> tuple[Path, Match]:
    """The game in the chosen file, or the unfinished game that was played last."""
    if chosen is not None:
        match = skerry.replay(read_text_file(chosen))
        if match.result is not None:
            raise Refusal(say("the game in {path} is over: {how}", path=str(chosen), how=match.result.ending.text))
        return chosen, match
    pattern = f"{game.name}-*.txt" if game else "*.txt"
    for path in sorted(data_folder().glob(pattern), key=lambda path: path.stat().st_mtime, reverse=True):
        text = read_text_file(path)
        last_line = text.rstrip().rpartition("\n")[2]
        if " running " in last_line:
            return path, skerry.replay(text)
    raise Refusal(say("there is no unfinished game in {folder}", folder=str(data_folder())))


def save(path: Path, match: Match) -> None:
    """Replace the file atomically, so that a crash leaves the old record or the new one."""
    path.parent.mkdir(parents=True, exist_ok=True)
    draft = path.with_name(path.name + ".new")
    draft.write_text(match.record(), encoding="utf-8")
    draft.replace(path)
