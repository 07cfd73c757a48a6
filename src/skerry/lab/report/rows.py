"""The rows of plots: which results share a row, and the labels of options and values."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from skerry.engine.game import Game
from skerry.engine.options import Option, display_name, option_title
from skerry.lab.report.plot import Plot
from skerry.lab.statistics import percent_number
from skerry.lab.sweep import BOTS, SeriesResult

MAX_ROWS = 40  # more variants are grouped by the first swept option
MAX_LABEL = 40  # characters; longer labels are cut
Group = tuple[str, list[SeriesResult]]  # a label, and the results that it stands for


class PlotRow(NamedTuple):
    """The results of one row, its label in the plot, and its full name."""

    label: str
    name: str
    results: list[SeriesResult]


def swept_options(results: Sequence[SeriesResult]) -> list[str]:
    """The swept options that take more than one value."""
    return [name for name in results[0].values if len({str(one.values[name]) for one in results}) > 1]


def find_option(game: Game, name: str) -> Option | None:
    """None for the bots, which are swept over like an option."""
    return next((option for option in game.options if option.name == name), None)


def option_type(game: Game, name: str) -> str:
    option = find_option(game, name)
    return str(option.describe()["type"]) if option else BOTS


def value_label(game: Game, name: str, value: Any) -> str:
    option = find_option(game, name)
    if option is None:
        return str(value)
    if name == "players":
        return f"{value} player{'s' if value != 1 else ''}"
    text = option.title(value).render()
    return text if len(text) < MAX_LABEL else f"{text[: MAX_LABEL - 2]}…"


def option_label(game: Game, name: str) -> str:
    option = find_option(game, name)
    return option_title(option).render().lower() if option else display_name(name).lower()


def result_label(result: SeriesResult, names: Sequence[str]) -> str:
    """The values of some swept options, or the game's title if there are none."""
    game = result.series.variant.game
    return ", ".join(value_label(game, name, result.values[name]) for name in names) or game.title


def group_by(results: Sequence[SeriesResult], names: Sequence[str]) -> list[Group]:
    """The results grouped by the values of some swept options, in the order of the sweep."""
    groups: dict[str, list[SeriesResult]] = {}
    for result in results:
        groups.setdefault(result_label(result, names), []).append(result)
    return list(groups.items())


def row_groups(results: Sequence[SeriesResult]) -> list[Group]:
    """A group for each variant, or for each value of the first swept option if there are too many variants."""
    swept = swept_options(results)
    groups = group_by(results, swept)
    return groups if len(groups) <= MAX_ROWS else group_by(results, swept[:1])


def plot_rows(results: Sequence[SeriesResult], plot: Plot) -> Iterator[PlotRow]:
    """The rows of a plot. Where several options are swept, each value of the first becomes a heading of the plot."""
    groups, swept = row_groups(results), swept_options(results)
    if len(swept) < 2 or len(groups) < len(group_by(results, swept)):
        yield from (PlotRow(name, name, members) for name, members in groups)
        return
    for head, members in group_by(results, swept[:1]):
        plot.add_heading(head)
        for name, found in group_by(members, swept):
            yield PlotRow(result_label(found[0], swept[1:]), name, found)


def percent(share: float) -> str:
    return f"{percent_number(share)}\N{NO-BREAK SPACE}%"


def interval_text(low: float, high: float) -> str:
    """A confidence interval in per cent, without the sign."""
    return f"{percent_number(low)} to {percent_number(high)}"
