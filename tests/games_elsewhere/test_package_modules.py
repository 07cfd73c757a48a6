"""Modules of a game's own package: what takes the place of a default works everywhere, and a mistake is named."""

from __future__ import annotations

import importlib
import shutil
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from skerry.engine.conformance import check_facts, check_notation, check_ranges, check_refusals
from skerry.engine.default_ui.page import DefaultPage
from skerry.engine.default_ui.terminal import default_board
from skerry.engine.game import Game
from skerry.engine.game_check import assert_keeps
from tests.games_elsewhere.packages import EXAMPLES

NAMES = """from skerry import toolkit as tk

PLAYERS = [tk.Name(str(seat + 1), tk.say("Player {number}", number=seat + 1)) for seat in range(4)]
CARDS = [tk.Name(slug, tk.say(slug.capitalize())) for slug in ("crimson", "azure", "emerald", "amber", "storm")]


def names(state):
    return {"player": PLAYERS, "card": CARDS}
"""
REASONS = "from skerry import toolkit as tk\n\n\ndef explain(state, seat, action):\n    return "
PROMPT = "from skerry import toolkit as tk\n\n\ndef prompt(state, seat):\n    return "
RULEBOOK = "# Lanterns\n\n## Rules\n\n- **LA-01** Light three lanterns.\n- **LA-02** A gust blows one out.\n"

Build = Callable[..., Game]


@pytest.fixture
def build(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Build]:
    """Makes the game Lanterns a package with some files of its own."""
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    package = f"packaged_{tmp_path.name}".replace("-", "_")

    def make(facts: str = "", **files: str) -> Game:
        folder = tmp_path / package
        folder.mkdir()
        code = (EXAMPLES / "skerry_example_games/lanterns.py").read_text()
        (folder / "__init__.py").write_text(code.replace("    endings=(", f"    {facts}endings=("))
        for name, text in files.items():
            path = folder / (f"ui/{name}.py" if name != "rulebook" else "rulebook/en.md")
            path.parent.mkdir(exist_ok=True)
            path.write_text(text)
            if name != "rulebook":
                (folder / "ui/__init__.py").touch()
        game: Game = importlib.import_module(package).GAME
        return game

    yield make
    for module in [name for name in sys.modules if name.split(".")[0] == package]:
        del sys.modules[module]
    shutil.rmtree(tmp_path / package, ignore_errors=True)


def test_cards_are_touched_by_the_names_that_actions_have(build: Build) -> None:
    game = build(names=NAMES)
    matches = (game.configure({}).new(seed=seed) for seed in range(100))
    match = next(match for match in matches if any(action.verb == "light" for action in match.legal(0)))
    view = game.ui.view(match.state, 0)
    cards = DefaultPage(game).personal_parts(view)["hand"]["hands-0"]["cards"]
    held = {f"card:{slug}" for slug, *_ in cards}
    named = {f"{kind}:{slug}" for action in match.legal(0) for kind, slug in action.entities if kind == "card"}
    assert named and named <= held
    assert [title for _, title, *_ in cards] == [slug.capitalize() for slug, *_ in cards]
    assert all(slug in str(drawn(game, view)) for slug, *_ in cards)


def drawn(game: Game, view: dict[str, object]) -> str:
    from rich.console import Console

    console = Console(width=80)
    with console.capture() as capture:
        console.print(default_board(game, view, 80))
    return capture.get()


def test_the_default_names_are_not_repeated_in_the_view(build: Build) -> None:
    game = build()
    assert "names" not in game.ui.view(game.configure({}).new(seed=1).state, 0)


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ('"player": PLAYERS, ', "", "ui.names has no names of the kind player"),
        ("tk.say(slug.capitalize())", "slug", "it has to be tk.Name(slug, tk.say(title))"),
        ('"card": CARDS', '"card": tuple("abcde")', "ui.names has 'a' among the card names"),
    ],
)
def test_names_that_cannot_be_read_are_told(build: Build, old: str, new: str, said: str) -> None:
    assert NAMES.count(old) == 1
    game = build(names=NAMES.replace(old, new))
    with pytest.raises(AssertionError) as error:
        assert_keeps(game, check_ranges)
    assert said in str(error.value)


def test_a_reason_that_is_no_refusal_is_told(build: Build) -> None:
    game = build(reasons=REASONS + '("You cannot", "LA-01")')
    with pytest.raises(AssertionError, match=r"module ui\.reasons returns .*it has to be skerry\.Illegal"):
        assert_keeps(game, check_refusals)


def test_a_prompt_that_is_no_message_is_told(build: Build) -> None:
    game = build(prompt=PROMPT + '"Go on"')
    with pytest.raises(AssertionError, match=r"ui\.prompt returns 'Go on'; it has to be"):
        assert_keeps(game, check_notation)


def test_a_prompt_leaves_the_end_to_the_default(build: Build) -> None:
    game = build(prompt=PROMPT + 'None if state.ending else tk.say("Light a lantern")')
    match = game.configure({"players": 2}).new(seed=1)
    assert str(match.prompt(0)) == "Light a lantern"
    match.state.ending = 1
    assert str(match.prompt(0)).startswith("A draw: Three lanterns are lit")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (RULEBOOK.replace("LA-02", "LA-2"), "the rulebook en has LA-2, which is not read as a rule; an id is two"),
        (RULEBOOK.replace("LA-02", "LA-01"), "rules stand twice in the rulebook: LA-01"),
        ("# Lanterns\n\nLight three lanterns.\n", "the rulebook has no rules"),
    ],
)
def test_a_mistake_in_a_rulebook_is_told(build: Build, text: str, said: str) -> None:
    game = build(rulebook=text)
    with pytest.raises(AssertionError) as error:
        assert_keeps(game, check_facts)
    assert said in str(error.value)


def test_a_rulebook_needs_no_rule_about_options(build: Build) -> None:
    assert_keeps(build(rulebook=RULEBOOK), check_facts)


def test_a_rule_that_the_fact_sheet_invents_is_told_with_its_field(build: Build) -> None:
    game = build(facts='options_rule="LA-09",\n    ', rulebook=RULEBOOK)
    with pytest.raises(AssertionError, match="options_rule names the rule LA-09, which the rulebook does not have"):
        assert_keeps(game, check_facts)
