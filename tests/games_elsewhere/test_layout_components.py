"""Every component of a layout is shown in the view, on the page and in the terminal."""

from __future__ import annotations

import dataclasses
import io
import itertools
import math
import re
from collections.abc import Mapping
from types import SimpleNamespace
from typing import Annotated, Any

import pytest
from rich.console import Console

from skerry.engine.default_ui.page import DefaultPage
from skerry.engine.default_ui.terminal import default_board
from skerry.engine.default_ui.view import default_view
from skerry.engine.layout import Component, Counter, Grid, Hand, Pile, Track
from skerry.server.renderer import renderer_for
from skerry.toolkit import Actions, Block, Blocks, Ending, Game, One, Verb, i8, i8s, struct

PLAYERS = 2
SPACES = One("space", 5)
LAYOUT: tuple[Component, ...] = (
    Grid(field="board", rows=2, columns=3, pieces=("", "red tower"), kind="square"),
    Track(field="track", length=5, kind="space", title="Race"),
    Counter(field="points", title="Points"),
    Counter(field="round", title="Round"),
    Pile(field="deck", title="Deck"),
    Hand(field="hands", kind="card"),
)


@struct
class State:
    players: i8
    board: Annotated[i8s, 6]
    track: Annotated[i8s, 3]
    points: Annotated[i8s, 3]
    round: i8
    deck: Annotated[i8s, 2]
    hands: Annotated[i8s, 3, 2]


STATE = SimpleNamespace(
    players=PLAYERS,
    board=[0, 1, 0, 0, 0, 0],
    track=[3, 3, 0],
    points=[7, 5, 0],
    round=4,
    deck=[2, 3],
    hands=[[1, 0], [0, 2], [0, 0]],
)


@pytest.fixture(scope="module")
def game() -> Game:
    """The fact sheet of a game that has every component; its rules are not needed here."""
    run = Verb("run", SPACES, help="runs to a space")
    put = Verb("put", One("card", 2), One("square", 6), help="puts a card on a square")
    return Game(
        name="every-component",
        title="Every component",
        summary="Shows everything.",
        package=__name__,
        seats=range(2, 4),
        state_struct=State,
        actions=Actions(run, put),
        endings=(Ending("over", "It is over"),),
        observation=Blocks(Block("round", 1, "the round")),
        layout=LAYOUT,
    )


def scene_of(game: Game, seat: int | None) -> Mapping[str, Any]:
    page, view = DefaultPage(game), default_view(game, STATE, seat)
    return {**page.shared_parts(view), **page.personal_parts(view)}


def test_pawns_stand_on_their_spaces_and_only_those_who_play(game: Game) -> None:
    spaces = scene_of(game, 0)["space"]
    standing = [[seat for seat, _, _ in space["pawns"]] for space in spaces.values()]
    assert standing == [[], [], [], [0, 1], []]
    assert [space["slug"] for space in spaces.values()] == ["1", "2", "3", "4", "5"]


def test_a_track_winds_from_row_to_row_along_its_path(game: Game) -> None:
    scene = scene_of(game, 0)
    places = [(space["x"], space["y"]) for space in scene["space"].values()]
    (left, top), *_ = places
    assert places == [(left + 100 * x, top + 100 * y) for x, y in ((0, 0), (1, 0), (2, 0), (2, 1), (1, 1))]
    corners = [f"{x + 50:g},{y + 50:g}" for x, y in places]
    assert scene["ground"]["paths"] == [" ".join(corners)]


def test_pawns_stand_inside_their_space_and_not_on_each_other(game: Game) -> None:
    crowded = SimpleNamespace(
        **{**vars(STATE), "players": 8, "track": [0] * 8, "hands": [[0, 0]] * 8, "points": [0] * 8}
    )
    spaces = DefaultPage(game).shared_parts(default_view(game, crowded, None))["space"]
    pawns = [(x, y) for _, x, y in spaces["track-0"]["pawns"]]
    assert all(20 <= x <= 80 and 20 <= y <= 88 for x, y in pawns)
    assert min(math.dist(one, other) for one, other in itertools.combinations(pawns, 2)) >= 28


def test_the_picture_in_the_lobby_shows_what_the_board_is_made_of(game: Game) -> None:
    drawn = str(renderer_for(game, "en").macro("cover"))
    assert drawn.count('class="square"') == 2 * 3 and "way" not in drawn
    race = dataclasses.replace(game, name="race", layout=(LAYOUT[1],))
    assert 'class="way"' in str(renderer_for(race, "en").macro("cover"))


def test_a_counter_has_one_number_or_one_for_each_seat(game: Game) -> None:
    numbers = scene_of(game, 0)["number"]
    assert numbers["points"]["values"] == [7, 5] and numbers["points"]["each"]
    assert numbers["round"]["values"] == [4] and not numbers["round"]["each"]


def test_boards_stand_below_each_other_with_their_titles(game: Game) -> None:
    scene = scene_of(game, 0)
    assert [title["text"] for title in scene["ground"]["titles"]] == ["Board", "Race"]
    lowest = max(square["y"] + 100 for square in scene["square"].values())
    assert all(lowest < space["y"] <= scene["ground"]["height"] - 100 for space in scene["space"].values())


def test_the_terminal_shows_every_component(game: Game) -> None:
    console = Console(file=io.StringIO(), width=80)
    console.print(default_board(game, default_view(game, STATE, 1), 80))
    assert isinstance(console.file, io.StringIO)
    said = console.file.getvalue()
    for part in (
        "Board",
        "red tower",
        "Race: [ ][ ][ ][1,2][ ]",
        "Points: 7, 5",
        "Round: 4",
        "Deck: 5",
        "Player 1: Hand 1",
        "×2",
    ):
        assert part in said


def test_the_page_draws_every_component(game: Game) -> None:
    renderer, scene = renderer_for(game, "en"), scene_of(game, 1)
    board, side = str(renderer.macro("board", scene)), str(renderer.macro("side", scene))
    assert board.count('role="gridcell"') == 6 + 5 and board.count("layout-pawn") == 2
    assert "red tower" in board and "Race" in board
    assert "Points" in side and "Deck" in side
    mine, other = str(renderer.macro("seat", scene, 1)), str(renderer.macro("seat", scene, 0))
    assert "×2" in mine and "card" not in other.replace("cards", "")


def test_a_short_name_is_the_face_of_a_card_and_an_empty_pile_shows_no_card(game: Game) -> None:
    named = dataclasses.replace(game, name="named-cards", names={"card": ("10♣", "storm")})
    everything = SimpleNamespace(**{**vars(STATE), "hands": [[1, 1], [0, 0]], "deck": [0, 0]})
    view = default_view(named, everything, 0)
    page, renderer = DefaultPage(named), renderer_for(named, "en")
    hand = str(renderer.macro("seat", page.personal_parts(view), 0))
    assert re.findall(r"layout-card (\w+)", hand) == ["short", "long"]
    assert re.findall(r'class="name">(10♣|Storm)<', hand) == ["10♣", "Storm"]
    shared = page.shared_parts(view)
    assert "card back empty" in str(renderer.macro("side", shared))
    assert "card back empty" not in str(renderer.macro("side", scene_of(named, 0)))


def test_squares_that_no_action_names_are_read_out_by_the_title_of_their_grid(game: Game) -> None:
    trick = Grid(field="board", rows=2, columns=3, pieces=("", "red tower"), title="Trick")
    board = str(renderer_for(game, "en").macro("board", scene_of(dataclasses.replace(game, layout=(trick,)), 0)))
    assert "<title>Trick 1</title>" in board and "<title>Trick 2: red tower</title>" in board
