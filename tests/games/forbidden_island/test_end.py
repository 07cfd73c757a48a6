"""How the game ends, FI-60 to FI-66."""

from __future__ import annotations

import pytest

from skerry.games.forbidden_island.rules import components

from .positions import DRY, Island

ALL = ("stone", "statue", "fire", "chalice")
STRANDING = """
        ~ -
      . - . .
    . . . . . .
    . . . . . .
      . . . .
        . ."""


def at_the_landing(flooded: bool = False) -> Island:
    board = DRY.replace(".", "~", 1) if flooded else DRY
    island = Island("engineer,pilot,diver", board).swap("fools-landing", "C1").captured(*ALL)
    return island.at(0, "C1").at(1, "C1").at(2, "C1")


@pytest.mark.rule("FI-60")
@pytest.mark.parametrize("flooded", [False, True])
@pytest.mark.parametrize("seat", [0, 1, 2])
def test_any_seat_with_a_helicopter_lift_wins_once_all_are_ready(seat: int, flooded: bool) -> None:
    island = at_the_landing(flooded).hand(seat, lift=1)
    assert "lift off" in island.legal(seat)
    left = island.match.view(0)["turn"]["left"]
    assert island.play(f"{seat} lift off") == ["won"]
    result = island.match.result
    assert result is not None and result.winners == (0, 1, 2) and result.scores == (1, 1, 1)
    assert island.ending == "escaped" and island.match.view(0)["turn"]["left"] == left


@pytest.mark.rule("FI-60", "FI-42")
def test_lifting_off_is_legal_at_any_time_even_while_a_seat_must_discard() -> None:
    for lines in (["0 end"], ["0 end", "0 draw"], ["0 end", "0 draw", "0 draw"]):
        island = at_the_landing().hand(1, lift=1).next_treasure_cards("stone", "statue")
        island.play(*lines)
        assert "lift off" in island.legal(1)
    island = at_the_landing().hand(0, lift=2, sandbags=2, stone=1).hand(1, lift=1).next_treasure_cards("statue")
    island.play("0 end", "0 draw")
    assert island.match.view(0)["seats"][0]["must_discard"]
    assert "lift off" in island.legal(0) and "lift off" in island.legal(1)
    island.play("1 lift off")
    assert island.ending == "escaped"


@pytest.mark.rule("FI-60")
def test_lifting_off_takes_all_pawns_all_treasures_and_a_card() -> None:
    away = at_the_landing().hand(0, lift=1).at(2, "D1")
    away.refuses("0 lift off", "FI-60", "The Diver is not on Fools' Landing yet")
    without = at_the_landing()
    without.refuses("0 lift off", "FI-60", "no Helicopter Lift")
    early = Island().swap("fools-landing", "C1").at(0, "C1").at(1, "C1").captured("stone", "fire").hand(0, lift=1)
    early.refuses("0 lift off", "FI-60", "Statue of the Wind is still on the island")


@pytest.mark.rule("FI-61")
@pytest.mark.parametrize("treasure", range(4))
def test_the_game_is_lost_when_both_tiles_of_an_uncaptured_treasure_sink(treasure: int) -> None:
    first, second = components.TILE_NAMES[2 * treasure : 2 * treasure + 2]
    board = DRY.replace(".", "-", 1).replace(".", "~", 1)
    island = (
        Island("engineer,messenger", board)
        .swap(first, "C1")
        .swap(second, "D1")
        .go_to_flood_cards()
        .next_flood_cards("D1")
    )
    assert island.play("0 flood") == ["sank", "treasure-lost"]
    assert island.ending == "treasure-lost"
    lost, sunk = components.TREASURE_TITLES[treasure], components.TILE_TITLES[2 * treasure + 1]
    assert str(island.match.outcome(0)) == f"You lost: the {lost} sank with the {sunk}" == str(island.match.outcome())
    result = island.match.result
    assert result is not None and result.winners == () and result.scores == (0, 0)


@pytest.mark.rule("FI-61")
def test_the_game_goes_on_when_one_tile_of_a_treasure_sinks() -> None:
    board = DRY.replace(".", "~", 1)
    island = Island("engineer,messenger", board).swap("coral-palace", "C1").go_to_flood_cards().next_flood_cards("C1")
    assert island.play("0 flood") == ["sank"]
    assert island.ending is None


@pytest.mark.rule("FI-62")
def test_the_game_is_lost_when_fools_landing_sinks() -> None:
    island = (
        Island("engineer,messenger", DRY.replace(".", "~", 1))
        .swap("fools-landing", "C1")
        .go_to_flood_cards()
        .next_flood_cards("C1")
    )
    assert island.play("0 flood") == ["sank", "landing-lost"]
    assert island.ending == "landing-lost"
    assert str(island.match.prompt(0)) == "You lost: Fools' Landing sank, and nobody can leave the island"


@pytest.mark.rule("FI-63")
def test_the_game_is_lost_when_a_pawn_cannot_swim_and_nobody_has_a_lift() -> None:
    island = Island("engineer,messenger", STRANDING).at(0, "C1").at(1, "C6").go_to_flood_cards().next_flood_cards("C1")
    assert island.play("0 flood") == ["sank", "drowned"]
    assert island.ending == "drowned"
    assert str(island.match.prompt(0)) == "You lost: the Engineer could not reach land"


