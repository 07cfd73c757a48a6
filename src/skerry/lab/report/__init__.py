"""HTML reports: one page that needs no other file, with no script, no web font and nothing fetched."""

from __future__ import annotations

import datetime
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from skerry.engine.game import Game
from skerry.lab.luck import LuckAndSkill
from skerry.lab.report import cross_table, luck, simulation
from skerry.lab.report.cooperative import team_wins
from skerry.lab.report.html import Markup, tag
from skerry.lab.report.page import html_page
from skerry.lab.report.rows import option_label, percent, result_label, swept_options, value_label
from skerry.lab.series import provenance
from skerry.lab.statistics import percent_number
from skerry.lab.summary import csv_row
from skerry.lab.sweep import SeriesResult
from skerry.lab.tournament import Tournament


def simulation_report(results: Sequence[SeriesResult], command: str, analysed: Sequence[LuckAndSkill] = ()) -> str:
    """The page about a simulation or a sweep. ``command`` is the command line that repeats it; ``analysed`` is the luck
    and skill of the bots in the first results."""
    game = results[0].series.variant.game
    names = swept_options(results)
    by = f" by {' and '.join(option_label(game, name) for name in names)}" if names else ""
    figures = [*simulation.figures(results), *luck.figures(results, analysed)]
    return _Page(game, f"{game.title}{by}", results, command).render(figures)


def tournament_report(tournaments: Sequence[Tournament], command: str) -> str:
    """The page about a tournament, with a part for each variant."""
    game = tournaments[0].variant.game
    results = [result for tournament in tournaments for result in tournament.results]
    figures: list[Markup] = []
    for tournament in tournaments:
        if len(tournaments) > 1:
            first = tournament.results[0]
            figures.append(tag("h2", result_label(first, list(first.values)), class_="part"))
        figures += cross_table.figures(tournament)
    return _Page(game, f"{game.title}: a tournament", results, command).render(figures)


@dataclass(frozen=True)
class _Page:
    game: Game
    title: str
    results: Sequence[SeriesResult]
    command: str

    def render(self, figures: Iterable[Markup]) -> str:
        facts = tag(
            "dl",
            *(tag("div", tag("dt", name), tag("dd", value)) for name, value in self._key_figures()),
            class_="facts",
        )
        header = tag(
            "header",
            tag("p", "Skerry laboratory", class_="brand"),
            tag("h1", self.title),
            self._shared_options(),
            facts,
        )
        return html_page(self.title, header, *figures, self._all_numbers(), self._footer())

    def _key_figures(self) -> list[tuple[str, str]]:
        """The most important numbers, by their names."""
        first = self.results[0]
        bots = dict.fromkeys(bot for one in self.results for bot in one.series.seats)
        facts = [
            ("games", f"{sum(one.tally.games for one in self.results):,}"),
            ("actions", _short_number(sum(one.tally.steps for one in self.results))),
            ("bots", ", ".join(bots)),
            ("seed", str(first.series.seed)),
        ]
        if self.game.cooperative:
            facts.insert(0, ("won", self._range_of_wins()))
        return facts

    def _range_of_wins(self) -> str:
        shares = sorted(team_wins([one]).share for one in self.results)
        return percent(shares[0]) if len(shares) == 1 else f"{percent_number(shares[0])} to {percent(shares[-1])}"

    def _shared_options(self) -> Markup:
        """The options that have the same value in all results."""
        variant, swept = self.results[0].series.variant, swept_options(self.results)
        options = {name: value for name, value in variant.options.items() if name not in swept}
        texts = [
            f"{option_label(self.game, name)} {value_label(self.game, name, value)}"
            for name, value in options.items()
            if name != "players"
        ]
        if "players" in options:
            texts.insert(0, value_label(self.game, "players", options["players"]))
        return tag("p", "; ".join(texts), class_="words")

    def _all_numbers(self) -> Markup:
        """A folded table of everything that differs between the results."""
        rows = [csv_row(result) for result in self.results]
        names = list(dict.fromkeys(name for row in rows for name in row))
        shown = [name for name in names if len({str(row.get(name)) for row in rows}) > 1 or name == "games"]
        head = tag("tr", *(tag("th", name.replace("_", " "), scope="col") for name in shown))
        lines = [tag("tr", *(tag("td", _cell_text(row.get(name))) for name in shown)) for row in rows]
        table = tag("table", tag("thead", head), tag("tbody", *lines), class_="numbers")
        return tag("details", tag("summary", "All numbers"), tag("div", table, class_="scrolls", tabindex=0))

    def _footer(self) -> Markup:
        today = datetime.datetime.now(tz=datetime.UTC).date().isoformat()
        made = provenance(self.results[0].series)
        rules = f"Rules of {self.game.title}, version {self.game.version}."
        return tag(
            "footer",
            tag("p", "This command plays the same games again, on any machine:"),
            tag("pre", tag("code", self.command)),
            tag("p", f"{rules} Intervals of shares are 95 % Wilson score intervals. Made on {today}."),
            tag("p", f"Made with Skerry {made['skerry']}, code {made['code']}."),
        )


def _short_number(number: int) -> str:
    for size, word in ((1_000_000_000, "billion"), (1_000_000, "million")):
        if number >= size:
            return f"{number / size:.1f} {word}"
    return f"{number:,}"


def _cell_text(value: object) -> str:
    if value is None:
        return ""
    return f"{value:.4f}" if isinstance(value, float) else str(value)
