"""Texts for players: the board in the terminal, the prompt and the reasons of refusals."""

from __future__ import annotations

import random
from io import StringIO

import pytest
from rich.console import Console

import skerry
from skerry.engine.conformance import random_play

from .positions import Desert, desert


def drawn(table: Desert, role: str | None, width: int = 80) -> str:
    console = Console(file=StringIO(), width=width, color_system=None)
    seat = None if role is None else table.seat(role)
    console.print(table.match.game.ui.board(table.match.view(seat), width))
    assert isinstance(console.file, StringIO)
    return console.file.getvalue()


@pytest.mark.parametrize("width", [60, 80, 120])
def test_the_board_fits_its_width_in_any_position(width: int) -> None:
    table = Desert(skerry.game("forbidden-desert", players=5).new(seed=4))
    for step, _ in enumerate(random_play(table.match, random.Random(4))):
        if step % 10 == 0:
            picture = drawn(table, None, width)
            assert "storm" in picture.replace(" ", "") and max(map(len, picture.splitlines())) <= width


def test_the_narrowest_board_shows_all_five_pawns_on_one_tile() -> None:
    table = desert("archeologist,climber,explorer,meteorologist,navigator")
    assert "ACXMN" in drawn(table, None, 50).replace(" ", "")


def test_the_board_shows_a_tile_looked_at_in_brackets_to_that_seat_only() -> None:
    table = desert(gear={"archeologist": "terrascope"}, tiles={"D4": "launch-pad"})
    table.play("archeologist", "scope D4")
    assert "(launch pad)" in drawn(table, "archeologist")
    assert "launch pad" not in drawn(table, "meteorologist") + drawn(table, None)


def test_the_board_shows_foreseen_cards_to_the_meteorologist() -> None:
    table = desert("meteorologist,explorer")
    table.stack("sun", "west-2")
    table.play("meteorologist", "forecast")
    assert "1: sun, 2: ←2" in drawn(table, "meteorologist")
    assert "You know" not in drawn(table, "explorer") + drawn(table, None)


def test_the_board_shows_tiles_sand_parts_gear_and_water() -> None:
    table = desert(
        "climber,water-carrier",
        at={"water-carrier": "B2"},
        tiles={"A1": "tunnel", "C1": "engine-row"},
        excavated="A1 C1",
        sand={"B1": 5, "B2": 2},
        gear={"climber": "jet-pack jet-pack"},
        parts={"propeller": "B2"},
        water={"water-carrier": 2},
    )
    picture = drawn(table, None)
    for sign in (
        "tunnel",
        "◄ row ►",
        "▒ x 5",
        "▒ ▒",
        "*P",
        "2 × Jet Pack",
        "●●○○○",
        "on B2, buried",
        "engine: in row 1",
    ):
        assert sign in picture


def test_the_prompt_of_each_situation() -> None:
    def prompts(table: Desert) -> list[str]:
        return [str(table.match.prompt(seat)) for seat in (0, 1)]

    table = desert("meteorologist,explorer", sand={"B1": 2})
    assert prompts(table) == ["Your turn; actions left: 4", "The Meteorologist's turn; actions left: 4"]
    table.play("meteorologist", "forecast")
    assert prompts(table)[0] == "The next 2 storm cards: put one at the bottom, or leave them as they are"
    assert prompts(table)[1] == "The Meteorologist is looking at the next 2 storm cards"
    table.play("meteorologist", "keep", "end")
    assert prompts(table) == ["Draw storm cards: 2 to come", "The Meteorologist draws storm cards: 2 to come"]
    table = desert("navigator,explorer", sand={"A1": 2}, at={"explorer": "B2"})
    assert prompts(table)[1] == "The Navigator is buried; actions left: 4"
    table = desert("navigator,explorer")
    table.state.left = 1
    table.play("navigator", "guide explorer B2")
    assert prompts(table)[0] == "You can guide the Explorer 2 more steps, until you do something else. Actions left: 0"
    table = desert(water={"archeologist": 0})
    table.draw_storm("sun")
    assert prompts(table) == ["You lost: the Archeologist died of thirst"] * 2
    table = desert("archeologist,meteorologist", water={"archeologist": 0, "meteorologist": 1})
    table.draw_storm("sun")
    assert prompts(table) == ["You lost to thirst: the canteens of the Archeologist and Meteorologist were empty"] * 2


@pytest.mark.parametrize(
    ("action", "words"),
    [
        ("move A2", "A2 is blocked: two or more sand markers lie there (FD-13)"),
        ("move C1", "C1 is not beside the Navigator's tile, and no tunnel leads there (FD-12)"),
        ("move C3", "The storm is at C3; there is no tile (FD-12)"),
        ("guide explorer E5", "The Explorer is buried and cannot be guided (FD-56)"),
        ("clear B1", "There is no sand on B1 (FD-15)"),
        ("clear E5", "E5 is neither your tile nor one beside it (FD-15)"),
        ("take engine", "Nobody knows yet where the engine is; excavate both of its clues first (FD-23)"),
        ("water explorer 1", "The Explorer is on D4; you can give water on your own tile only (FD-18)"),
        ("blast A1", "You have no Dune Blaster card (FD-60)"),
        ("jet A2", "A2 is blocked: a Jet Pack cannot land there (FD-62)"),
        ("guide 4 A2", "There are only 2 pawns (FD-01)"),
    ],
)
def test_refusals_have_a_reason_and_a_rule(action: str, words: str) -> None:
    table = desert("navigator,explorer", at={"explorer": "D4"}, sand={"A2": 2, "D4": 2}, gear={"navigator": "jet-pack"})
    if action.startswith("guide 4"):
        refusal = table.match.explain(0, table.match.game.actions.first_id("guide") + 4 * 25 + 5)
    else:
        refusal = table.refusal("navigator", action)
    assert str(refusal) == words
