"""Planted blunders are found and graded, and nothing else is."""

from __future__ import annotations

import pytest

import skerry
from skerry.analysis import analyse, analyse_by_stages, as_data
from skerry.analysis.accounts import course_of
from skerry.analysis.grading import THRESHOLDS, grade_of, taken_back
from skerry.analysis.match_analysis import better_action
from skerry.analysis.verdict import reason
from skerry.analysis.viewpoint import viewpoint_of
from skerry.bots import find
from skerry.engine.match import Match
from skerry.games.forbidden_desert.rules.components import SUN, WELL
from skerry.games.forbidden_island.rules.components import FOOLS_LANDING, HELICOPTER
from tests.analysis.matches import played_by, recorded
from tests.modes import only_compiled

EFFORT = 120


def judged(match: Match, *played: str, seat: int | None = None) -> list[tuple[str, str | None]]:
    """The grades of the last steps, after some actions of the seats in turn, and what would have been better."""
    for action in played:
        match.play(match.waiting[0], action)
    analysis = analyse(match, EFFORT, seat=seat)
    steps = analysis.steps[-len(played) :]
    return [(step.graded.grade if step.graded else "", better_action(analysis, step)) for step in steps]


def island_won_but_for_the_lift(holder: int = 0) -> Match:
    """All treasures are captured, everybody stands on Fools' Landing, and a seat has a Helicopter Lift. It is the turn
    of seat 0. But Fools' Landing is flooded, and its card is the only one left in the flood deck."""
    match = skerry.game("forbidden-island", players=2, roles="diver,engineer", first=0).new(seed=3)
    state = match.state
    for seat in range(2):
        state.pawn[seat] = state.place_of[FOOLS_LANDING]
        for card in range(6):
            state.hands[seat, card] = 0
    for treasure in range(4):
        state.captor[treasure] = 0
    state.hands[holder, HELICOPTER] = 1
    state.flooded |= 1 << state.place_of[FOOLS_LANDING]
    cards = [state.flood_deck[i] for i in range(state.flood_left) if state.flood_deck[i] != FOOLS_LANDING]
    for card in cards:
        state.flood_discard[state.flood_shown] = card
        state.flood_shown += 1
    state.flood_deck[0] = FOOLS_LANDING
    state.flood_left, state.layers = 1, 0
    return match


@only_compiled
def test_a_winning_lift_that_is_not_played_is_a_blunder_of_the_last_moment_for_it() -> None:
    match = island_won_but_for_the_lift()
    end, *draws, flood = judged(match, "end", "draw", "draw", "flood")
    assert match.result and match.result.reason == "landing-lost"
    assert flood == ("blunder", "lift off")
    assert end == ("best", None) and {grade for grade, _ in draws} <= {"best", ""}  # the lift was still to come


@only_compiled
def test_a_winning_lift_that_another_seat_does_not_play_is_a_blunder_of_that_seat() -> None:
    match = island_won_but_for_the_lift(holder=1)
    for action in ("end", "draw", "draw", "flood"):
        match.play(match.waiting[0], action)
    analysis = analyse(match, EFFORT)
    last = analysis.steps[-1]
    assert match.result and not match.result.winners
    assert (last.seat, last.decider, last.graded and last.graded.grade) == (0, 1, "blunder")
    assert better_action(analysis, last) == "lift off"
    why = reason(analysis, last)
    assert why and "lets it pass; better: Lift off and win" in why.render()
    assert analysis.losses(0) == 0 < 0.5 < analysis.losses(1)
    assert analysis.decided_by(1)[0] < -0.5 < analysis.decided_by(0)[0]


@only_compiled
def test_a_winning_lift_that_is_played_is_best() -> None:
    assert judged(island_won_but_for_the_lift(), "lift off") == [("best", None)]


@only_compiled
def test_a_helicopter_lift_that_is_wasted_is_a_blunder() -> None:
    match = island_won_but_for_the_lift()
    away = next(action.text for action in match.legal(0) if action.text.startswith("lift diver "))
    ((grade, better),) = judged(match, away)
    assert grade == "blunder" and better in ("lift off", "end")  # the lift can be played after the actions, too


def desert_with_an_empty_canteen() -> Match:
    """The Water Carrier stands on a well with an empty canteen and one action left, and the next cards are all sun."""
    match = skerry.game("forbidden-desert", players=2, roles="water-carrier,climber", first=0).new(seed=3)
    state = match.state
    well = next(place for place in range(25) if state.tile_at[place] == WELL)
    state.pawn[0] = well
    state.excavated |= 1 << well
    state.sand[well] = 0
    state.sandy &= ~(1 << well)
    state.water[0], state.water[1], state.left = 0, 3, 1
    cards = [state.storm_deck[i] for i in range(state.storm_left)]
    for card in cards:
        if card != SUN:
            state.storm_discard[card] += 1
    state.storm_left = 2
    state.storm_discard[SUN] = cards.count(SUN) - 2
    state.storm_deck[0] = state.storm_deck[1] = SUN
    return match


@only_compiled
def test_a_canteen_that_is_not_filled_is_a_blunder() -> None:
    assert judged(desert_with_an_empty_canteen(), "end") == [("blunder", "fill")]
    assert judged(desert_with_an_empty_canteen(), "fill") == [("best", None)]


