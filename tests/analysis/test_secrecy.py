"""An analysis depends on what was known at the time only, whatever the hidden cards were."""

from __future__ import annotations

import pytest

import skerry
from skerry.analysis import analyse, as_data, viewpoint
from skerry.engine.errors import BadGame
from skerry.engine.match import Match
from tests.analysis.matches import (
    a_spectator,
    played_by,
    recorded,
    the_actor,
    with_other_cards_to_come,
    with_other_hidden_cards,
)
from tests.modes import only_compiled

EFFORT = 6


def cartagena() -> Match:
    """A game with all powers of black magic, which look into hands, take cards and know the deck."""
    return recorded("cartagena-magic-4")


@only_compiled
@pytest.mark.parametrize("name", ["forbidden-island-bay-of-gulls-3-normal", "forbidden-desert-3-elite"])
def test_no_decision_is_judged_by_what_its_seat_could_not_know(name: str) -> None:
    match = recorded(name)
    analysis = as_data(analyse(match, EFFORT))
    assert analysis == as_data(analyse(with_other_hidden_cards(match, the_actor), EFFORT))
    assert sum(seat["losses"] for seat in analysis["seats"]) > 0


@only_compiled
def test_a_single_player_is_not_judged_by_the_cards_to_come() -> None:
    match = played_by(skerry.game("hashi", players=1), "novice", 3, most_steps=24)
    assert as_data(analyse(match, EFFORT)) == as_data(analyse(with_other_hidden_cards(match, the_actor), EFFORT))


@only_compiled
def test_players_at_the_same_time_are_not_judged_by_the_cards_to_come() -> None:
    match = played_by(skerry.game("hashi", players=2), "novice", 3, most_steps=24)
    assert as_data(analyse(match, EFFORT)) == as_data(analyse(with_other_cards_to_come(match), EFFORT))


@only_compiled
@pytest.mark.parametrize("seat", [0, 3])
def test_the_analysis_for_a_seat_is_the_same_whatever_the_others_held(seat: int) -> None:
    match = cartagena()
    analysis = as_data(analyse(match, EFFORT, seat=seat))
    assert analysis == as_data(analyse(with_other_hidden_cards(match, lambda _: seat), EFFORT, seat=seat))
    assert {step["seat"] for step in analysis["steps"] if step["action"] is not None} == {seat}
    assert {step["seat"] for step in analysis["steps"] if "grade" in step} == {seat}


@only_compiled
def test_the_analysis_for_a_spectator_is_the_same_whatever_anybody_held() -> None:
    match = cartagena()
    analysis = as_data(analyse(match, EFFORT))
    assert analysis == as_data(analyse(with_other_hidden_cards(match, a_spectator), EFFORT))
    assert not any(step["action"] or "grade" in step for step in analysis["steps"])


@only_compiled
def test_with_open_cards_the_hands_count_but_not_the_cards_to_come() -> None:
    match = recorded("cartagena-tortuga-3-morgan")
    analysis = as_data(analyse(match, EFFORT, open_cards=True))
    values = [step["values"] for step in analysis["steps"]]
    assert values != [step["values"] for step in as_data(analyse(match, EFFORT))["steps"]]
    other = as_data(analyse(with_other_cards_to_come(match), EFFORT, open_cards=True))
    assert values == [step["values"] for step in other["steps"]]
    assert {step["seat"] for step in analysis["steps"] if "grade" in step} == set(range(match.variant.players))


def test_cards_are_opened_only_after_the_end() -> None:
    match = skerry.game("cartagena", players=2).new(seed=3)
    with pytest.raises(skerry.Illegal, match="after the end"):
        analyse(match, 1, open_cards=True)


def test_cards_are_opened_only_where_the_game_can_resample_the_cards_to_come(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(viewpoint, "reshuffle_of", lambda game: None)
    with pytest.raises(BadGame, match="needs the kernel reshuffle"):
        analyse(recorded("cartagena-tortuga-3-morgan"), 1, open_cards=True)


@pytest.mark.parametrize("chosen", [{"seat": 0}, {"open_cards": True}], ids=["seat", "open"])
def test_a_viewpoint_is_chosen_only_where_something_stays_hidden(chosen: dict[str, int]) -> None:
    match = skerry.game("forbidden-island", players=2).new(seed=3)
    with pytest.raises(skerry.BadOption, match="only one analysis"):
        analyse(match, 1, **chosen)  # type: ignore[arg-type]
