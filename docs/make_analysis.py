"""Measure how honest an analysis is, and write the tables and the picture of docs/analysis.md.

    python docs/make_analysis.py                  # everything, in some hours
    python docs/make_analysis.py --minutes 20     # what can be measured in that time

Bots play games. Some positions of each are evaluated as an analysis does it, and compared with a result. Other games
are analysed as a whole. What was measured is kept in a file (``--keep``), so that a run that was stopped goes on.
"""

from __future__ import annotations

import argparse
import itertools
import json
import math
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

import skerry
from skerry.analysis import analyse
from skerry.analysis.accounts import course_of
from skerry.analysis.calibration import Calibration
from skerry.analysis.evaluation import NO_ACTION, Evaluator
from skerry.analysis.viewpoint import hides_hands, viewpoint_of
from skerry.bots import find
from skerry.bots.bot import Bot
from skerry.bots.interrupts import interrupting_of
from skerry.engine.game import Variant
from skerry.engine.loop import TurnOrder
from skerry.engine.match import Match
from skerry.lab.report.html import Markup, tag

PAGE = Path(__file__).parent / "analysis.md"
PICTURES = Path(__file__).parent / "pictures"
REFERENCE = "expert:1"  # the rollout policy: the values hold if all play like it
SOURCES = ("skilled", REFERENCE)  # bots whose games the positions are from
BOTS = ("novice", "skilled", "expert:24")  # whose luck and losses are measured
POSITIONS = 12  # of a game
WORLDS = 32  # for the value of a position that the network evaluates
ROLLOUTS = 200  # for the value of one that is played to the end
EFFORT = 60  # of an analysis
BINS = 10


@dataclass(frozen=True)
class Kind:
    """Games of one kind."""

    game: str
    players: int
    difficulty: str = ""

    @property
    def variant(self) -> Variant:
        options: dict[str, Any] = {"difficulty": self.difficulty} if self.difficulty else {}
        return skerry.game(self.game, players=self.players, **options)


LEVELS = ("novice", "normal", "elite", "legendary")
CALIBRATED = [
    *(Kind("forbidden-island", players, level) for level in LEVELS for players in (2, 3, 4)),
    *(Kind("forbidden-desert", players, level) for level in LEVELS for players in (2, 3, 4, 5)),
    Kind("hashi", 1),
    *(Kind("cartagena", players) for players in (2, 3, 4)),
]
ANALYSED = [
    Kind("forbidden-island", 3, "normal"),
    Kind("forbidden-desert", 3, "normal"),
    Kind("hashi", 1),
    Kind("cartagena", 2),
]


# Playing and measuring


def play(variant: Variant, bots: Sequence[Bot], seed: int) -> Match:
    """A game of bots, with interruptions."""
    match, order = variant.new(seed), TurnOrder(interrupting_of(variant.game))
    while match.result is None:
        seat, action = _next_action(match, order, bots, seed * 100_000 + len(match.steps))
        with order.step_of(seat, match):
            match.play(seat, action)
    return match


def _next_action(match: Match, order: TurnOrder, bots: Sequence[Bot], seed: int) -> tuple[int, int]:
    for seat in order.interrupters(match.state):
        action = bots[seat].interrupt(match, seat, seed)
        if action is not None:
            return seat, action
        order.passed(seat)
    seat = match.waiting[0]
    return seat, bots[seat].choose(match, seat, seed)


def predict(kind: Kind, bot: str, seed: int) -> dict[str, Any]:
    """Some positions of a game: what they are worth to the first seat without calibration, and a result.

    Where the network evaluates, it is the result of playing on from there by the rollout policy, in a world that agrees
    with what was known. Otherwise it is how the game of the bot ended.
    """
    game = kind.variant.game
    match = play(kind.variant, [find(game, bot)] * kind.players, seed)
    course, evaluator = course_of(match, viewpoint_of(match)), Evaluator(game, calibrated=False)
    chosen = np.random.default_rng(seed).choice(len(match.steps), min(POSITIONS, len(match.steps)), replace=False)
    by_network = evaluator.uses_network(match.state)
    worlds = WORLDS if by_network else ROLLOUTS
    jobs = np.array([(at, NO_ACTION, world) for at in sorted(chosen) for world in range(worlds)], np.int32)
    means = evaluator.means(course.positions, jobs, np.repeat(np.arange(len(chosen)), worlds)).means
    if by_network:
        playouts = np.array([(at, NO_ACTION, worlds) for at in sorted(chosen)], np.int32)
        results = Evaluator(game, to_the_end=True).values(course.positions, playouts)[:, 0]
    else:
        assert match.result is not None
        won = 1 / len(match.result.winners) if 0 in match.result.winners else 0.0
        results = np.full(len(chosen), won)
    return {"p": [round(float(value), 5) for value in means[:, 0]], "o": [float(value) for value in results]}


