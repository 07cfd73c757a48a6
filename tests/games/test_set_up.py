"""What helps people to set up a match: every game's presets, pictures and win rates."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from skerry.engine.game import Game
from skerry.engine.set_up import read_win_rates
from skerry.games import all_games
from skerry.server.renderer import renderer_for

BOTS_PAGE = Path(__file__).parents[2] / "docs" / "bots.md"
GAMES = pytest.mark.parametrize("game", all_games(), ids=lambda game: game.name)


@GAMES
def test_presets_are_options_that_go_together(game: Game) -> None:
    assert len(game.ui.presets) >= 3
    assert len({preset.name for preset in game.ui.presets}) == len(game.ui.presets)
    for preset in game.ui.presets:
        values = game.configure(preset.options).options
        assert {name: values[name] for name in preset.options} == dict(preset.options)
        changed = {option.name for option in game.options if values[option.name] != option.default}
        assert changed == set(preset.options), "a preset names what differs from the defaults, and nothing else"


@GAMES
def test_every_pictured_choice_is_drawn(game: Game) -> None:
    renderer = renderer_for(game, "en")
    for option in game.options:
        choices = option.describe().get("choices", [])
        pictures = [renderer.choice_picture(option.name, choice) for choice in choices]
        drawn = [picture for picture in pictures if picture]
        assert len(drawn) in (0, len(choices)), f"{option.name} has a picture of some choices only"
        assert len(set(drawn)) == len(drawn), f"two choices of {option.name} look the same"
        assert all("<svg" in picture for picture in drawn)


@pytest.mark.parametrize("game", [game for game in all_games() if game.cooperative], ids=lambda game: game.name)
def test_the_win_rates_shown_are_those_of_the_documentation(game: Game) -> None:
    found = read_win_rates(game)
    assert found is not None and found.bot in game.bots
    table = BOTS_PAGE.read_text(encoding="utf-8").split(f"| {game.title} | Novice")[1].split("\n\n")[0]
    rows = {
        int(players): [float(rate) for rate in rates.split("|")]
        for players, rates in re.findall(r"\| (\d) players \| ([\d. |]+) \|", table)
    }
    assert set(rows) == set(game.seats)
    assert rows == {players: list(by_value.values()) for players, by_value in found.rates.items()}
    (difficulty,) = [option for option in game.options if option.name == found.option]
    for by_value in found.rates.values():
        assert list(by_value) == difficulty.describe()["choices"]
