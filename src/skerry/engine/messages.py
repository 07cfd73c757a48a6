"""Sentences that can be shown in any language.

Code builds a sentence as a ``Message``: English text with named placeholders, and their values. It is translated only
when it is shown, because each reader may use another language.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from skerry.engine.i18n.grammar import Noun, fill

Translate = Callable[[str], str]
Msgid = str  # a parameter of this type is English to be translated: ``catalogue`` collects what is given for it


@dataclass(frozen=True)
class Message:
    """A sentence with named gaps. It is kept apart from its arguments, so that each reader can read it in the
    own language; an argument that is a message itself is translated too."""

    text: Msgid
    arguments: dict[str, Any] = field(default_factory=dict)

    def render(self, translate: Translate = str) -> str:
        """As a sentence of its own."""
        sentence = self.phrase(translate)
        return sentence[:1].upper() + sentence[1:]

    def phrase(self, translate: Translate = str) -> str:
        """As a part of another sentence."""
        text = translate(self.text)
        if not self.arguments and "{" not in text:  # as most names
            return text
        parts = {
            name: value.phrase(translate) if isinstance(value, Message) else value
            for name, value in self.arguments.items()
        }
        return Noun(fill(text, parts), text.form) if isinstance(text, Noun) else fill(text, parts)

    def __str__(self) -> str:
        return self.render()


def say(text: Msgid, /, **arguments: Any) -> Message:
    return Message(text, arguments)


def format_list(messages: Sequence[Message]) -> Message:
    """One, or several as a list: a, b and c."""
    *rest, last = messages
    if not rest:
        return last
    together = rest[0]
    for message in rest[1:]:
        together = say("{first}, {second}", first=together, second=message)
    return say("{first} and {last}", first=together, last=last)
