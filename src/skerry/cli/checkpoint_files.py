"""Checkpoint files of unfinished simulations: the same command finds its file again and resumes the run."""

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

MAX_AGE_DAYS = 56  # of a checkpoint; older ones are deleted
FILE_NAME = re.compile(r".+-[0-9a-f]{16}\.jsonl")


def checkpoint_file(series: Sequence[Series]) -> Path:
    """The checkpoint file of a run; its name is a hash of what is played."""
    description = " ".join(f"{one.key}:{one.games}" for one in series)
    digest = hashlib.sha256(description.encode()).hexdigest()[:16]
    return _folder() / f"{series[0].variant.game.name}-{digest}.jsonl"


def can_write(path: Path) -> bool:
    """Whether a checkpoint file can be written; games are played even if it cannot."""
    with contextlib.suppress(OSError):
        path.parent.mkdir(parents=True, exist_ok=True)
    return os.access(path.parent, os.W_OK)


def delete_old_checkpoints(current: Path) -> None:
    """Delete files that are older than ``MAX_AGE_DAYS``, except ``current``. Files with other names are left alone."""
    oldest = time.time() - MAX_AGE_DAYS * 86400
    for path in _folder().glob("*.jsonl"):
        with contextlib.suppress(OSError):  # another process may be deleting the same files
            if FILE_NAME.fullmatch(path.name) and path != current and path.stat().st_mtime < oldest:
                path.unlink()


def _folder() -> Path:
    return data_folder() / "unfinished"
