"""Words in the reader's language: gettext catalogues, one ``words/<language>.po`` in a package that speaks."""

from __future__ import annotations

import functools
from importlib.resources import files

from skerry.engine.errors import BadOption, Refusal
from skerry.engine.i18n.grammar import FORMS, Noun, has_words, pattern
from skerry.engine.messages import say

LANGUAGES = ("en", "es", "pt")
ENGLISH = LANGUAGES[0]


class Translations:
    """Calling it translates a sentence; what no catalogue has stays English."""

    def __init__(self, language: str, catalogue: dict[str, str]) -> None:
        self.language = language
        self._catalogue = catalogue

    def __call__(self, text: str) -> str:
        return self._catalogue.get(text) or pattern(text)

    def __contains__(self, text: str) -> bool:
        return self.language == ENGLISH or text in self._catalogue or not has_words(text)


def check_language(language: str) -> None:
    if language not in LANGUAGES:
        raise BadOption(say("Skerry speaks {known}, not {given!r}", known=", ".join(LANGUAGES), given=language))


@functools.cache
def translations(language: str, *packages: str) -> Translations:
    """The words of some packages; what two of them translate is taken from the first."""
    merged: dict[str, str] = {}
    for package in reversed(packages if language != ENGLISH else ()):
        merged.update(read_catalogue(package, language))
    return Translations(language, merged)


@functools.cache
def read_catalogue(package: str, language: str) -> dict[str, str]:
    """A package's translations into one language; unfinished ones do not count."""
    try:
        from babel.messages.pofile import read_po
    except ImportError:
        raise Refusal("languages other than English need the extra server: pip install skerry[server]") from None

    with (files(package) / "words" / f"{language}.po").open("rb") as file:
        catalogue = read_po(file, locale=language)
    return {
        message.id: _flagged(message.string, message.flags)
        for message in catalogue
        if isinstance(message.id, str)
        and isinstance(message.string, str)
        and message.id
        and message.string
        and not message.fuzzy
    }


def _flagged(text: str, flags: set[str]) -> str:
    """A translation, with its form where the catalogue says one."""
    form = next((number for number, name in enumerate(FORMS) if name in flags), None)
    return pattern(text) if form is None else Noun(text, form)
