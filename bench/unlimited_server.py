"""The table as ``bench/server_load.py`` measures it: one process, SQLite in a folder, no limits on a guest."""

from __future__ import annotations

import gc
import signal
import sys
from pathlib import Path

from skerry.games import every, find
from skerry.server.serve import serve
from skerry.server.settings import Limits, Settings

MANY = 10**9
LIFTED = Limits(
    requests=MANY, burst=MANY, newcomers=MANY, newcomers_burst=MANY, streams=MANY, all_streams=MANY, matches=MANY
)


def main() -> None:
    signal.signal(signal.SIGUSR2, lambda *_: gc.collect())
    serve(Settings(data=Path(sys.argv[1]), limits=LIFTED), every, find, "127.0.0.1", 0, browse=False, verbose=False)


if __name__ == "__main__":
    main()
