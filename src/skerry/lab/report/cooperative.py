"""The figures of games that are won together: how often, with whom, and why not."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from skerry.lab.report.html import Markup
from skerry.lab.report.plot import Plot, dot, figure, heat, legend, scale, stack
from skerry.lab.report.rows import arranged, axes, between, grouped, kind, label, named, percent, rows_of, wording
from skerry.lab.statistics import wilson_interval
from skerry.lab.sweep import SeriesResult


def figures(outcomes: Sequence[SeriesResult]) -> Iterator[Markup]:
    game, varied = outcomes[0].series.variant.game, axes(outcomes)
    dealt = [name for name in varied if kind(game, name) == "dealt"]
    plain = [name for name in varied if name not in dealt]
    if len(plain) >= 2:
        yield _map(outcomes, plain[0], plain[1])
    for name in dealt:
        yield _teams(outcomes, name)
    yield _dots(outcomes)
    yield _reasons(outcomes)


def won(outcomes: Sequence[SeriesResult]) -> tuple[float, int]:
    """Games won together, of how many."""
    return sum(float(one.tally.wins[0]) for one in outcomes), sum(one.tally.games for one in outcomes)


def _map(outcomes: Sequence[SeriesResult], down: str, across: str) -> Markup:
    game = outcomes[0].series.variant.game
    rows, heads = ([name for name, _ in grouped(outcomes, [axis])] for axis in (down, across))
    cells = {
        (rows.index(label(found[0], [down])), heads.index(label(found[0], [across]))): won(found)
        for _, found in grouped(outcomes, [down, across])
    }
    words = f"Games won, in %, with 95 % confidence intervals, by {named(game, down)} and {named(game, across)}."
    rest = [name for name in axes(outcomes) if name not in (down, across)]
    if rest:
        words += f" All of {' and '.join(named(game, name) for name in rest)} together."
    return figure("Where it is won", words, heat(rows, heads, _warmed(cells, rows, heads)))


def _warmed(
    cells: dict[tuple[int, int], tuple[float, int]], rows: Sequence[str], heads: Sequence[str]
) -> dict[tuple[int, int], tuple[float, str, str]]:
    """Shares with their colours: the highest is the warmest."""
    top = max((hits / games for hits, games in cells.values()), default=0) or 1
    shown = {}
    for (y, x), (hits, games) in cells.items():
        low, high = wilson_interval(hits, games)
        said = f"{rows[y]}, {heads[x]}: {percent(hits / games)} ({between(low, high)}) of {games:,} games"
        shown[y, x] = (hits / games / top, f"{100 * hits / games:.1f}|{between(low, high)}", said)
    return shown


def _teams(outcomes: Sequence[SeriesResult], name: str) -> Markup:
    """By pairs of what is dealt; on the diagonal, one with anybody."""
    game = outcomes[0].series.variant.game
    found: dict[tuple[str, str], list[SeriesResult]] = {}
    for outcome in outcomes:
        team = [one for one in outcome.values[name].split(",") if one != "random"]
        for one in team:
            for other in team:
                found.setdefault((one, other), []).append(outcome)
    singles = [one for one, other in found if one == other]
    order = sorted(singles, key=lambda one: -won(found[one, one])[0] / won(found[one, one])[1])
    titles = [wording(game, name, one) for one in order]
    cells = {
        (order.index(one), order.index(other)): won(those)
        for (one, other), those in found.items()
        if order.index(other) <= order.index(one)
    }
    warmed = {
        place: (warmth, shown.partition("|")[0], said)
        for place, (warmth, shown, said) in _warmed(cells, titles, titles).items()
    }
    words = (
        f"Games won, in %, with these two among the {named(game, name)}; on the diagonal, with this one and anybody. "
        "The best is first."
    )
    return figure("Who goes well together", words, heat(titles, titles, _stretched(warmed)))


def _stretched(cells: dict[tuple[int, int], tuple[float, str, str]]) -> dict[tuple[int, int], tuple[float, str, str]]:
    """Colours from the coldest to the warmest: what differs little is told apart, and its numbers say how little."""
    coldest = min(warmth for warmth, _, _ in cells.values())
    span = max(1 - coldest, 0.05)
    return {
        place: (0.08 + 0.92 * (warmth - coldest) / span, shown, said) for place, (warmth, shown, said) in cells.items()
    }


def _dots(outcomes: Sequence[SeriesResult]) -> Markup:
    top = max(wilson_interval(*won(found))[1] for _, found in rows_of(outcomes))
    plot = Plot(scale(0, min(1.0, top)), "games won, %", percent=True)
    for short, name, found in arranged(outcomes, plot):
        hits, games = won(found)
        low, high = wilson_interval(hits, games)
        said = f"{name}: {percent(hits / games)} ({between(low, high)}), {hits:,.0f} of {games:,} games"
        plot.row(short, dot(plot.scale, hits / games, low, high, said), percent(hits / games), between(low, high))
    bots = ", ".join(dict.fromkeys(bot for one in outcomes for bot in one.series.seats))
    words = f"Games won by {bots}, with 95 % confidence intervals."
    return figure("How often it is won", words, plot.draw())


def _reasons(outcomes: Sequence[SeriesResult]) -> Markup:
    game = outcomes[0].series.variant.game
    texts = ["the limit of steps was reached", *(ending.text for ending in game.endings)]
    wins = [False, *(ending.won for ending in game.endings)]
    total = np.sum([one.tally.endings for one in outcomes], 0)
    order = sorted((i for i in range(len(texts)) if total[i]), key=lambda i: (not wins[i], i == 0, -total[i]))
    kinds = _kinds(order, wins)
    plot = Plot(scale(0, 1, 5), "share of games, %", percent=True)
    for short, name, found in arranged(outcomes, plot):
        counts = np.sum([one.tally.endings for one in found], 0)
        shares = counts / counts.sum()
        parts = [(float(shares[i]), kinds[i], f"{name}: {texts[i]}, {percent(shares[i])}") for i in order if counts[i]]
        lost = float(sum(shares[i] for i in order if not wins[i]))
        plot.row(short, stack(plot.scale, parts), percent(lost))
    words = "How games end, in % of all; at the right, how many are lost."
    return figure("Why it is lost", words, legend([(kinds[i], texts[i]) for i in order]), plot.draw())


def _kinds(order: Sequence[int], wins: Sequence[bool]) -> dict[int, str]:
    """A colour each: wins have the first, what was not finished the grey one."""
    lost = (i for i in order if not wins[i] and i)
    kinds = {i: f"c{1 + place % 5}" for place, i in enumerate(lost)}
    return kinds | {i: "c0" for i in order if wins[i]} | {0: "c6"}