@pytest.mark.rule("FI-63")
@pytest.mark.parametrize(("role", "safe"), [("explorer", True), ("diver", True), ("pilot", True), ("navigator", False)])
def test_explorer_diver_and_pilot_swim_where_others_drown(role: str, safe: bool) -> None:
    island = Island(f"{role},messenger", STRANDING).at(0, "C1").at(1, "C6").go_to_flood_cards().next_flood_cards("C1")
    island.play("0 flood")
    assert (island.ending is None) == safe


@pytest.mark.rule("FI-63")
def test_the_game_waits_for_seats_with_a_lift_while_a_pawn_is_stranded() -> None:
    """Engineer and Messenger are stranded, the Pilot in the water could fly; the Pilot and the Diver have lifts."""
    island = Island("engineer,messenger,pilot,diver", STRANDING).at(3, "C6")
    island.at(0, "C1").at(1, "C1").at(2, "C1").hand(2, lift=1, sandbags=1).hand(3, lift=1)
    island.go_to_flood_cards().next_flood_cards("C1").play("0 flood")
    assert island.match.waiting == (2, 3)
    assert island.legal(0) == set()
    assert {text.split()[0] for text in island.legal(2)} == {"lift"}  # no swim, no sandbags
    groups = {text.split()[0] for text in island.legal(3, "lift")}
    assert groups == {
        *("engineer", "messenger", "engineer,messenger"),
        *("engineer,pilot", "messenger,pilot", "engineer,messenger,pilot"),
    }
    island.refuses("3 lift pilot C6", "FI-63", "must carry that pawn")
    island.refuses("2 swim C6", "FI-63", "before anybody swims")
    island.refuses("0 flood", "FI-63", "rescue it")
    island.play("3 lift engineer C6")
    assert list(island.match.waiting) == [2], "tested again: the Messenger is still stranded and the Pilot holds a lift"
    island.play("2 lift messenger C6")
    assert list(island.match.waiting) == [2]
    assert "swim F4" in island.legal(2)
    island.play("2 swim F4")
    assert island.ending is None and island.legal(0) == {"flood"}


@pytest.mark.rule("FI-63")
def test_the_game_is_lost_when_the_last_lift_leaves_a_stranded_pawn_behind() -> None:
    island = Island("engineer,messenger,pilot", STRANDING).at(0, "C1").at(1, "C1").at(2, "C6").hand(2, lift=1)
    island.go_to_flood_cards().next_flood_cards("C1").play("0 flood")
    assert island.play("2 lift engineer C6") == ["lifted", "drowned"]
    assert island.ending == "drowned"


@pytest.mark.rule("FI-64", "FI-31")
def test_reaching_the_skull_loses_before_anything_else_happens() -> None:
    island = Island("engineer,messenger", DRY.replace(".", "~", 3)).next_treasure_cards("waters-rise")
    island.state.water = components.SKULL_TICK - 1
    island.play("0 end")
    assert island.play("0 draw") == ["skull"]
    assert island.ending == "skull"
    assert len(island.match.view(None)["flood_deck"]["discard"]) == 3, "not reshuffled any more"


@pytest.mark.rule("FI-65")
def test_treasure_tiles_sink_without_harm_once_the_treasure_is_captured() -> None:
    board = DRY.replace(".", "-", 1).replace(".", "~", 1)
    island = Island("engineer,messenger", board).swap("temple-of-the-moon", "C1").swap("temple-of-the-sun", "D1")
    island.captured("stone").go_to_flood_cards().next_flood_cards("D1")
    assert island.play("0 flood") == ["sank"]
    assert island.ending is None


@pytest.mark.rule("FI-66")
def test_an_ending_ends_the_game_at_once() -> None:
    island = Island("engineer,messenger", DRY.replace(".", "~", 1)).swap("fools-landing", "C1").hand(1, lift=1)
    island.go_to_flood_cards().next_flood_cards("C1").play("0 flood")
    assert island.match.view(0)["turn"]["left"] == 1
    assert island.match.waiting == () and island.legal(0) == island.legal(1) == set()
    before = island.match.content
    for line in ("0 flood", "1 lift engineer C6", "0 end"):
        island.refuses(line, "FI-62", "The game is over: Fools' Landing sank")
    assert island.match.content == before


@pytest.mark.rule("FI-63")
def test_nobody_swims_before_a_stranded_pawn_is_saved_even_the_first_in_order() -> None:
    island = Island("pilot,engineer,diver", STRANDING).at(0, "C1").at(1, "C1").at(2, "C6").hand(2, lift=1)
    island.go_to_flood_cards().next_flood_cards("C1").play("0 flood")
    assert island.match.waiting == (2,) and island.legal(0) == set()
    island.refuses("0 swim C6", "FI-63", "before anybody swims")


@pytest.mark.rule("FI-63")
def test_a_stranded_pawn_may_lift_itself_also_on_the_last_flood_card() -> None:
    island = Island("engineer,messenger", STRANDING).at(0, "C1").at(1, "C6").hand(0, lift=1)
    island.go_to_flood_cards().next_flood_cards("D5", "C1").play("0 flood", "0 flood")
    assert island.match.waiting == (0,)
    island.play("0 lift engineer A3")
    assert list(island.match.waiting) == [1] and island.match.view(0)["turn"]["number"] == 2


@pytest.mark.rule("FI-61")
def test_a_treasure_is_not_lost_while_its_other_tile_is_only_flooded() -> None:
    board = DRY.replace(".", "~", 2)
    island = Island("engineer,messenger", board).swap("coral-palace", "C1").swap("tidal-palace", "D1")
    assert island.go_to_flood_cards().next_flood_cards("C1").play("0 flood") == ["sank"]
