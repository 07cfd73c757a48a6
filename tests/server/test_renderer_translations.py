"""All that is rendered of whole games is translated into every language."""

from __future__ import annotations

import pytest

from skerry.cli.update_words import TRANSLATED
from skerry.engine.conformance import random_positions
from skerry.engine.game import Game
from skerry.engine.i18n.translations import Translations
from skerry.engine.rulebook import read_rulebook
from skerry.games import all_games, find_game
from skerry.server import renderer as renderer_module


class StrictTranslations(Translations):
    """Translations that fail for a text without a translation."""

    def __init__(self, words: Translations) -> None:
        super().__init__(words.language, {})
        self.words = words

    def __call__(self, text: str) -> str:
        assert text in self.words, f"untranslated: {text!r}"
        return self.words(text)


@pytest.mark.parametrize("language", TRANSLATED)
@pytest.mark.parametrize("game", all_games(), ids=lambda game: game.name)
def test_every_text_of_the_parts_is_translated(game: Game, language: str, monkeypatch: pytest.MonkeyPatch) -> None:
    strict = StrictTranslations(renderer_module.translations_of(game, language))
    monkeypatch.setattr(renderer_module, "translations_of", lambda game, language: strict)
    renderer = renderer_module.Renderer(game, language)
    for figure in read_rulebook(game, language).figures():
        assert getattr(renderer.figures, figure.name)()
    for match, _ in random_positions(game, games=12, every=8):
        for reader in (0, None):
            for piece in renderer_module.parts_by_id(renderer.scene(match.view(reader))).values():
                drawn = renderer.render_part(piece)
                assert "|" not in drawn and "{" not in drawn


@pytest.mark.parametrize(("language", "wrong"), [("en", "1 bridges"), ("es", "1 puentes"), ("pt", "1 pontes")])
def test_a_single_bridge_is_in_the_singular(language: str, wrong: str) -> None:
    game = find_game("hashi")
    renderer = renderer_module.Renderer(game, language)
    for match, _ in random_positions(game, games=2, every=8):
        for piece in renderer_module.parts_by_id(renderer.scene(match.view(0))).values():
            assert wrong not in renderer.render_part(piece)
