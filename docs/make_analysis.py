"""Measure how honest an analysis is, and write the tables and the pictures of docs/analysis.md.

    python docs/make_analysis.py                  # everything, in some hours of one core
    python docs/make_analysis.py --minutes 20     # what can be measured in that time
    python docs/make_analysis.py --minutes 0      # only the tables and pictures, of what is kept

Bots play games. Some positions of each are evaluated as an analysis does it and compared with a result, and the change
of the values over the game is divided into luck and choices. Other games are analysed as a whole. What was measured is
kept in a file (``--keep``), so that a run that was stopped goes on.
"""

from __future__ import annotations

import argparse
import itertools
import json
import math
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

import skerry
from skerry.analysis import analyse
from skerry.analysis.accounts import accounts_of, course_of
from skerry.analysis.calibration import Calibration
from skerry.analysis.evaluation import NO_ACTION, Evaluator
from skerry.analysis.viewpoint import ALL_HANDS, hides_hands, viewpoint_of
from skerry.bots import find
from skerry.engine.game import Variant
from skerry.engine.match import Match
from skerry.games.hashi.rules.scoring import rank_of
from skerry.lab.recorded import play_matches
from skerry.lab.report.html import Markup, tag

PAGE = Path(__file__).parent / "analysis.md"
PICTURES = Path(__file__).parent / "pictures"
REFERENCE = "expert:1"  # the rollout policy: the values hold if all play like it
SEARCHING = "expert:8"  # an expert that searches, as little as is worth while
SOURCES = ("skilled", REFERENCE, SEARCHING)  # bots whose games the positions are from
NETWORK_WORLDS = 32  # for the value of a position that the network evaluates
ROLLOUTS = 100  # for the value of one that is played to the end
NETWORK_POSITIONS, ROLLOUT_POSITIONS = 32, 26  # of a game
ACCOUNT_WORLDS = 4  # for luck and choices: luck has mean 0 with any number of worlds
EFFORT = 30  # of an analysis with losses
BINS = 10  # of predicted chances


@dataclass(frozen=True)
class Kind:
    """Games of one kind; ``setting`` is an option with its value, such as ``difficulty=elite``."""

    game: str
    players: int
    setting: str = ""

    @property
    def variant(self) -> Variant:
        option, _, value = self.setting.partition("=")
        return skerry.game(self.game, players=self.players, **({option: value} if option else {}))


@dataclass(frozen=True)
class Plan:
    """Kinds of which the same number of games is played in a round, by bot."""

    kinds: tuple[Kind, ...]
    games: Mapping[str, int]


LEVELS = ("novice", "normal", "elite", "legendary")
PREDICTED = (
    Plan(
        tuple(Kind("forbidden-island", n, f"difficulty={level}") for level in LEVELS for n in (2, 3, 4)),
        {"skilled": 8, REFERENCE: 8, SEARCHING: 2},
    ),
    Plan((Kind("hashi", 1), Kind("hashi", 1, "board=B")), {"skilled": 40, REFERENCE: 40, SEARCHING: 4}),
    Plan(tuple(Kind("cartagena", n) for n in (2, 3, 4, 5)), {"skilled": 40, SEARCHING: 6}),
    Plan(
        tuple(Kind("forbidden-desert", n, f"difficulty={level}") for level in LEVELS for n in (2, 3, 4, 5)),
        {"skilled": 8, REFERENCE: 8, SEARCHING: 2},
    ),
    Plan((Kind("hashi", 2), Kind("hashi", 3)), {"skilled": 8, SEARCHING: 2}),
)
ANALYSED = (
    Kind("forbidden-island", 3, "difficulty=normal"),
    Kind("forbidden-desert", 3, "difficulty=normal"),
    Kind("hashi", 1),
    Kind("cartagena", 2),
)
ANALYSED_BOTS = ("novice", "skilled", SEARCHING)
ACCOUNTED = Plan(ANALYSED, dict.fromkeys(ANALYSED_BOTS, 20))
SEARCHED = Plan(ANALYSED, dict.fromkeys(ANALYSED_BOTS, 2))


