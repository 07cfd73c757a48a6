"""The longest steps of Forbidden Island: they write as many events as the fact sheet declares."""

from __future__ import annotations

from skerry.games.forbidden_island import GAME
from tests.games.forbidden_island.positions import DRY, Island


def test_the_longest_flood_card_sinks_a_tile_ends_the_deck_and_the_turn() -> None:
    island = Island("engineer,messenger", DRY.replace(".", "~", 1)).go_to_flood_cards()
    island.next_flood_cards("D1", "C1").play("0 flood")
    island.last_flood_cards("C1")
    events = island.play("0 flood")
    assert events == ["sank", "flood-renewed", "turn"]
    assert len(events) == GAME.max_events


def test_the_longest_treasure_card_is_waters_rise_at_the_end_of_the_deck() -> None:
    island = Island("engineer,messenger", DRY.replace(".", "~", 1)).last_treasure_cards("rise")
    events = island.play("0 end", "0 draw")
    assert events == ["rose", "restacked", "renewed"]
    assert len(events) == GAME.max_events


def test_drowning_is_shorter_because_it_ends_the_game() -> None:
    """Both pawns stand on the tile that sinks, far from all others."""
    board = """
        ~ -
      - - - -
    . . . . . .
    . . . . . .
      . . . .
        . .
    """
    island = Island("engineer,messenger", board).at(0, "C1").at(1, "C1").go_to_flood_cards().last_flood_cards("C1")
    events = island.play("0 flood")
    assert events == ["sank", "drowned"]
    assert len(events) < GAME.max_events


def test_several_tiles_sink_and_pawns_swim_in_one_step_each() -> None:
    """Each tile is a card of its own and each pawn swims by itself, so that no step grows with their number."""
    island = Island("engineer,messenger,pilot,diver", DRY.replace(".", "~", 2)).go_to_flood_cards()
    for seat in range(4):
        island.at(seat, "C1")
    island.next_flood_cards("C1", "D1")
    written = [len(island.play("0 flood"))]
    written += [len(island.play(f"{seat} swim {sorted(island.legal(seat, 'swim'))[0]}")) for seat in range(4)]
    written.append(len(island.play("0 flood")))
    assert max(written) <= GAME.max_events
