"""What an error in the code of a game says to its author: what is wrong, and in which of the game's lines."""

from __future__ import annotations

import re
from traceback import FrameSummary, extract_tb

from skerry.engine.errors import Refusal
from skerry.engine.game import Game
from skerry.engine.source_digest import source_of

UNTYPED = re.compile(r"Untyped global name '(\w+)': Cannot determine Numba type of <class 'function'>")
UNKNOWN = re.compile(r"Untyped global name '(\w+)': Cannot|name '(\w+)' is not defined")
SIGNATURE = re.compile(r">>> (.+)")
LINE = re.compile(r'File "[^"]*?([^/\\"]+)", line (\d+):\n(?:.*\n)*?(.*)\n\s*\^')
ALLOCATES = "it allocates memory, as lists, strings, slices and new arrays do"
OF_FIELDS = {  # what interpreted kernels say of fields that compiled ones would get wrong
    "memoryview: invalid value": "a number does not fit into its field: i8 holds -128 to 127, i16 -32,768 to 32,767",
    "memoryview: invalid type": "fields hold whole numbers: divide with // instead of /",
}


def describe_error(error: Exception, game: Game) -> str:
    """What an error says, with the line of the game that raised it."""
    if isinstance(error, Refusal):
        return str(error)
    said = f"{type(error).__name__}: {_text(error)}"
    line = _line_of(error, game)
    return said if line is None else f"{said}, in {line.name} (line {line.lineno}: {line.line})"


def _text(error: Exception) -> str:
    text = " ".join(str(error).split())
    return next((said for start, said in OF_FIELDS.items() if text.startswith(start)), text)


def _line_of(error: Exception, game: Game) -> FrameSummary | None:
    """The innermost line in the game's own files."""
    own = tuple(str(source_of(package)) for package in game.packages)
    inside = [frame for frame in extract_tb(error.__traceback__) if frame.filename.startswith(own)]
    return inside[-1] if inside else None


def describe_compile_error(error: Exception, name: str) -> str:
    """Why a kernel does not compile, in a sentence."""
    text = str(error)
    if isinstance(error, KeyError):
        return f"the kernel {name} reads {text.strip(chr(39))}, which is no field of the struct"
    if plain := UNTYPED.search(text):
        return f"the kernel {name} calls {plain[1]}, which is not compiled: write @kernel above it{_place(text)}"
    why = ALLOCATES if "NRT" in text or "_nrt" in text.lower() else _first_sentence(text)
    return f"the kernel {name} does not compile: {why}{_place(text)}"


def _first_sentence(text: str) -> str:
    if unknown := UNKNOWN.search(text):
        return f"the name {unknown[1] or unknown[2]} is unknown, or stands for something that compiled code cannot use"
    if signature := SIGNATURE.search(text):
        return f"compiled code has no {signature[1].strip()}"
    return " ".join(text.split())[:300]


def _place(text: str) -> str:
    """The line that numba points at."""
    found = LINE.findall(text)
    return f" ({found[-1][0]}, line {found[-1][1]}: {found[-1][2].strip()})" if found else ""
