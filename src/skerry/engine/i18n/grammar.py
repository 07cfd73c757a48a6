"""Grammatical agreement in sentences with placeholders: singular or plural, masculine or feminine.

A placeholder may list forms to choose from: by a number, as in ``{left} {left:action|actions}``, or by the gender of a
word, as in ``{part:el|la} {part}``. The form of a word is a flag of its translation in the catalogue. English words
have no forms.
"""

from __future__ import annotations

from collections.abc import Mapping
from string import Formatter
from typing import Any

FORMS = (
    "masculine",
    "feminine",
    "masculine-plural",
    "feminine-plural",
)  # in the order in which a placeholder lists them


class Pattern(str):
    """A text whose ``format`` understands forms, for templates that write ``_("…").format(…)``."""

    def format(self, *args: Any, **values: Any) -> str:
        return _FORMATTER.vformat(self, args, values)


class Noun(Pattern):
    """A translated word with its form, an index of ``FORMS``."""

    form: int

    def __new__(cls, text: str, form: int) -> Noun:
        noun = super().__new__(cls, text)
        noun.form = form
        return noun


class _FormFormatter(Formatter):
    def format_field(self, value: Any, spec: str) -> Any:
        forms = spec.split("|")
        if len(forms) == 1:
            return super().format_field(value, spec)
        if isinstance(value, str):
            return forms[value.form if isinstance(value, Noun) else 0]
        return forms[0 if value == 1 else 1]


_FORMATTER = _FormFormatter()


def as_pattern(text: str) -> str:
    """The text as a ``Pattern`` if a placeholder of it lists forms."""
    return Pattern(text) if "|" in text else text


def fill(text: str, values: Mapping[str, Any]) -> str:
    """The text with its placeholders filled."""
    return as_pattern(text).format(**values)


def placeholders(text: str) -> set[str]:
    """The names of a text's placeholders."""
    return {name for _, name, _, _ in Formatter().parse(text) if name}


def has_words(text: str) -> bool:
    """Whether there are words besides the placeholders, so that the text has to be translated."""
    return any(character.isalpha() for literal, _, _, _ in Formatter().parse(text) for character in literal)