def account(kind: Kind, bot: str, seed: int) -> dict[str, Any]:
    """The luck, decisions and losses of the first seat, or of the team. Among rivals the other is ``skilled``."""
    game = kind.variant.game
    rival = bot if game.cooperative else "skilled"
    match = play(kind.variant, [find(game, bot), *(find(game, rival) for _ in range(1, kind.players))], seed)
    analysis = analyse(match, EFFORT, open_cards=hides_hands(match))
    seats = range(kind.players) if game.cooperative else [0]
    return {
        "luck": analysis.luck[0],
        "decisions": sum(analysis.decided_by(seat)[0] for seat in seats),
        "losses": sum(analysis.losses(seat) for seat in seats),
        "decided": sum(sum(analysis.grades(seat).values()) for seat in seats),
    }


class Measure(Protocol):
    """Plays a game and measures something of it."""

    def __call__(self, kind: Kind, bot: str, seed: int, /) -> dict[str, Any]: ...


class Kept:
    """The file of what was measured: a line for each game."""

    def __init__(self, path: Path) -> None:
        self.path = path
        lines = path.read_text(encoding="utf-8").splitlines() if path.exists() else []
        self.rows: dict[str, dict[str, Any]] = {}
        for line in lines:
            row = json.loads(line)
            self.rows[row["key"]] = row

    def measure(self, what: str, kind: Kind, bot: str, seed: int, measure: Measure) -> None:
        key = f"{what} {kind.game} {kind.players} {kind.difficulty} {bot} {seed}"
        if key not in self.rows:
            row = {"key": key, "what": what, **vars(kind), "bot": bot, "seed": seed, **measure(kind, bot, seed)}
            self.rows[key] = row
            with self.path.open("a", encoding="utf-8") as file:
                file.write(json.dumps(row) + "\n")

    def select(self, what: str, **wanted: Any) -> list[dict[str, Any]]:
        wanted["what"] = what
        return [row for row in self.rows.values() if all(row[name] == value for name, value in wanted.items())]


def run(kept: Kept, games: int, minutes: float) -> None:
    """Measure games of all kinds in turn, so that whenever it is stopped they are about equally many."""
    end = time.monotonic() + 60 * minutes
    for seed in range(games):
        for what, kinds, bots, measure in (
            ("predict", CALIBRATED, SOURCES, predict),
            ("account", ANALYSED, BOTS, account),
        ):
            for kind, bot in itertools.product(kinds, bots):
                if time.monotonic() > end:
                    return
                kept.measure(what, kind, bot, seed, measure)


# Calibration


@dataclass(frozen=True)
class Predictions:
    """Predictions, and what came true."""

    predicted: NDArray[np.float64]
    result: NDArray[np.float64]

    @classmethod
    def of(cls, rows: Sequence[dict[str, Any]], calibrations: Mapping[int, Calibration] | None = None) -> Predictions:
        """Those of some rows, by the calibrations for each number of players."""
        parts = [
            (calibrations[row["players"]](np.array(row["p"])) if calibrations else np.array(row["p"])) for row in rows
        ]
        return cls(np.concatenate(parts), np.concatenate([row["o"] for row in rows]))

    def bins(self) -> list[tuple[float, float, int]]:
        """The mean prediction and the mean result of each bin that is not empty, and how many positions it has."""
        places = np.minimum((self.predicted * BINS).astype(int), BINS - 1)
        chosen = [places == number for number in range(BINS)]
        means = [(self.predicted[one].mean(), self.result[one].mean(), int(one.sum())) for one in chosen if one.any()]
        return [(float(predicted), float(result), count) for predicted, result, count in means]

    @property
    def error(self) -> float:
        """The expected calibration error, in points."""
        gaps = [abs(predicted - result) * count for predicted, result, count in self.bins()]
        return 100 * sum(gaps) / len(self.predicted)

    @property
    def brier(self) -> float:
        return float(((self.predicted - self.result) ** 2).mean())


