"""HTML reports: the numbers are right, and the page is complete in itself."""

from __future__ import annotations

import re
from html.parser import HTMLParser

import pytest

import skerry
from skerry.lab import Tournament
from skerry.lab.report import simulation_report, tournament_report
from skerry.lab.report.html import tag
from skerry.lab.report.plot import scale
from skerry.lab.series import code_digest
from skerry.lab.statistics import percent_number
from tests.lab.synthetic_results import competitive_result, cooperative_result

ISLAND = [
    cooperative_result(600, 400, difficulty="novice", players=2),
    cooperative_result(450, 550, difficulty="novice", players=3),
    cooperative_result(200, 800, difficulty="elite", players=2),
    cooperative_result(100, 900, difficulty="elite", players=3),
]


class WellFormed(HTMLParser):
    """A parser that checks that every element is closed."""

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


def race_tournament() -> Tournament:
    results = [
        competitive_result("cartagena", ("a", "b"), (90, 10)),
        competitive_result("cartagena", ("b", "a"), (20, 80)),
    ]
    return Tournament(results[0].series.variant, ("a", "b"), results)


@pytest.mark.parametrize(
    "page",
    [
        simulation_report(ISLAND, "skerry simulate"),
        simulation_report(ISLAND[:1], "skerry simulate"),
        simulation_report([competitive_result("cartagena", ("a", "b", "b"), (5, 3, 2))], "skerry simulate"),
        tournament_report([race_tournament()], "skerry tournament"),
    ],
    ids=["sweep", "one", "race", "tournament"],
)
def test_a_page_is_well_formed_and_fetches_nothing(page: str) -> None:
    WellFormed(page)
    assert not re.search(r"<script|<link|url\(|@import|https?:|src=", page)


def test_the_report_of_a_sweep_shows_wins_and_endings_of_each_variant() -> None:
    page = simulation_report(ISLAND, "skerry simulate forbidden-island <&>")
    text = text_of(page)
    assert "Forbidden Island by difficulty and players" in text
    assert "Where it is won" in text and "60.0 56.9 to 63.0" in text
    assert "Elite, 3 players: 10.0 % (8.3 to 12.0), 100 of 1,000 games" in text
    assert "Elite, 3 players: Fools' Landing sank, 90.0 %" in text
    assert "skerry simulate forbidden-island &lt;&amp;&gt;" in page


def test_a_swept_option_with_a_single_value_is_listed_with_the_fixed_options() -> None:
    assert "Forbidden Island by difficulty 2 players; layout" in text_of(simulation_report(ISLAND[::2], ""))
    assert "Forbidden Island by players difficulty Novice; layout" in text_of(simulation_report(ISLAND[:2], ""))


def test_swept_roles_are_shown_as_a_matrix_of_pairs() -> None:
    pairs = {"pilot,diver": (80, 20), "pilot,explorer": (60, 40), "diver,explorer": (30, 70)}
    results = [cooperative_result(won, lost, players=2, roles=roles) for roles, (won, lost) in pairs.items()]
    text = text_of(simulation_report(results, ""))
    # With any others: the pilot won 140 of 200, the diver 110, the explorer 90.
    assert "Pilot Diver Explorer Pilot 70.0 Diver 80.0 55.0 Explorer 60.0 30.0 45.0" in text


def test_each_heading_appears_once_in_a_plot() -> None:
    """Even if another option is named first in the sweep."""
    results = [
        cooperative_result(5, 5, roles=role, players=players) for players in (2, 3) for role in ("pilot", "diver")
    ]
    page = simulation_report(results, "")
    assert page.count('scope="rowgroup">Pilot<') == 3 and page.count("<h2>") == 4


def test_a_tournament_has_ratings_and_a_table() -> None:
    text = text_of(tournament_report([race_tournament()], ""))
    assert (
        "How strong they are" in text
        and "a 85.0 79.4 to 89.3" in text
        and "Wins in %, with 95 % confidence intervals:" in text
        and "seat 0: 55.0 %" in text
    )


def test_a_figure_whose_values_are_all_equal_is_left_out() -> None:
    """The synthetic races all have thirty turns; the games on the island have twelve or fifteen."""
    assert "How long it takes" not in tournament_report([race_tournament()], "")
    assert "How long it takes" in simulation_report(ISLAND, "")


def test_text_and_attributes_are_escaped() -> None:
    assert tag("p", "a < b", tag("b", "&"), title='"') == '<p title="&quot;">a &lt; b<b>&amp;</b></p>'


@pytest.mark.parametrize(
    ("low", "high", "ticks"),
    [(0, 0.66, (0, 0.2, 0.4, 0.6, 0.8)), (0, 30, (0, 5, 10, 15, 20, 25, 30)), (7, 7, (7, 7.000000001))],
)
def test_scales_end_at_round_numbers(low: float, high: float, ticks: tuple[float, ...]) -> None:
    drawn = scale(low, high)
    assert drawn.ticks[0] <= low and drawn.ticks[-1] >= high
    assert drawn.ticks == pytest.approx(ticks) or low == high


def test_a_share_is_rounded_the_same_way_in_every_figure_and_table() -> None:
    """Where it ends in a five, and where a float is off by its last bit."""
    assert [percent_number(share) for share in (0.3125, 0.3135, 0.0625, 0.1 + 0.2, 1)] == [
        "31.3", "31.4", "6.3", "30.0", "100.0",
    ]  # fmt: skip
    assert percent_number(1149 / 2000) == percent_number(1 - 851 / 2000) == percent_number(0.5745) == "57.5"
    text = text_of(simulation_report([cooperative_result(1149, 851, difficulty="novice", players=2)], ""))
    assert "57.5 % 55.3 to 59.6" in text and "57.4" not in text and "42.6 %" in text


def test_a_report_says_what_made_it() -> None:
    text = text_of(simulation_report(ISLAND, ""))
    assert f"Skerry {skerry.__version__}, code {code_digest(skerry.game('forbidden-island').game)}" in text
    assert "Rules of Forbidden Island, version 1" in text
