"""What the memory of a serving process with all games warm is made of.

    python bench/server_memory.py [--json]

A server is put together step by step in this process, as ``skerry serve`` does it, and the memory is read after each
step: *resident* is all that is in memory; *own* leaves out what processes of the same programs share, which are the
code and read-only data of libraries. The kernels come from the cache, as in every start but the first. Needs Linux.
"""

from __future__ import annotations

import argparse
import asyncio
import gc
import importlib
import json
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

PAGES = "/", "/new/{game}", "/rules/{game}"


class Memory(NamedTuple):
    """MiB."""

    resident: float
    own: float


def memory() -> Memory:
    gc.collect()
    sizes = {}
    for line in Path("/proc/self/smaps_rollup").read_text().splitlines()[1:]:
        name, kibibytes, _ = line.split()
        sizes[name] = int(kibibytes) / 1024
    return Memory(sizes["Rss:"], sizes["Private_Clean:"] + sizes["Private_Dirty:"])


def build_server() -> Iterator[str]:
    """Put a server together; yields what was added."""
    yield "Python and its standard library"
    import_all("numpy")
    yield "NumPy"
    import_all("numba", "skerry.engine.numba_kernel")
    yield "Numba and LLVM"
    import_all(
        "sqlalchemy.ext.asyncio", "aiosqlite", "fastapi", "uvicorn", "jinja2", "markdown_it", "prometheus_client"
    )
    yield "FastAPI, SQLAlchemy and other libraries of the server"
    import_all("skerry.server.serve")
    yield "the server's own modules"
    from skerry.games import all_games
    from skerry.server.game_stages import Stage, exercise

    for game in all_games():
        for stage in (Stage.RULES, Stage.BOTS):
            exercise(game, stage)
        yield f"rules and bots of {game.title}"
    with tempfile.TemporaryDirectory() as folder:
        asyncio.run(show_pages(folder))
        yield "the database and the first pages"
    for game in all_games():
        exercise(game, Stage.EXPERT)
    yield "the experts, once each has played"


def import_all(*modules: str) -> None:
    for module in modules:
        importlib.import_module(module)


async def show_pages(folder: str) -> None:
    """Open the server and show the pages of each game in English."""
    import httpx

    from skerry.games import all_games, find_game
    from skerry.server.app import fastapi_of, make_app
    from skerry.server.settings import Settings

    app = make_app(Settings(database=f"sqlite:///{folder}/skerry.db"), all_games, find_game)
    server = fastapi_of(app)
    async with server.router.lifespan_context(server):
        browser = httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://localhost")
        for page in dict.fromkeys(page.format(game=game.name) for page in PAGES for game in all_games()):
            (await browser.get(page)).raise_for_status()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--json", action="store_true")
    arguments = parser.parse_args()
    rows, before = [], Memory(0, 0)
    for added in build_server():
        now = memory()
        rows.append({"what": added, "resident": now.resident - before.resident, "own": now.own - before.own})
        before = now
    rows.append({"what": "all", **before._asdict()})
    if arguments.json:
        print(json.dumps(rows, indent=2))
        return
    print(f"{'MiB':54}{'resident':>10}{'own':>8}")
    for row in rows:
        print(f"{row['what']:54}{row['resident']:10.1f}{row['own']:8.1f}")


if __name__ == "__main__":
    main()