def fitted(predictions: Predictions) -> Calibration:
    """The calibration that makes the results most likely (logistic regression by Newton's method)."""
    clipped = np.clip(predictions.predicted, 1e-4, 1 - 1e-4)
    inputs = np.stack((np.ones(len(clipped)), np.log(clipped / (1 - clipped))), axis=1)
    weights = np.array([0.0, 1.0])
    for _ in range(30):
        chances = 1 / (1 + np.exp(-inputs @ weights))
        curvature = (inputs.T * (chances * (1 - chances))) @ inputs
        weights += np.linalg.solve(curvature, inputs.T @ (predictions.result - chances))
    return Calibration(round(float(weights[0]), 2), round(float(weights[1]), 2))


def fit_by_players(rows: Sequence[dict[str, Any]]) -> dict[int, Calibration]:
    """A calibration for each number of players, from the games with even seeds. The others test it."""
    players = sorted({row["players"] for row in rows})
    even = [row for row in rows if row["seed"] % 2 == 0]
    return {number: fitted(Predictions.of([row for row in even if row["players"] == number])) for number in players}


# Tables


def with_error(values: NDArray[np.float64], digits: int) -> str:
    """A mean with its standard error."""
    if len(values) < 2:
        return "–"
    return f"{values.mean():+.{digits}f} ± {values.std(ddof=1) / math.sqrt(len(values)):.{digits}f}"


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    lines = ["| " + " | ".join(row) + " |" for row in (head, *rows)]
    return "\n".join((lines[0], "|---" * len(head) + "|", *lines[1:]))


CHANCES = ("forbidden-island", "forbidden-desert", "cartagena")
NETWORKS = ("forbidden-island", "forbidden-desert")


def calibration_table(kept: Kept) -> str:
    """How predictions agree with results, in games that the calibration has not seen."""
    rows = []
    for game in CHANCES:
        found = kept.select("predict", game=game)
        calibrations = fit_by_players(found) if game in NETWORKS else None
        for bot in SOURCES:
            test = [row for row in found if row["bot"] == bot and (row["seed"] % 2 or game not in NETWORKS)]
            if not test:
                continue
            raw, final = Predictions.of(test), Predictions.of(test, calibrations)
            counts = (str(len(test)), f"{len(raw.predicted):,}")
            errors = (f"{raw.error:.1f}", f"{final.error:.1f}") if calibrations else ("", f"{raw.error:.1f}")
            rows.append([game, bot, *counts, *errors, f"{final.brier:.3f}"])
    head = ("game", "games of", "games", "positions", "error before calibration", "error", "Brier score")
    return table(head, rows)


def calibrations_table(kept: Kept) -> str:
    """The calibrations, for ``skerry.analysis.calibration``, and what they were fitted to."""
    rows = []
    for game in NETWORKS:
        found = kept.select("predict", game=game)
        for players, calibration in fit_by_players(found).items():
            of_kind = [row for row in found if row["players"] == players]
            test = [row for row in of_kind if row["seed"] % 2]
            error = Predictions.of(test, {players: calibration}).error if test else math.nan
            positions = sum(len(row["p"]) for row in of_kind)
            numbers = (f"{calibration.shift:+.2f}", f"{calibration.stretch:.2f}", f"{error:.1f}")
            rows.append([game, str(players), f"{positions:,}", *numbers])
    return table(("game", "players", "positions", "shift", "stretch", "error"), rows)


def points_table(kept: Kept) -> str:
    """Solo Hashi: predicted points less points scored."""
    rows = []
    for bot in SOURCES:
        found = kept.select("predict", game="hashi", bot=bot)
        if found:
            gaps = np.array([np.mean(np.array(row["p"]) - np.array(row["o"])) for row in found])
            rows.append([bot, str(len(found)), f"{sum(len(row['p']) for row in found):,}", with_error(gaps, 1)])
    return table(("games of", "games", "positions", "predicted − scored, in points"), rows)


def luck_table(kept: Kept) -> str:
    """By game and bot: luck, decisions and losses of a game."""
    rows = []
    for kind in ANALYSED:
        digits, factor = (1, 1) if kind.game == "hashi" else (0, 100)
        for bot in BOTS:
            found = kept.select("account", game=kind.game, bot=bot)
            if len(found) < 2:
                continue
            columns = [factor * np.array([row[name] for row in found]) for name in ("luck", "decisions", "losses")]
            each = columns[2].sum() / max(1, sum(row["decided"] for row in found))
            cells = (
                with_error(columns[0], digits),
                with_error(columns[1], digits),
                with_error(-columns[2], digits + 1),
            )
            rows.append([kind.game, bot, str(len(found)), *cells, f"{-each:.2f}"])
    return table(("game", "bot", "games", "luck", "choices", "losses", "loss a decision"), rows)


