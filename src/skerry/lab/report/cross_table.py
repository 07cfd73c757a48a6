"""The figures of a tournament: ratings, the cross table, what a seat is worth."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from operator import itemgetter

from skerry.lab.report.html import Markup
from skerry.lab.report.plot import Plot, dot, figure, heat, scale
from skerry.lab.report.rows import between, percent
from skerry.lab.report.simulation import has_lengths, has_scores, lengths, scores
from skerry.lab.statistics import wilson_interval
from skerry.lab.sweep import Configuration, SeriesResult
from skerry.lab.tournament import Tournament


def figures(event: Tournament) -> Iterator[Markup]:
    if event.ratings:
        yield _ratings(event)
    if event.variant.players > 1:
        yield _table(event)
    if not event.variant.game.cooperative and event.variant.players > 1:
        yield _seats(event)
    shown = _as_rows(event)
    if has_scores(shown):
        yield scores(shown)
    if has_lengths(shown):
        yield lengths(shown)


def _ratings(event: Tournament) -> Markup:
    low, high = min(one.low for one in event.ratings), max(one.high for one in event.ratings)
    plot = Plot(scale(low, high), "rating")
    for one in event.ratings:
        said = f"{one.bot}: {one.value:.0f} ({one.low:.0f} to {one.high:.0f})"
        wins = event.wins(one.bot)
        marks = dot(plot.scale, one.value, one.low, one.high, said)
        plot.row(one.bot, marks, f"{one.value:.0f}", f"wins {percent(wins.share)}")
    words = (
        "On Elo's scale, where 400 points are odds of ten to one and the mean is 1500, with 95 % confidence intervals. "
        "They are wide for who never wins or never loses."
    )
    return figure("How strong they are", words, plot.draw())


def _table(event: Tournament) -> Markup:
    bots, cells = event.ranking, {}
    top = max(found.share for found in event.table.values()) or 1
    for (one, other), found in event.table.items():
        low, high = found.interval
        said = f"{one} among {other}: {percent(found.share)} ({between(low, high)}) of {found.trials:,} games"
        shown = f"{100 * found.share:.1f}|{between(low, high)}"
        cells[bots.index(one), bots.index(other)] = (found.share / top, shown, said)
    if event.variant.game.cooperative:
        words = (
            "Games won, in %, with 95 % confidence intervals, by a team of one bot of the row and others of the "
            "column, the one at each seat in turn."
        )
    else:
        words = (
            "Wins in %, with 95 % confidence intervals: one bot of the row against others of the column, at each seat "
            "in turn, in the same set-ups. "
            f"Even is {percent(event.even)}."
        )
    return figure("Each beside each", words, heat(bots, bots, cells))


def _seats(event: Tournament) -> Markup:
    players = event.variant.players
    games = sum(one.tally.games for one in event.outcomes)
    wins = [sum(float(one.tally.wins[seat]) for one in event.outcomes) for seat in range(players)]
    top = max(wilson_interval(hits, games)[1] for hits in wins)
    plot = Plot(scale(0, min(1.0, top)), "games won, %", percent=True, marked=event.even)
    for seat, hits in enumerate(wins):
        low, high = wilson_interval(hits, games)
        said = f"seat {seat}: {percent(hits / games)} ({between(low, high)})"
        plot.row(
            f"seat {seat}",
            dot(plot.scale, hits / games, low, high, said, "c2"),
            percent(hits / games),
            between(low, high),
        )
    words = "Wins at each seat, over all line-ups; every bot sat everywhere equally often. The dashed line is even."
    return figure("What a seat is worth", words, plot.draw())


def _as_rows(event: Tournament) -> Sequence[SeriesResult]:
    """The line-ups, told apart by who plays: one among others, at whichever seat."""
    place, rows = event.ranking.index, []
    for outcome in event.outcomes:
        seats = sorted(outcome.series.seats, key=place)
        names = dict.fromkeys(f"{seats.count(bot)} {bot}" if len(seats) > 2 else bot for bot in seats)
        row = SeriesResult(Configuration({"bots": " + ".join(names)}, outcome.series), outcome.tally)
        rows.append(([place(bot) for bot in seats], row))
    return [row for _, row in sorted(rows, key=itemgetter(0))]
