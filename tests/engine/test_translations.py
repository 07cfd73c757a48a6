"""Translations: grammar, extraction, catalogues that are complete and current, and whole games in every language."""

from __future__ import annotations

import functools
import random
from collections.abc import Iterator
from pathlib import Path
from string import Formatter

import numpy as np
import pytest
from babel.messages.catalog import Catalog
from babel.messages.pofile import read_po

from skerry.cli.update_words import TRANSLATED, catalogue_path, catalogue_text, packages, updated_catalogue
from skerry.engine.conformance import random_positions
from skerry.engine.errors import Illegal
from skerry.engine.game import Game
from skerry.engine.i18n.extract import in_sources
from skerry.engine.i18n.grammar import FORMS, Noun, fill, has_words, placeholders
from skerry.engine.i18n.languages import LANGUAGES
from skerry.engine.i18n.translations import translations
from skerry.engine.match import Match
from skerry.engine.messages import Message, format_list, say
from skerry.engine.options import option_title
from skerry.games import all_games

PACKAGES = ["skerry.engine.i18n", "skerry.server", *(game.package for game in all_games())]


@functools.cache
def texts() -> dict[str, list[str]]:
    return dict(packages())


def catalogue(package: str, language: str) -> Catalog:
    with catalogue_path(package, language).open("rb") as file:
        return read_po(file, locale=language)


def catalogue_entries(package: str, language: str) -> Iterator[tuple[str, str]]:
    for message in catalogue(package, language):
        if message.id:
            yield str(message.id), str(message.string)


# Grammar


def test_a_placeholder_chooses_a_form_by_number() -> None:
    text = "{left} {left:action|actions} left"
    assert [fill(text, {"left": n}) for n in (0, 1, 2)] == ["0 actions left", "1 action left", "2 actions left"]
    assert fill(text, {"left": np.int8(1)}) == "1 action left", "numbers of kernels work too"


def test_a_placeholder_chooses_a_form_by_the_gender_of_a_word() -> None:
    text = "{part:el|la|los|las} {part}"
    nouns = [Noun(word, form) for form, word in enumerate(("motor", "hélice", "loros", "cartas"))]
    assert [fill(text, {"part": noun}) for noun in nouns] == ["el motor", "la hélice", "los loros", "las cartas"]
    assert fill(text, {"part": "solar"}) == "el solar", "a word without a form counts as masculine"


def test_a_message_keeps_the_form_of_its_translation() -> None:
    spanish = {
        "space {number}": Noun("casilla {number}", FORMS.index("feminine")),
        "to {place}": "{place:al|a la} {place}",
    }
    message = say("to {place}", place=say("space {number}", number=7))
    assert message.render(lambda text: spanish[text]) == "A la casilla 7"
    assert message.render() == "To space 7"


def test_conversions_and_braces_work_as_in_format_strings() -> None:
    assert fill("{a!r} {{}} {n:x|y}", {"a": "q", "n": 2}) == "'q' {} y"
    assert placeholders("{a!r} {n:x|y} {{b}}") == {"a", "n"}
    assert has_words("a {b}") and not has_words("{b} ({c})") and not has_words("{first}, {second}")


def test_a_list_is_joined_in_the_language_of_its_reader() -> None:
    names = [say(name) for name in ("Pilot", "Diver", "Explorer")]
    assert str(format_list(names[:1])) == "Pilot"
    assert str(format_list(names)) == "Pilot, Diver and Explorer"
    portuguese = translations("pt", "skerry.games.forbidden_island", "skerry.engine.i18n")
    assert format_list(names).render(portuguese) == "Piloto, Mergulhador e Explorador"


def test_templates_can_fill_texts_with_forms() -> None:
    """With ``_("…").format(…)``, in a language with forms and in English."""
    desert = "skerry.games.forbidden_desert"
    spanish, english = translations("es", desert), translations("en", desert)
    assert spanish("the {part} is at {place}").format(part=spanish("propeller"), place="B2") == "la hélice está en B2"
    assert english("the {part} is at {place}").format(part="engine", place="B2") == "the engine is at B2"
    assert english("{n} {n:card|cards}").format(n=1) == "1 card"


# Extraction


def test_texts_are_extracted_from_sources() -> None:
    source = """
def refuse(rule: str, text: Msgid) -> Illegal:
    return Illegal(say(text), rule)

def explain(dry):
    text = "it is dry" if dry else "it is wet"
    if dry:
        return Illegal(say(text), "FI-01")
    _("a page")
    print("not said", say("{a} said", a="not this"))
    return refuse("FI-02", "by a helper") or Illegal("as it is")
"""
    other = """
class Late(Refusal): ...
class TooLate(Late): ...
raise TooLate("by a refusal of one's own")
"""
    found = {"it is dry", "it is wet", "a page", "{a} said", "by a helper", "as it is", "by a refusal of one's own"}
    assert set(in_sources([source, other])) == found


def test_every_kind_of_text_of_a_game_is_extracted() -> None:
    island = texts()["skerry.games.forbidden_island"]
    for text in (
        "Shore up {place}",  # a label
        "shore up a flooded tile",  # a help
        "the {pawn} shores up {place}",  # an event
        "both tiles of a treasure sank",  # an ending
        "Volcano Island",  # an option's value
        "Difficulty",  # an option's name
        "Breakers Bridge",  # a title
        "{tile} is {far} tiles away; a pawn moves to an adjacent tile",  # a reason
        "the {pawn} has no actions left",  # a prompt
        "place",  # a kind of entity
    ):
        assert text in island


# Catalogues


