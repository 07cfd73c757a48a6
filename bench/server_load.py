"""The table beside boardgame.io's own server, in one run on one machine. `make bench-server` runs this.

    python bench/server_load.py [--quick] [--alone] [--rounds R] [--folder DIR] [--json FILE]

Load: 500 matches of Cartagena with four open pages each, every match acting every two seconds; from the post to the
event at the other seats. Saturation: how many actions a second are accepted when every match acts again as soon as the
actor has heard what came of it. Memory: what one more open match with four pages costs.

Theirs is the same game (``bench/boardgameio/game.mjs``) on their own server with their own stores, played through their
own client; the crowd is in a process of its own for both. What ours accepts is on disk when it is answered (SQLite,
synchronous) and each page gets its drawn parts; FlatFile tells before it writes and leaves the flush to the system, and
the pages draw themselves. Both keep what undo needs, both check who acts, and when a match ends the four begin another.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import statistics
import tempfile
import time
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table
from servers import OURS, Contestant, peers, running

MOST_MS, MOST_KB = 60.0, 150.0  # what we aim at
Seen = dict[str, Any]


def load(who: Contestant, given: argparse.Namespace) -> Seen:
    with running(who, given.folder) as table:
        table.order(come=given.matches)
        return table.play(seconds=given.seconds, every=2, warm=4)


def saturation(who: Contestant, matches: int, given: argparse.Namespace) -> Seen:
    with running(who, given.folder) as table:
        table.order(come=matches)
        return table.play(seconds=given.seconds, every=0)


def memory(who: Contestant, given: argparse.Namespace) -> Seen:
    """One crowd comes, then another of the same size; later all have played a while."""
    count = given.matches // 2
    with running(who, given.folder) as table:
        table.order(come=count)
        first = table.memory()
        table.order(come=count)
        second = table.memory()
        played = table.order(seconds=20, every=1, warm=0)["accepted"]
        third = table.memory()
    return {
        "matches": [count, 2 * count],
        "kb_a_match": round((second - first) / count, 1),
        "actions_a_match": round(played / (2 * count), 1),
        "kb_a_match_after_them": round((second - first) / count + (third - second) / (2 * count), 1),
        "kb_in_all": round(third),
    }


def flush_ms(folder: str | None) -> float:
    """How long the disk takes to have written 4 KiB: what a durable commit costs at least."""
    took = []
    with tempfile.NamedTemporaryFile(dir=folder) as file:
        for _ in range(50):
            file.write(bytes(4096))
            file.flush()
            began = time.perf_counter()
            os.fdatasync(file.fileno())
            took.append(1000 * (time.perf_counter() - began))
    return round(statistics.median(took), 3)


def sheet(title: str, *columns: str) -> Table:
    table = Table(title=title)
    table.add_column("", no_wrap=True)
    for name in columns:
        table.add_column(name, justify="right")
    return table


def show_load(console: Console, seen: dict[str, Seen]) -> None:
    any_one = next(iter(seen.values()))
    title = f"Load: {any_one['matches']} matches, {any_one['streams']} streams, an action every 2 s in each"
    table = sheet(title, "p50 ms", "p99 ms", "max ms", "a second", "errors", "server cpu", "crowd cpu")
    for who, one in seen.items():
        delay = one["post_to_event_ms"]
        cells = [delay["p50"], delay["p99"], delay["max"], one["actions_per_s"], wrong(one)]
        table.add_row(who, *map(str, cells), str(one["server_cpu"]), str(one["load_cpu"]))
    console.print(table)


def show_saturation(console: Console, seen: dict[int, dict[str, list[Seen]]]) -> None:
    title = "Saturation: accepted actions a second, flat out"
    table = sheet(title, "matches", "a second", "ours is", "server ms each", "errors", "server cpu", "crowd cpu")
    for matches, by_name in seen.items():
        for who, rounds in by_name.items():
            cells = [str(matches), f"{middle(rounds, 'actions_per_s'):.0f}", f"{ratio(by_name, who):.2f}×"]
            cells += [f"{middle(rounds, 'server_ms_an_action'):.2f}", str(sum(map(wrong, rounds)))]
            table.add_row(who, *cells, str(middle(rounds, "server_cpu")), str(middle(rounds, "load_cpu")))
        table.add_section()
    console.print(table)


def show_memory(console: Console, seen: dict[str, Seen]) -> None:
    table = sheet("Memory of an open match with four pages", "KiB, just opened", "KiB, played a while", "(actions)")
    for who, one in seen.items():
        table.add_row(who, str(one["kb_a_match"]), str(one["kb_a_match_after_them"]), str(one["actions_a_match"]))
    console.print(table)


def wrong(one: Seen) -> int:
    return int(one["errors"] + one["lost_streams"])


def ratio(by_name: dict[str, list[Seen]], who: str) -> float:
    return middle(by_name[OURS.name], "actions_per_s") / max(0.1, middle(by_name[who], "actions_per_s"))


def middle(rounds: list[Seen], name: str) -> float:
    return round(statistics.median(one[name] for one in rounds), 3)


def judge(result: Seen, others: list[Contestant]) -> list[str]:
    """The aims, and how it went."""
    ours = result["load"][OURS.name]
    late, size = ours["post_to_event_ms"]["p99"], result["memory"][OURS.name]["kb_a_match"]
    lines = [
        aim(f"p99 {late} ms", late < MOST_MS, f"< {MOST_MS:g}"),
        aim(f"{wrong(ours)} errors", wrong(ours) == 0, "none"),
        aim(f"{size} KiB a match", size < MOST_KB, f"< {MOST_KB:g}"),
    ]
    for matches, by_name in result["saturation"].items():
        for who in others:
            times = ratio(by_name, who.name)
            lines.append(aim(f"{matches} matches: {times:.2f}× {who.name}", times > who.aim, f"> {who.aim:g}×"))
    return lines


def aim(what: str, met: bool, wanted: str) -> str:
    return f"[{'green' if met else 'red'}]{'met   ' if met else 'missed'}[/] {what} (aim {wanted})"


def read_arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser()
    parser.add_argument("--quick", action="store_true", help="a small crowd for a few seconds: does it all work?")
    parser.add_argument("--alone", action="store_true", help="without boardgame.io")
    parser.add_argument("--rounds", type=int, default=1, help="of the saturation, alternating; the median is shown")
    parser.add_argument("--folder", help="where the stores are; the system's temporary folder by default")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write all that was seen")
    given = parser.parse_args()
    given.sizes = (3, 10) if given.quick else (10, 100, 500)
    given.matches = 20 if given.quick else 500
    given.seconds = 4.0 if given.quick else 15.0
    return given


def main() -> None:
    given, console = read_arguments(), Console()
    most = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))  # a stream is an open file; children inherit it
    everybody = [OURS, *([] if given.alone else peers())]
    flush = flush_ms(given.folder)
    console.print(
        f"{os.cpu_count()} cores; a flush of the disk takes {flush} ms; load before: {os.getloadavg()[0]:.1f}"
    )
    result: Seen = {"cores": os.cpu_count(), "flush_ms": flush, "loadavg": os.getloadavg()}
    result["load"] = {who.name: load(who, given) for who in everybody}
    show_load(console, result["load"])
    result["saturation"] = {size: {who.name: [] for who in everybody} for size in given.sizes}
    for _ in range(given.rounds):
        for size in given.sizes:
            for who in everybody:
                result["saturation"][size][who.name].append(saturation(who, size, given))
    show_saturation(console, result["saturation"])
    result["memory"] = {who.name: memory(who, given) for who in everybody}
    show_memory(console, result["memory"])
    console.print("\n".join(judge(result, everybody[1:])))
    if given.json:
        given.json.write_text(json.dumps(result, indent=1))


if __name__ == "__main__":
    main()
