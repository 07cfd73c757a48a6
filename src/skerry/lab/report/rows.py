"""What is a row of a plot, and what it is called."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from skerry.engine.game import Game
from skerry.engine.options import Option, display_name, option_title
from skerry.lab.report.plot import Plot
from skerry.lab.sweep import BOTS, SeriesResult

MANY = 40  # so many variants are shown one by one
Group = tuple[str, list[SeriesResult]]


def axes(outcomes: Sequence[SeriesResult]) -> list[str]:
    """What is varied, and takes more than one value."""
    return [name for name in outcomes[0].values if len({str(one.values[name]) for one in outcomes}) > 1]


def option_of(game: Game, name: str) -> Option | None:
    """None for the bots, which are varied like an option."""
    return next((option for option in game.options if option.name == name), None)


def kind(game: Game, name: str) -> str:
    option = option_of(game, name)
    return str(option.describe()["type"]) if option else BOTS


def wording(game: Game, name: str, value: Any) -> str:
    """A value as people say it."""
    option = option_of(game, name)
    if option is None:
        return str(value)
    if name == "players":
        return f"{value} player{'s' if value != 1 else ''}"
    text = option.title(value).render()
    return text if len(text) < 40 else f"{text[:38]}…"


def named(game: Game, name: str) -> str:
    option = option_of(game, name)
    return option_title(option).render().lower() if option else display_name(name).lower()


def label(outcome: SeriesResult, names: Sequence[str]) -> str:
    game = outcome.series.variant.game
    return ", ".join(wording(game, name, outcome.values[name]) for name in names) or game.title


def grouped(outcomes: Sequence[SeriesResult], names: Sequence[str]) -> list[Group]:
    """The outcomes by what they share, in the order of the study."""
    found: dict[str, list[SeriesResult]] = {}
    for outcome in outcomes:
        found.setdefault(label(outcome, names), []).append(outcome)
    return list(found.items())


def rows_of(outcomes: Sequence[SeriesResult]) -> list[Group]:
    """What has a row of its own: each variant, or each value of the first option where they are too many."""
    varied = axes(outcomes)
    rows = grouped(outcomes, varied)
    return rows if len(rows) <= MANY else grouped(outcomes, varied[:1])


def arranged(outcomes: Sequence[SeriesResult], plot: Plot) -> Iterator[tuple[str, str, list[SeriesResult]]]:
    """The rows of a plot with their short and their full names; where several options are varied, the values of the
    first are headings."""
    rows, varied = rows_of(outcomes), axes(outcomes)
    if len(varied) < 2 or len(rows) < len(grouped(outcomes, varied)):
        yield from ((name, name, found) for name, found in rows)
        return
    for head, members in grouped(outcomes, varied[:1]):
        plot.group(head)
        for name, found in grouped(members, varied):
            yield label(found[0], varied[1:]), name, found


def percent(share: float) -> str:
    return f"{100 * share:.1f}\N{NO-BREAK SPACE}%"


def between(low: float, high: float) -> str:
    return f"{100 * low:.1f} to {100 * high:.1f}"
