"""Errors that are shown to people: why something was refused, and the id of the rule that forbids it."""

from __future__ import annotations

from skerry.engine.messages import Message, Translate


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
