"""HA-30 to HA-41: bonuses, points and ranks."""

from __future__ import annotations

from itertools import product

import pytest

from skerry.engine.i18n.languages import LANGUAGES
from skerry.engine.i18n.translations import translations
from skerry.engine.rulebook import read_rulebook
from skerry.games.hashi import GAME
from skerry.games.hashi.puzzles.solver import SCORES
from skerry.games.hashi.rules import components
from skerry.games.hashi.rules.scoring import rank_of
from tests.games.hashi.positions import Paper, finishing_numbers

RED = "A3-A4 E3-E4 A6-B6 D6-E6"  # one bridge to each island with a red flag
BLUE = "C1-C2 A3-B3 D3-E3"
RING = "A2-A3 A3-A4 A4-A6 A6-B6 B6-D6"  # six islands in a row


def before_last_bridge(
    bridges: str, players: int = 2, seats: tuple[int, ...] = (0,), turn: int = 5
) -> tuple[Paper, str]:
    """A round before the last of these bridges, which would finish all islands; and that last bridge."""
    *built, last = bridges.split()
    paper = Paper("1x1", players=players, turn=turn)
    for seat in seats:
        paper.put(finishing_numbers(bridges), " ".join(built), seat)
    return paper, f"bridge {last}"


def complete_round(paper: Paper, last: str = "", *seats: int) -> None:
    """Let some seats draw the last bridge, then everybody confirm."""
    for seat in seats:
        paper.play(last, seat=seat)
    for seat in paper.match.waiting:
        paper.play("confirm", seat=seat)


def bonuses(paper: Paper, name: str) -> list[int | None]:
    return [p["bonuses"][name] for p in paper.match.view(None)["papers"]]


CASES = pytest.mark.parametrize(
    ("name", "bridges", "full", "late"),
    [
        pytest.param("red", RED, 9, 5, marks=pytest.mark.rule("HA-30")),
        pytest.param("blue", BLUE, 7, 3, marks=pytest.mark.rule("HA-31")),
        pytest.param("six", RING, 8, 4, marks=pytest.mark.rule("HA-32")),
    ],
)


@pytest.mark.rule("HA-30", "HA-31", "HA-32", "HA-33")
@CASES
def test_the_first_to_earn_a_bonus_gets_more_points(name: str, bridges: str, full: int, late: int) -> None:
    paper, last = before_last_bridge(bridges, players=3, seats=(0, 1))
    assert bonuses(paper, name) == [None, None, None]
    complete_round(paper, last, 1)
    assert bonuses(paper, name) == [None, full, None]
    paper.deal("2x1")
    complete_round(paper, last, 0)
    assert bonuses(paper, name) == [late, full, None]


@pytest.mark.rule("HA-30", "HA-31", "HA-32")
@CASES
def test_all_who_earn_a_bonus_first_get_full_points(name: str, bridges: str, full: int, late: int) -> None:
    paper, last = before_last_bridge(bridges, players=3, seats=(0, 2))
    complete_round(paper, last, 2, 0)
    assert bonuses(paper, name) == [full, None, full]


@pytest.mark.rule("HA-33")
def test_a_bonus_is_scored_once_at_the_end_of_its_round_for_all_to_see() -> None:
    paper, last = before_last_bridge(BLUE, players=2)
    paper.play(last, "confirm")
    assert bonuses(paper, "blue") == [None, None]
    paper.play("confirm", seat=1)
    for seat in (0, 1, None):
        assert "Green scores 7 points for Blue" in [str(event) for event in paper.match.events(seat)[-1]]
    for seat in (0, 1):
        paper.play("confirm", seat=seat)
    assert bonuses(paper, "blue") == [7, None]
    assert not [event for event in paper.match.events(None)[-1] if event.name == "scored"]


@pytest.mark.rule("HA-30", "HA-31")
def test_a_flag_bonus_needs_all_islands_finished_but_not_connected() -> None:
    paper = Paper("1x1", finishing_numbers(RED, without=["A6"]) + " A6:2", RED, players=2)
    complete_round(paper)
    assert bonuses(paper, "red") == [None, None]
    paper = Paper("1x1", finishing_numbers(BLUE, without=["C2"]), BLUE, players=2)
    complete_round(paper)
    assert bonuses(paper, "blue") == [None, None]


@pytest.mark.rule("HA-32")
@pytest.mark.parametrize(
    ("bridges", "unfinished", "points"),
    [
        (RING, (), 8),
        (RING + " D6-E6", (), 8),  # seven are at least six
        ("A4-C4 C4-E4 C4-C5 B5-C5 C5-D5", (), 8),  # a star
        ("B5-C5 C5-D5 B5-B6 D5-D6 B6-D6 D6-E6", (), 8),  # a ring and a tail
        (RING, ("A4",), None),  # an unfinished one between
        ("A2-A3 A3-A4 A4-A6 B6-D6 D6-E6", (), None),  # four and three
        ("A2-A3 A3-A4 A4-A6 A6-B6", (), None),  # only five
        (RING + " D6-E6", ("E6",), 8),  # an unfinished one at the end does no harm
    ],
)
def test_six_finished_islands_can_be_connected_in_any_shape(
    bridges: str, unfinished: tuple[str, ...], points: int | None
) -> None:
    numbers = finishing_numbers(bridges, without=unfinished) + "".join(f" {island}:6" for island in unfinished)
    paper = Paper("1x1", numbers, bridges, players=2)
    complete_round(paper)
    assert bonuses(paper, "six") == [points, None]


