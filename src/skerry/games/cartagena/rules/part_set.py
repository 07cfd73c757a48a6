"""Sets of board parts: small text files with one line for each part.

    a HALPCR RCPLAH    # letter, tunnel side, island side

The house set comes with the game. Owners of the box can type in the printed parts and name their file.
"""

from __future__ import annotations

import functools
from importlib.resources import files
from pathlib import Path

from skerry.engine.errors import BadOption
from skerry.engine.messages import Message, say
from skerry.games.cartagena.rules.components import PART_LETTERS, PART_SPACES, SYMBOL_LETTERS

HOUSE_SET = "house"
FILE_LIMIT = 16_384  # characters
RULE = "CA-01"

Sides = tuple[str, str]


@functools.cache
def house_parts() -> dict[str, Sides]:
    """The house set."""
    return read_parts((files("skerry.games.cartagena") / "parts" / f"{HOUSE_SET}.txt").read_text(encoding="utf-8"))


def read_parts_file(path: Path) -> dict[str, Sides]:
    """Read a set of parts from a text file."""
    try:
        if not path.is_file() or path.stat().st_size > FILE_LIMIT:
            raise ValueError
        text = path.read_text(encoding="utf-8-sig")
    except (OSError, ValueError):  # a text that is not UTF-8 is a ValueError too
        raise BadOption(say("the parts file {path} cannot be read as a small text", path=str(path)), RULE) from None
    return read_parts(text)


def read_parts(text: str) -> dict[str, Sides]:
    """The two sides of each part, by letter.

    An error names the line but never quotes it, since the path could be that of any file on the server.
    """
    parts: dict[str, Sides] = {}
    number = 0
    for number, line in enumerate(text.splitlines(), 1):
        words = line.partition("#")[0].split()
        if words:
            letter, sides = _read_part(number, words)
            if letter in parts:
                raise _refused(number, say("part {letter} is there already", letter=letter))
            parts[letter] = sides
    missing = [letter for letter in PART_LETTERS if letter not in parts]
    if missing:
        raise _refused(number, say("the file ends and there is no part {letter}", letter=missing[0]))
    return {letter: parts[letter] for letter in PART_LETTERS}


def _read_part(number: int, words: list[str]) -> tuple[str, Sides]:
    if len(words) != 3:
        raise _refused(number, say("a part is a letter, its tunnel side and its island side"))
    letter, tunnel, island = words[0].lower(), words[1].upper(), words[2].upper()
    if letter not in PART_LETTERS or len(letter) != 1:
        raise _refused(number, say("a part is called by a letter from a to h"))
    for side in (tunnel, island):
        if len(side) != PART_SPACES or set(side) != set(SYMBOL_LETTERS):
            text = (
                "the tunnel side needs each of the symbols {symbols} once"
                if side is tunnel
                else "the island side needs each of the symbols {symbols} once"
            )
            raise _refused(number, say(text, symbols=SYMBOL_LETTERS))
    return letter, (tunnel, island)


def _refused(number: int, reason: Message) -> BadOption:
    return BadOption(say("parts file, line {number}: {reason}", number=number, reason=reason), RULE)


def write_parts(parts: dict[str, Sides]) -> str:
    """The parts in one line. Game records hold it, so that they replay without the file."""
    return "; ".join(f"{letter} {tunnel} {island}" for letter, (tunnel, island) in parts.items())
