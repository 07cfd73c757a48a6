"""Checkpoint files of simulations that were interrupted: the same command finds its file and resumes the run."""

from __future__ import annotations

import contextlib
import hashlib
import os
import re
import time
from collections.abc import Sequence
from pathlib import Path

from skerry.cli.files import data_folder
from skerry.lab.series import Series

KEPT_DAYS = 56  # an unfinished run that nobody has resumed for so long is deleted
FILE_NAME = re.compile(r".+-[0-9a-f]{16}\.jsonl")


def unfinished_file(series: Sequence[Series]) -> Path:
    """The checkpoint file of a run; its name is a hash of what is played."""
    description = " ".join(f"{one.key}:{one.games}" for one in series)
    digest = hashlib.sha256(description.encode()).hexdigest()[:16]
    return _folder() / f"{series[0].variant.game.name}-{digest}.jsonl"


def can_write(path: Path) -> bool:
    """Whether a checkpoint file can be written; games are played even if it cannot."""
    with contextlib.suppress(OSError):
        path.parent.mkdir(parents=True, exist_ok=True)
    return os.access(path.parent, os.W_OK)


def delete_old_runs(keep: Path) -> None:
    """Delete files that are older than ``KEPT_DAYS``, except ``keep``. Files with other names are left alone."""
    oldest = time.time() - KEPT_DAYS * 86400
    for path in _folder().glob("*.jsonl"):
        with contextlib.suppress(OSError):  # another process may be deleting the same files
            if FILE_NAME.fullmatch(path.name) and path != keep and path.stat().st_mtime < oldest:
                path.unlink()


def _folder() -> Path:
    return data_folder() / "unfinished"
