"""Evaluate the baselines of the benchmark and write their table into docs/benchmark.md.

    python docs/make_benchmark.py

The results are kept in docs/benchmark.json; what is in there for the same code and as many games is not played again.
``--table`` only writes the table. A test checks that the table is that of the results, and plays some of them again.
"""

from __future__ import annotations

import argparse
import json
import re
from dataclasses import asdict
from pathlib import Path
from typing import Any

from skerry.envs.evaluation import Estimate, GameRow, Summary, evaluate, summary_of, text_of
from skerry.envs.tasks import TASKS, Task
from skerry.lab.series import Series, provenance

FOLDER = Path(__file__).parent
PAGE, RESULTS = FOLDER / "benchmark.md", FOLDER / "benchmark.json"
START, END = "<!-- made by docs/make_benchmark.py -->", "<!-- end -->"
AGAINST = "skilled"
GAMES = {AGAINST: 1_000, "random": 1_000, "novice": 1_000, "expert:1": 1_000, "expert": 100}
ORDER = ("random", "novice", AGAINST, "expert:1", "expert")


def code_of(task: Task) -> str:
    return str(provenance(Series(task.config.variant, ("random",) * len(task.seats), 1))["code"])


def measure(task: Task, bot: str, games: int, results: dict[str, Any], threads: int) -> None:
    """Evaluate a baseline, unless it is in the results."""
    code, kept = code_of(task), results.setdefault(task.id, {})
    found = kept.get(bot)
    if found and found["code"] == code and found["games"] >= games:
        return
    rows = list(evaluate(task, bot, games, threads=threads))
    compared: list[GameRow] | None = None
    if bot != AGAINST:
        compared = list(evaluate(task, AGAINST, games, threads=threads))
    kept[bot] = {"code": code} | asdict(summary_of(task, rows, compared))
    RESULTS.write_text(json.dumps(results, indent=1) + "\n", encoding="utf-8")
    print(task.id, bot, kept[bot]["reward"], flush=True)


def read_summary(data: dict[str, Any]) -> Summary:
    parts = {name: value for name, value in data.items() if name != "code"}
    for name in ("reward", "won", "difference"):
        parts[name] = None if parts[name] is None else Estimate(**parts[name])
    return Summary(**parts)


def table_of(results: dict[str, Any]) -> str:
    """The tasks and the results of the baselines, as Markdown."""
    lines = [f"| task | bot | games | reward | won, % | difference from {AGAINST} |", "|---" * 6 + "|"]
    for task in TASKS:
        for bot in ORDER:
            if bot not in results.get(task.id, {}):
                continue
            one = read_summary(results[task.id][bot])
            won = text_of(one.won, 1, 100) if one.won else "–"
            difference = text_of(one.difference, 3) if one.difference else ""
            name = f"`{task.id}`" if bot == ORDER[0] else ""
            lines.append(f"| {name} | {bot} | {one.games:,} | {text_of(one.reward, 3)} | {won} | {difference} |")
    return "\n".join(lines)


def task_table() -> str:
    head = ["| task | what is played | seats | reward | limit |", "|---" * 5 + "|"]
    rows = (
        f"| `{task.id}` | {task.text} | `{','.join(task.seats)}` | `{task.reward}` | {task.limit} |" for task in TASKS
    )
    return "\n".join((*head, *rows))


def update_page(text: str, results: dict[str, Any]) -> str:
    parts = iter((task_table(), table_of(results)))
    marked = f"{re.escape(START)}.*?{re.escape(END)}"
    return re.sub(marked, lambda match: f"{START}\n{next(parts)}\n{END}", text, flags=re.DOTALL)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--table", action="store_true", help="only write the table")
    parser.add_argument("--task", action="append", help="only these tasks")
    parser.add_argument("--bot", action="append", help="only these bots")
    parser.add_argument("--games", type=int, help="of each bot in each task; by default as in the table")
    parser.add_argument("--threads", type=int, default=1)
    arguments = parser.parse_args()
    results: dict[str, Any] = json.loads(RESULTS.read_text()) if RESULTS.exists() else {}
    if not arguments.table:
        for bot in arguments.bot or ORDER:
            for task in TASKS:
                if not arguments.task or task.id in arguments.task:
                    measure(task, bot, arguments.games or GAMES[bot], results, arguments.threads)
    PAGE.write_text(update_page(PAGE.read_text(encoding="utf-8"), results), encoding="utf-8")


if __name__ == "__main__":
    main()