Row = dict[str, Any]  # what was measured of a game
Calibrations = dict[tuple[int, int], Calibration]  # by players, and the half of the games that they are fitted to


# Playing and measuring


def predict(kind: Kind, match: Match) -> Row:
    """Some positions of a game, with results.

    ``p`` and ``o`` are what chosen positions are worth to each seat (in a team, to all) without calibration, and the
    result of playing on from there by the rollout policy, once for each, in a world that agrees with what is known.
    Hands that seats hide from each other are what they were. ``own`` is the result of the game itself.
    """
    game, evaluator = match.game, Evaluator(match.game, calibrated=False)
    by_network = evaluator.uses_network(match.state)
    worlds = NETWORK_WORLDS if by_network else ROLLOUTS
    course, most = course_of(match, viewpoint_of(match)), NETWORK_POSITIONS if by_network else ROLLOUT_POSITIONS
    chosen = np.random.default_rng(match.seed).choice(len(match.steps), min(most, len(match.steps)), replace=False)
    jobs = np.array([(at, NO_ACTION, world) for at in sorted(chosen) for world in range(worlds)], np.int32)
    means = evaluator.means(course.positions, jobs, np.repeat(np.arange(len(chosen)), worlds)).means
    playouts = np.array([(at, NO_ACTION, worlds) for at in sorted(chosen)], np.int32)
    real = course.positions
    if hides_hands(match):
        real = replace(real, knowers=np.full_like(real.knowers, ALL_HANDS))
    results = Evaluator(game, to_the_end=True).values(real, playouts)
    own = evaluator.values(course.positions, np.array([(len(match.steps), NO_ACTION, 0)], np.int32))
    seats = 1 if game.cooperative else kind.players
    tables = {"p": means, "o": results, "own": own}
    return {name: np.round(values[:, :seats], 4).tolist() for name, values in tables.items()}


def account(kind: Kind, match: Match) -> Row:
    """The luck and choices of the first seat, or of the team."""
    course = course_of(match, viewpoint_of(match, open_cards=hides_hands(match)))
    accounts = accounts_of(course, Evaluator(match.game), ACCOUNT_WORLDS)
    own = slice(None) if match.game.cooperative else course.deciders == 0
    return {"luck": float(accounts.luck[:, 0].sum()), "choices": float(accounts.decisions[own, 0].sum())}


def search(kind: Kind, match: Match) -> Row:
    """The losses of the first seat, or of the team, and the number of its decisions."""
    analysis = analyse(match, EFFORT, open_cards=hides_hands(match))
    seats = range(kind.players) if match.game.cooperative else [0]
    return {
        "losses": sum(analysis.losses(seat) for seat in seats),
        "decided": sum(sum(analysis.grades(seat).values()) for seat in seats),
    }


def line_up(kind: Kind, bot: str, alone: bool) -> list[str]:
    """The bots at the seats: one at all, or, among rivals, one ``alone`` with others that are ``skilled``."""
    if alone and not kind.variant.game.cooperative:
        return [bot, *("skilled" for _ in range(1, kind.players))]
    return [bot] * kind.players


Measure = Callable[[Kind, Match], Row]


class Kept:
    """The file of what was measured: a line for each game."""

    def __init__(self, path: Path) -> None:
        self.path = path
        lines = path.read_text(encoding="utf-8").splitlines() if path.exists() else []
        self.rows: dict[str, Row] = {}
        for line in lines:
            row = json.loads(line)
            self.rows[row["key"]] = row

    def measure(self, what: str, kind: Kind, bot: str, seeds: Iterable[int], measure: Measure) -> None:
        """Play those of some games that are not in the file, side by side, and measure something of each."""
        keys = {f"{what} {kind.game} {kind.players} {kind.setting} {bot} {seed}": seed for seed in seeds}
        missing = {key: seed for key, seed in keys.items() if key not in self.rows}
        seats = [find(kind.variant.game, one) for one in line_up(kind, bot, what != "predict")]
        matches = play_matches(kind.variant, seats, missing.values())
        for key, match in zip(missing, matches, strict=True):
            measured = measure(kind, match)
            row = {"key": key, "what": what, **vars(kind), "bot": bot, "seed": match.seed, **measured}
            self.rows[key] = row
            with self.path.open("a", encoding="utf-8") as file:
                file.write(json.dumps(row, separators=(",", ":")) + "\n")

    def select(self, what: str, **wanted: Any) -> list[Row]:
        wanted["what"] = what
        return [row for row in self.rows.values() if all(row[name] == value for name, value in wanted.items())]


