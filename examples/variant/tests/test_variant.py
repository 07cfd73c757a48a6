"""The variants keep the contract, have their own facts, pictures and words, and all else from the game they vary."""

from __future__ import annotations

import pytest

import skerry
from skerry import bots
from skerry.engine.game_check import assert_conforms
from skerry.engine.i18n.translations import translations
from skerry.engine.rulebook import read_rulebook

GENEROUS, CARTAGENA = skerry.game("generous-cartagena").game, skerry.game("cartagena").game
HARBOUR, ISLAND = skerry.game("harbour-island").game, skerry.game("forbidden-island").game


@pytest.mark.parametrize("extra", [0, 2, 4])
def test_everybody_begins_with_more_cards(extra: int) -> None:
    usual = CARTAGENA.configure({"players": 3}).new(seed=5)
    generous = GENEROUS.configure({"players": 3, "extra": extra}).new(seed=5)
    held = [int(number) for number in generous.state.held[:3]]
    assert held == [int(number) + extra for number in usual.state.held[:3]]
    assert (generous.content == usual.content) == (extra == 0)


@pytest.mark.parametrize("game", [GENEROUS, HARBOUR], ids=lambda game: game.name)
def test_it_keeps_the_contract(game: skerry.Game) -> None:
    assert_conforms(game)


def test_page_words_rulebook_and_bots_are_those_of_cartagena() -> None:
    assert GENEROUS.page is CARTAGENA.page and GENEROUS.has_page
    assert read_rulebook(GENEROUS, "es").sections == read_rulebook(CARTAGENA, "es").sections
    assert bots.names(GENEROUS) == bots.names(CARTAGENA)
    match = GENEROUS.configure({"players": 2}).new(seed=1)
    assert str(match.prompt(0)) == str(CARTAGENA.configure({"players": 2}).new(seed=1).prompt(0))
    assert GENEROUS.scene(match.view(0)).keys() == CARTAGENA.scene(match.view(0)).keys()
    again = skerry.replay(match.record())
    assert again.game is GENEROUS and again.content == match.content


def test_the_harbour_has_its_own_tiles_shape_and_deck() -> None:
    match = HARBOUR.configure({"layout": "harbour"}).new(seed=2)
    titles = [str(place.title) for place in match.names["place"]]
    assert any(title.startswith("Lighthouse") for title in titles)
    assert not any(title.startswith("Watchtower") for title in titles)
    assert titles[0].endswith("(A1)") and titles[-1].endswith("(F5)")
    assert "Lighthouse" in str(HARBOUR.scene(match.view(None)))
    assert len(match.state.treasure_deck) == len(ISLAND.configure({}).new(seed=2).state.treasure_deck) + 1


def test_what_depends_on_no_changed_fact_is_shared_with_the_island() -> None:
    assert [verb.name for verb in HARBOUR.actions.verbs] == [verb.name for verb in ISLAND.actions.verbs]
    assert read_rulebook(HARBOUR, "pt").sections == read_rulebook(ISLAND, "pt").sections
    assert ISLAND.rules.step.__module__.startswith("skerry.") and HARBOUR.rules.step.__module__.startswith("skerry_")
    assert not any("Lighthouse" in str(place.title) for place in ISLAND.configure({}).new(seed=2).names["place"])


@pytest.mark.parametrize(("language", "lighthouse"), [("es", "Faro"), ("pt", "Farol")])
def test_its_words_come_before_those_of_the_island(language: str, lighthouse: str) -> None:
    texts = translations(language, *HARBOUR.packages)
    assert texts("Lighthouse") == lighthouse and texts("Bronze Gate") != "Bronze Gate"
