"""The files of a person: the folder their data is in, and text files that they name."""

from __future__ import annotations

import os
from pathlib import Path

from skerry.engine.errors import Refusal
from skerry.engine.messages import say


def data_folder() -> Path:
    """``SKERRY_DATA``, or a folder in the system's place for the data of programs."""
    base = os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share"
    return Path(os.environ.get("SKERRY_DATA") or Path(base) / "skerry")


def read_text_file(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is not a text file"
        raise Refusal(say("cannot read {path}: {reason}", path=str(path), reason=reason)) from None
