"""A study as one page that needs no other file: no script, no font, nothing fetched."""

from __future__ import annotations

import datetime
from collections.abc import Iterable, Sequence
from importlib.resources import files

from skerry.engine.game import Game
from skerry.lab.report import cross_table, simulation
from skerry.lab.report.cooperative import won
from skerry.lab.report.html import Markup, tag
from skerry.lab.report.rows import axes, label, named, percent, wording
from skerry.lab.summary import csv_row
from skerry.lab.sweep import SeriesResult
from skerry.lab.tournament import Tournament


def simulation_report(outcomes: Sequence[SeriesResult], command: str) -> str:
    """The report of a simulation."""
    game = outcomes[0].series.variant.game
    names = axes(outcomes)
    varied = f" by {' and '.join(named(game, name) for name in names)}" if names else ""
    return _page(game, f"{game.title}{varied}", _facts(outcomes), simulation.figures(outcomes), outcomes, command)


def tournament_report(events: Sequence[Tournament], command: str) -> str:
    """The report of a tournament."""
    game = events[0].variant.game
    outcomes = [outcome for event in events for outcome in event.outcomes]
    drawn: list[Markup] = []
    for event in events:
        if len(events) > 1:
            names = list(event.outcomes[0].values)
            drawn.append(tag("h2", label(event.outcomes[0], names), class_="part"))
        drawn += cross_table.figures(event)
    return _page(game, f"{game.title}: a tournament", _facts(outcomes), drawn, outcomes, command)


def _facts(outcomes: Sequence[SeriesResult]) -> list[tuple[str, str]]:
    """What a reader asks first."""
    first = outcomes[0]
    bots = dict.fromkeys(bot for one in outcomes for bot in one.series.seats)
    facts = [
        ("games", f"{sum(one.tally.games for one in outcomes):,}"),
        ("actions", _short(sum(one.tally.steps for one in outcomes))),
        ("bots", ", ".join(bots)),
        ("seed", str(first.series.seed)),
    ]
    if first.series.variant.game.cooperative:
        facts.insert(0, ("won", _won(outcomes)))
    return facts


def _won(outcomes: Sequence[SeriesResult]) -> str:
    shares = sorted(hits / games for hits, games in (won([one]) for one in outcomes))
    return percent(shares[0]) if len(shares) == 1 else f"{100 * shares[0]:.1f} to {percent(shares[-1])}"


def _short(number: int) -> str:
    for size, word in ((1_000_000_000, "billion"), (1_000_000, "million")):
        if number >= size:
            return f"{number / size:.1f} {word}"
    return f"{number:,}"


def _page(
    game: Game,
    title: str,
    facts: Sequence[tuple[str, str]],
    figures: Iterable[Markup],
    outcomes: Sequence[SeriesResult],
    command: str,
) -> str:
    style = Markup((files(__package__) / "style.css").read_text(encoding="utf-8"))
    head = tag(
        "head",
        Markup('<meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">'),
        Markup('<meta name="color-scheme" content="light dark">'),
        tag("title", f"{title} · Skerry"),
        tag("style", style),
    )
    tiles = tag("dl", *(tag("div", tag("dt", name), tag("dd", value)) for name, value in facts), class_="facts")
    header = tag("header", tag("p", "Skerry laboratory", class_="brand"), tag("h1", title), _fixed(outcomes), tiles)
    main = tag("main", header, *figures, _numbers(outcomes), _again(game, command))
    return f"<!doctype html>\n{tag('html', head, tag('body', main), lang='en')}\n"


def _fixed(outcomes: Sequence[SeriesResult]) -> Markup:
    """The options that all share."""
    variant, varied = outcomes[0].series.variant, axes(outcomes)
    chosen = {name: value for name, value in variant.options.items() if name not in varied}
    words = [
        f"{named(variant.game, name)} {wording(variant.game, name, value)}"
        for name, value in chosen.items()
        if name != "players"
    ]
    if "players" in chosen:
        words.insert(0, wording(variant.game, "players", chosen["players"]))
    return tag("p", "; ".join(words), class_="words")


def _numbers(outcomes: Sequence[SeriesResult]) -> Markup:
    """Everything, for who wants to look a number up."""
    rows = [csv_row(outcome) for outcome in outcomes]
    names = list(dict.fromkeys(name for row in rows for name in row))
    told = [name for name in names if len({str(row.get(name)) for row in rows}) > 1 or name == "games"]
    head = tag("tr", *(tag("th", name.replace("_", " "), scope="col") for name in told))
    lines = [tag("tr", *(tag("td", _cell(row.get(name))) for name in told)) for row in rows]
    table = tag("table", tag("thead", head), tag("tbody", *lines), class_="numbers")
    return tag("details", tag("summary", "All numbers"), tag("div", table, class_="scrolls", tabindex=0))


def _cell(value: object) -> str:
    return "" if value is None else f"{value:.4f}" if isinstance(value, float) else str(value)


def _again(game: Game, command: str) -> Markup:
    today = datetime.datetime.now(tz=datetime.UTC).date().isoformat()
    return tag(
        "footer",
        tag("p", "The same games again, wherever they are played:"),
        tag("pre", tag("code", command)),
        tag("p", f"Rules of {game.title}, version {game.version}. Intervals are Wilson's, 95 %. Made on {today}."),
    )
