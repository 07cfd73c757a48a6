"""What people see of Forbidden Island: names, the view, the prompt. Reasons and the drawing have files of their own."""

from __future__ import annotations

import functools
from typing import Any

from skerry.engine.notation import Name, Names
from skerry.engine.refusal import Message, Text, say
from skerry.engine.sharing import shared
from skerry.games.forbidden_island import facts
from skerry.games.forbidden_island.drawing import board
from skerry.games.forbidden_island.happenings import ENDINGS
from skerry.games.forbidden_island.legal import next_swimmer, waiting
from skerry.games.forbidden_island.reasons import explain
from skerry.games.forbidden_island.state import ACTIONS, DRAWING, ESCAPED, PHASES, State

__all__ = ["board", "explain", "names", "prompt", "view"]


ACTIONS_LEFT = (  # to you, of another; by how many are left
    ("Your actions are spent: end them", "{pawn} has spent all actions"),
    ("Your turn, one action left: move, shore up, give, capture, or end", "{pawn}'s turn, one action left"),
    *[("Your turn, {left} actions left: move, shore up, give, capture, or end", "{pawn}'s turn, {left} actions left")]
    * 2,
)
TEXTS = tuple(text for pair in ACTIONS_LEFT for text in pair)


def names(state: State) -> Names:
    """Places are called by their chart position, pawns by their role; typed, a tile's name or a seat will do too."""
    chart = facts.CHARTS[state.layout]
    places = [
        Name(place, say("{tile} ({place})", tile=say(facts.TILE_TITLES[tile]), place=place), (facts.TILE_NAMES[tile],))
        for place, tile in zip(chart.places, state.tile_at, strict=True)
    ]
    pawns = [
        Name(facts.ROLES[role], say(facts.ROLE_TITLES[role]), (str(seat),))
        for seat, role in enumerate(list(state.role)[: state.players])
    ]
    cards = [
        Name(name, say(title), also)
        for name, title, also in zip(facts.CARDS, facts.CARD_TITLES, facts.CARD_ALIASES, strict=True)
    ]
    return {"place": places, "pawn": pawns, "treasure": cards[: facts.N_TREASURES], "card": cards}


def view(state: State, seat: int | None) -> dict[str, Any]:
    """Everything is open but the order of the decks, so all seats and spectators see the same."""
    return {"seat": seat, **_table(state)}


@shared
def _table(state: State) -> dict[str, Any]:
    chart = facts.CHARTS[state.layout]
    return {
        "layout": {"name": chart.name, "width": chart.width, "height": chart.height},
        "places": [_place(state, place) for place in range(facts.TILES)],
        "seats": [_seat(state, player) for player in range(state.players)],
        "treasures": {name: _captor(state, i) for i, name in enumerate(facts.TREASURES)},
        "water": {
            "tick": int(state.water) + 1,
            "skull": facts.SKULL + 1,
            "meter": list(facts.METER),
        },
        "turn": {
            "number": int(state.turns),
            "seat": int(state.turn),
            "phase": PHASES[state.phase],
            "left": int(state.left),
            "flight_used": bool(state.flown),
        },
        "treasure_deck": {"cards": int(state.treasure_left), "discard": _cards(state.treasure_discard)},
        "flood_deck": {
            "cards": int(state.flood_left),
            "discard": [facts.TILE_NAMES[tile] for tile in list(state.flood_discard)[: state.flood_shown]],
            "piles": _piles(state),
        },
        "waiting": [player for player in range(state.players) if waiting(state) >> player & 1],
        "ending": ENDINGS[state.ending - 1].name if state.ending else None,
    }


def _place(state: State, place: int) -> dict[str, Any]:
    condition = "sunk" if state.sunk >> place & 1 else "flooded" if state.flooded >> place & 1 else "dry"
    return _placed(state.layout, place, state.tile_at[place], condition)


@functools.cache
def _placed(layout: int, place: int, tile: int, condition: str) -> dict[str, Any]:
    """Kept, as there are few, and a view is made for every reader at every step."""
    chart = facts.CHARTS[layout]
    row, column = chart.spots[place]
    role = tile - facts.START_TILE
    return {
        "place": chart.places[place],
        "row": row,
        "column": column,
        "tile": facts.TILE_NAMES[tile],
        "title": facts.TILE_TITLES[tile],
        "condition": condition,
        "treasure": facts.TREASURES[tile // 2] if tile // 2 < facts.N_TREASURES else None,
        "start": facts.ROLES[role] if 0 <= role < facts.N_ROLES else None,
    }


def _seat(state: State, seat: int) -> dict[str, Any]:
    role = int(state.role[seat])
    return {
        "seat": seat,
        "role": facts.ROLES[role],
        "colour": facts.ROLE_COLOURS[role],
        "place": facts.CHARTS[state.layout].places[state.pawn[seat]],
        "hand": _cards([state.hands[seat, card] for card in range(facts.HELD)]),
        "must_discard": bool(state.over >> seat & 1),
        "in_water": bool(state.swimming >> seat & 1),
    }


def _captor(state: State, treasure: int) -> int | None:
    return int(state.captor[treasure]) if state.captor[treasure] >= 0 else None


def _cards(counts: Any) -> dict[str, int]:
    return {facts.CARDS[card]: int(count) for card, count in enumerate(counts) if count}


def _piles(state: State) -> list[list[str]]:
    """The flood deck from the top: which cards lie in each pile, in the order of the alphabet, not of the deck."""
    piles: list[list[str]] = []
    pile: list[str] = []
    for position in range(state.flood_left - 1, -1, -1):
        pile.append(facts.TILE_NAMES[state.flood_deck[position]])
        if position == 0 or state.layers >> position & 1:
            piles.append(sorted(pile))
            pile = []
    return piles


def prompt(state: State, seat: int | None) -> Message:
    """One line that says what the game waits for."""
    if state.ending:
        return (
            say("The game is over: you win!")
            if state.ending == ESCAPED
            else say("The game is over: the island has won.")
        )
    if state.stranded:
        return say("A pawn cannot reach land. Only a Helicopter Lift can save it: who plays one?")
    if state.swimming:
        swimmer = next_swimmer(state)
        return _said(seat, swimmer, state, "You are in the water: swim to land", "{pawn} is in the water and must swim")
    if state.over:
        holder = next(s for s in range(state.players) if state.over >> s & 1)
        return _said(
            seat,
            holder,
            state,
            "You hold more than five cards: discard, or play a special card",
            "{pawn} holds more than five cards and must discard",
        )
    if state.phase == ACTIONS:
        return _said(seat, state.turn, state, *ACTIONS_LEFT[state.left])
    if state.phase == DRAWING:
        return _said(
            seat,
            state.turn,
            state,
            "Draw treasure cards: {left} to come",
            "{pawn} draws treasure cards: {left} to come",
        )
    return _said(
        seat, state.turn, state, "Draw flood cards: {left} to come", "{pawn} draws flood cards: {left} to come"
    )


def _said(seat: int | None, actor: int, state: State, to_you: Text, of_other: Text) -> Message:
    pawn = say(facts.ROLE_TITLES[state.role[actor]])
    return Message(to_you if seat == actor else of_other, {"pawn": pawn, "left": int(state.left)})
