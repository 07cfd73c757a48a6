"""The page about a match that was analysed: the curve with its marked moments, and the same as tables."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from skerry.analysis import AnalysedStep, Analysis
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
from skerry.engine.messages import Message, Translate, say
from skerry.lab.report.html import Markup, tag
from skerry.lab.report.page import html_page
from skerry.lab.report.plot import LegendEntry, legend, scale

COLOURS = 7  # classes c0 to c6 of the style sheet
WIDTH, HEIGHT = 1000, 260  # of the curve, stretched to the width of the page
TEXTS = (
    *("The course of the match", "The moments", "All steps", "The seats", "step", "turn", "seat", "what happened"),
    *("value", "luck", "choice", "loss", "grade", "better", "choices", "losses", "chance to win, %", "points"),
)


def analysis_report(analysis: Analysis, names: Sequence[str], translate: Translate, language: str = "en") -> str:
    """The page about an analysis. ``names`` are those of the seats."""
    return _Page(analysis, names, translate).render(language)


class _Page:
    def __init__(self, analysis: Analysis, names: Sequence[str], translate: Translate) -> None:
        self.analysis, self.names, self.translate = analysis, names, translate
        common = analysis.match.game.cooperative or len(analysis.initial) == 1
        self.curves = [0] if common else list(range(len(analysis.initial)))  # the seats whose values differ

    def render(self, language: str) -> str:
        game = self.analysis.match.game
        title = say("{title}: what decided the match", title=game.title).render(self.translate)
        header = tag(
            "header",
            tag("p", "Skerry", class_="brand"),
            tag("h1", title),
            *(tag("p", sentence, class_="words") for sentence in self._verdict()),
        )
        sections = (self._curve(), self._seats(), self._moments(), self._all_steps())
        footer = tag("footer", *(tag("p", text.render(self.translate)) for text in self._notes()))
        return html_page(title, header, *sections, footer, language=language)

    def _notes(self) -> Iterator[Message]:
        yield assumption(self.analysis)
        yield self.analysis.viewpoint.describe()

    def _verdict(self) -> Iterator[str]:
        for seat in self.curves:
            text = summary(self.analysis, seat).render(self.translate)
            yield f"{self.names[seat]}: {text}" if len(self.curves) > 1 else text
        decisive = turning_point(self.analysis)
        if decisive:
            yield f"{moment(decisive).render(self.translate)}. {self._told(decisive)}"

    # The curve

    def _curve(self) -> Markup:
        analysis, last = self.analysis, max(1, len(self.analysis.steps))
        rows = [analysis.initial, *(step.values for step in analysis.steps)]
        top = 1.0 if analysis.unit == "chance" else max(max(row) for row in rows)
        axis = scale(0, top, max_steps=5)

        def y(value: float) -> float:
            return HEIGHT * (1 - (value - axis.low) / (axis.high - axis.low))

        lines = [
            tag("line", x1=0, x2=WIDTH, y1=y(tick), y2=y(tick), class_="grid", vector_effect="non-scaling-stroke")
            for tick in axis.ticks
        ]
        for seat in self.curves:
            points = " ".join(f"{WIDTH * at / last:.1f},{y(row[seat]):.1f}" for at, row in enumerate(rows))
            lines.append(tag("polyline", points=points, class_=f"curve c{seat % COLOURS}"))
        drawn = tag(
            "svg",
            *lines,
            viewBox=f"0 0 {WIDTH} {HEIGHT}",
            preserveAspectRatio="none",
            role="presentation",
            class_="course",
        )
        marks = [
            self._mark(step, step.number / last, 100 * y(step.values[self._marked(step)]) / HEIGHT)
            for step in analysis.moments()
        ]
        ticks = [
            tag("span", plain(tick, analysis.unit), class_="tick", style=f"top:{100 * y(tick) / HEIGHT:.1f}%")
            for tick in axis.ticks
        ]
        unit = "points" if analysis.unit == "points" else "chance to win, %"
        colours = [LegendEntry(f"c{seat % COLOURS}", self.names[seat]) for seat in self.curves]
        return tag(
            "section",
            tag("h2", self.translate("The course of the match")),
            tag("p", self.translate(unit), class_="words"),
            legend(colours) if len(colours) > 1 else None,
            tag("div", drawn, *ticks, *marks, class_="marked"),
            class_="figure",
        )

    def _marked(self, step: AnalysedStep) -> int:
        """The seat on whose curve a step is marked."""
        return step.seat if step.seat in self.curves else 0

    def _mark(self, step: AnalysedStep, x: float, top: float) -> Markup:
        label = f"{moment(step).render(self.translate)}. {self._told(step)}"
        kind = step.graded.grade if step.graded and step.loss else "luck"
        style = f"left:{100 * x:.2f}%;top:{top:.1f}%"
        return tag("a", href=f"#step-{step.number}", class_=f"mark {kind}", style=style, title=label, aria_label=label)

    # Tables

    def _seats(self) -> Markup:
        analysis = self.analysis
        rows = []
        for seat, name in enumerate(self.names):
            grades = (f"{self.translate(grade)} {count}" for grade, count in analysis.grades(seat).items() if count)
            own = analysis.decided_by(seat)[seat]
            cells = (signed(own, analysis.unit), signed(-analysis.losses(seat), analysis.unit), ", ".join(grades))
            rows.append(tag("tr", tag("th", name, scope="row"), *(tag("td", cell) for cell in cells)))
        head = self._head("seat", "choices", "losses", "grade")
        return self._section("The seats", tag("table", head, tag("tbody", *rows), class_="numbers"))

    def _moments(self) -> Markup:
        return self._section("The moments", self._table(self.analysis.moments(), marked=True))

    def _all_steps(self) -> Markup:
        table = tag("div", self._table(self.analysis.steps), class_="scrolls", tabindex=0)
        return tag("details", tag("summary", self.translate("All steps")), table)

    def _section(self, heading: str, table: Markup) -> Markup:
        content = tag("div", table, class_="scrolls", tabindex=0)
        return tag("section", tag("h2", self.translate(heading)), content, class_="figure")

    def _table(self, steps: Sequence[AnalysedStep], marked: bool = False) -> Markup:
        head = self._head("step", "turn", "seat", "what happened", "value", "luck", "choice", "loss", "grade", "better")
        return tag("table", head, tag("tbody", *(self._row(step, marked) for step in steps)), class_="numbers steps")

    def _head(self, *columns: str) -> Markup:
        return tag("thead", tag("tr", *(tag("th", self.translate(column), scope="col") for column in columns)))

    def _row(self, step: AnalysedStep, marked: bool) -> Markup:
        unit, seat = self.analysis.unit, self._marked(step)
        grade = self.translate(step.graded.grade) if step.graded else ""
        cells = (
            *(str(step.turn), self.names[step.seat], self._told(step), plain(step.values[seat], unit)),
            *(signed(step.luck[seat], unit), signed(step.decision[seat], unit), signed(-step.loss, unit), grade),
            better_action(self.analysis, step) or "",
        )
        anchor = f"step-{step.number}" if marked else None
        number = tag("th", str(step.number), scope="row")
        return tag("tr", number, *(tag("td", cell) for cell in cells), id=anchor)

    def _told(self, step: AnalysedStep) -> str:
        """What happened, and why something else would have been better."""
        sentences = [one.render(self.translate) for one in told(self.analysis, step, self.names[step.seat])]
        why = reason(self.analysis, step)
        return "; ".join([*sentences, *([why.phrase(self.translate)] if why else [])])
