"""``skerry serve``."""

from __future__ import annotations

import os

from skerry.cli.files import data_folder
from skerry.engine.errors import Refusal
from skerry.games import all_games, find_game


def run_server(
    host: str,
    port: int,
    database: str,
    redis: str,
    origins: tuple[str, ...],
    https: bool,
    pace: float,
    open_browser: bool,
    verbose: bool,
) -> None:
    try:
        from skerry.server.serve import serve
        from skerry.server.settings import Settings
    except ImportError as missing:
        raise Refusal(f"the server needs more packages ({missing.name}): pip install 'skerry[server]'") from None
    secret = os.environ.get("SKERRY_SECRET", "")
    settings = Settings(database, redis, data_folder(), secret, origins, https, pace)
    serve(settings, all_games, find_game, host, port, open_browser, verbose)
