"""The best possible solo scores on a board, over random orders of the cards.

An order has a number, which is the random seed for its start and its cards. Results are appended to a file, one line
for each order with the plan that reaches the score, so that a long run can be interrupted and continued.
"""

from __future__ import annotations

import json
import os
import random
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor, as_completed
from pathlib import Path

from skerry.engine.errors import BadRecord
from skerry.engine.messages import say
from skerry.games.hashi.puzzles.plan import Card, Start, read_turn, write_turn
from skerry.games.hashi.puzzles.solver import Solution, random_cards, solve
from skerry.games.hashi.rules.board import Board
from skerry.games.hashi.rules.components import START_NUMBERS
from skerry.games.hashi.rules.state import NO_FLAG

Results = dict[int, Solution]
WIDTH = 60  # of the longest bar of the histogram


def random_order(board: Board, number: int) -> tuple[Start, list[Card]]:
    """The start and the cards of the order with this number."""
    rng = random.Random(number)
    plain = [i for i, island in enumerate(board.islands) if island.flag == NO_FLAG]
    start = rng.choice(plain), rng.choice(START_NUMBERS)
    return start, random_cards(rng)


def solve_orders(
    board: Board, numbers: Iterable[int], effort: float, cores: int | None
) -> Iterator[tuple[int, Solution]]:
    """Solve orders in parallel and yield the results as they come. The solver releases the GIL."""
    with ThreadPoolExecutor(cores or os.cpu_count()) as pool:
        running = {pool.submit(solve, board, *random_order(board, number), effort): number for number in numbers}
        try:
            for future in as_completed(running):
                yield running[future], future.result()
        finally:
            pool.shutdown(wait=False, cancel_futures=True)


def append_result(path: Path, board: Board, number: int, solution: Solution) -> None:
    """Append the result of an order to the file."""
    island, start = solution.start
    kept = {
        "order": number,
        "points": solution.points,
        "bound": solution.bound,
        "start": f"{board.islands[island].name}:{start}",
        "plan": [write_turn(board, turn) for turn in solution.plan],
    }
    with path.open("a", encoding="utf-8") as file:
        print(json.dumps(kept), file=file)


def read_results(path: Path, board: Board) -> Results:
    """Read the results of earlier runs; refuses a file of another board."""
    results: Results = {}
    if not path.exists():
        return results
    for line, text in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        try:
            number, best = _parse_result(board, json.loads(text))
        except (ValueError, KeyError, TypeError, AttributeError):
            raise BadRecord(say("line {line} of {path} is no order of this board", path=str(path), line=line)) from None
        results[number] = best
    return results


def _parse_result(board: Board, kept: dict[str, object]) -> tuple[int, Solution]:
    number = int(str(kept["order"]))
    place, _, written = str(kept["start"]).partition(":")
    start = [island.name for island in board.islands].index(place), int(written)
    plan = tuple(read_turn(board, turn) for turn in list(kept["plan"]))  # type: ignore[call-overload]
    if random_order(board, number) != (start, [turn.card for turn in plan]):
        raise ValueError("another start or other cards")
    return number, Solution(int(str(kept["points"])), int(str(kept["bound"])), start, plan)


def histogram(results: Results) -> list[str]:
    """The lines of a histogram: a bar for each score, or range where the score is not exact, best first."""
    counts = Counter((solution.points, solution.bound) for solution in results.values())
    longest = max(counts.values())
    rows = []
    for (points, bound), times in sorted(counts.items(), reverse=True):
        label = f"{points}" if points == bound else f"{points} to {bound}"
        bar = "▪" * max(1, round(times * WIDTH / max(longest, WIDTH)))
        rows.append(f"{label:>8} {times:>5} {times / len(results):>6.1%}  {bar}")
    return [*rows, _summary(results)]


def _summary(results: Results) -> str:
    exact = sum(solution.exact for solution in results.values())
    low = _mean(results, lambda solution: solution.points)
    high = _mean(results, lambda solution: solution.bound)
    mean = f"{low:.1f}" if exact == len(results) else f"between {low:.1f} and {high:.1f}"
    return f"{len(results)} orders, {exact} of them exact; on average {mean} points are possible."


def _mean(results: Results, value: Callable[[Solution], int]) -> float:
    return sum(map(value, results.values())) / len(results)