# The picture

SIZE, GAP, TOP = 200, 60, 40
COLOURS = {"skilled": "#b8482b", REFERENCE: "#0f6f75"}
LEAST_RADIUS, MOST_RADIUS = 1.5, 9.0  # of the dots of the emptiest and the fullest bin, in pixels


def reliability_diagram(kept: Kept) -> str:
    """For each game the share of positions that were won, by the predicted chance; a dot's area is their number."""
    drawn: list[Markup] = []
    for column, game in enumerate(CHANCES):
        drawn += _one_diagram(kept, game, GAP + column * (SIZE + GAP))
    width, height = GAP + len(CHANCES) * (SIZE + GAP), TOP + SIZE + 70
    for number, bot in enumerate(SOURCES):
        x = GAP + 170 * number
        dot = tag("circle", cx=x, cy=height - 16, r=6, fill=COLOURS[bot])
        drawn += [dot, label(x + 12, height - 12, f"games of {bot}", "start")]
    drawn.append(label(width / 2, TOP + SIZE + 36, "predicted chance, % (across); came true, % (up)"))
    background = tag("rect", width="100%", height="100%", fill="#f7f1e3")
    view = f"0 0 {width} {height}"
    svg = tag("svg", background, *drawn, xmlns="http://www.w3.org/2000/svg", viewBox=view, width=width, height=height)
    return f"{svg}\n"


def _one_diagram(kept: Kept, game: str, left: float) -> Iterator[Markup]:
    yield tag("rect", x=left, y=TOP, width=SIZE, height=SIZE, fill="none", stroke="#85796a")
    bottom = TOP + SIZE
    yield tag("line", x1=left, y1=bottom, x2=left + SIZE, y2=TOP, stroke="#85796a", stroke_dasharray="4 3")
    yield label(left + SIZE / 2, TOP - 14, game)
    for part in (0, 0.5, 1):
        yield label(left + SIZE * part, bottom + 16, f"{100 * part:.0f}")
        yield label(left - 14, bottom - SIZE * part + 4, f"{100 * part:.0f}")
    found = kept.select("predict", game=game)
    calibrations = fit_by_players(found) if game in NETWORKS else None
    for bot in SOURCES:
        test = [row for row in found if row["bot"] == bot and (row["seed"] % 2 or game not in NETWORKS)]
        bins = Predictions.of(test, calibrations).bins() if test else []
        fullest = max((count for _, _, count in bins), default=1)
        for predicted, result, count in bins:
            radius = LEAST_RADIUS + (MOST_RADIUS - LEAST_RADIUS) * math.sqrt(count / fullest)
            x, y = left + SIZE * predicted, bottom - SIZE * result
            yield tag("circle", cx=x, cy=y, r=radius, fill=COLOURS[bot], fill_opacity="0.7")


def label(x: float, y: float, text: str, anchor: str = "middle") -> Markup:
    return tag(
        "text", text, x=x, y=y, text_anchor=anchor, font_family="sans-serif", font_size=12, fill="#2b2622"
    )  # fmt: skip


def write_page(kept: Kept) -> None:
    """Put the tables between the marks of the page, and draw the picture."""
    text = PAGE.read_text(encoding="utf-8")
    tables = {"calibration": calibration_table, "calibrations": calibrations_table, "points": points_table}
    tables["luck"] = luck_table
    for name, made in tables.items():
        begin, end = f"<!-- {name} -->", f"<!-- end of {name} -->"
        head, _, rest = text.partition(begin)
        text = f"{head}{begin}\n\n{made(kept)}\n\n{end}{rest.partition(end)[2]}"
    PAGE.write_text(text, encoding="utf-8")
    (PICTURES / "calibration.svg").write_text(reliability_diagram(kept), encoding="utf-8")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=100, help="of each kind and bot")
    parser.add_argument("--minutes", type=float, default=math.inf, help="after which no more games are played")
    parser.add_argument("--keep", type=Path, default=Path("analysis-study.jsonl"), help="the file of what is measured")
    given = parser.parse_args()
    kept = Kept(given.keep)
    run(kept, given.games, given.minutes)
    write_page(kept)


if __name__ == "__main__":
    main()
