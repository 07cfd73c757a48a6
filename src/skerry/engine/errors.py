"""Refusals: the errors that people read. Each says in one sentence why something was not done, and which rule forbids
it if one does."""

from __future__ import annotations

from skerry.engine.messages import Message, Translate


class Refusal(Exception):
    """A request cannot be carried out. Nothing has changed."""

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


class BadGame(Refusal):
    """A fact sheet or rules that cannot be played: a mistake of the author of a game."""


class BadOption(Refusal):
    """An option that does not exist, or a value that it does not accept."""


class UnknownSeat(Refusal):
    """The match has no such seat."""


class Unreadable(Refusal):
    """A text or an id that is not an action of this game."""


class Illegal(Refusal):
    """An action that the rules do not allow now."""


class NotYourTurn(Illegal):
    """An action that another seat could take now, or this seat at another time."""


class NoUndo(Refusal):
    """The last step cannot be undone."""


class BadRecord(Refusal):
    """A game record that is damaged, edited, or written under other rules."""
