"""HA-01 to HA-03: players, boards, start numbers, cards."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import skerry
from skerry.engine.struct import StructBuffer
from skerry.games.hashi import GAME
from skerry.games.hashi.rules import components
from skerry.games.hashi.rules.options import board_of, read_printed_board

PLAIN_A = {"C1", "A2", "E2", "A4", "C4", "E4", "B5", "C5", "D5", "B6", "D6"}


@pytest.mark.rule("HA-01")
@pytest.mark.parametrize("players", [1, 2, 3, 4])
def test_one_to_four_play_on_the_same_board(players: int) -> None:
    match = skerry.game("hashi", players=players).new(seed=0)
    assert match.variant.options["board"] == "A" and len(match.view(None)["papers"]) == players


@pytest.mark.rule("HA-01")
@pytest.mark.parametrize(
    ("options", "reason"),
    [
        ({"players": 0}, "a number from 1 to 4, not 0"),
        ({"players": 5}, "a number from 1 to 4, not 5"),
        ({"board": "C"}, "option board takes A, B, a drawing of a board, or a file ending in .board, not 'C'"),
        ({"board": 7}, "not 7"),
        ({"board": "o-o/r"}, "line 2, column 1: a board has 18 islands, not 3"),
        ({"side": "A"}, "there is no option side"),
        ({"start": "X"}, "free, or an island and a 3 or 4 as C4:3, not 'X'"),
    ],
)
def test_invalid_options_are_refused_with_the_reason(options: dict[str, Any], reason: str) -> None:
    with pytest.raises(skerry.BadOption, match="(?i)" + re.escape(reason)):
        skerry.game("hashi", **options)


@pytest.mark.rule("HA-01")
@pytest.mark.parametrize("side", ["A", "B"])
def test_both_sides_have_18_islands_with_4_red_and_3_blue_flags(side: str) -> None:
    flags = [island["flag"] for island in skerry.game("hashi", board=side).new(seed=0).view(None)["board"]["islands"]]
    assert [flags.count(flag) for flag in ("red", "blue", None)] == [4, 3, 11]
    assert board_of(side).crossings


@pytest.mark.rule("HA-01")
def test_a_board_from_a_file_is_kept_in_the_game_record(tmp_path: Path) -> None:
    path = tmp_path / "mine.board"
    path.write_text("\n".join(read_printed_board("B").picture(4, 2)).replace("b---o", "b   o", 1))
    match = skerry.game("hashi", board=str(path), players=1).new(seed=3)
    assert len(match.view(None)["board"]["lines"]) == len(read_printed_board("B").lines) - 1
    path.unlink()
    assert skerry.replay(match.record()).content == match.content


@pytest.mark.rule("HA-01")
def test_the_drawing_of_a_printed_side_means_that_side() -> None:
    assert skerry.game("hashi", board=read_printed_board("B").text).options["board"] == "B"
    assert skerry.game("hashi", board=read_printed_board("B")).options["board"] == "B"


@pytest.mark.rule("HA-01")
def test_only_board_files_are_opened(tmp_path: Path) -> None:
    path = tmp_path / "secret.txt"
    path.write_text("x")
    with pytest.raises(skerry.BadOption):
        skerry.game("hashi", board=str(path))
    with pytest.raises(skerry.BadOption, match="cannot be read"):
        skerry.game("hashi", board=str(tmp_path / "missing.board"))


@pytest.mark.rule("HA-02")
def test_a_3_or_a_4_goes_on_any_island_without_a_flag() -> None:
    match = skerry.game("hashi", players=2).new(seed=0)
    assert {action.text for action in match.legal(0)} == {f"start {n} {i}" for n in (3, 4) for i in PLAIN_A}
    with pytest.raises(skerry.Illegal, match="HA-02"):
        match.play(0, "start 3 A3")


@pytest.mark.rule("HA-02")
def test_every_paper_goes_to_the_next_seat() -> None:
    match = skerry.game("hashi", players=3).new(seed=0)
    told = [str(match.prompt(seat)).partition("flag: ")[2].split()[0] for seat in range(3)]
    assert told == ["Orange", "Purple", "Green"], "the prompt says who gets it"
    for seat, place in enumerate(("C1", "A2", "E2")):
        match.play(seat, f"start {3 + seat % 2} {place}")
        match.play(seat, "confirm")
    islands = [island["island"] for island in match.view(None)["board"]["islands"]]
    written = [{i: n for i, n in zip(islands, p["numbers"], strict=True) if n} for p in match.view(None)["papers"]]
    assert written == [{"E2": 3}, {"C1": 3}, {"A2": 4}]


@pytest.mark.rule("HA-02")
def test_start_numbers_are_secret_until_all_have_confirmed() -> None:
    match = skerry.game("hashi", players=2).new(seed=0)
    before = match.view(1), match.view(None)
    match.play(0, "start 4 C5")
    assert (match.view(1), match.view(None)) == before
    assert match.view(0)["draft"]["island"] == "C5"
    match.play(0, "confirm")
    assert match.view(1)["papers"][1]["numbers"] == [None] * 18
    assert [str(event) for event in match.events(1)[-1]] == ["Green confirms"]


@pytest.mark.rule("HA-02")
def test_a_start_number_is_mandatory_and_can_be_changed_until_confirmed() -> None:
    match = skerry.game("hashi", players=2).new(seed=0)
    with pytest.raises(skerry.Illegal, match="HA-02"):
        match.play(0, "confirm")
    for action in ("start 4 C5", "start 3 C5", "start 3 B6", "confirm"):
        match.play(0, action)
    assert match.waiting == (1,) and match.legal(0) == []


@pytest.mark.rule("HA-02")
def test_a_solo_player_keeps_the_own_start_number() -> None:
    match = skerry.game("hashi", players=1).new(seed=0)
    assert str(match.prompt(0)) == "Write a 3 or a 4 on an island without a flag"
    match.play(0, "start 4 C5")
    match.play(0, "confirm")
    assert match.view(0)["papers"][0]["numbers"].count(4) == 1 and match.view(0)["round"] == 1


@pytest.mark.rule("HA-02")
def test_a_given_start_is_on_every_paper() -> None:
    match = skerry.game("hashi", players=2, start="c4:3").new(seed=0)
    assert match.variant.options["start"] == "C4:3" and match.view(None)["round"] == 1
    assert all(paper["numbers"].count(3) == 1 for paper in match.view(None)["papers"])
    for start in ("A3:3", "A1:3", "C4:5"):
        with pytest.raises(skerry.BadOption):
            skerry.game("hashi", start=start)


@pytest.mark.rule("HA-03")
def test_17_of_18_cards_are_played_and_the_cards_to_come_are_public() -> None:
    assert sorted(components.CARDS) == [(number, bridges) for number in range(1, 7) for bridges in range(1, 4)]
    match = skerry.game("hashi", players=1, start="C4:3").new(seed=4)
    shown = []
    while match.result is None:
        view = match.view(0)
        shown.append(f"{view['card']['number']}x{view['card']['bridges']}")
        assert view["shown"] == shown and len(view["unseen"]) == 18 - len(shown)
        match.play(0, "confirm")
    assert len(set(shown)) == 17


@pytest.mark.rule("HA-03")
def test_the_order_of_the_cards_and_the_card_set_aside_are_hidden() -> None:
    match = skerry.game("hashi", players=2, start="C4:3").new(seed=4)
    orders, aside = set(), set()
    for seed in range(200):
        world = StructBuffer(GAME.state_struct, match.content)
        GAME.rules.determinize(world.struct, 0, np.uint64(seed))
        deck = list(world.struct.deck)
        assert deck[0] == match.state.deck[0] and sorted(deck) == list(range(18))
        orders.add(tuple(deck))
        aside.add(deck[-1])
    assert len(orders) == 200 and len(aside) == 17
    assert match.view(0)["unseen"] == sorted(match.view(0)["unseen"])
