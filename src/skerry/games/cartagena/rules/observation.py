"""The observation of a seat as a vector of numbers. ``OBSERVATION`` in ``state`` names its blocks."""

from __future__ import annotations

from typing import Any

from numpy.typing import NDArray

from skerry.engine.kernel import kernel
from skerry.games.cartagena.rules.components import CHEST, KINDS, N_SYMBOLS, PART_SPACES, PLACES
from skerry.games.cartagena.rules.legal import waiting
from skerry.games.cartagena.rules.memory import known_copies
from skerry.games.cartagena.rules.state import OBSERVATION, State

SPACE_SYMBOL = OBSERVATION.offset("space_symbol")
CHEST_TOKEN = OBSERVATION.offset("chest_token")
PIRATE_PLACES = OBSERVATION.offset("pirate_places")
HAND = OBSERVATION.offset("hand")
HAND_SIZES = OBSERVATION.offset("hand_sizes")
KNOWN_CARDS = OBSERVATION.offset("known_cards")
KNOWN_DOUBT = OBSERVATION.offset("known_doubt")
POOL = OBSERVATION.offset("pool")
POOL_SIZE = OBSERVATION.offset("pool_size")
DECK_TOP = OBSERVATION.offset("deck_top")
DECK_SIZE = OBSERVATION.offset("deck_size")
DISCARD = OBSERVATION.offset("discard")
TURN = OBSERVATION.offset("turn")
WAITING = OBSERVATION.offset("waiting")
PHASE = OBSERVATION.offset("phase")
ACTIONS_LEFT = OBSERVATION.offset("actions_left")
FREE_VOYAGE = OBSERVATION.offset("free_voyage")
SLOOP_AT_TORTUGA = OBSERVATION.offset("sloop_at_tortuga")
CREW_SIZE = OBSERVATION.offset("crew_size")
PATH_ENDS = OBSERVATION.offset("path_ends")
STORY = OBSERVATION.offset("story")
DRAWING_MOVE = OBSERVATION.offset("drawing_move")
VARIANTS = OBSERVATION.offset("variants")


@kernel
def observe(state: State, seat: int, out: NDArray[Any]) -> None:
    """Write what a seat sees. Blocks by seat begin with the observer and go on in seat order."""
    for i in range(out.shape[0]):
        out[i] = 0
    _observe_path(state, out)
    _observe_pirates(state, seat, out)
    _observe_hands(state, seat, out)
    _observe_decks(state, seat, out)
    _observe_turn(state, seat, out)
    _observe_options(state, out)


@kernel
def _observe_path(state: State, out: NDArray[Any]) -> None:
    for space in range(1, state.spaces + 1):
        for symbol in range(N_SYMBOLS):
            out[SPACE_SYMBOL + (space - 1) * N_SYMBOLS + symbol] = state.symbols[symbol] >> space & 1
        if state.symbols[CHEST] >> space & 1:
            out[CHEST_TOKEN + space - 1] = state.chests >> ((space - 1) // PART_SPACES) & 1


@kernel
def _observe_pirates(state: State, seat: int, out: NDArray[Any]) -> None:
    for i in range(state.players):
        other = (seat + i) % state.players
        for pirate in range(state.crew):
            out[PIRATE_PLACES + i * PLACES + state.where[other, pirate]] += 1


@kernel
def _observe_hands(state: State, seat: int, out: NDArray[Any]) -> None:
    """The observer's own hand, and what it knows of the others."""
    for kind in range(KINDS):
        out[HAND + kind] = state.hands[seat, kind]
    for i in range(state.players):
        out[HAND_SIZES + i] = state.held[(seat + i) % state.players]
    for i in range(1, state.players):
        other = (seat + i) % state.players
        for kind in range(KINDS):
            out[KNOWN_CARDS + (i - 1) * KINDS + kind] = known_copies(state, seat, other, kind)
        out[KNOWN_DOUBT + i - 1] = state.doubt[seat, other]


@kernel
def _observe_decks(state: State, seat: int, out: NDArray[Any]) -> None:
    for kind in range(KINDS):
        out[POOL + kind] = state.pool[kind] if seat == state.turn else 0
    out[POOL_SIZE] = state.pooled
    for i in range(state.tops[seat]):
        out[DECK_TOP + i * KINDS + state.deck[state.deck_left - 1 - i]] = 1
    out[DECK_SIZE] = state.deck_left
    for kind in range(KINDS):
        out[DISCARD + kind] = state.discard[kind]


@kernel
def _observe_turn(state: State, seat: int, out: NDArray[Any]) -> None:
    waiting_seats = waiting(state)
    for i in range(state.players):
        other = (seat + i) % state.players
        out[TURN + i] = 1 if other == state.turn else 0
        out[WAITING + i] = waiting_seats >> other & 1
    out[PHASE + state.phase] = 1
    out[ACTIONS_LEFT] = state.left
    out[FREE_VOYAGE] = state.captain
    out[SLOOP_AT_TORTUGA] = state.sloop


@kernel
def _observe_options(state: State, out: NDArray[Any]) -> None:
    out[CREW_SIZE] = state.crew
    out[PATH_ENDS] = state.spaces
    out[PATH_ENDS + 1] = state.shore
    out[STORY + state.story] = 1
    out[DRAWING_MOVE + state.drawing] = 1
    out[VARIANTS] = state.flibusters
    out[VARIANTS + 1] = state.magic
