"""The figures of a rulebook: each is rendered, complete, and not interactive."""

from __future__ import annotations

import re
from collections import Counter

import pytest
from jinja2.runtime import Macro

from skerry.engine.game import Game
from skerry.engine.i18n.languages import LANGUAGES
from skerry.engine.rulebook import read_rulebook
from skerry.games import all_games
from skerry.server.renderer import renderer_for


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("game", all_games(), ids=lambda game: game.name)
def test_the_figures_of_the_templates_are_those_of_the_rulebook(game: Game, language: str) -> None:
    figures = renderer_for(game, language).figures
    drawn = {name for name, macro in vars(figures).items() if isinstance(macro, Macro)} - {"defs"}
    assert Counter(figure.name for figure in read_rulebook(game, language).figures()) == Counter(drawn)


@pytest.mark.parametrize("game", all_games(), ids=lambda game: game.name)
def test_figures_are_complete_and_not_interactive(game: Game) -> None:
    figures = renderer_for(game, "en").figures
    page = [figures.defs(), *(getattr(figures, one.name)() for one in read_rulebook(game, "en").figures())]
    assert all("<svg" in figure for figure in page[1:])
    text = "".join(page)
    ids = Counter(re.findall(r'\sid="([^"]+)"', text))
    assert max(ids.values()) == 1, "an id is not unique"
    assert set(re.findall(r'(?:href="|url\()#([^")]+)', text)) <= ids.keys() | {"arrow"}
    assert "data-touch" not in text and "tabindex" not in text
