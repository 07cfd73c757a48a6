"""Translations into the languages that Skerry supports, from gettext catalogues ``words/<language>.po`` in packages."""

from __future__ import annotations

import functools

from skerry.engine.errors import BadOption, Refusal
from skerry.engine.game_package import find_file
from skerry.engine.i18n.grammar import FORMS, Noun, as_pattern, has_words
from skerry.engine.i18n.languages import ENGLISH, LANGUAGES
from skerry.engine.messages import say


class Translations:
    """The translations into one language. Call it to translate a text; a text that no catalogue has stays English."""

    def __init__(self, language: str, catalogue: dict[str, str]) -> None:
        self.language = language
        self._catalogue = catalogue

    def __call__(self, text: str) -> str:
        return self._catalogue.get(text) or as_pattern(text)

    def __contains__(self, text: str) -> bool:
        """Whether a text is translated or needs no translation."""
        return self.language == ENGLISH or text in self._catalogue or not has_words(text)


def check_language(language: str) -> None:
    """Refuse a language that is not supported."""
    if language not in LANGUAGES:
        raise BadOption(say("Skerry speaks {known}, not {given!r}", known=", ".join(LANGUAGES), given=language))


@functools.cache
def translations(language: str, *packages: str) -> Translations:
    """The translations of some packages. If several translate a text, the first one counts."""
    merged: dict[str, str] = {}
    for package in reversed(packages if language != ENGLISH else ()):
        merged.update(read_catalogue(package, language))
    return Translations(language, merged)


@functools.cache
def read_catalogue(package: str, language: str) -> dict[str, str]:
    """The finished translations of one package into one language."""
    source = find_file((package,), f"words/{language}.po")
    if source is None:
        return {}  # a game that does not speak this language: its words stay English
    try:
        from babel.messages.pofile import read_po
    except ImportError:
        raise Refusal("languages other than English need the extra server: pip install 'skerry[server]'") from None

    with source.open("rb") as file:
        catalogue = read_po(file, locale=language)
    return {
        message.id: _with_form(message.string, message.flags)
        for message in catalogue
        if isinstance(message.id, str)
        and isinstance(message.string, str)
        and message.id
        and message.string
        and not message.fuzzy
    }


def _with_form(text: str, flags: set[str]) -> str:
    """A translation, with its form if the catalogue flags one."""
    form = next((number for number, name in enumerate(FORMS) if name in flags), None)
    return as_pattern(text) if form is None else Noun(text, form)
