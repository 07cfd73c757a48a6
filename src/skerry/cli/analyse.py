"""``skerry analyse``."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import typer
from rich.console import Console, Group, RenderableType
from rich.live import Live
from rich.table import Table
from rich.text import Text

import skerry
from skerry.analysis import AnalysedStep, Analysis, analyse_by_stages, as_data
from skerry.analysis.match_analysis import better_action
from skerry.analysis.verdict import (
    assumption,
    moment,
    plain,
    reason,
    signed,
    summary,
    told,
    turning_point,
)
from skerry.bots import EXPERT
from skerry.cli.compile_progress import bot_kernels, compile_progress
from skerry.cli.files import read_text_file
from skerry.cli.interrupt import INTERRUPTED
from skerry.cli.output import print_json, seat_name, status_console, write_report
from skerry.engine.i18n.translations import Translations, check_language, translations
from skerry.engine.match import Match
from skerry.engine.messages import say
from skerry.lab.report.analysis import analysis_report

BARS = "▁▂▃▄▅▆▇█"
MAX_WIDTH = 100  # of a curve, in characters
MARKS = {"inaccuracy": "·", "mistake": "?", "blunder": "‼"}
LUCK = "◆"
COLOURS = {"best": "green", "good": "green", "inaccuracy": "yellow", "mistake": "red", "blunder": "bold red"}
TEXTS = (
    *("step", "turn", "seat", "what happened", "value", "luck", "choice", "choices", "loss", "losses", "grade"),
    *("better", "grades"),
)


def analyse_record(
    path: Path,
    effort: int,
    seat: int | None,
    open_cards: bool,
    language: str,
    json: bool,
    html: Path | None,
) -> None:
    check_language(language)
    with compile_progress("the rules"):
        match = skerry.replay(read_text_file(path))
    translate = translations(language, *match.game.packages, "skerry.engine.i18n")
    output = _Output(match, translate)
    with compile_progress(match.game.title, bot_kernels(match.game, [EXPERT])):
        analysis = _run(analyse_by_stages(match, effort, seat, open_cards), output)
    if json:
        print_json(as_data(analysis))
    else:
        output.print(analysis)
    if html:
        write_report(html, analysis_report(analysis, output.names, translate, language))
    if not analysis.complete:
        raise typer.Exit(INTERRUPTED)


def _run(stages: Iterator[Analysis], output: _Output) -> Analysis:
    """The last stage. Ctrl-C stops with what there is, as soon as there is a curve."""
    analysis, console = None, status_console()
    try:
        with Live(console=console, transient=True, auto_refresh=False) as live:
            for analysis in stages:
                if console.is_terminal:
                    live.update(output.progress(analysis), refresh=True)
    except KeyboardInterrupt:
        if analysis is None:
            raise
        text = say("Stopped after {count} of {all} decisions.", count=analysis.graded, all=analysis.decisions)
        console.print(text.render(output.translate), style="yellow")
    assert analysis is not None
    return analysis


class _Output:
    """The analysis of a match in a terminal."""

    def __init__(self, match: Match, translate: Translations) -> None:
        self.match, self.translate = match, translate
        self.names = [seat_name(match, seat, translate) for seat in range(match.variant.players)]
        self.curves = [0] if match.game.cooperative or match.variant.players == 1 else list(range(len(self.names)))

    def progress(self, analysis: Analysis) -> RenderableType:
        text = say("Decisions: {count} of {all} …", count=analysis.graded, all=analysis.decisions)
        return Group(*self._curves(analysis, Console(stderr=True).width), Text(text.render(self.translate), "dim"))

    def print(self, analysis: Analysis) -> None:
        console = Console(highlight=False)
        title = say("{title}: what decided the match", title=self.match.game.title)
        console.print(Text(title.render(self.translate), "bold"))
        for line in (*self._curves(analysis, console.width), *self._verdict(analysis)):
            console.print(line)
        console.print()
        console.print(self._moments(analysis))
        console.print()
        console.print(self._seats(analysis))
        notes = (assumption(analysis), analysis.viewpoint.describe())
        console.print(Text("\n" + " ".join(note.render(self.translate) for note in notes), "dim"))

    def _curves(self, analysis: Analysis, width: int) -> Iterator[Text]:
        """A sparkline for each different course of the values, and under it the moments."""
        cells = min(width - 20, MAX_WIDTH, len(analysis.steps) + 1)
        rows = [analysis.initial, *(step.values for step in analysis.steps)]
        top = 1.0 if analysis.unit == "chance" else max(1.0, *(max(row) for row in rows))
        for seat in self.curves:
            values = [row[seat] for row in rows]
            line, unit = sparkline(values, cells, top), analysis.unit
            ends = f"  {plain(values[0], unit)} → {plain(values[-1], unit)}{'' if unit == 'points' else ' %'}"
            yield Text(line + ends + (f"  {self.names[seat]}" if len(self.curves) > 1 else ""))
        marks = [" "] * cells
        for step in sorted(analysis.moments(), key=lambda step: step.loss):
            mark = MARKS.get(step.graded.grade, LUCK) if step.graded and step.loss else LUCK
            marks[step.number * (cells - 1) // max(1, len(analysis.steps))] = mark
        yield Text("".join(marks).rstrip(), "dim")

    def _verdict(self, analysis: Analysis) -> Iterator[Text]:
        for seat in self.curves:
            text = summary(analysis, seat).render(self.translate)
            yield Text(f"{self.names[seat]}: {text}" if len(self.curves) > 1 else text)
        if decisive := turning_point(analysis):
            text = f"{self._told(analysis, decisive)}{self._why(analysis, decisive)}"
            yield Text(f"{moment(decisive).render(self.translate)}. {text}")

    def _moments(self, analysis: Analysis) -> Table:
        table = self._table(("step", "turn", "value", "luck", "choice", "loss"), ("grade", "what happened"))
        for step in analysis.moments():
            table.add_row(*self._cells(analysis, step))
        return table

    def _cells(self, analysis: Analysis, step: AnalysedStep) -> Iterator[str | Text]:
        unit, seat = analysis.unit, step.seat if step.seat in self.curves else 0
        yield from (str(step.number), str(step.turn), plain(step.values[seat], unit))
        yield from (signed(step.luck[seat], unit), signed(step.decision[seat], unit), signed(-step.loss, unit))
        grade = step.graded.grade if step.graded else ""
        yield Text(self.translate(grade) if grade else "", COLOURS.get(grade, ""))
        better = better_action(analysis, step)
        yield self._told(analysis, step) + (f"\n→ {better}" if better else "")

    def _seats(self, analysis: Analysis) -> Table:
        table = self._table((), ("seat",), ("choices", "losses"), ("grades",))
        for seat, name in enumerate(self.names):
            grades = [f"{self.translate(grade)} {count}" for grade, count in analysis.grades(seat).items() if count]
            own, unit = analysis.decided_by(seat)[seat], analysis.unit
            table.add_row(name, signed(own, unit), signed(-analysis.losses(seat), unit), ", ".join(grades))
        return table

    def _table(self, *columns: Sequence[str]) -> Table:
        """A table whose first and third group of columns are numbers."""
        table = Table(box=None, padding=(0, 2, 0, 0), header_style="dim")
        for group, names in enumerate(columns):
            for name in names:
                table.add_column(self.translate(name), justify="right" if group % 2 == 0 else "left")
        return table

    def _told(self, analysis: Analysis, step: AnalysedStep) -> str:
        return "; ".join(one.render(self.translate) for one in told(analysis, step, self.names[step.seat]))

    def _why(self, analysis: Analysis, step: AnalysedStep) -> str:
        why = reason(analysis, step)
        return f"; {why.phrase(self.translate)}" if why else ""


def sparkline(values: Sequence[float], cells: int, top: float) -> str:
    """Values from 0 to ``top`` as a line of bars, the first and the last value at its ends."""
    last = max(1, cells - 1)
    chosen = [values[round(cell * (len(values) - 1) / last)] for cell in range(cells)]
    return "".join(BARS[min(len(BARS) - 1, int(value / top * len(BARS)))] for value in chosen)
