"""A server in a process of its own, for tests that kill it.

Run it as ``python -m tests.server.server_main SETTINGS PORT GAME …``.
"""

from __future__ import annotations

import json
import socket
import sys

from skerry.engine.game import Game
from skerry.games import find_game
from skerry.server.app import make_app
from skerry.server.serve import Server, configure_logging, serve, server_config
from skerry.server.settings import Limits, Settings
from skerry.server.warm_up import compile_games

FREE = Limits(
    requests=1e6,
    requests_burst=10**6,
    advice=1e6,
    advice_burst=10**6,
    new_guests=1e6,
    new_guests_burst=10**6,
    streams=1000,
    unfinished_matches=1000,
)


def main(given: str, port: str, *games: str) -> None:
    # Only the games that a test plays are warmed up, so that a server that is killed twenty times restarts quickly.
    chosen = [find_game(name) for name in games]
    values = json.loads(given)
    line, workers = values.pop("line", 0), values.pop("workers", 1)
    settings = Settings(limits=FREE, **values)
    if line:
        serve_with_small_buffers(settings, chosen, int(port), line)
    else:
        serve(settings, lambda: chosen, find_game, "127.0.0.1", int(port), False, False, workers)


def serve_with_small_buffers(settings: Settings, games: list[Game], port: int, line: int) -> None:
    """Serve with small send buffers, so that a client that does not read is noticed at once: by default the operating
    system buffers megabytes for it."""
    configure_logging(verbose=False)
    compile_games(games, report=lambda text: None)
    app = make_app(settings, lambda: games, find_game)
    with socket.socket() as listening:
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, line)
        listening.bind(("127.0.0.1", port))
        config = server_config(app, "127.0.0.1", port)
        Server(config, app, lambda address: print("Skerry is running at", address, flush=True)).run([listening])


if __name__ == "__main__":
    main(*sys.argv[1:])
