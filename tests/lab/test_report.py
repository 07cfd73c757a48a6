"""Reports: what they say is what was counted, and they need nothing else."""

from __future__ import annotations

import re
from html.parser import HTMLParser

import pytest

from skerry.lab import Tournament
from skerry.lab.report import simulation_report, tournament_report
from skerry.lab.report.html import tag
from skerry.lab.report.plot import scale
from tests.lab.synthetic_results import against, together

ISLAND = [
    together(600, 400, difficulty="novice", players=2),
    together(450, 550, difficulty="novice", players=3),
    together(200, 800, difficulty="elite", players=2),
    together(100, 900, difficulty="elite", players=3),
]


class Tree(HTMLParser):
    """Every element is closed in its turn."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.feed(page)
        self.close()
        assert not self.open

    def handle_starttag(self, name: str, attributes: object) -> None:
        if name != "meta":
            self.open.append(name)

    def handle_endtag(self, name: str) -> None:
        assert self.open.pop() == name


def text_of(page: str) -> str:
    return " ".join(re.sub(r"<[^>]*>", " ", page).replace("\N{NO-BREAK SPACE}", " ").split())


def race() -> Tournament:
    outcomes = [against("cartagena", ("a", "b"), (90, 10)), against("cartagena", ("b", "a"), (20, 80))]
    return Tournament(outcomes[0].series.variant, ("a", "b"), outcomes)


@pytest.mark.parametrize(
    "page",
    [
        simulation_report(ISLAND, "skerry simulate"),
        simulation_report(ISLAND[:1], "skerry simulate"),
        simulation_report([against("cartagena", ("a", "b", "b"), (5, 3, 2))], "skerry simulate"),
        tournament_report([race()], "skerry tournament"),
    ],
    ids=["sweep", "one", "race", "tournament"],
)
def test_a_page_is_whole_and_fetches_nothing(page: str) -> None:
    Tree(page)
    assert not re.search(r"<script|<link|url\(|@import|https?:|src=", page)


def test_a_sweep_says_where_it_is_won() -> None:
    page = simulation_report(ISLAND, "skerry simulate forbidden-island <&>")
    text = text_of(page)
    assert "Forbidden Island by difficulty and players" in text
    assert "Where it is won" in text and "60.0 56.9 to 63.0" in text
    assert "Elite, 3 players: 10.0 % (8.3 to 12.0), 100 of 1,000 games" in text
    assert "Elite, 3 players: Fools' Landing sank, 90.0 %" in text
    assert "skerry simulate forbidden-island &lt;&amp;&gt;" in page


def test_what_is_varied_but_has_one_value_is_told_with_the_fixed_options() -> None:
    assert "Forbidden Island by difficulty 2 players; layout" in text_of(simulation_report(ISLAND[::2], ""))
    assert "Forbidden Island by players difficulty Novice; layout" in text_of(simulation_report(ISLAND[:2], ""))


def test_roles_are_a_matrix() -> None:
    pairs = {"pilot,diver": (80, 20), "pilot,explorer": (60, 40), "diver,explorer": (30, 70)}
    outcomes = [together(won, lost, players=2, roles=roles) for roles, (won, lost) in pairs.items()]
    text = text_of(simulation_report(outcomes, ""))
    # Beside anybody: the pilot won 140 of 200, the diver 110, the explorer 90.
    assert "Pilot Diver Explorer Pilot 70.0 Diver 80.0 55.0 Explorer 60.0 30.0 45.0" in text


def test_a_heading_comes_once_a_plot() -> None:
    """Also where the study varied another option first."""
    outcomes = [together(5, 5, roles=role, players=players) for players in (2, 3) for role in ("pilot", "diver")]
    page = simulation_report(outcomes, "")
    assert page.count('scope="rowgroup">Pilot<') == 3 and page.count("<h2>") == 4


def test_a_tournament_has_ratings_and_a_table() -> None:
    text = text_of(tournament_report([race()], ""))
    assert (
        "How strong they are" in text
        and "a 85.0 79.4 to 89.3" in text
        and "Wins in %, with 95 % confidence intervals:" in text
        and "seat 0: 55.0 %" in text
    )


def test_what_never_differs_has_no_figure() -> None:
    """Every game of a made-up race has thirty turns; those of the island have twelve or fifteen."""
    assert "How long it takes" not in tournament_report([race()], "")
    assert "How long it takes" in simulation_report(ISLAND, "")


def test_an_element_escapes_what_is_not_one() -> None:
    assert tag("p", "a < b", tag("b", "&"), title='"') == '<p title="&quot;">a &lt; b<b>&amp;</b></p>'


@pytest.mark.parametrize(
    ("low", "high", "ticks"),
    [(0, 0.66, (0, 0.2, 0.4, 0.6, 0.8)), (0, 30, (0, 5, 10, 15, 20, 25, 30)), (7, 7, (7, 7.000000001))],
)
def test_scales_end_at_round_numbers(low: float, high: float, ticks: tuple[float, ...]) -> None:
    made = scale(low, high)
    assert made.ticks[0] <= low and made.ticks[-1] >= high
    assert made.ticks == pytest.approx(ticks) or low == high
