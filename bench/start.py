"""How long people wait for the first useful output, with an empty cache of kernels and with a warm one.

    python bench/start.py [--games GAME …] [--repeat N] [--only WORD …] [--json] [--against PATH]

Empty is the first start after an installation or an upgrade: all that is needed is compiled. Warm is every other
start: the server's warm-up and the same command have run before. ``--against`` measures an earlier checkout, too, with
the same Python, each measurement right after the same one of this checkout: machines differ, and so do their hours.

Measured are: importing skerry; commands, until they print to standard output; ``skerry serve``, until GET / is
answered; "Play now", posted at that moment, until the board of the match is there and until a bot has moved; and the
first observation of a Gymnasium environment. Each line has the seconds, the processor seconds of all processes until
then, and the most memory (MiB) that these held at a time. Of several runs the median is shown. Needs Linux and httpx.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import random
import re
import signal
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from pathlib import Path

import httpx
from rich.console import Console
from rich.table import Table

HERE = Path(__file__).parents[1]
GAMES = ("forbidden-island", "forbidden-desert", "cartagena", "hashi")
ADDRESS = re.compile(r"http://[\w.\[\]:]+:\d+")
CLOCK_TICKS = os.sysconf("SC_CLK_TCK")  # a second
PAGE_SIZE = os.sysconf("SC_PAGE_SIZE")
SAMPLE_SECONDS = 0.05
ASK_SECONDS = 0.3  # between two questions to the server, which limits the requests of a guest
TIMEOUT = 900.0  # seconds
OWN_SEAT = 0  # the seat that "Play now" gives to the visitor

IMPORT = "import skerry; print('imported', flush=True)"
RESET = """
import gymnasium
import skerry.envs.gymnasium
gymnasium.make("skerry/{game}-v1").reset(seed=1)
print("reset", flush=True)
"""


@dataclass(frozen=True)
class Cost:
    seconds: float
    processor_seconds: float
    memory: float  # MiB


@dataclass(frozen=True)
class Place:
    """A checkout and a folder for its cache of kernels."""

    checkout: Path
    cache: str

    def environment(self, data: str) -> dict[str, str]:
        source = str(self.checkout / "src")
        return {**os.environ, "PYTHONPATH": source, "SKERRY_CACHE": self.cache, "SKERRY_DATA": data}


class Watched:
    """A process whose costs, with those of all it starts, are measured from now on."""

    def __init__(self, arguments: list[str], place: Place, data: str) -> None:
        self._begun = time.perf_counter()
        self.process = subprocess.Popen(
            [sys.executable, *arguments],
            env=place.environment(data),
            cwd=data,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            start_new_session=True,
        )
        self.command = " ".join(arguments)
        self.errors = b""
        self._memory = 0.0
        self._ended = threading.Event()
        threading.Thread(target=self._sample, daemon=True).start()
        threading.Thread(target=self._read_errors, daemon=True).start()

    def _sample(self) -> None:
        while not self._ended.wait(SAMPLE_SECONDS):
            self._memory = max(self._memory, sum(map(_resident, _family(self.process.pid))) / 2**20)

    def _read_errors(self) -> None:
        assert self.process.stderr is not None
        for line in self.process.stderr:
            self.errors += line

    def cost(self, since: Cost | None = None) -> Cost:
        """What it has cost so far, or since then."""
        seconds = time.perf_counter() - self._begun
        used = sum(map(_processor_seconds, _family(self.process.pid)))
        if since is None:
            return Cost(seconds, used, self._memory)
        return Cost(seconds - since.seconds, used - since.processor_seconds, self._memory)

    def wait_for_output(self) -> bytes:
        """The first line, once it is printed."""
        assert self.process.stdout is not None
        line = self.process.stdout.readline()
        if not line:
            self.process.wait()
            raise SystemExit(f"{self.command} has printed nothing: {self.errors.decode()}")
        return line

    def end(self) -> None:
        self._ended.set()
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()


def _family(pid: int) -> list[int]:
    """A process and all below it."""
    found = [pid]
    for parent in found:
        with contextlib.suppress(OSError):
            for task in Path(f"/proc/{parent}/task").iterdir():
                found += map(int, (task / "children").read_text().split())
    return found


def _processor_seconds(pid: int) -> float:
    """Of a process, and of those it started that have ended."""
    with contextlib.suppress(OSError):
        numbers = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
        return sum(map(int, numbers[11:15])) / CLOCK_TICKS
    return 0.0


def _resident(pid: int) -> int:
    with contextlib.suppress(OSError):
        return int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * PAGE_SIZE
    return 0


@contextlib.contextmanager
def watched(arguments: list[str], place: Place) -> Iterator[Watched]:
    with tempfile.TemporaryDirectory(prefix="skerry-start-", ignore_cleanup_errors=True) as data:
        process = Watched(arguments, place, data)
        try:
            yield process
        finally:
            process.end()


# What is measured

Measure = Callable[[Place], dict[str, Cost]]


def until_output(name: str, *arguments: str) -> Measure:
    """Measure a command until it prints its first line that is not empty."""

    def measure(place: Place) -> dict[str, Cost]:
        with watched(list(arguments), place) as process:
            while not process.wait_for_output().strip():
                pass
            return {name: process.cost()}

    return measure


def until_bot_move(game: str) -> Measure:
    """Measure a new server, and the first match on it."""

    def measure(place: Place) -> dict[str, Cost]:
        with watched(["-m", "skerry.cli", "serve", "--port", "0", "--pace", "0"], place) as process:
            while not (address := ADDRESS.search(process.wait_for_output().decode())):
                pass
            with httpx.Client(base_url=address[0], headers={"Origin": address[0]}, timeout=TIMEOUT) as browser:
                browser.get("/").raise_for_status()
                started = process.cost()
                match = open_match(browser, game)
                board = process.cost(started)
                wait_for_bot(browser, match)
                bot = process.cost(started)
        return {"serve, GET /": started, f"Play now, {game}: board": board, f"Play now, {game}: bot": bot}

    return measure


def open_match(browser: httpx.Client, game: str) -> str:
    """Press "Play now" and wait for the page with the board, as a browser does; the match's id."""
    answer = follow(browser, game, lambda: browser.post(f"/play/{game}"))
    address = answer.headers["location"]
    follow(browser, game, lambda: browser.get(address))
    return address.rpartition("/")[2]


