"""Sentences for readers of any language; and why something was not done: one sentence, and the rule's id where a rule
says no."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from skerry.engine.i18n.grammar import Noun, fill

Translate = Callable[[str], str]
Text = str  # a parameter of this type is English to be translated: ``catalogue`` collects what is given for it


@dataclass(frozen=True)
class Message:
    """A sentence with named gaps. It is kept apart from its arguments, so that each reader can read it in the
    own language; an argument that is a message itself is translated too."""

    text: Text
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


def say(text: Text, /, **arguments: Any) -> Message:
    return Message(text, arguments)


def listed(messages: Sequence[Message]) -> Message:
    """One, or several as a list: a, b and c."""
    *rest, last = messages
    if not rest:
        return last
    together = rest[0]
    for message in rest[1:]:
        together = say("{first}, {second}", first=together, second=message)
    return say("{first} and {last}", first=together, last=last)


class Refusal(Exception):
    """Something asked of Skerry cannot be done; nothing has changed."""

    def __init__(self, message: Message | str, rule: str | None = None) -> None:
        self.message = (
            message if isinstance(message, Message) else Message(message.replace("{", "{{").replace("}", "}}"))
        )
        self.rule = rule
        super().__init__(self.render())

    def render(self, translate: Translate = str) -> str:
        sentence = self.message.render(translate)
        return f"{sentence} ({self.rule})" if self.rule else sentence


class UnknownGame(Refusal):
    """No game of that name is registered."""


class BadOption(Refusal):
    """An option that does not exist, or a value that it does not take."""


class UnknownSeat(Refusal):
    """Nobody sits there."""


class Unreadable(Refusal):
    """A text or an id that names no action of this game."""


class Illegal(Refusal):
    """An action the rules do not allow now."""


class NotYourTurn(Illegal):
    """An action that somebody else could take now, or this seat at another time."""


class NoUndo(Refusal):
    """The last step cannot be taken back."""


class BadRecord(Refusal):
    """A record that is damaged, edited, or of other rules."""