def run(kept: Kept, rounds: int, minutes: float) -> None:
    """Measure games of all kinds in turn, so that whenever it is stopped they are about equally many."""
    end = time.monotonic() + 60 * minutes
    tasks: list[tuple[str, Measure, Plan]] = [("predict", predict, plan) for plan in PREDICTED]
    tasks += [("account", account, ACCOUNTED), ("search", search, SEARCHED)]
    for number, (what, measure, plan) in itertools.product(range(rounds), tasks):
        for kind, (bot, games) in itertools.product(plan.kinds, plan.games.items()):
            if time.monotonic() > end:
                return
            kept.measure(what, kind, bot, range(number * games, (number + 1) * games), measure)


# Calibration

NETWORKS = ("forbidden-island", "forbidden-desert")  # whose estimates are calibrated
CHANCES = (*NETWORKS, "cartagena", "hashi")


@dataclass(frozen=True)
class Predictions:
    """Predictions, and what came true."""

    predicted: NDArray[np.float64]
    result: NDArray[np.float64]
    positions: int
    width: float = 1 / BINS  # of a bin

    @classmethod
    def of(cls, rows: Sequence[Row], calibrations: Calibrations | None = None, width: float = 1 / BINS) -> Predictions:
        """Those of some games, for every seat. A game is calibrated by what was fitted to the other half of the games,
        so that no game tests what it has taught."""
        predicted = [np.array(row["p"]).ravel() for row in rows]
        if calibrations:
            halves = [calibrations[row["players"], 1 - row["seed"] % 2] for row in rows]
            predicted = [fit(one) for fit, one in zip(halves, predicted, strict=True)]
        results = np.concatenate([np.array(row["o"]).ravel() for row in rows])
        return cls(np.concatenate(predicted), results, sum(len(row["p"]) for row in rows), width)

    def bins(self) -> list[Bin]:
        """The bins that are not empty."""
        places = np.floor(self.predicted / self.width)
        if self.width < 1:
            places = np.minimum(places, round(1 / self.width) - 1)
        chosen = [places == place for place in np.unique(places)]
        return [Bin.of(self.predicted[one], self.result[one]) for one in chosen]

    @property
    def error(self) -> float:
        """The expected calibration error."""
        return sum(abs(one.predicted - one.result) * one.count for one in self.bins()) / len(self.predicted)

    @property
    def error_by_chance(self) -> float:
        """The error to be expected of so many positions if every prediction were exact."""
        return sum(NORMAL_GAP * one.deviation * math.sqrt(one.count) for one in self.bins()) / len(self.predicted)

    @property
    def brier(self) -> float:
        return float(((self.predicted - self.result) ** 2).mean())


NORMAL_GAP = math.sqrt(2 / math.pi)  # the mean distance of a normal distribution from its mean, in deviations


@dataclass(frozen=True)
class Bin:
    """Predictions that are about the same: their mean, the mean result and its deviation from them."""

    predicted: float
    result: float
    deviation: float
    count: int

    @classmethod
    def of(cls, predicted: NDArray[np.float64], result: NDArray[np.float64]) -> Bin:
        deviation = math.sqrt(float(((predicted - result) ** 2).mean()))
        return cls(float(predicted.mean()), float(result.mean()), deviation, len(predicted))


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


def fit_by_players(rows: Sequence[Row]) -> Calibrations:
    """A calibration for each number of players, from the games with even seeds and from those with odd ones."""
    found = {}
    for players, half in itertools.product(sorted({row["players"] for row in rows}), (0, 1)):
        chosen = [row for row in rows if (row["players"], row["seed"] % 2) == (players, half)]
        if chosen:
            found[players, half] = fitted(Predictions.of(chosen))
    return found


