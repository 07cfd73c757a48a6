"""The user interface: view, prompt, terminal board and event texts."""

from __future__ import annotations

import json
from io import StringIO
from typing import Any

import pytest
from rich.console import Console

from .positions import Passage


def drawn(passage: Passage, seat: int | None = 0, width: int = 80) -> str:
    console = Console(width=width, file=StringIO(), color_system=None)
    console.print(passage.match.game.ui.board(passage.match.view(seat), width))
    text = console.file.getvalue()  # type: ignore[attr-defined]
    return "\n".join(line.rstrip() for line in text.splitlines())


def test_the_escape_is_drawn_in_a_terminal() -> None:
    passage = Passage("red 2 2 5, green 5 sloop, yellow 9", parts="abcd", pirates=4, red="rum rum hook", magic="on")
    assert drawn(passage) == (
        """
 The prison: r gg yyy
 ┌─────┬─────┬─────┬─────┬─────┬─────┬─────┬─────┬─────┬─────┬─────┬─────┐
 │ 1 H │ 2 A │ 3 L │ 4 P │ 5 C*│ 6 R │ 7 P │ 8 C*│ 9 H │10 L │11 R │12 A │
 │     │ rr  │     │     │ rg  │     │     │     │ y   │     │     │     │
 └─────┴─────┴─────┴─────┴─────┴─────┴─────┴─────┴─────┴─────┴─────┴─────┘
 ┌─────┬─────┬─────┬─────┬─────┬─────┬─────┬─────┬─────┬─────┬─────┬─────┐
 │13 C*│14 H │15 R │16 A │17 P │18 L │19 L │20 P │21 R │22 C*│23 A │24 H │
 │     │     │     │     │     │     │     │     │     │     │     │     │
 └─────┴─────┴─────┴─────┴─────┴─────┴─────┴─────┴─────┴─────┴─────┴─────┘
 The sloop: g

 »   r   Red     3 cards  2 rum, 1 hook
     g   Green   0 cards
     y   Yellow  0 cards
 Deck: 99 cards; discarded: nothing
 P pistol  R rum  L lantern  A parrot  H hook  C chest  * chest token"""
    ).removeprefix("\n")


def test_the_full_story_has_the_sloop_in_the_middle() -> None:
    passage = Passage("red sloop", story="full", tunnel="agf", island="bcd").sloop_at("tortuga")
    lines = drawn(passage).splitlines()
    sloop = next(i for i, line in enumerate(lines) if line.startswith(" The sloop"))
    assert lines[sloop] == " The sloop, at Tortuga: r"
    assert "│18 P │" in "".join(lines[:sloop]) and "│19 A │" in "".join(lines[sloop:])
    assert " The hideout: nobody" in lines


@pytest.mark.parametrize("width", [40, 60, 80, 120])
def test_no_line_is_wider_than_the_terminal(width: int) -> None:
    hand = "rum rum hook lantern lantern parrot chest pistol dark-rum dark-hook"
    passage = Passage("red 5 5 5, green 30", red=hand, magic="on", flibusters="on")
    assert max(map(len, drawn(passage, 0, width).splitlines())) <= width


def test_known_cards_of_other_hands_are_drawn() -> None:
    passage = Passage(magic="on", red="lantern rum pistol", green="hook", top="chest rum parrot pistol parrot")
    passage.play("magic lantern")
    assert "Drawn: 1 pistol, 1 rum, 1 parrot, 1 chest" in drawn(passage)
    assert "Drawn and not yet placed: 4 cards" in drawn(passage, 1)
    passage.play("keep chest", "put pistol", "put rum", "put parrot", "magic pistol", "look green")
    assert "On top, as you put them: parrot, rum, pistol" in drawn(passage)
    assert "you know of 1 hook" in drawn(passage) and "you know of" not in drawn(passage, 2)


@pytest.mark.parametrize(
    ("given", "steps", "to_actor", "to_others"),
    [
        ({}, [], "Your turn, 3 actions: play a card or fetch cards", "Red's turn, 3 actions left"),
        ({}, ["play rum prison"], "Your turn, 2 actions left; you may also end it", "Red's turn, 2 actions left"),
        ({"red": ""}, [], "Your turn, but you have no cards: act without them, or pass and draw one", "Red's turn"),
        ({}, ["parrots"], "Play your two parrots as any other card", "Red chooses what two parrots"),
        ({}, ["magic hook"], "Play a second card with the hook", "Red plays a second card with the hook"),
        ({}, ["magic pistol"], "Whose hand do you look into?", "Red chooses whose hand to look into"),
        ({}, ["magic pistol", "look green"], "Take one of Green's cards", "Red takes one of Green's cards"),
        (
            {},
            ["magic rum"],
            "Rum for everybody: choose cards to keep, 2 more",
            "Red drew rum cards and must choose which to keep",
        ),
        ({}, ["magic lantern"], "Keep one of the drawn cards", "Red keeps one of the drawn cards"),
        ({}, ["magic chest"], "Which chest do you open?", "Red chooses a chest to open"),
    ],
)
def test_the_prompt_says_what_the_game_waits_for(
    given: dict[str, Any], steps: list[str], to_actor: str, to_others: str
) -> None:
    hands = {"red": "rum hook parrot parrot pistol lantern chest", "green": "rum", **given}
    passage = Passage("red 5 5", magic="on", **hands).play(*steps)
    assert str(passage.match.prompt(0)).startswith(to_actor)
    assert str(passage.match.prompt(1)).startswith(to_others) and str(passage.match.prompt()).startswith(to_others)


def test_the_end_of_the_game_is_announced() -> None:
    passage = Passage("red 36 sloop sloop sloop", pirates=4, red="rum").play("play rum 36")
    assert str(passage.match.prompt(0)) == "You won: all your pirates are aboard the sloop"
    assert str(passage.match.prompt(1)) == "You lost: all of Red's pirates are aboard the sloop"
    assert str(passage.match.prompt()) == "Red won: all of Red's pirates are aboard the sloop"
    assert passage.match.view(None)["winner"] == 0
    assert passage.events() == [
        "Red plays rum: from space 36 to the sloop",
        "All of Red's pirates have arrived: Red wins!",
    ]


def test_the_view_is_plain_data_and_names_the_other_player_of_a_power() -> None:
    passage = Passage(magic="on", red="pistol", green="rum").play("magic pistol")
    assert passage.match.view(0)["turn"]["other"] is None
    passage.play("look green")
    assert passage.match.view(None)["turn"]["other"] == 1
    assert json.loads(json.dumps(passage.match.view(0))) == passage.match.view(0)


def test_actions_can_be_abbreviated() -> None:
    passage = Passage("red 7", red="rum", draw="both")
    assert passage.match.action("play r 7") == passage.match.action("PLAY rum 7")
    assert passage.match.action("morgan 1 prison").text == "morgan green prison"
    assert Passage(flibusters="on").match.action("play dr prison").text == "play dark-rum prison"
