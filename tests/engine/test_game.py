"""The fact sheet of a game: what it refuses, and what it finds in the game's package."""

from __future__ import annotations

import dataclasses

import pytest
import typer

from skerry.engine import protocols
from skerry.engine.errors import BadGame
from skerry.engine.game import Game
from skerry.engine.seats import MAX_SEATS
from skerry.games import all_games, find_game

GAMES = pytest.mark.parametrize("game", all_games(), ids=lambda game: game.name)


@pytest.mark.parametrize("seats", [range(1, MAX_SEATS + 1), range(MAX_SEATS, MAX_SEATS + 1), range(1, 2)])
def test_a_game_may_have_from_one_to_max_seats_players(seats: range) -> None:
    assert dataclasses.replace(find_game("hashi"), seats=seats).seats == seats


@pytest.mark.parametrize("seats", [range(2, MAX_SEATS + 2), range(4), range(2, 2), range(2, 7, 2), range(4, 1, -1)])
def test_other_numbers_of_players_are_refused(seats: range) -> None:
    with pytest.raises(BadGame, match=r"(?i)seats must be a range of consecutive numbers from 1 to 8"):
        dataclasses.replace(find_game("hashi"), seats=seats)


def functions(protocol: type) -> list[str]:
    return [name for name in vars(protocol) if not name.startswith("_")]


@GAMES
def test_the_kernels_of_a_game_are_those_of_the_protocol(game: Game) -> None:
    for name in functions(protocols.Rules):
        assert callable(getattr(game.rules, name)), name


@GAMES
def test_the_page_of_a_game_follows_the_protocol(game: Game) -> None:
    for name in functions(protocols.PageModule):
        assert callable(getattr(game.page, name)), name


def test_the_user_interface_offers_what_the_ui_modules_provide() -> None:
    modules = (
        protocols.NamesModule,
        protocols.ViewModule,
        protocols.PromptModule,
        protocols.ReasonsModule,
        protocols.TerminalModule,
    )
    for name in (name for module in modules for name in functions(module)):
        assert callable(getattr(find_game("hashi").ui, name)), name


@GAMES
def test_the_modules_that_a_fact_sheet_announces_are_there(game: Game) -> None:
    if game.daily_text:
        assert game.daily_match("2026-11-15").content == game.daily_match("2026-11-15").content
    if game.command_name:
        assert isinstance(game.command_group, typer.Typer)


def test_some_game_announces_a_puzzle_of_the_day_and_some_game_commands() -> None:
    assert any(game.daily_text for game in all_games())
    assert any(game.command_name for game in all_games())
