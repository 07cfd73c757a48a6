"""``skerry serve``."""

from __future__ import annotations

import contextlib
import gc
import os
import tempfile
from collections.abc import Iterator

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
    moment: float,
    open_browser: bool,
    verbose: bool,
    workers: int,
) -> None:
    try:
        with _without_garbage_collection():  # importing makes many objects, and none of them is garbage
            from skerry.server.serve import serve
            from skerry.server.settings import Settings
    except ModuleNotFoundError as missing:
        if str(missing.name).startswith("skerry"):
            raise  # a fault of ours
        raise Refusal(f"the server needs more packages ({missing.name}): pip install 'skerry[server]'") from None
    secret = os.environ.get("SKERRY_SECRET", "")
    settings = Settings(database, redis, data_folder(), secret, origins, https, pace, moment)
    serve(settings, all_games, find_game, host, port, open_browser, verbose, workers)


@contextlib.contextmanager
def shared_metrics(workers: int) -> Iterator[None]:
    """A folder in which several workers share their metrics. prometheus_client looks for it when it is imported."""
    if workers == 1:
        yield
        return
    with tempfile.TemporaryDirectory(prefix="skerry-metrics-") as folder:
        os.environ["PROMETHEUS_MULTIPROC_DIR"] = folder
        yield


@contextlib.contextmanager
def _without_garbage_collection() -> Iterator[None]:
    gc.disable()
    try:
        yield
    finally:
        gc.enable()
