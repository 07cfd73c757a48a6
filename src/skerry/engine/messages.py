"""Messages: sentences that can be rendered in any language.

Code builds a sentence as a ``Message``: English text with named placeholders, and their values. It is translated only
when it is rendered, because each reader may use another language.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from skerry.engine.i18n.grammar import Noun, fill

Translate = Callable[[str], str]
Msgid = str  # English text that is translated; ``i18n.extract`` collects the literals given for such a parameter


@dataclass(frozen=True)
class Message:
    """A sentence with named placeholders and their values. A value that is a message is translated too."""

    text: Msgid
    arguments: dict[str, Any] = field(default_factory=dict)

    def render(self, translate: Translate = str) -> str:
        """The message as a sentence of its own, with a capital letter."""
        sentence = self.phrase(translate)
        return sentence[:1].upper() + sentence[1:]

    def phrase(self, translate: Translate = str) -> str:
        """The message as part of another sentence."""
        text = translate(self.text)
        if not self.arguments and "{" not in text:  # the quick way for names, which most messages are
            return text
        values = {
            name: value.phrase(translate) if isinstance(value, Message) else value
            for name, value in self.arguments.items()
        }
        return Noun(fill(text, values), text.form) if isinstance(text, Noun) else fill(text, values)

    def __str__(self) -> str:
        return self.render()


def say(text: Msgid, /, **arguments: Any) -> Message:
    """A message from its text and the values of its placeholders."""
    return Message(text, arguments)


def format_list(messages: Sequence[Message]) -> Message:
    """One message, or several joined to a list: a, b and c."""
    *rest, last = messages
    if not rest:
        return last
    joined = rest[0]
    for message in rest[1:]:
        joined = say("{first}, {second}", first=joined, second=message)
    return say("{first} and {last}", first=joined, last=last)
