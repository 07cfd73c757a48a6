"""The figures of a cooperative game: how often it is won, by which teams, and why it is lost."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

import numpy as np

from skerry.lab.report.html import Markup
from skerry.lab.report.plot import HeatCell, LegendEntry, Place, Plot, Segment, dot, figure, heat, legend, scale, stack
from skerry.lab.report.rows import (
    group_by,
    interval_text,
    option_label,
    option_type,
    percent,
    plot_rows,
    result_label,
    row_groups,
    swept_options,
    value_label,
)
from skerry.lab.statistics import percent_number
from skerry.lab.sweep import SeriesResult
from skerry.lab.tournament import WinShare

MIN_SPAN = 0.05  # of the warmths in a stretched heat map
COLDEST = 0.08  # a stretched heat map begins here, so that its lowest cell is visible


def figures(results: Sequence[SeriesResult]) -> Iterator[Markup]:
    game, swept = results[0].series.variant.game, swept_options(results)
    dealt = [name for name in swept if option_type(game, name) == "dealt"]
    plain = [name for name in swept if name not in dealt]
    if len(plain) >= 2:
        yield _win_map(results, plain[0], plain[1])
    for name in dealt:
        yield _team_matrix(results, name)
    yield _win_rates(results)
    yield _endings(results)


def team_wins(results: Sequence[SeriesResult]) -> WinShare:
    """The games won by the team, in several results together."""
    return WinShare(sum(float(one.tally.wins[0]) for one in results), sum(one.tally.games for one in results))


def _win_map(results: Sequence[SeriesResult], row_option: str, column_option: str) -> Markup:
    """A heat map of the games won by two swept options."""
    game = results[0].series.variant.game
    rows, columns = ([name for name, _ in group_by(results, [option])] for option in (row_option, column_option))
    cells: dict[Place, WinShare] = {}
    for _, found in group_by(results, [row_option, column_option]):
        row = rows.index(result_label(found[0], [row_option]))
        column = columns.index(result_label(found[0], [column_option]))
        cells[row, column] = team_wins(found)
    names = f"{option_label(game, row_option)} and {option_label(game, column_option)}"
    words = f"Games won, in %, with 95 % confidence intervals, by {names}."
    rest = [name for name in swept_options(results) if name not in (row_option, column_option)]
    if rest:
        words += f" All of {' and '.join(option_label(game, name) for name in rest)} together."
    return figure("Where it is won", words, heat(rows, columns, _heat_cells(cells, rows, columns)))


def _heat_cells(cells: Mapping[Place, WinShare], rows: Sequence[str], columns: Sequence[str]) -> dict[Place, HeatCell]:
    """Win shares as the cells of a heat map, in which the highest is the warmest."""
    top = max((wins.share for wins in cells.values()), default=0) or 1
    drawn = {}
    for (row, column), wins in cells.items():
        interval = interval_text(*wins.interval)
        tooltip = f"{rows[row]}, {columns[column]}: {percent(wins.share)} ({interval}) of {wins.games:,} games"
        drawn[row, column] = HeatCell(wins.share / top, percent_number(wins.share), interval, tooltip)
    return drawn


def _team_matrix(results: Sequence[SeriesResult], name: str) -> Markup:
    """A heat map of the games won by pairs of dealt cards; on the diagonal, by one card with any others."""
    game = results[0].series.variant.game
    by_pair: dict[tuple[str, str], list[SeriesResult]] = {}
    for result in results:
        team = [card for card in result.values[name].split(",") if card != "random"]
        for one in team:
            for other in team:
                by_pair.setdefault((one, other), []).append(result)
    singles = [one for one, other in by_pair if one == other]
    order = sorted(singles, key=lambda one: -team_wins(by_pair[one, one]).share)
    labels = [value_label(game, name, one) for one in order]
    cells = {
        (order.index(one), order.index(other)): team_wins(found)
        for (one, other), found in by_pair.items()
        if order.index(other) <= order.index(one)
    }
    drawn = _stretch(_heat_cells(cells, labels, labels))
    words = (
        f"Games won, in %, with these two among the {option_label(game, name)}; on the diagonal, with this one and "
        "anybody. The best is first."
    )
    without_intervals = {place: replace(cell, note="") for place, cell in drawn.items()}
    return figure("Who goes well together", words, heat(labels, labels, without_intervals))


def _stretch(cells: Mapping[Place, HeatCell]) -> dict[Place, HeatCell]:
    """Spread the warmths over the whole range of colours, so that small differences can be seen."""
    lowest = min(cell.warmth for cell in cells.values())
    span = max(1 - lowest, MIN_SPAN)
    return {
        place: replace(cell, warmth=COLDEST + (1 - COLDEST) * (cell.warmth - lowest) / span)
        for place, cell in cells.items()
    }


def _win_rates(results: Sequence[SeriesResult]) -> Markup:
    top = max(team_wins(found).interval[1] for _, found in row_groups(results))
    plot = Plot(scale(0, min(1.0, top)), "games won, %", percent=True)
    for row in plot_rows(results, plot):
        wins = team_wins(row.results)
        low, high = wins.interval
        rate, interval = percent(wins.share), interval_text(low, high)
        tooltip = f"{row.name}: {rate} ({interval}), {wins.wins:,.0f} of {wins.games:,} games"
        plot.add_row(row.label, dot(plot.scale, wins.share, low, high, tooltip), rate, interval)
    bots = ", ".join(dict.fromkeys(bot for one in results for bot in one.series.seats))
    words = f"Games won by {bots}, with 95 % confidence intervals."
    return figure("How often it is won", words, plot.draw())


def _endings(results: Sequence[SeriesResult]) -> Markup:
    game = results[0].series.variant.game
    texts = ["the limit of steps was reached", *(ending.text for ending in game.endings)]
    is_win = game.is_win.tolist()
    total = np.sum([one.tally.endings for one in results], 0)
    order = sorted((i for i in range(len(texts)) if total[i]), key=lambda i: (not is_win[i], i == 0, -total[i]))
    colours = _ending_colours(order, is_win)
    plot = Plot(scale(0, 1, 5), "share of games, %", percent=True)
    for row in plot_rows(results, plot):
        counts = np.sum([one.tally.endings for one in row.results], 0)
        shares = counts / counts.sum()
        segments = [
            Segment(float(shares[i]), colours[i], f"{row.name}: {texts[i]}, {percent(shares[i])}")
            for i in order
            if counts[i]
        ]
        lost = sum(int(counts[i]) for i in order if not is_win[i]) / int(counts.sum())
        plot.add_row(row.label, stack(plot.scale, segments), percent(lost))
    words = "How games end, in % of all; at the right, how many are lost."
    entries = [LegendEntry(colours[i], texts[i]) for i in order]
    return figure("Why it is lost", words, legend(entries), plot.draw())


def _ending_colours(order: Sequence[int], is_win: Sequence[bool]) -> dict[int, str]:
    """The colour class of each ending: wins have the first one, unfinished games the grey one."""
    lost = (i for i in order if not is_win[i] and i)
    colours = {i: f"c{1 + place % 5}" for place, i in enumerate(lost)}
    return colours | {i: "c0" for i in order if is_win[i]} | {0: "c6"}
