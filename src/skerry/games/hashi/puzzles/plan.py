"""A whole solo game as a plan: the start number, and what is done with each card."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from skerry.engine.match import Match
from skerry.games.hashi.rules.board import Board
from skerry.games.hashi.rules.components import CARDS, ROUNDS

Card = tuple[int, int]  # number and bridges
Start = tuple[int, int]  # island and number


@dataclass(frozen=True)
class Turn:
    """What a plan does with one card: the island of its number, or none, and the lines of its bridges."""

    card: Card
    island: int | None
    lines: tuple[int, ...]


Plan = tuple[Turn, ...]


def empty_plan(cards: Sequence[Card]) -> Plan:
    """The plan that does nothing with these cards."""
    return tuple(Turn(card, None, ()) for card in cards)


def play_plan(board: Board, start: Start, plan: Plan) -> Match:
    """Play a plan by the rules, with the cards in its order. Raises a refusal if the rules do not allow it."""
    from skerry.games.hashi import GAME

    island, number = start
    place = board.islands[island].name
    match = GAME.configure({"players": 1, "board": board, "start": f"{place}:{number}"}).new(seed=0)
    _stack(match, [CARDS.index(turn.card) for turn in plan])
    for turn in plan:
        if turn.island is not None:
            match.play(0, f"write {board.islands[turn.island].name}")
        for line in turn.lines:
            match.play(0, f"bridge {board.line_name(line)}")
        match.play(0, "confirm")
    return match


def _stack(match: Match, cards: list[int]) -> None:
    """Put the deck in this order and set aside the card that is missing from it."""
    (aside,) = set(range(len(CARDS))) - set(cards)
    for position, card in enumerate([*cards, aside]):
        match.state.deck[position] = card


def plan_points(board: Board, start: Start, plan: Plan) -> int:
    """The score of a plan, counted by the rules."""
    match = play_plan(board, start, plan)
    assert len(plan) == ROUNDS and match.result is not None
    return int(match.result.scores[0])


def card_name(card: Card) -> str:
    """The name of a card: ``5x3`` is a 5 with three bridges."""
    return f"{card[0]}x{card[1]}"


def write_turn(board: Board, turn: Turn) -> str:
    """A turn in one line, as ``5x3 C4 C4-E4 A6-B6 B6-D6``: card, island of the number (``-`` for none), bridges."""
    island = "-" if turn.island is None else board.islands[turn.island].name
    return " ".join([card_name(turn.card), island, *map(board.line_name, turn.lines)])


def read_turn(board: Board, text: str) -> Turn:
    """Parse what ``write_turn`` wrote."""
    card, place, *drawn = text.split()
    number, _, bridges = card.partition("x")
    places = [island.name for island in board.islands]
    lines = [board.line_name(line) for line in range(len(board.lines))]
    island = None if place == "-" else places.index(place)
    return Turn((int(number), int(bridges)), island, tuple(lines.index(line) for line in drawn))
