"""What a sentence needs of the words in its gaps: one or many, masculine or feminine.

A gap may name forms to choose from: ``{left} {left:action|actions}`` by a number, ``{part:el|la} {part}`` by the
gender of a word. A word's form is what its translation is flagged with in the catalogue; English has but one.
"""

from __future__ import annotations

from collections.abc import Mapping
from string import Formatter
from typing import Any

FORMS = ("masculine", "feminine", "masculine-plural", "feminine-plural")  # the order of the forms in a gap


class Pattern(str):
    """A text whose gaps may name forms, for those who fill it themselves: ``_("…").format(…)`` in a template."""

    def format(self, *args: Any, **parts: Any) -> str:
        return _GRAMMAR.vformat(self, args, parts)


class Noun(Pattern):
    """A word that knows its form."""

    form: int

    def __new__(cls, text: str, form: int) -> Noun:
        noun = super().__new__(cls, text)
        noun.form = form
        return noun


class _Grammar(Formatter):
    def format_field(self, value: Any, spec: str) -> Any:
        forms = spec.split("|")
        if len(forms) == 1:
            return super().format_field(value, spec)
        if isinstance(value, str):
            return forms[value.form if isinstance(value, Noun) else 0]
        return forms[0 if value == 1 else 1]


_GRAMMAR = _Grammar()


def pattern(text: str) -> str:
    return Pattern(text) if "|" in text else text


def fill(text: str, parts: Mapping[str, Any]) -> str:
    return pattern(text).format(**parts)


def placeholders(text: str) -> set[str]:
    """The names of a text's gaps."""
    return {name for _, name, _, _ in Formatter().parse(text) if name}


def has_words(text: str) -> bool:
    """Whether there are words between the gaps: then it wants a translation."""
    return any(sign.isalpha() for literal, _, _, _ in Formatter().parse(text) for sign in literal)
