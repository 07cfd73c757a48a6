"""The prompt: one line that says what the game waits for."""

from __future__ import annotations

from skerry.engine.messages import Message, format_list, say
from skerry.games.hashi.rules import components
from skerry.games.hashi.rules.bridges import bridges_due
from skerry.games.hashi.rules.legal import waiting
from skerry.games.hashi.rules.scoring import points_of, rank_of
from skerry.games.hashi.rules.state import NOWHERE, OVER, STARTING, State


def prompt(state: State, seat: int | None) -> Message:
    """What the game waits for, addressed to a seat or a spectator."""
    if state.phase == OVER:
        return _outcome(state, seat)
    if seat is None or state.confirmed >> seat & 1:
        left = sum(waiting(state) >> player & 1 for player in range(state.players))
        return say("Waiting for {left} of {players} players", left=left, players=int(state.players))
    if state.phase == STARTING:
        return _start_prompt(state, seat)
    return _round_prompt(state, seat)


def _outcome(state: State, seat: int | None) -> Message:
    """HA-34, HA-41: who has the most points, or the rank of a solo player."""
    points = [int(points_of(state, s)) for s in range(state.players)]
    best = max(points)
    if state.players == 1:
        rank = say(components.RANK_TITLES[rank_of(best)])
        return say("You scored {points} {points:point|points}: {rank}", points=best, rank=rank)
    winners = [s for s in range(state.players) if points[s] == best]
    if seat in winners:
        text = "You won with {points} points" if len(winners) == 1 else "You share the win with {points} points"
        return say(text, points=best)
    names = format_list([say(components.PEN_TITLES[s]) for s in winners])
    if seat is not None:
        lost = "You lost: {players} {count:has|have} {points} points, you have {own}"
        return say(lost, players=names, count=len(winners), points=best, own=points[seat])
    if len(winners) > 1:
        return say("{players} share the win with {points} points", players=names, points=best)
    return say("{player} won with {points} points", player=names, points=best)


def _start_prompt(state: State, seat: int) -> Message:
    """HA-02: in a game of several players, the start number is for the left neighbour."""
    if state.draft_island[seat] != NOWHERE:
        return say("Confirm your start number, or choose another")
    if state.players == 1:
        return say("Write a 3 or a 4 on an island without a flag")
    neighbour = say(components.PEN_TITLES[(seat + 1) % state.players])
    return say(
        "Write a 3 or a 4 on an island without a flag: {player} gets this paper and begins with that number",
        player=neighbour,
    )


def _round_prompt(state: State, seat: int) -> Message:
    number, bridges = components.CARDS[state.deck[state.turns - 1]]
    left = bridges_due(state, seat)
    card = {"round": int(state.turns), "number": number, "bridges": bridges, "left": left}
    if not left:
        return Message("Card {round}: all bridges are drawn; confirm, or change your mind", card)
    if left < bridges:
        return Message("Card {round}: {left} of {bridges} bridges to go", card)
    if state.draft_island[seat] == NOWHERE:
        return Message(
            "Card {round}: write a {number}, then draw {bridges} {bridges:bridge|bridges}; or confirm without", card
        )
    return Message("Card {round}: draw {bridges} {bridges:bridge|bridges}, or confirm with none", card)
