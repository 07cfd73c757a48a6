"""Every rule of every rulebook has a test, and the rulebooks of a game correspond in all languages."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

from skerry.engine.game import Game
from skerry.engine.i18n.languages import LANGUAGES
from skerry.engine.rulebook import Figure, Rule, Rulebook, SectionItem, read_rulebook
from skerry.games import all_games

TESTS = Path(__file__).parent


def ids_tested(game: Game) -> set[str]:
    """The ids in ``@pytest.mark.rule(…)`` on the test functions of a game's test folder."""
    folder = TESTS / "games" / game.package.rpartition(".")[2]
    return {rule for path in folder.glob("test_*.py") for rule in _marks(ast.parse(path.read_text()))}


def _marks(tree: ast.Module) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef) and node.name.startswith("test_"):
            for mark in node.decorator_list:
                if isinstance(mark, ast.Call) and ast.unparse(mark.func) == "pytest.mark.rule":
                    yield from (str(ast.literal_eval(argument)) for argument in mark.args)


@pytest.mark.parametrize("game", all_games(), ids=lambda game: game.name)
def test_every_rule_has_a_test(game: Game) -> None:
    ids = {rule.id for rule in read_rulebook(game, "en").rules()}
    assert ids - ids_tested(game) == set(), "these rules have no test"
    assert ids_tested(game) - ids == set(), "these ids are in no rulebook"


@pytest.mark.parametrize("game", all_games(), ids=lambda game: game.name)
@pytest.mark.parametrize("language", LANGUAGES)
def test_translated_rulebooks_have_the_same_items(game: Game, language: str) -> None:
    first, other = read_rulebook(game, "en"), read_rulebook(game, language)
    assert _item_names(other) == _item_names(first)
    if language != "en":
        same = [a.id for a, b in zip(first.rules(), other.rules(), strict=True) if a.text == b.text]
        assert same == [], "these rules are not translated"
        same = [a.name for a, b in zip(first.figures(), other.figures(), strict=True) if a.caption == b.caption]
        assert same == [], "the captions of these figures are not translated"


def _item_names(book: Rulebook) -> list[list[str]]:
    return [[_item_name(item) for item in section.items] for section in book.sections]


def _item_name(item: SectionItem) -> str:
    if isinstance(item, Figure):
        return f"figure {item.name}"
    return item.id if isinstance(item, Rule) else "text"


@pytest.mark.parametrize("game", all_games(), ids=lambda game: game.name)
def test_every_figure_stands_below_a_rule_or_paragraph(game: Game) -> None:
    book = read_rulebook(game, "en")
    passages = [passage for section in book.sections for passage in section.passages()]
    assert not [passage for passage in passages if isinstance(passage[0], Figure)]
    assert sum(len(passage) - 1 for passage in passages) == len(list(book.figures())) >= 4
