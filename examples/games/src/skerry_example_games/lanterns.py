"""Lanterns: hidden hands, chance, and a card that may be played in another's turn.

Everybody holds cards of four colours. In your turn you draw a card, or you light a lantern: you lay three cards of one
colour and get a point. Whoever holds a gust may blow it in another's turn: the player to move loses a card at random,
which goes back into the bag. Three lanterns win; when the bag is empty, most lanterns do.
"""

from __future__ import annotations

from typing import Annotated, Any

from skerry import toolkit as tk
from skerry.toolkit import kernel

SEATS, COLOURS, HAND, GOAL = 4, 4, 3, 3
GUST, KINDS = COLOURS, COLOURS + 1  # the last kind of card
OF_A_COLOUR, GUSTS = 8, 4
LIT, EMPTY = 1, 2  # the numbers of the endings

COLOUR = tk.One("card", COLOURS)
ACTIONS = tk.Actions(
    tk.Verb("draw", help="draws a card from the bag", label="Draw a card", primary=True, reveals=True),
    tk.Verb("light", COLOUR, help="lays three cards of a colour for a point", told="{player} lights a {card}"),
    tk.Verb("gust", help="blows a card out of the hand of the player to move", label="Blow a gust", reveals=True),
)
DRAW, LIGHT, BLOW = (ACTIONS.first_id(name) for name in ("draw", "light", "gust"))

WHO, OTHER = tk.Argument("player", tk.One("player", SEATS)), tk.Argument("other", tk.One("player", SEATS))
SECRET_CARD = tk.Argument("card", tk.One("card", KINDS), secret=True)
EVENTS = (
    tk.EventKind("drew", "{player} draws a {card}", (WHO, SECRET_CARD), "{player} draws a card"),
    tk.EventKind(
        "blew",
        "{player} blows a gust: {other} loses a {card}",
        (WHO, OTHER, SECRET_CARD),
        "{player} blows a gust: {other} loses a card",
    ),
)
DREW, BLEW = range(len(EVENTS))


@tk.struct
class State(tk.TurnState):
    rng: tk.u64
    bag: Annotated[tk.i8s, KINDS]  # how many cards of each kind are in it
    hands: Annotated[tk.i8s, SEATS, KINDS]


@kernel
def setup(state: State, options: Any, seed: Any) -> None:
    state.rng = seed
    state.players = options.players
    for colour in range(COLOURS):
        state.bag[colour] = OF_A_COLOUR
    state.bag[GUST] = GUSTS
    for seat in range(state.players):
        for _ in range(HAND):
            tk.draw_card(state, state.bag, state.hands, seat)


@kernel
def legal(state: State, seat: int, out: Any) -> int:
    out[0] = DRAW
    count = 1
    for colour in range(COLOURS):
        if state.hands[seat, colour] >= 3:
            out[count] = LIGHT + colour
            count += 1
    return count


@kernel
def interrupts(state: State, seat: int, out: Any) -> int:
    out[0] = BLOW
    return 1 if state.hands[seat, GUST] and tk.hand_size(state.hands, state.turn) else 0


@kernel
def step(state: State, seat: int, action: int, log: tk.EventLog) -> bool:
    if action == BLOW:
        state.hands[seat, GUST] -= 1
        card = tk.lose_card(state, state.hands, state.turn, state.bag)
        tk.emit_secret(log, 1 << state.turn, BLEW, seat, state.turn, card, 0)
        return True
    if action == DRAW:
        card = tk.draw_card(state, state.bag, state.hands, seat)
        tk.emit_secret(log, 1 << seat, DREW, seat, card, 0, 0)
    else:
        state.hands[seat, action - LIGHT] -= 3
        state.scores[seat] += 1
    tk.end_turn(state)
    if state.scores[seat] == GOAL:
        tk.end_game(state, LIT)
    elif not tk.pile_size(state.bag):
        tk.end_game(state, EMPTY)
    return action == DRAW


@kernel
def determinize(state: State, seat: int, seed: Any) -> None:
    tk.redeal_hands(state, state.hands, state.bag, seat, seed)


GAME = tk.Game(
    name="lanterns",
    title="Lanterns",
    summary="Light three lanterns before the wind takes your cards.",
    package=__name__,
    minutes=10,
    seats=range(2, SEATS + 1),
    options=(tk.Number("players", "how many players", 2, SEATS, 3),),
    state_struct=State,
    names={
        "player": ("Ada", "Ben", "Cleo", "Dan"),
        "card": ("red lantern", "blue lantern", "green lantern", "gold lantern", "gust"),
    },
    actions=ACTIONS,
    events=EVENTS,
    endings=(tk.Ending("lit", "Three lanterns are lit"), tk.Ending("empty", "The bag is empty: most lanterns win")),
    layout=(
        tk.Pile(field="bag", title="Bag"),
        tk.Counter(field="scores", title="Lanterns"),
        tk.Hand(field="hands", kind="card", title="Hand"),
    ),
)
