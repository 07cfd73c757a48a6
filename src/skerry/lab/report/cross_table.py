"""The figures of a tournament: ratings, the cross table, and the advantage of each seat."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from operator import itemgetter

from skerry.lab.report.html import Markup
from skerry.lab.report.plot import HeatCell, Place, Plot, dot, figure, heat, scale
from skerry.lab.report.rows import interval_text, percent
from skerry.lab.report.simulation import lengths, lengths_vary, scores, scores_are_informative
from skerry.lab.statistics import percent_number
from skerry.lab.sweep import Configuration, SeriesResult
from skerry.lab.tournament import Tournament, WinShare


def figures(tournament: Tournament) -> Iterator[Markup]:
    if tournament.ratings:
        yield _ratings(tournament)
    if tournament.variant.players > 1:
        yield _cross_table(tournament)
    if not tournament.variant.game.cooperative and tournament.variant.players > 1:
        yield _seats(tournament)
    by_line_up = _results_by_line_up(tournament)
    if scores_are_informative(by_line_up):
        yield scores(by_line_up)
    if lengths_vary(by_line_up):
        yield lengths(by_line_up)


def _ratings(tournament: Tournament) -> Markup:
    ratings = tournament.ratings
    plot = Plot(scale(min(one.low for one in ratings), max(one.high for one in ratings)), "rating")
    for one in ratings:
        tooltip = f"{one.bot}: {one.value:.0f} ({one.low:.0f} to {one.high:.0f})"
        wins = tournament.wins(one.bot)
        marks = dot(plot.scale, one.value, one.low, one.high, tooltip)
        plot.add_row(one.bot, marks, f"{one.value:.0f}", f"wins {percent(wins.share)}")
    words = (
        "On Elo's scale, where 400 points are odds of ten to one and the mean is 1500, with 95 % confidence intervals. "
        "They are wide for a bot that never wins or never loses."
    )
    return figure("How strong they are", words, plot.draw())


def _cross_table(tournament: Tournament) -> Markup:
    bots, cells = tournament.ranking, dict[Place, HeatCell]()
    top = max(wins.share for wins in tournament.cross_table.values()) or 1
    for (one, others), wins in tournament.cross_table.items():
        interval = interval_text(*wins.interval)
        tooltip = f"{one} among {others}: {percent(wins.share)} ({interval}) of {wins.games:,} games"
        cell = HeatCell(wins.share / top, percent_number(wins.share), interval, tooltip)
        cells[bots.index(one), bots.index(others)] = cell
    if tournament.variant.game.cooperative:
        words = (
            "Games won, in %, with 95 % confidence intervals, by a team of one bot of the row and others of the "
            "column, the one at each seat in turn."
        )
    else:
        words = (
            "Wins in %, with 95 % confidence intervals: one bot of the row against others of the column, at each seat "
            f"in turn, in the same set-ups. An even share is {percent(tournament.even_share)}."
        )
    return figure("Cross table", words, heat(bots, bots, cells))


def _seats(tournament: Tournament) -> Markup:
    games = sum(one.tally.games for one in tournament.results)
    by_seat = [
        WinShare(sum(float(one.tally.wins[seat]) for one in tournament.results), games)
        for seat in range(tournament.variant.players)
    ]
    top = max(wins.interval[1] for wins in by_seat)
    plot = Plot(scale(0, min(1.0, top)), "games won, %", percent=True, marked=tournament.even_share)
    for seat, wins in enumerate(by_seat):
        low, high = wins.interval
        rate, interval = percent(wins.share), interval_text(low, high)
        marks = dot(plot.scale, wins.share, low, high, f"seat {seat}: {rate} ({interval})", "c2")
        plot.add_row(f"seat {seat}", marks, rate, interval)
    words = (
        "Wins at each seat, over all line-ups; every bot sat at each equally often. The dashed line is an even share."
    )
    return figure("What a seat is worth", words, plot.draw())


def _results_by_line_up(tournament: Tournament) -> Sequence[SeriesResult]:
    """The results, labelled by their bots whatever the seats, and sorted by the bots' places in the ranking."""
    place = tournament.ranking.index
    rows = []
    for result in tournament.results:
        seats = sorted(result.series.seats, key=place)
        names = dict.fromkeys(f"{seats.count(bot)} {bot}" if len(seats) > 2 else bot for bot in seats)
        labelled = SeriesResult(Configuration({"bots": " + ".join(names)}, result.series), result.tally)
        rows.append(([place(bot) for bot in seats], labelled))
    return [row for _, row in sorted(rows, key=itemgetter(0))]