def before_the_winning_card() -> tuple[Match, int, str]:
    """A game of Cartagena just before a card that wins it, the seat that has the card, and its play."""
    match = played_by(skerry.game("cartagena", players=2, pirates=4), "skilled", 1)
    last = match.steps[-1]
    earlier = match.variant.new(match.seed)
    for step in match.steps[:-1]:
        earlier.apply(step)
    return earlier, last.seat, last.action.text


@only_compiled
def test_a_winning_card_that_is_not_played_is_a_blunder() -> None:
    match, seat, winning = before_the_winning_card()
    match.state.left = 1
    other = next(action.text for action in match.legal(seat) if action.text.startswith("back"))
    assert judged(match, other, seat=seat) == [("blunder", winning)]


@only_compiled
def test_a_round_without_a_number_is_a_mistake_of_the_confirmation() -> None:
    match = played_by(skerry.game("hashi", players=1), "skilled", 3, most_steps=10)
    while match.steps[-1].action.text != "confirm":
        match.play(0, find(match.game, "skilled").choose(match, 0, 1))
    ((grade, better),) = judged(match, "confirm")
    assert grade in ("inaccuracy", "mistake", "blunder") and better and better.startswith("write")


def before_the_last_bridge() -> tuple[Match, str]:
    """A solo game of Hashi in its last round, in which one bridge finishes an island, and that bridge."""
    match = played_by(skerry.game("hashi", players=1), "skilled", 23)
    *_, bridge, _ = match.steps
    earlier = match.variant.new(match.seed)
    for step in match.steps[:-2]:
        earlier.apply(step)
    return earlier, bridge.action.text


@only_compiled
def test_a_bridge_badly_put_is_a_mistake_of_the_confirmation_after_which_it_stays() -> None:
    match, good = before_the_last_bridge()
    bad = next(one.text for one in match.legal(0) if one.text.startswith("bridge") and one.text != good)
    put, (grade, better) = judged(match, bad, "confirm")
    assert put == ("best", None)  # until it is confirmed it can be removed
    assert grade == "mistake" and better


@only_compiled
def test_a_bridge_that_finishes_an_island_is_best() -> None:
    match, good = before_the_last_bridge()
    assert judged(match, good, "confirm") == [("best", None), ("best", None)]


@only_compiled
def test_what_was_taken_back_in_time_is_not_graded() -> None:
    match = skerry.game("hashi", players=1).new(seed=3)
    first, second = (action.text for action in match.legal(0)[:2])
    match.play(0, first)
    match.play(0, "confirm")
    write, other = [action.text for action in match.legal(0) if action.text.startswith("write")][:2]
    for action in (write, "erase", other):
        match.play(0, action)
    assert taken_back(course_of(match, viewpoint_of(match))) == {2, 3}
    analysis = analyse(match, 8)
    assert [step.number for step in analysis.steps if step.graded] == [1, 2, 5]
    assert second != first


def test_grades_are_steps_of_the_chance_to_win_or_of_points() -> None:
    chance, points = THRESHOLDS["chance"], THRESHOLDS["points"]
    for unit, (inaccuracy, mistake, blunder) in (("chance", chance), ("points", points)):
        losses = (inaccuracy / 2, inaccuracy, mistake, blunder)
        found = [grade_of(loss, False, unit) for loss in losses]  # type: ignore[arg-type]
        assert found == ["good", "inaccuracy", "mistake", "blunder"]
    assert grade_of(0.0, True, "chance") == "best"


# Stages and repeatability


@only_compiled
def test_the_analysis_is_the_same_on_any_number_of_threads() -> None:
    match = recorded("forbidden-island-island-of-shadows-2-elite")
    one, three = (as_data(analyse(match, 20, threads=threads)) for threads in (1, 3))
    assert one == three and one["complete"]


@only_compiled
def test_a_coarse_curve_comes_first_and_then_more_and_more_grades() -> None:
    match = recorded("forbidden-desert-3-elite")
    coarse, fine, *later = analyse_by_stages(match, 20)
    assert coarse.graded == fine.graded == 0 < fine.decisions
    assert len(coarse.steps) == len(fine.steps) == len(match.steps)
    counts = [one.graded for one in later]
    assert counts == sorted(set(counts)) and counts[-1] == fine.decisions and later[-1].complete
    assert all(one.luck == fine.luck and one.initial == fine.initial for one in later)


@only_compiled
def test_an_analysis_can_be_stopped() -> None:
    stages = analyse_by_stages(recorded("forbidden-desert-3-elite"), 20)
    assert not next(stages).complete
    stages.close()  # type: ignore[attr-defined]
    assert next(stages, None) is None


@pytest.mark.parametrize("effort", [0, 1_000_000])
def test_the_effort_has_limits(effort: int) -> None:
    with pytest.raises(skerry.BadOption, match="effort"):
        analyse(skerry.game("hashi", players=1).new(seed=3), effort)


def test_a_match_without_a_step_has_an_analysis() -> None:
    analysis = analyse(skerry.game("forbidden-island", players=2).new(seed=3), 2)
    assert analysis.complete and not analysis.steps and analysis.luck == analysis.decided == (0.0, 0.0)
    assert analysis.final == analysis.initial