def follow(browser: httpx.Client, game: str, request: Callable[[], httpx.Response]) -> httpx.Response:
    """Send a request again as long as the answer is the page that waits for the rules of a game."""
    while True:
        answer = request()
        if answer.is_error:
            raise SystemExit(f"{answer.request.method} {answer.url}: {answer.status_code} {answer.text[:500]}")
        if "data-getting-ready" not in answer.text:
            return answer
        while not browser.get(f"/getting-ready/{game}").raise_for_status().json()["ready"]:
            time.sleep(ASK_SECONDS)


def wait_for_bot(browser: httpx.Client, match: str) -> None:
    """Play random actions until a bot has moved."""
    generator, path = random.Random(1), f"/api/v1/matches/{match}"
    deadline = time.monotonic() + TIMEOUT
    while time.monotonic() < deadline:
        view = browser.get(f"{path}/view", params={"seat": OWN_SEAT}).raise_for_status().json()
        steps = browser.get(f"{path}/steps").raise_for_status().json()
        if any(step["seat"] not in (None, OWN_SEAT) for step in (steps["steps"] if isinstance(steps, dict) else steps)):
            return
        if view["legal"]:
            action = generator.choice(view["legal"])["action"]
            browser.post(f"{path}/actions", json={"seat": OWN_SEAT, "action": action, "seq": view["seq"]})
        time.sleep(ASK_SECONDS)
    raise SystemExit("no bot has moved")


