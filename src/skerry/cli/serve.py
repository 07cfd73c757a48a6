"""``skerry serve``."""

from __future__ import annotations

import os

from skerry.cli import autosave
from skerry.engine.errors import Refusal
from skerry.games import all_games, find_game


def serve_table(
    host: str,
    port: int,
    database: str,
    redis: str,
    origins: tuple[str, ...],
    https: bool,
    pace: float,
    browse: bool,
    verbose: bool,
) -> None:
    try:
        from skerry.server.serve import serve
        from skerry.server.settings import Settings
    except ImportError as missing:
        raise Refusal(f"the server needs more packages ({missing.name}): pip install 'skerry[server]'") from None
    secret = os.environ.get("SKERRY_SECRET", "")
    settings = Settings(database, redis, autosave.folder(), secret, origins, https, pace)
    serve(settings, all_games, find_game, host, port, browse, verbose)
