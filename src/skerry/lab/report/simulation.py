"""The figures of a simulation: who wins and how, how many points there are, how long it takes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

from skerry.lab.report import cooperative
from skerry.lab.report.html import Markup
from skerry.lab.report.plot import Plot, columns, dot, figure, scale
from skerry.lab.report.rows import MANY, arranged, axes, between, kind, label, percent
from skerry.lab.statistics import mean_interval, quantile, wilson_interval
from skerry.lab.sweep import BOTS, SeriesResult

TALL = 44
SPREAD = "The line is the median, the number the mean; eight in ten games lie within the small numbers."
Counted = Callable[[Sequence[SeriesResult]], dict[str, Counter[float]]]  # how often each value, by who had it


def figures(outcomes: Sequence[SeriesResult]) -> Iterator[Markup]:
    game, varied = outcomes[0].series.variant.game, axes(outcomes)
    if game.cooperative and [kind(game, name) for name in varied] == ["dealt"]:
        outcomes = sorted(outcomes, key=lambda one: -cooperative.won([one])[0] / one.tally.games)
    if game.cooperative:
        yield from cooperative.figures(outcomes)
    elif all(one.series.variant.players > 1 for one in outcomes):
        yield _by_seat(outcomes)
    if has_scores(outcomes):
        yield scores(outcomes)
    if has_lengths(outcomes):
        yield lengths(outcomes)


def _by_seat(outcomes: Sequence[SeriesResult]) -> Markup:
    rows = [(one, seat) for one in outcomes for seat in range(one.series.variant.players)][: 3 * MANY]
    players = {one.series.variant.players for one in outcomes}
    top = max(wilson_interval(float(one.tally.wins[seat]), one.tally.games)[1] for one, seat in rows)
    marked = 1 / players.pop() if len(players) == 1 else None
    plot = Plot(scale(0, min(1.0, top)), "games won, %", percent=True, marked=marked)
    varied, begun = axes(outcomes), None
    for outcome, seat in rows:
        if varied and outcome is not begun:
            plot.group(label(outcome, varied))
            begun = outcome
        hits, games = float(outcome.tally.wins[seat]), outcome.tally.games
        low, high = wilson_interval(hits, games)
        name = f"seat {seat}: {outcome.series.seats[seat]}"
        said = f"{name}: {percent(hits / games)} ({between(low, high)}) of {games:,} games"
        plot.row(name, dot(plot.scale, hits / games, low, high, said), percent(hits / games), between(low, high))
    words = "Games won at each seat, with 95 % confidence intervals; a shared win counts in parts."
    words += " The dashed line is an even share." if marked else ""
    return figure("Who wins", words, plot.draw())


def has_scores(outcomes: Sequence[SeriesResult]) -> bool:
    """Whether points say more than who won."""
    return any(set(seat) - {0, 1} for one in outcomes for seat in one.tally.points)


def has_lengths(outcomes: Sequence[SeriesResult]) -> bool:
    """Whether one game can be longer than another."""
    return len(_added(one.tally.turns for one in outcomes)) > 1


def scores(outcomes: Sequence[SeriesResult]) -> Markup:
    """By variant and bot."""
    everybody, mixed = {bot for one in outcomes for bot in one.series.seats}, any(map(_is_mixed, outcomes))
    several = mixed or (len(everybody) > 1 and axes(outcomes) != [BOTS])

    def points(found: Sequence[SeriesResult]) -> dict[str, Counter[float]]:
        by_bot: dict[str, Counter[float]] = {}
        for one in found:
            for bot, values in zip(one.series.seats, one.tally.points, strict=True):
                by_bot.setdefault(bot if several else "", Counter()).update(values)
        return by_bot

    words = f"Points at the end. {SPREAD}"
    return figure("How many points", words, _spread(outcomes, points, "points", "c3"))


def _is_mixed(outcome: SeriesResult) -> bool:
    """Whether different bots play in one game."""
    return len(set(outcome.series.seats)) > 1


def lengths(outcomes: Sequence[SeriesResult]) -> Markup:
    def turns(found: Sequence[SeriesResult]) -> dict[str, Counter[float]]:
        return {"": _added(one.tally.turns for one in found)}

    words = f"Turns from the first to the last. {SPREAD}"
    return figure("How long it takes", words, _spread(outcomes, turns, "turns", "c4"))


def _added(counters: Iterable[Mapping[Any, int]]) -> Counter[float]:
    total: Counter[float] = Counter()
    for one in counters:
        total.update(one)
    return total


def _spread(outcomes: Sequence[SeriesResult], counted: Counted, unit: str, kind: str) -> Markup:
    everything = _added(counts for one in outcomes for counts in counted([one]).values())
    low, high = quantile(everything, 0.0005), quantile(everything, 0.9995)
    plot = Plot(scale(0 if 0 < low < high / 3 else low, high, least=1), unit, height=TALL)
    for short, _, found in arranged(outcomes, plot):
        for part, counts in counted(found).items():
            if not counts:  # no game was finished
                continue
            inside = {value: games for value, games in counts.items() if plot.scale.low <= value <= plot.scale.high}
            middle = quantile(counts, 0.5)
            name = ", ".join(filter(None, (short if axes(outcomes) or not part else "", part)))
            note = f"{quantile(counts, 0.1):g} to {quantile(counts, 0.9):g}"
            marks = columns(plot.scale, inside, TALL, middle, unit, kind)
            plot.row(name, marks, f"{mean_interval(counts)[0]:.1f}", note)
    return plot.draw()