def predictions_of(kept: Kept, game: str) -> list[Row]:
    """The games in which chances were predicted."""
    return [row for row in kept.select("predict", game=game) if game != "hashi" or row["players"] > 1]


# Tables


def with_error(values: Sequence[float] | NDArray[np.float64], digits: int, factor: float = 1) -> str:
    """A mean with its standard error."""
    if len(values) < 2:
        return "–"
    array = factor * np.asarray(values)
    return f"{array.mean():+.{digits}f} ± {array.std(ddof=1) / math.sqrt(len(array)):.{digits}f}"


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    lines = ["| " + " | ".join(row) + " |" for row in (head, *rows)]
    return "\n".join((lines[0], "|---" * len(head) + "|", *lines[1:]))


def errors(rows: Sequence[Row], calibrations: Calibrations | None) -> list[str]:
    """Games, positions, the error before and after calibration, the one by chance, and the Brier score."""
    raw, final = Predictions.of(rows), Predictions.of(rows, calibrations)
    before = f"{100 * raw.error:.1f}" if calibrations else ""
    cells = [f"{len(rows):,}", f"{raw.positions:,}", before, f"{100 * final.error:.1f}"]
    return [*cells, f"{100 * final.error_by_chance:.1f}", f"{final.brier:.3f}"]


ERRORS = ("games", "positions", "error before calibration", "error", "error by chance alone", "Brier score")


def calibration_table(kept: Kept) -> str:
    """How predictions agree with results, by the bot whose games they are from."""
    rows = []
    for game in CHANCES:
        found = predictions_of(kept, game)
        calibrations = fit_by_players(found) if game in NETWORKS else None
        for bot in (*SOURCES, ""):
            chosen = [row for row in found if bot in ("", row["bot"])]
            if chosen:
                rows.append([f"**{game}**" if not bot else game, bot or "**all**", *errors(chosen, calibrations)])
    return table(("game", "games of", *ERRORS), rows)


def part_table(kept: Kept, part: str) -> str:
    """The same by the number of players or by difficulty."""
    rows = []
    for game in CHANCES:
        found = predictions_of(kept, game)
        calibrations = fit_by_players(found) if game in NETWORKS else None
        for value in dict.fromkeys(row[part] for row in found if row[part]):
            chosen = [row for row in found if row[part] == value]
            rows.append([game, str(value).rpartition("=")[2], *errors(chosen, calibrations)])
    return table(("game", "difficulty" if part == "setting" else part, *ERRORS), rows)


def calibrations_table(kept: Kept) -> str:
    """The calibrations for ``skerry.analysis.calibration``, fitted to all games."""
    rows = []
    for game in NETWORKS:
        found = predictions_of(kept, game)
        for players in sorted({row["players"] for row in found}):
            fit = fitted(Predictions.of([row for row in found if row["players"] == players]))
            rows.append([game, str(players), f"{fit.shift:+.2f}", f"{fit.stretch:.2f}"])
    return table(("game", "players", "shift", "stretch"), rows)


def points_table(kept: Kept) -> str:
    """Solo Hashi: predicted points and ranks against those that were reached."""
    rows = []
    for bot, board in itertools.product(SOURCES, ("", "board=B")):
        found = [row for row in kept.select("predict", game="hashi", players=1, bot=bot) if row["setting"] == board]
        if not found:
            continue
        predictions = Predictions.of(found, width=POINTS_BIN)
        gaps = [float(np.mean(np.array(row["p"]) - np.array(row["o"]))) for row in found]
        ranks = [float(np.mean(_ranks(row["p"]) - _ranks(row["o"]))) for row in found]
        counts = (str(len(found)), f"{predictions.positions:,}", f"{predictions.error:.2f}")
        chance = f"{predictions.error_by_chance:.2f}"
        rows.append([bot, board[-1:] or "A", *counts, chance, with_error(gaps, 2), with_error(ranks, 2)])
    errors_head = ("error, in points", "error by chance alone")
    gaps_head = ("predicted − scored points", "predicted − reached rank")
    return table(("games of", "board", "games", "positions", *errors_head, *gaps_head), rows)


