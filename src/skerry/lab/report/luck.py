"""The figures of luck and skill: what luck and choices brought each bot, and what it lost against better actions."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from skerry.analysis.grading import Unit
from skerry.lab.luck import LuckAndSkill, LuckOfBot, Mean, amount_text
from skerry.lab.report.html import Markup
from skerry.lab.report.plot import Plot, dot, figure, scale
from skerry.lab.report.rows import MAX_ROWS, result_label, swept_options
from skerry.lab.sweep import SeriesResult

UNITS: dict[Unit, str] = {"chance": "points of the chance to win", "points": "points"}
COLOURS = {"luck": "c4", "choices": "c0", "others": "c6", "losses": "c2"}
LABELS = {"luck": "luck", "choices": "choices", "others": "choices of others", "losses": "losses"}
LUCK = (
    "What luck and choices changed in a game, on average, with 95 % confidence intervals. Together they are the value "
    "at the end less that at the start. Over many games luck is zero. Choices are measured against what the evaluation "
    "expects of its players."
)
LOSSES = "What choices lost in a game against the best actions that a search found, with 95 % confidence intervals."


def figures(results: Sequence[SeriesResult], analysed: Sequence[LuckAndSkill]) -> Iterator[Markup]:
    """The figures of all series that were analysed."""
    shown = [(result, found) for result, found in zip(results, analysed, strict=False) if found.games][:MAX_ROWS]
    units = {found.unit for _, found in shown}
    for unit in sorted(units):
        same = [(result, found) for result, found in shown if found.unit == unit]
        quantities = ["luck", "choices"] + (["others"] if _have_others(same) else [])
        yield figure("Luck and choices", f"{_games(same)} {LUCK}", _plot(same, quantities, unit))
        if any(one.mean("losses") for _, found in same for one in found.bots):
            yield figure("Losses", f"{_games(same)} {LOSSES}", _plot(same, ["losses"], unit))


def _games(shown: Sequence[tuple[SeriesResult, LuckAndSkill]]) -> str:
    games = sum(found.games for _, found in shown)
    return f"{games:,} games were analysed."


def _have_others(shown: Sequence[tuple[SeriesResult, LuckAndSkill]]) -> bool:
    """Whether some choices are those of others."""
    return any((mean := one.mean("others")) and mean.mean for _, found in shown for one in found.bots)


def _plot(shown: Sequence[tuple[SeriesResult, LuckAndSkill]], quantities: Sequence[str], unit: Unit) -> Markup:
    factor = 100 if unit == "chance" else 1
    means = [_interval(one, name) for _, found in shown for one in found.bots for name in quantities]
    ends = [factor * end for mean in means if mean for end in (mean.low, mean.high)]
    plot = Plot(scale(min(0.0, *ends), max(0.0, *ends)), UNITS[unit], marked=0.0)
    swept = swept_options([result for result, _ in shown])
    for result, found in shown:
        for one in found.bots:
            plot.add_heading(", ".join(filter(None, (result_label(result, swept) if swept else "", one.bot))))
            for name in quantities:
                if mean := _interval(one, name):
                    _add_row(plot, name, mean, unit)
    return plot.draw()


def _interval(one: LuckOfBot, name: str) -> Mean | None:
    """A mean with an interval, which takes two games."""
    return one.mean(name) if len(one.games) > 1 else None


def _add_row(plot: Plot, name: str, mean: Mean, unit: Unit) -> None:
    factor, signed = 100 if unit == "chance" else 1, name != "losses"
    number = amount_text(mean.mean, unit, signed=signed)
    interval = f"{amount_text(mean.low, unit, signed=signed)} to {amount_text(mean.high, unit, signed=signed)}"
    low, middle, high = (factor * value for value in (mean.low, mean.mean, mean.high))
    tooltip = f"{LABELS[name]}: {number} ({interval}) {UNITS[unit]}"
    plot.add_row(LABELS[name], dot(plot.scale, middle, low, high, tooltip, COLOURS[name]), number, interval)
