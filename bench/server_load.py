"""Our server compared with boardgame.io's, in one run on one machine. ``make bench-server`` runs this.

    python bench/server_load.py [--quick] [--alone] [--workers N] [--rounds R] [--folder DIR] [--json FILE]

Latency: 500 matches of Cartagena with four open pages each, every match acting every two seconds; measured from the
post to the event at the other seats. Throughput: how many actions per second are accepted when every match acts again
as soon as the actor has received the event. Memory: what one more open match with four pages costs.

boardgame.io plays the same game (``bench/boardgameio/game.mjs``) on its own server with its own stores, through its own
client. Both servers keep what undo needs, both check who acts, and when a match ends the same four begin another. They
differ in durability and rendering: what ours has accepted is on disk when it is answered (SQLite, synchronous), and
each page gets its parts as HTML; FlatFile broadcasts before it writes and leaves the flush to the system, and the pages
draw themselves.
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

from rich.console import Console
from rich.table import Table
from servers import OURS, BenchmarkedServer, Measured, peers, running, with_workers

P99_TARGET_MS, MEMORY_TARGET_KB = 40.0, 120.0
FLUSHES = 50
Rounds = dict[str, list[Measured]]  # of each server, by its name


def measure_latency(server: BenchmarkedServer, arguments: argparse.Namespace) -> Measured:
    with running(server, arguments.folder) as process:
        process.command(come=arguments.matches)
        return process.play(arguments.seconds, every=2, warm_up=4)


def measure_throughput(server: BenchmarkedServer, matches: int, arguments: argparse.Namespace) -> Measured:
    with running(server, arguments.folder) as process:
        process.command(come=matches)
        return process.play(arguments.seconds, every=0)


def measure_memory(server: BenchmarkedServer, arguments: argparse.Namespace) -> Measured:
    """Open some matches, then as many again, then play in all of them for a while."""
    count = arguments.matches // 2
    with running(server, arguments.folder) as process:
        process.command(come=count)
        half = process.memory()
        process.command(come=count)
        opened = process.memory()
        actions = process.command(seconds=20, every=1, warm=0)["accepted"]
        played = process.memory()
    return {
        "matches": [count, 2 * count],
        "kb_a_match": round((opened - half) / count, 1),
        "actions_a_match": round(actions / (2 * count), 1),
        "kb_a_match_after_them": round((opened - half) / count + (played - opened) / (2 * count), 1),
        "kb_in_all": round(played),
    }


def flush_ms(folder: str | None) -> float:
    """How long flushing 4 KiB to disk takes: the least that a durable commit costs."""
    times = []
    with tempfile.NamedTemporaryFile(dir=folder) as file:
        for _ in range(FLUSHES):
            file.write(bytes(4096))
            file.flush()
            began = time.perf_counter()
            os.fdatasync(file.fileno())
            times.append(1000 * (time.perf_counter() - began))
    return round(statistics.median(times), 3)


# Results as tables


def new_table(title: str, *columns: str) -> Table:
    table = Table(title=title)
    table.add_column("", no_wrap=True)
    for name in columns:
        table.add_column(name, justify="right")
    return table


def latency_table(results: dict[str, Measured]) -> Table:
    first = next(iter(results.values()))
    title = f"Latency: {first['matches']} matches, {first['streams']} streams, an action every 2 s in each"
    table = new_table(title, "p50 ms", "p99 ms", "max ms", "a second", "errors", "server cpu", "client cpu")
    for name, result in results.items():
        delay = result["post_to_event_ms"]
        cells = [delay["p50"], delay["p99"], delay["max"], result["actions_per_s"], error_count(result)]
        table.add_row(name, *map(str, cells), str(result["server_cpu"]), str(result["load_cpu"]))
    return table


def throughput_table(results: dict[int, Rounds]) -> Table:
    title = "Throughput: accepted actions per second"
    table = new_table(title, "matches", "a second", "Skerry is", "server ms each", "errors", "server cpu", "client cpu")
    for matches, by_server in results.items():
        for name, rounds in by_server.items():
            table.add_row(
                name,
                str(matches),
                f"{median(rounds, 'actions_per_s'):.0f}",
                f"{our_ratio(by_server, name):.2f}×",
                f"{median(rounds, 'server_ms_an_action'):.2f}",
                str(sum(map(error_count, rounds))),
                str(median(rounds, "server_cpu")),
                str(median(rounds, "load_cpu")),
            )
        table.add_section()
    return table


def memory_table(results: dict[str, Measured]) -> Table:
    title = "Memory of an open match with four pages"
    table = new_table(title, "KiB, just opened", "KiB, played a while", "(actions)")
    for name, result in results.items():
        cells = [result["kb_a_match"], result["kb_a_match_after_them"], result["actions_a_match"]]
        table.add_row(name, *map(str, cells))
    return table


def error_count(result: Measured) -> int:
    return int(result["errors"] + result["lost_streams"])


def our_ratio(by_server: Rounds, name: str) -> float:
    """How many times the throughput of a server ours has."""
    return median(by_server[OURS.name], "actions_per_s") / max(0.1, median(by_server[name], "actions_per_s"))


def median(rounds: list[Measured], name: str) -> float:
    return round(statistics.median(result[name] for result in rounds), 3)


# Targets


def targets(results: Measured, others: list[BenchmarkedServer]) -> list[str]:
    """A line for each target: whether it was met."""
    ours = results["load"][OURS.name]
    p99, size = ours["post_to_event_ms"]["p99"], results["memory"][OURS.name]["kb_a_match"]
    lines = [
        target_line(f"p99 {p99} ms", p99 < P99_TARGET_MS, f"< {P99_TARGET_MS:g}"),
        target_line(f"{error_count(ours)} errors", error_count(ours) == 0, "none"),
        target_line(f"{size} KiB a match", size < MEMORY_TARGET_KB, f"< {MEMORY_TARGET_KB:g}"),
    ]
    for matches, by_server in results["saturation"].items():
        for server in others:
            ratio, target = our_ratio(by_server, server.name), server.target_ratio
            lines.append(
                target_line(f"{matches} matches: {ratio:.2f}× {server.name}", ratio > target, f"> {target:g}×")
            )
    return lines


def target_line(result: str, met: bool, target: str) -> str:
    return f"[{'green' if met else 'red'}]{'met   ' if met else 'missed'}[/] {result} (target {target})"


def read_arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true", help="few matches for a few seconds, to see whether it works")
    parser.add_argument("--alone", action="store_true", help="without boardgame.io")
    parser.add_argument("--workers", type=int, default=1, help="measure our server with several workers, too")
    parser.add_argument("--rounds", type=int, default=1, help="of the throughput, alternating; the median is shown")
    parser.add_argument("--folder", help="where the stores are; the system's temporary folder by default")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write all results to this file")
    arguments = parser.parse_args()
    arguments.sizes = (3, 10) if arguments.quick else (10, 100, 500)
    arguments.matches = 20 if arguments.quick else 500
    arguments.seconds = 4.0 if arguments.quick else 15.0
    return arguments


def measure_all_throughputs(servers: list[BenchmarkedServer], arguments: argparse.Namespace) -> dict[int, Rounds]:
    results: dict[int, Rounds] = {size: {server.name: [] for server in servers} for size in arguments.sizes}
    for _ in range(arguments.rounds):
        for size in arguments.sizes:
            for server in servers:
                results[size][server.name].append(measure_throughput(server, size, arguments))
    return results


def allow_many_open_files() -> None:
    """Every stream is an open file; child processes inherit the limit."""
    _, hard_limit = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard_limit, hard_limit))


def main() -> None:
    arguments, console = read_arguments(), Console()
    allow_many_open_files()
    others = [] if arguments.alone else peers()
    more_of_ours = [with_workers(arguments.workers)] if arguments.workers > 1 else []
    servers = [OURS, *more_of_ours, *others]
    flush, load_average = flush_ms(arguments.folder), os.getloadavg()
    console.print(f"{os.cpu_count()} cores; a flush to disk takes {flush} ms; load average: {load_average[0]:.1f}")
    results: Measured = {"cores": os.cpu_count(), "flush_ms": flush, "loadavg": load_average}
    results["load"] = {server.name: measure_latency(server, arguments) for server in servers}
    console.print(latency_table(results["load"]))
    results["saturation"] = measure_all_throughputs(servers, arguments)
    console.print(throughput_table(results["saturation"]))
    results["memory"] = {server.name: measure_memory(server, arguments) for server in servers}
    console.print(memory_table(results["memory"]))
    console.print("\n".join(targets(results, others)))
    if arguments.json:
        arguments.json.write_text(json.dumps(results, indent=1))


if __name__ == "__main__":
    main()