@pytest.mark.rule("HA-34")
def test_after_17_cards_most_points_win() -> None:
    paper, last = before_last_bridge(BLUE, turn=17)
    paper.put(finishing_numbers(RED), RED, seat=1)
    complete_round(paper, last, 0)
    result = paper.match.result
    assert result is not None and result.reason == "counted"
    assert result.scores == (2 * 6 + 7, 2 * 8 + 9) and result.winners == (1,)
    told = [str(paper.match.outcome(seat)) for seat in (0, 1, None)]
    assert told == [
        "You lost: Orange has 25 points, you have 19",
        "You won with 25 points",
        "Orange won with 25 points",
    ]


@pytest.mark.rule("HA-34")
def test_equal_points_share_the_win() -> None:
    paper, last = before_last_bridge(BLUE, players=3, seats=(0, 2), turn=17)
    complete_round(paper, last, 0, 2)
    result = paper.match.result
    assert result is not None and result.scores == (19, 0, 19) and result.winners == (0, 2)
    told = [str(paper.match.outcome(seat)) for seat in (0, 1, None)]
    assert told == [
        "You share the win with 19 points",
        "You lost: Green and Purple have 19 points, you have 0",
        "Green and Purple share the win with 19 points",
    ]


@pytest.mark.rule("HA-34")
def test_the_game_ends_after_the_17th_card() -> None:
    paper, last = before_last_bridge(BLUE, turn=16)
    complete_round(paper, last, 0)
    assert paper.match.result is None
    complete_round(paper)
    assert paper.match.result is not None and paper.match.waiting == ()


@pytest.mark.rule("HA-40")
@pytest.mark.parametrize(
    ("name", "bridges", "turn", "points"),
    [
        ("blue", BLUE, 7, 7),
        ("blue", BLUE, 8, 3),
        ("red", RED, 12, 9),
        ("red", RED, 13, 5),
        ("six", RING, 12, 8),
        ("six", RING, 13, 4),
    ],
)
def test_in_a_solo_game_full_points_end_at_a_card(name: str, bridges: str, turn: int, points: int) -> None:
    paper, last = before_last_bridge(bridges, players=1, turn=turn)
    assert next(b["open"] for b in paper.match.view(0)["bonuses"] if b["bonus"] == name) is (points > 5)
    complete_round(paper, last, 0)
    assert bonuses(paper, name) == [points]


@pytest.mark.rule("HA-41")
@pytest.mark.parametrize(
    ("points", "rank"),
    [
        *((0, 1), (40, 1), (41, 2), (42, 2), (43, 3), (44, 3), (45, 4), (46, 4), (47, 5), (48, 5), (49, 6), (50, 6)),
        *((51, 7), (52, 8), (54, 9), (56, 10), (58, 11), (60, 12)),
    ],
)
def test_solo_points_give_a_rank(points: int, rank: int) -> None:
    assert rank_of(points) + 1 == rank


@pytest.mark.rule("HA-41")
def test_the_rank_is_announced_at_the_end() -> None:
    paper, last = before_last_bridge(BLUE, players=1, turn=17)
    complete_round(paper, last, 0)
    assert paper.match.result is not None and paper.match.result.reason == "ranked"
    assert str(paper.match.events(0)[-1][-1]) == "Green is: Dogsbody"
    assert str(paper.match.outcome(0)) == "You scored 15 points: Dogsbody"
    assert paper.match.view(0)["rank"] == {"rank": "dogsbody", "title": "Dogsbody", "number": 1}


@pytest.mark.rule("HA-41")
def test_the_announced_rank_is_that_of_the_points() -> None:
    perfect = "C1-C2 A2-C2 C2-E2 A2-A3 E2-E3 A3-B3 D3-E3 A3-A4 E3-E4 C4-C5 B5-C5 C5-D5 B5-B6 D5-D6 A6-B6 D6-E6 A4-A6"
    paper = Paper("1x1", finishing_numbers(perfect, without=["E4"]), perfect, turn=17)
    complete_round(paper)
    assert paper.match.result is not None
    (points,) = paper.match.result.scores
    assert points == 2 * 17 + 5 + 3 + 4
    assert paper.match.events(0)[-1][-1].values["rank"] == components.RANK_NAMES[rank_of(int(points))]


@pytest.mark.rule("HA-41")
def test_scores_of_53_55_57_and_59_are_impossible() -> None:
    """Enumerate what stays unfinished: a flag bonus is earned exactly if all its islands are finished."""
    possible = set()
    for red, blue, plain in product(range(5), range(4), range(12)):
        done = 18 - red - blue - plain
        reds, blues = (0,) if red else (5, 9), (0,) if blue else (3, 7)
        sixes = (0, 4, 8) if done >= 6 else (0,)
        possible |= {2 * done + sum(bonuses) for bonuses in product(reds, blues, sixes)}
    assert set(range(40, 61)) - possible == {53, 55, 57, 59}
    assert possible <= set(SCORES)


@pytest.mark.rule("HA-41")
@pytest.mark.parametrize("language", LANGUAGES)
def test_the_rank_titles_are_in_every_rulebook(language: str) -> None:
    book = read_rulebook(GAME, language)
    text = "\n".join(block for section in book.sections for block in section.items if isinstance(block, str))
    assert len(components.RANK_TITLES) == len(components.RANK_POINTS) == 12
    translate = translations(language, GAME.package)
    assert all(f"| {translate(title)} |" in text for title in components.RANK_TITLES)