@pytest.mark.parametrize("language", TRANSLATED)
@pytest.mark.parametrize("package", PACKAGES)
def test_every_text_is_translated(package: str, language: str) -> None:
    known = dict(catalogue_entries(package, language))
    assert [text for text in texts()[package] if not known.get(text)] == []


@pytest.mark.parametrize("language", TRANSLATED)
@pytest.mark.parametrize("package", PACKAGES)
def test_catalogues_are_current(package: str, language: str) -> None:
    path = catalogue_path(package, language)
    again = updated_catalogue(path, language, texts()[package])
    assert catalogue_text(again, language) == path.read_text(encoding="utf-8"), "run: make words"


def test_a_translation_comes_back_when_its_text_is_needed_again(tmp_path: Path) -> None:
    path = tmp_path / "es.po"
    catalogue = updated_catalogue(path, "es", ["one", "two"])
    catalogue["one"].string = "uno"
    for needed in (["one", "two"], ["two"], ["two", "three"], ["one", "three"]):
        path.write_text(catalogue_text(catalogue, "es"), encoding="utf-8")
        catalogue = updated_catalogue(path, "es", needed)
        assert [message.id for message in catalogue if message.id] == needed
    assert catalogue["one"].string == "uno"


@pytest.mark.parametrize("language", TRANSLATED)
@pytest.mark.parametrize("package", PACKAGES)
def test_translations_keep_the_placeholders(package: str, language: str) -> None:
    for text, translated in catalogue_entries(package, language):
        assert placeholders(text) == placeholders(translated), text
        for _, name, spec, conversion in Formatter().parse(translated):
            assert not spec or len(spec.split("|")) in (2, len(FORMS)), (text, name)
            assert conversion == next((c for _, n, _, c in Formatter().parse(text) if n == name), None), text


@pytest.mark.parametrize("language", TRANSLATED)
@pytest.mark.parametrize("package", PACKAGES)
def test_translations_end_with_the_punctuation_of_their_texts(package: str, language: str) -> None:
    """A text ends with a full stop or a question mark in all languages or in none."""
    for text, translated in catalogue_entries(package, language):
        assert (text[-1] in ".?") == (translated[-1] in ".?"), (text, translated)
        assert translated.strip() == translated and "  " not in translated


@pytest.mark.parametrize("language", TRANSLATED)
@pytest.mark.parametrize("difficulty", ["Novice", "Normal", "Elite", "Legendary"])
def test_a_difficulty_has_the_same_name_in_all_games(difficulty: str, language: str) -> None:
    known = {dict(catalogue_entries(package, language)).get(difficulty) for package in PACKAGES}
    assert len(known - {None}) == 1


# Games


class StrictTranslations:
    """Translations that fail for a text without a translation."""

    def __init__(self, language: str, package: str) -> None:
        self.translations = translations(language, package, "skerry.engine.i18n")

    def __call__(self, text: str) -> str:
        assert text in self.translations, f"untranslated: {text!r}"
        return self.translations(text)


def messages_of(match: Match, chance: random.Random) -> Iterator[Message]:
    """All messages of a position, for all its readers."""
    seats = range(match.variant.players)
    for reader in (*seats, None):
        yield match.prompt(reader)
        yield from (event.message for events in match.events(reader, len(match.steps) - 1) for event in events)
    for seat in seats:
        legal = set(match.legal_ids(seat))
        yield from (match.label(action) for action in legal)
        for action in set(chance.sample(range(match.game.actions.size), min(30, match.game.actions.size))) - legal:
            refusal = match.explain(seat, action)
            assert isinstance(refusal, Illegal)
            yield refusal.message


def rendered_in_every_language(message: Message, package: str) -> list[str]:
    return [message.render(StrictTranslations(language, package)) for language in LANGUAGES]


@pytest.mark.parametrize("game", all_games(), ids=lambda game: game.name)
def test_whole_games_are_translated_into_every_language(game: Game) -> None:
    for match, chance in random_positions(game, games=12, every=4):
        for message in messages_of(match, chance):
            for sentence in rendered_in_every_language(message, game.package):
                assert sentence and not set(sentence) & set("{}|"), sentence


@pytest.mark.parametrize("game", all_games(), ids=lambda game: game.name)
def test_legal_actions_have_different_labels(game: Game) -> None:
    for match, _ in random_positions(game, games=12, every=6):
        for seat in range(match.variant.players):
            labels = [rendered_in_every_language(match.label(i), game.package) for i in match.legal_ids(seat)]
            for language in zip(*labels, strict=True):
                assert len(set(language)) == len(labels)


@pytest.mark.parametrize("game", all_games(), ids=lambda game: game.name)
def test_every_label_names_the_slots_and_is_short(game: Game) -> None:
    for verb in game.actions.verbs:
        assert placeholders(verb.label) == set(verb.placeholders)
        assert len(verb.label) <= 36


@pytest.mark.parametrize("game", all_games(), ids=lambda game: game.name)
def test_the_fact_sheet_is_translated_into_every_language(game: Game) -> None:
    for option in game.options:
        values = (*option.describe().get("choices", ()), option.default)
        messages = [option_title(option), say(option.help), option.domain(), *map(option.title, values)]
        for message in (*messages, say(game.summary), *(say(ending.text) for ending in game.endings)):
            assert all(rendered_in_every_language(message, game.package))


def test_a_label_in_three_languages() -> None:
    desert = next(game for game in all_games() if game.name == "forbidden-desert")
    match = desert.configure({"roles": "navigator,meteorologist,climber", "players": 3}).new(seed=1)
    label = match.label(match.action("guide meteorologist B3").id)
    assert rendered_in_every_language(label, desert.package) == [
        "Guide Meteorologist to B3",
        "Guiar a la Meteoróloga a B3",
        "Guiar a Meteorologista até B3",
    ]
