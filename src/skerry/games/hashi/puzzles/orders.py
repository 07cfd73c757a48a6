"""The best possible solo scores on a board over random orders of cards: solved, kept in a file, counted.

An order is a number, from which its start and its cards are drawn: the same for everybody. The file holds one line an
order, with the plan that scores so much, so that a long run can be broken off and taken up again, and its scores can
be played.
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
from skerry.games.hashi.puzzles.solver import Best, deck_order, solve
from skerry.games.hashi.rules.board import Board
from skerry.games.hashi.rules.components import START_NUMBERS
from skerry.games.hashi.rules.state import NO_FLAG

Results = dict[int, Best]
WIDTH = 60  # of the longest bar


def order(board: Board, number: int) -> tuple[Start, list[Card]]:
    """The start and the cards of an order."""
    chance = random.Random(number)
    plain = [i for i, island in enumerate(board.islands) if island.flag == NO_FLAG]
    start = chance.choice(plain), chance.choice(START_NUMBERS)
    return start, deck_order(chance)


def solve_orders(board: Board, numbers: Iterable[int], effort: float, cores: int | None) -> Iterator[tuple[int, Best]]:
    """The orders with their best scores, as they are found; the solver works outside Python's lock."""
    with ThreadPoolExecutor(cores or os.cpu_count()) as pool:
        running = {pool.submit(solve, board, *order(board, number), effort): number for number in numbers}
        try:
            for future in as_completed(running):
                yield running[future], future.result()
        finally:
            pool.shutdown(wait=False, cancel_futures=True)


def keep(path: Path, board: Board, number: int, best: Best) -> None:
    """Add an order to the file."""
    island, start = best.start
    kept = {
        "order": number,
        "points": best.points,
        "bound": best.bound,
        "start": f"{board.islands[island].name}:{start}",
        "plan": [write_turn(board, turn) for turn in best.plan],
    }
    with path.open("a", encoding="utf-8") as file:
        print(json.dumps(kept), file=file)


def kept_in(path: Path, board: Board) -> Results:
    """What was solved before; a file of another board is refused."""
    results: Results = {}
    if not path.exists():
        return results
    for line, text in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        try:
            number, best = _read(board, json.loads(text))
        except (ValueError, KeyError, TypeError, AttributeError):
            raise BadRecord(say("line {line} of {path} is no order of this board", path=str(path), line=line)) from None
        results[number] = best
    return results


def _read(board: Board, kept: dict[str, object]) -> tuple[int, Best]:
    number = int(str(kept["order"]))
    place, _, written = str(kept["start"]).partition(":")
    start = [island.name for island in board.islands].index(place), int(written)
    plan = tuple(read_turn(board, turn) for turn in list(kept["plan"]))  # type: ignore[call-overload]
    if order(board, number) != (start, [turn.card for turn in plan]):
        raise ValueError("another start or other cards")
    return number, Best(int(str(kept["points"])), int(str(kept["bound"])), start, plan)


def histogram(results: Results) -> list[str]:
    """A bar for each score, the best first; where no answer is exact, the range."""
    counts = Counter((best.points, best.bound) for best in results.values())
    longest = max(counts.values())
    rows = []
    for (points, bound), times in sorted(counts.items(), reverse=True):
        label = f"{points}" if points == bound else f"{points} to {bound}"
        bar = "▪" * max(1, round(times * WIDTH / max(longest, WIDTH)))
        rows.append(f"{label:>8} {times:>5} {times / len(results):>6.1%}  {bar}")
    return [*rows, _summary(results)]


def _summary(results: Results) -> str:
    exact = sum(best.exact for best in results.values())
    low, high = (_mean(results, points) for points in (lambda best: best.points, lambda best: best.bound))
    mean = f"{low:.1f}" if exact == len(results) else f"between {low:.1f} and {high:.1f}"
    return f"{len(results)} orders, {exact} of them exact; on average {mean} points are possible."


def _mean(results: Results, points: Callable[[Best], int]) -> float:
    return sum(map(points, results.values())) / len(results)
