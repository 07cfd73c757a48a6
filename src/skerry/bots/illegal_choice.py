"""What happens when a bot's policy chooses no legal action.

Kernels cannot raise. A policy that does not find the action it wants answers with a code (``engine/loop.py``), the play
loop plays something legal instead, and tells its driver which seats did so. On the host that is an error, unless the
caller would rather be told and go on, as a server does.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from skerry.engine.game import Game
from skerry.engine.loop import NOT_LEGAL, PASS
from skerry.engine.match import Match


class IllegalChoice(Exception):
    """A bot chose an action that is not legal, or an index that no legal action has: a mistake in the bot."""


Report = Callable[[IllegalChoice], None]


def raise_choice(choice: IllegalChoice) -> None:
    """The ``Report`` of everything but servers."""
    raise choice


def illegal_answer(match: Match, bot: str, seat: int, index: int, count: int) -> IllegalChoice:
    """The error for a policy's answer in a match, where it could choose from ``count`` legal actions."""
    action = NOT_LEGAL - 1 - index
    if index == PASS:
        chosen = "to pass, although the game waits for it"
    elif 0 <= action < match.game.actions.size:
        chosen = f"{match.action(action).text!r}, which is not legal now"
    else:
        chosen = f"index {index} of {count} legal actions"
    return IllegalChoice(f"{bot} of {match.game.name}, at seat {seat} after {len(match.steps)} steps, chose {chosen}")


def raise_for_seats(game: Game, bots: Sequence[str], seats: int, where: str) -> None:
    """Raise the error if any seat is in a bit set; ``bots`` are those of all seats."""
    if seats:
        names = dict.fromkeys(bot for seat, bot in enumerate(bots) if seats >> seat & 1)
        raise IllegalChoice(f"{' and '.join(names)} of {game.name} chose an action that is not legal, {where}")
