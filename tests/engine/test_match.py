"""Matches and game records: playing, undo, events, and wrong input."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, cast

import numpy as np
import pytest

import skerry
from skerry.engine.conformance import random_play
from skerry.games.forbidden_desert.rules.components import TIME_THROTTLE
from skerry.games.forbidden_island.rules.components import HELICOPTER


@pytest.fixture
def match() -> skerry.Match:
    return skerry.game("forbidden-island", players=3, first=0, roles="pilot,engineer,diver").new(seed=7)


def test_a_match_in_a_few_lines() -> None:
    game = skerry.game("forbidden-island", players=4, difficulty="elite")
    match = game.new(seed=7)
    (seat,) = match.waiting
    action = match.legal(seat)[1]
    events = match.play(seat, action.text)
    assert events[0].name == "moved" and match.result is None
    assert match.view(seat)["turn"]["left"] == 2
    assert skerry.replay(match.record()).content == match.content


def test_without_a_seed_matches_differ() -> None:
    game = skerry.game("forbidden-island")
    assert game.new().seed != game.new().seed


def test_undo_goes_back_step_by_step_but_not_across_a_draw(match: skerry.Match) -> None:
    contents = [match.content]
    moves = [match.legal(0)[1].text, "end"]
    for text in moves:
        match.play(0, text)
        contents.append(match.content)
    assert match.undo(0).text == "end" and match.content == contents[1]
    assert match.undo(0).text == moves[0] and match.content == contents[0]
    with pytest.raises(skerry.NoUndo, match="Nothing has been done"):
        match.undo(0)
    match.play(0, "end")
    match.play(0, "draw")
    with pytest.raises(skerry.NoUndo, match="brought something hidden to light"):
        match.undo(0)
    with pytest.raises(skerry.NoUndo, match="another's: Pilot"):
        match.undo(1)
    assert [step.action.text for step in match.steps] == ["end", "draw"]


def test_the_last_step_of_a_finished_game_cannot_be_undone(match: skerry.Match) -> None:
    while match.result is None:
        match.play(match.waiting[0], match.legal_ids(match.waiting[0])[0])
    for seat in range(3):
        with pytest.raises(skerry.NoUndo, match="The game is over"):
            match.undo(seat)


def test_undone_steps_are_not_in_the_record(match: skerry.Match) -> None:
    before = match.record()
    match.play(0, match.legal(0)[3])
    match.undo(0)
    assert match.record() == before


def test_events_are_listed_step_by_step(match: skerry.Match) -> None:
    for text in ("end", "draw", "draw"):
        match.play(0, text)
    events = match.events(None)
    assert [len(one_step) > 0 for one_step in events] == [False, True, True]
    assert events[1][0].as_dict()["event"] in ("drew", "rose")
    assert match.events(1, since=2) == events[2:]


@pytest.mark.parametrize("seat", [-1, 3, 99, True, None, "0", 1.0, 1 << 70])
def test_an_unknown_seat_is_refused(match: skerry.Match, seat: Any) -> None:
    before = match.content
    for call in (lambda: match.play(seat, "end"), lambda: match.legal(seat), lambda: match.undo(seat)):
        with pytest.raises(skerry.UnknownSeat, match="seats go from 0 to 2"):
            call()
    assert match.content == before


@pytest.mark.parametrize("action", [-1, 10**9, 1 << 70, True, None, 1.5, b"end", ["end"], "fly C3", "", "end; draw"])
def test_an_unreadable_action_is_refused(match: skerry.Match, action: Any) -> None:
    before = match.content
    with pytest.raises(skerry.Unreadable):
        match.play(0, action)
    assert match.content == before and match.steps == []


def test_an_action_of_another_match_is_read_by_its_text(match: skerry.Match) -> None:
    other = skerry.game("forbidden-island", layout="bone-island").new(1)
    with pytest.raises(skerry.Unreadable, match="no place"):
        match.play(0, other.action(other.game.actions.first_id("move") + 23))
    assert match.action(cast(int, np.int16(0))).text == "end"


@pytest.mark.parametrize("seed", [-1, 1 << 64, "seven", 1.5, True])
def test_a_wrong_seed_is_refused(seed: Any) -> None:
    with pytest.raises(skerry.BadOption, match="A seed is"):
        skerry.game("forbidden-island").new(seed)


@pytest.mark.parametrize("seats", [None, 5, [None], "Ana", [1]])
def test_wrong_names_of_seats_are_refused(seats: Any) -> None:
    with pytest.raises(skerry.BadOption, match="list of names"):
        skerry.game("forbidden-island").new(1, seats)


@pytest.mark.parametrize("name", [None, 7, ["x"], "", "forbidden"])
def test_a_wrong_name_of_a_game_is_refused(name: Any) -> None:
    with pytest.raises(skerry.UnknownGame):
        skerry.game(name)


@pytest.mark.parametrize("record", [None, b"skerry record 1", 7])
def test_a_record_that_is_not_text_is_refused(record: Any) -> None:
    with pytest.raises(skerry.BadRecord, match="A record is a text"):
        skerry.replay(record)


@pytest.mark.parametrize("value", [np.arange(3), object(), {}, 1.5])
@pytest.mark.parametrize("option", ["players", "difficulty", "roles", "first"])
def test_a_wrong_value_of_an_option_is_refused(option: str, value: Any) -> None:
    with pytest.raises(skerry.BadOption, match=r"Option .* takes .*FI-01"):
        skerry.game("forbidden-island", **{option: value})


def test_a_name_with_an_unpaired_surrogate_survives_the_record() -> None:
    match = skerry.game("forbidden-island", players=2).new(1, ["\ud800"])
    assert skerry.replay(match.record()).seats[0] == "\ud800"


def test_more_names_than_seats_are_refused() -> None:
    with pytest.raises(skerry.UnknownSeat):
        skerry.game("forbidden-island", players=2).new(1, ["a", "b", "c"])


def test_the_refusal_of_an_unknown_game_names_it() -> None:
    with pytest.raises(skerry.UnknownGame, match="There is no game 'chess'"):
        skerry.game("chess")


def played_match() -> skerry.Match:
    import random

    match = skerry.game("forbidden-island", players=2).new(seed=3, seats=["Ana", "Rui"])
    for _ in random_play(match, random.Random(5), limit=30):
        pass
    return match


def test_a_record_is_readable_text() -> None:
    lines = played_match().record().splitlines()
    assert lines[:3] == ["skerry record 1", "game forbidden-island 1", "option players 2"]
    assert "seed 3" in lines and "seat 0 Ana" in lines and lines[-1].startswith("end 30 ")


def test_a_name_cannot_add_lines_to_the_record() -> None:
    match = skerry.game("forbidden-island", players=2).new(1, ["  Ana\n0 end\r\n", "\u2028#"])
    assert skerry.replay(match.record()).seats == match.seats == ("Ana 0 end", "#")


def test_comments_and_empty_lines_of_a_record_are_ignored() -> None:
    text = played_match().record()
    commented = text.replace("seed 3", "# the number of the game\n\nseed 3")
    assert skerry.replay(commented).content == played_match().content


DAMAGED_RECORDS: dict[str, tuple[Callable[[str], str], str]] = {
    "empty": (lambda text: "", "not a record"),
    "other": (lambda text: "hello\n" + text, "not a record"),
    "cut": (lambda text: "\n".join(text.splitlines()[:-5]), "cut off"),
    "cut inside": (lambda text: text[: len(text) // 2], "cut off|not understood"),
    "a line less": (lambda text: _without_line(text, -2), "changed after it was written"),
    "a line twice": (lambda text: _with_last_action_twice(text), "line|changed"),
    "another seed": (lambda text: text.replace("seed 3", "seed 4"), "line|changed"),
    "no seed": (lambda text: text.replace("seed 3\n", ""), "head is wrong"),
    "another name": (lambda text: text.replace("Ana", "Eva"), "changed after"),
    "another version": (lambda text: text.replace("island 1", "island 2"), "version 2 of the rules"),
    "another game": (lambda text: text.replace("game forbidden-island", "game chess"), "no game 'chess'"),
    "a bad option": (lambda text: text.replace("players 2", "players 9"), "option players"),
    "an unknown option": (lambda text: text.replace("option players", "option people"), "no option people"),
    "an unknown field": (lambda text: text.replace("seed 3", "seed 3\nmood good"), "not understood"),
    "a seat too many": (lambda text: text.replace("seat 0 Ana", "seat 7 Ana"), "head is wrong"),
    "a bad seat": (lambda text: text.replace("seat 0 Ana", "seat x Ana"), "not understood"),
    "a huge number": (lambda text: text.replace("seed 3", "seed " + "9" * 6000), "not understood|head is wrong"),
    "a bad action": (lambda text: text.replace("\nend 30", "\n0 fly away\nend 31"), "no action 'fly'"),
    "a line of nothing": (
        lambda text: text.replace("\nend 30", "\n99999999999999999999\nend 31"),
        "a seat and an action",
    ),
    "a wrong end": (lambda text: text[:-8] + "0000000\n", "changed after"),
}


def _without_line(text: str, index: int) -> str:
    lines = text.splitlines()
    del lines[index]
    return "\n".join(lines)


def _with_last_action_twice(text: str) -> str:
    lines = text.splitlines()
    return "\n".join([*lines[:-1], lines[-2], lines[-1]])


@pytest.mark.parametrize("kind", DAMAGED_RECORDS)
def test_a_damaged_record_is_refused_with_the_reason(kind: str) -> None:
    damage, reason = DAMAGED_RECORDS[kind]
    with pytest.raises(skerry.BadRecord, match=f"(?i){reason}"):
        skerry.replay(damage(played_match().record()))


# What goes by itself where people play


def _due(match: skerry.Match) -> str | None:
    """The step that is due and, behind a colon, the seats that could do something else."""
    due = match.due_step()
    return None if due is None else f"{due.action}: {', '.join(map(str, due.free))}"


def _deal_nothing_but(match: skerry.Match, seat: int | None, card: int) -> None:
    np.asarray(match.state.hands)[:] = 0
    if seat is not None:
        match.state.hands[seat, card] = 1


@pytest.mark.parametrize(("holder", "free"), [(None, ""), (0, "0"), (2, "2")])
def test_a_card_turns_over_by_itself_whoever_could_interrupt(
    match: skerry.Match, holder: int | None, free: str
) -> None:
    _deal_nothing_but(match, holder, HELICOPTER)
    match.play(0, "end")
    assert _due(match) == f"draw: {free}"


@pytest.mark.parametrize(("holder", "free"), [(None, ""), (0, "0"), (2, "2")])
def test_actions_end_by_themselves_once_none_is_left(match: skerry.Match, holder: int | None, free: str) -> None:
    _deal_nothing_but(match, holder, HELICOPTER)
    assert _due(match) is None, "there are actions left"
    match.state.left = 0
    assert _due(match) == f"end: {free}"


def test_actions_do_not_end_by_themselves_if_that_takes_a_card_away() -> None:
    match = skerry.game("forbidden-desert", players=2, first=0).new(seed=1)
    np.asarray(match.state.gear)[:] = 0
    np.asarray(match.state.water)[:] = 0
    match.state.left = 0
    assert _due(match) == "end: "
    match.state.gear[0, TIME_THROTTLE] = 1  # it gives more actions, and only before they are ended
    assert _due(match) is None


def test_what_a_hidden_hand_forces_does_not_go_by_itself() -> None:
    match = skerry.game("cartagena", players=2, first=0).new(seed=1)
    np.asarray(match.state.held)[:] = 0
    np.asarray(match.state.hands)[:] = 0
    assert [action.text for action in match.legal(0)] == ["pass"]
    assert match.forced_action() is not None and match.due_step() is None
