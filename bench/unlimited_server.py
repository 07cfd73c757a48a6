"""The server that ``bench/server_load.py`` measures: SQLite in a folder, no rate limits.

python bench/unlimited_server.py FOLDER [WORKERS]
"""

from __future__ import annotations

import gc
import signal
import sys
from pathlib import Path

from skerry.games import all_games, find_game
from skerry.server.serve import serve
from skerry.server.settings import Limits, Settings

NO_LIMIT = 10**9
UNLIMITED = Limits(
    requests=NO_LIMIT,
    requests_burst=NO_LIMIT,
    new_guests=NO_LIMIT,
    new_guests_burst=NO_LIMIT,
    streams=NO_LIMIT,
    all_streams=NO_LIMIT,
    unfinished_matches=NO_LIMIT,
)


def main() -> None:
    signal.signal(signal.SIGUSR2, lambda *_: gc.collect())  # so that memory can be measured without garbage
    settings = Settings(data=Path(sys.argv[1]), moment=0, limits=UNLIMITED)
    workers = int(sys.argv[2]) if len(sys.argv) > 2 else 1
    serve(settings, all_games, find_game, "127.0.0.1", 0, browse=False, verbose=False, workers=workers)


if __name__ == "__main__":
    main()