POINTS_BIN = 4.0  # points


def _ranks(points: Sequence[Sequence[float]]) -> NDArray[np.float64]:
    """The ranks of a single player with so many points each."""
    return np.array([float(rank_of(round(one))) for (one,) in points])


def players_table(kept: Kept) -> str:
    """By bot: what its positions were worth on average, and how its own games ended."""
    rows = []
    for game in (*NETWORKS, "hashi"):
        found = kept.select("predict", game=game, **({"players": 1} if game == "hashi" else {}))
        calibrations = fit_by_players(found) if game in NETWORKS else None
        for bot in SOURCES:
            chosen = [row for row in found if row["bot"] == bot]
            if not chosen:
                continue
            factor, digits = (100, 0) if game in NETWORKS else (1, 1)
            predicted = [float(Predictions.of([row], calibrations).predicted.mean()) for row in chosen]
            own = [row["own"][0][0] for row in chosen]
            gaps = np.array(predicted) - np.array(own)
            means = (f"{factor * np.mean(values):.{digits}f}" for values in (predicted, own))
            rows.append([game, bot, str(len(chosen)), *means, with_error(gaps, digits, factor)])
    return table(("game", "played by", "games", "mean value", "its own games ended", "difference"), rows)


def luck_table(kept: Kept) -> str:
    """By game and bot: luck, choices and losses of a game."""
    rows = []
    for kind, bot in itertools.product(ANALYSED, ANALYSED_BOTS):
        digits, factor = (1, 1) if kind.game == "hashi" else (0, 100)
        accounts, losses = (kept.select(what, game=kind.game, bot=bot) for what in ("account", "search"))
        columns = [with_error([row[name] for row in accounts], digits, factor) for name in ("luck", "choices")]
        lost = with_error([-row["losses"] for row in losses], digits, factor)
        decided = max(1, sum(row["decided"] for row in losses))
        each = f"{-factor * sum(row['losses'] for row in losses) / decided:.2f}" if losses else "–"
        rows.append([kind.game, bot, str(len(accounts)), *columns, str(len(losses)), lost, each])
    return table(("game", "bot", "games", "luck", "choices", "games searched", "losses", "loss of a decision"), rows)


# The picture

SIZE, GAP, TOP, COLUMNS = 200, 60, 40, 3
LINE = SIZE + 80  # height of a line of diagrams
COLOURS = {"skilled": "#b8482b", REFERENCE: "#0f6f75", SEARCHING: "#7d6aa8"}
LEAST_POSITIONS = 10  # of a dot: fewer say nothing
LEAST_RADIUS, MOST_RADIUS = 1.5, 9.0  # of the dots of the emptiest and the fullest bin, in pixels


@dataclass(frozen=True)
class Diagram:
    """A reliability diagram: what came true, by what was predicted. A dot is a bin; its area is the number of
    positions."""

    title: str
    unit: str
    rows: Sequence[Row]
    calibrations: Calibrations | None = None
    low: float = 0.0
    high: float = 1.0
    width: float = 1 / BINS

    def draw(self, left: float, top: float) -> Iterator[Markup]:
        bottom = top + SIZE
        yield tag("rect", x=left, y=top, width=SIZE, height=SIZE, fill="none", stroke="#85796a")
        yield tag("line", x1=left, y1=bottom, x2=left + SIZE, y2=top, stroke="#85796a", stroke_dasharray="4 3")
        yield label(left + SIZE / 2, top - 14, self.title)
        yield label(left + SIZE / 2, bottom + 32, self.unit)
        for part in (0, 0.5, 1):
            value = self.low + part * (self.high - self.low)
            text = f"{100 * value:.0f}" if self.high == 1 else f"{value:.0f}"
            yield label(left + SIZE * part, bottom + 16, text)
            yield label(left - 14, bottom - SIZE * part + 4, text)
        for bot in SOURCES:
            chosen = [row for row in self.rows if row["bot"] == bot]
            if chosen:
                yield from self._dots(Predictions.of(chosen, self.calibrations, self.width).bins(), bot, left, bottom)

    def _dots(self, bins: Sequence[Bin], bot: str, left: float, bottom: float) -> Iterator[Markup]:
        fullest = max(one.count for one in bins)
        for one in bins:
            inside = self.low <= min(one.predicted, one.result) and max(one.predicted, one.result) <= self.high
            if inside and one.count >= LEAST_POSITIONS:
                radius = LEAST_RADIUS + (MOST_RADIUS - LEAST_RADIUS) * math.sqrt(one.count / fullest)
                across, up = ((value - self.low) / (self.high - self.low) for value in (one.predicted, one.result))
                centre = {"cx": left + SIZE * across, "cy": bottom - SIZE * up}
                yield tag("circle", **centre, r=radius, fill=COLOURS[bot], fill_opacity="0.7")


