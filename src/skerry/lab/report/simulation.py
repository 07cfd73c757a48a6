"""The figures of a simulation: who wins, the final scores, and the length of the games."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

from skerry.lab.report import cooperative
from skerry.lab.report.html import Markup
from skerry.lab.report.plot import Plot, dot, figure, histogram, scale
from skerry.lab.report.rows import (
    MAX_ROWS,
    interval_text,
    option_type,
    percent,
    plot_rows,
    result_label,
    swept_options,
)
from skerry.lab.statistics import mean_interval, quantile
from skerry.lab.sweep import BOTS, SeriesResult
from skerry.lab.tournament import WinShare

HISTOGRAM_HEIGHT = 44
HOW_TO_READ = "The line is the median, the number the mean; eight in ten games lie within the small numbers."
OUTLIERS = (0.0005, 0.9995)  # quantiles; a histogram leaves out the games beyond them
# Counts the values of some results: a counter for each bot, or one under the empty name for all.
CountValues = Callable[[Sequence[SeriesResult]], dict[str, Counter[float]]]


def figures(results: Sequence[SeriesResult]) -> Iterator[Markup]:
    game, swept = results[0].series.variant.game, swept_options(results)
    if game.cooperative and [option_type(game, name) for name in swept] == ["dealt"]:
        results = sorted(results, key=lambda one: -cooperative.team_wins([one]).share)
    if game.cooperative:
        yield from cooperative.figures(results)
    elif all(one.series.variant.players > 1 for one in results):
        yield _wins_by_seat(results)
    if scores_are_informative(results):
        yield scores(results)
    if lengths_vary(results):
        yield lengths(results)


def _wins_by_seat(results: Sequence[SeriesResult]) -> Markup:
    rows = [(one, seat) for one in results for seat in range(one.series.variant.players)][: 3 * MAX_ROWS]
    players = {one.series.variant.players for one in results}
    top = max(_seat_wins(one, seat).interval[1] for one, seat in rows)
    even_share = 1 / players.pop() if len(players) == 1 else None
    plot = Plot(scale(0, min(1.0, top)), "games won, %", percent=True, marked=even_share)
    swept, current = swept_options(results), None
    for result, seat in rows:
        if swept and result is not current:
            plot.add_heading(result_label(result, swept))
            current = result
        wins = _seat_wins(result, seat)
        low, high = wins.interval
        rate, interval = percent(wins.share), interval_text(low, high)
        name = f"seat {seat}: {result.series.seats[seat]}"
        tooltip = f"{name}: {rate} ({interval}) of {wins.games:,} games"
        plot.add_row(name, dot(plot.scale, wins.share, low, high, tooltip), rate, interval)
    words = "Games won at each seat, with 95 % confidence intervals; a shared win counts in parts."
    words += " The dashed line is an even share." if even_share else ""
    return figure("Who wins", words, plot.draw())


def _seat_wins(result: SeriesResult, seat: int) -> WinShare:
    return WinShare(float(result.tally.wins[seat]), result.tally.games)


def scores_are_informative(results: Sequence[SeriesResult]) -> bool:
    """Whether the scores are more than 1 for a win and 0 for a loss."""
    return any(set(seat) - {0, 1} for one in results for seat in one.tally.points)


def lengths_vary(results: Sequence[SeriesResult]) -> bool:
    """Whether the games had different numbers of turns."""
    return len(_add_counters(one.tally.turns for one in results)) > 1


def scores(results: Sequence[SeriesResult]) -> Markup:
    """The distribution of the final scores, by variant and bot."""
    all_bots = {bot for one in results for bot in one.series.seats}
    mixed = any(map(_has_different_bots, results))
    by_bot = mixed or (len(all_bots) > 1 and swept_options(results) != [BOTS])

    def count_points(found: Sequence[SeriesResult]) -> dict[str, Counter[float]]:
        counters: dict[str, Counter[float]] = {}
        for one in found:
            for bot, points in zip(one.series.seats, one.tally.points, strict=True):
                counters.setdefault(bot if by_bot else "", Counter()).update(points)
        return counters

    histograms = _histograms(results, count_points, "points", "c3")
    return figure("How many points", f"Points at the end. {HOW_TO_READ}", histograms)


def _has_different_bots(result: SeriesResult) -> bool:
    return len(set(result.series.seats)) > 1


def lengths(results: Sequence[SeriesResult]) -> Markup:
    """The distribution of the numbers of turns, by variant."""

    def count_turns(found: Sequence[SeriesResult]) -> dict[str, Counter[float]]:
        return {"": _add_counters(one.tally.turns for one in found)}

    histograms = _histograms(results, count_turns, "turns", "c4")
    return figure("How long it takes", f"Turns from the first to the last. {HOW_TO_READ}", histograms)


def _add_counters(counters: Iterable[Mapping[Any, int]]) -> Counter[float]:
    total: Counter[float] = Counter()
    for one in counters:
        total.update(one)
    return total


def _histograms(results: Sequence[SeriesResult], count_values: CountValues, unit: str, colour: str) -> Markup:
    everything = _add_counters(counts for one in results for counts in count_values([one]).values())
    low, high = (quantile(everything, share) for share in OUTLIERS)
    plot = Plot(scale(0 if 0 < low < high / 3 else low, high, min_step=1), unit, height=HISTOGRAM_HEIGHT)
    for row in plot_rows(results, plot):
        for bot, counts in count_values(row.results).items():
            if not counts:  # no game was finished
                continue
            inside = {value: games for value, games in counts.items() if plot.scale.low <= value <= plot.scale.high}
            columns = histogram(plot.scale, inside, HISTOGRAM_HEIGHT, quantile(counts, 0.5), unit, colour)
            label = ", ".join(filter(None, (row.label if swept_options(results) or not bot else "", bot)))
            spread = f"{quantile(counts, 0.1):g} to {quantile(counts, 0.9):g}"
            plot.add_row(label, columns, f"{mean_interval(counts)[0]:.1f}", spread)
    return plot.draw()