def measures(games: list[str]) -> dict[str, Measure]:
    """All that is measured, by name."""
    skerry = ("-m", "skerry.cli")
    found: dict[str, Measure] = {"import": until_output("import skerry", "-c", IMPORT)}
    for command in ("games", "rules forbidden-desert", "board show A"):
        found[command] = until_output(command, *skerry, *command.split())
    for game in games:
        simulation = f"simulate {game} --seats {_bot_of(game)} --games 1000"
        found[f"play {game}"] = until_output(f"play {game}", *skerry, "play", game)
        found[f"simulate {game}"] = until_output(f"simulate {game}", *skerry, *simulation.split())
        found[f"gymnasium {game}"] = until_output(f"gymnasium {game}", "-c", RESET.format(game=game))
        found[f"serve {game}"] = until_bot_move(game)
    return found


def _bot_of(game: str) -> str:
    from skerry.games import find_game

    return (*find_game(game).bots, "random")[0]


# Empty and warm


def measure_all(chosen: dict[str, Measure], checkouts: list[Path], repeat: int) -> list[dict[str, object]]:
    """A row for each output that people wait for, checkout, and state of the cache."""
    rows: list[dict[str, object]] = []
    with tempfile.TemporaryDirectory(prefix="skerry-warm-") as folder:
        warm = [Place(checkout, f"{folder}/{number}") for number, checkout in enumerate(checkouts)]
        for place in warm if any(name.startswith("serve") for name in chosen) else ():
            _report(f"warming up {place.checkout}")
            command = [sys.executable, "-m", "skerry.cli.warm_up"]
            subprocess.run(command, env=place.environment(folder), cwd=folder, check=True, capture_output=True)
        for name, measure in chosen.items():
            for place in warm:
                _report(f"{name}, empty, {place.checkout}")
                rows += _rows(place, "empty", [_with_empty_cache(measure, place) for _ in range(repeat)])
                _report(f"{name}, warm, {place.checkout}")
                measure(place)
                rows += _rows(place, "warm", [measure(place) for _ in range(repeat)])
    return rows


def _report(text: str) -> None:
    print(f"{text} …", file=sys.stderr, flush=True)


def _with_empty_cache(measure: Measure, place: Place) -> dict[str, Cost]:
    with tempfile.TemporaryDirectory(prefix="skerry-empty-", ignore_cleanup_errors=True) as folder:
        return measure(Place(place.checkout, folder))


def _rows(place: Place, cache: str, runs: list[dict[str, Cost]]) -> list[dict[str, object]]:
    return [
        {"what": what, "checkout": str(place.checkout), "cache": cache, **_medians([run[what] for run in runs])}
        for what in runs[0]
    ]


def _medians(costs: list[Cost]) -> dict[str, float]:
    data = [asdict(cost) for cost in costs]
    return {name: round(statistics.median(each[name] for each in data), 2) for name in data[0]}


def print_table(rows: list[dict[str, object]]) -> None:
    table = Table(box=None, padding=(0, 2, 0, 0), header_style="dim")
    for heading in ("what", "cache", "checkout", "seconds", "processor", "MiB"):
        table.add_column(heading, justify="right" if heading in ("seconds", "processor", "MiB") else "left")
    for row in rows:
        numbers = (f"{row['seconds']:.2f}", f"{row['processor_seconds']:.2f}", f"{row['memory']:.0f}")
        table.add_row(str(row["what"]), str(row["cache"]), Path(str(row["checkout"])).name, *numbers)
    Console(highlight=False).print(table)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", nargs="+", choices=GAMES, default=list(GAMES))
    parser.add_argument("--only", nargs="+", default=[""], help="measure only what has one of these words in its name")
    parser.add_argument("--repeat", type=int, default=1)
    parser.add_argument("--against", type=Path, help="another checkout of this repository")
    parser.add_argument("--json", action="store_true")
    arguments = parser.parse_args()
    checkouts = [HERE, *([arguments.against.resolve()] if arguments.against else [])]
    chosen = {
        name: measure
        for name, measure in measures(arguments.games).items()
        if any(word in name for word in arguments.only)
    }
    rows = measure_all(chosen, checkouts, arguments.repeat)
    if arguments.json:
        print(json.dumps(rows, indent=2))
    else:
        print_table(rows)


if __name__ == "__main__":
    main()