def diagrams(kept: Kept) -> Iterator[Diagram]:
    unit = "predicted chance, %"
    for game in NETWORKS:
        rows = predictions_of(kept, game)
        yield Diagram(game, unit, rows, fit_by_players(rows))
    yield Diagram("cartagena", unit, predictions_of(kept, "cartagena"))
    yield Diagram("hashi, 2 and 3 players", unit, predictions_of(kept, "hashi"))
    solo = kept.select("predict", game="hashi", players=1)
    yield Diagram("hashi, solo", "predicted points", solo, low=20, high=70, width=POINTS_BIN)


def reliability_diagram(kept: Kept) -> str:
    drawn: list[Markup] = []
    shown = [one for one in diagrams(kept) if one.rows]
    for number, one in enumerate(shown):
        line, column = divmod(number, COLUMNS)
        drawn += one.draw(GAP + column * (SIZE + GAP), TOP + line * LINE)
    lines = math.ceil(len(shown) / COLUMNS)
    width, height = GAP + COLUMNS * (SIZE + GAP), TOP + lines * LINE + 20
    for number, bot in enumerate(SOURCES):
        x = GAP + 190 * number
        dot = tag("circle", cx=x, cy=height - 16, r=6, fill=COLOURS[bot])
        drawn += [dot, label(x + 12, height - 12, f"games of {bot}", "start")]
    background = tag("rect", width="100%", height="100%", fill="#f7f1e3")
    view = f"0 0 {width} {height}"
    svg = tag("svg", background, *drawn, xmlns="http://www.w3.org/2000/svg", viewBox=view, width=width, height=height)
    return f"{svg}\n"


def label(x: float, y: float, text: str, anchor: str = "middle") -> Markup:
    return tag(
        "text", text, x=x, y=y, text_anchor=anchor, font_family="sans-serif", font_size=12, fill="#2b2622"
    )  # fmt: skip


def write_page(kept: Kept) -> None:
    """Put the tables between the marks of the page, and draw the picture."""
    text = PAGE.read_text(encoding="utf-8")
    tables = {
        "calibration": calibration_table(kept),
        "players": part_table(kept, "players"),
        "difficulty": part_table(kept, "setting"),
        "calibrations": calibrations_table(kept),
        "points": points_table(kept),
        "bots": players_table(kept),
        "luck": luck_table(kept),
    }
    for name, made in tables.items():
        begin, end = f"<!-- {name} -->", f"<!-- end of {name} -->"
        head, _, rest = text.partition(begin)
        text = f"{head}{begin}\n\n{made}\n\n{end}{rest.partition(end)[2]}"
    PAGE.write_text(text, encoding="utf-8")
    (PICTURES / "calibration.svg").write_text(reliability_diagram(kept), encoding="utf-8")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=4, help="of games of each kind and bot")
    parser.add_argument("--minutes", type=float, default=math.inf, help="after which no more games are played")
    parser.add_argument("--keep", type=Path, default=Path("analysis-study.jsonl"), help="the file of what is measured")
    given = parser.parse_args()
    kept = Kept(given.keep)
    run(kept, given.rounds, given.minutes)
    write_page(kept)


if __name__ == "__main__":
    main()
