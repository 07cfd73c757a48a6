"""The default prompt and the default refusals."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from skerry.engine.errors import Illegal, NotYourTurn, Refusal
from skerry.engine.kernel import kernel_array
from skerry.engine.messages import Message, format_list, say

if TYPE_CHECKING:
    from skerry.engine.game import Ending, Game
    from skerry.engine.protocols import State

MOST_NAMED = 5  # possible actions that a refusal names


def default_prompt(game: Game, state: State, seat: int | None) -> Message:
    """One line that says what the game waits for."""
    scores = np.zeros(game.seats[-1])
    number = game.rules.result(state, kernel_array(scores))
    if number:
        return _outcome(game, state, seat, game.ending(number), scores[: int(state.players)])
    waiting = _waiting(game, state)
    if seat in waiting:
        return say("Your turn")
    names = game.ui.names(state)[game.seat_kind]
    return say("Waiting for {players}", players=format_list([names[player].title for player in waiting]))


def _outcome(game: Game, state: State, seat: int | None, ending: Ending, scores: NDArray[np.float64]) -> Message:
    """Who won or lost, and how."""
    how = say(ending.text)
    if game.cooperative:
        return say("You win: {how}", how=how) if ending.won else say("You lost: {how}", how=how)
    winners = [int(player) for player in np.flatnonzero(scores == scores.max())]
    if len(winners) == len(scores) and len(scores) > 1:
        return say("A draw: {how}", how=how)
    if winners == [seat]:
        return say("You win: {how}", how=how)
    names = game.ui.names(state)[game.seat_kind]
    titles = format_list([names[player].title for player in winners])
    return say("{players} win: {how}" if len(winners) > 1 else "{players} wins: {how}", players=titles, how=how)


def default_refusal(game: Game, state: State, seat: int, action: int) -> Refusal:
    """Why an action is not legal for a seat now: it is another's turn, or only other actions are possible."""
    names = game.ui.names(state)
    what = game.actions.label(action, names)
    legal = np.zeros(game.actions.size + 1, np.int16)
    count = game.rules.legal(state, seat, kernel_array(legal))
    if not count:
        titles = [names[game.seat_kind][player].title for player in _waiting(game, state)]
        return NotYourTurn(say("it is not your turn: waiting for {players}", players=format_list(titles)))
    possible = [game.actions.label(int(number), names) for number in legal[: min(count, MOST_NAMED)]]
    if count > MOST_NAMED:
        return Illegal(say("{what} is not possible now; there are {count} other actions", what=what, count=count))
    return Illegal(say("{what} is not possible now; you can: {possible}", what=what, possible=format_list(possible)))


def _waiting(game: Game, state: State) -> list[int]:
    seats = game.rules.waiting(state)
    return [seat for seat in range(game.seats[-1]) if seats >> seat & 1]
