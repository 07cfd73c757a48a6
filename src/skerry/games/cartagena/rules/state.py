"""The structs of Cartagena: the state of a game, its options, and the blocks of its observation.

Places are numbers: 0 is where the pirates start (the prison, or on Tortuga the half-sunk sloop), 1 to 48 are the spaces
of the path, then come the sloop and the hideout. Sets of places are bit sets, so that "the first empty rum space
ahead" is the lowest bit of an intersection.

The state also holds what each player knows of the hidden cards:

- ``known[viewer, owner]`` counts the cards that the viewer saw coming to a hand and not leaving it. Its numbers are
  read by ``memory``: while there is doubt, they also say which of the cards are certain.
- ``doubt[viewer, owner]`` is how many cards have left that hand without the viewer seeing which. The owner holds all
  known cards except at most this many of those that were there already; those seen coming since are certain.
- ``beside[viewer, owner]`` is how many unknown cards were in the hand, besides the known ones, when the last of those
  cards left it.
- ``taker[viewer, owner]`` is the player who took that last card, as long as it certainly has it.
- ``tops[seat]`` is how many cards on top of the deck the seat has put there itself.
- ``limits[viewer]`` bounds what the deck can contain: after a reshuffle everybody knows that it is made of discards.
"""

from __future__ import annotations

from typing import Annotated

import numpy as np
from numpy.typing import NDArray

from skerry.engine.blocks import Block, Blocks
from skerry.engine.struct import i8, i8s, i16, i32, i64, struct, u64
from skerry.games.cartagena.rules.components import (
    CREW,
    DRAWING_MOVES,
    KINDS,
    MAX_KNOWN_TOP,
    N_CARDS,
    N_SYMBOLS,
    PART_SPACES,
    PARTS,
    PLACES,
    SEATS,
    SIDES,
    SPACES,
    STORIES,
)

i64s = Annotated[NDArray[np.int64], np.int64]

PHASES = (
    "acting",
    "parrots",
    "hook",
    "hook-parrots",
    "pistol-look",
    "pistol-take",
    "rum-keep",
    "rum-give",
    "lantern-keep",
    "lantern-put",
    "chest",
    "discarding",
    "over",
)
(
    ACTING,
    PARROTS_LAID,  # two parrots were laid down and stand for any other card
    HOOK_LAID,  # a hook was played and needs a second card
    HOOK_PARROTS_LAID,  # a hook was played, and two parrots as the second card
    PISTOL_LOOK,  # a pistol was played: choose a hand to look into
    PISTOL_TAKE,
    RUM_KEEP,  # rum was played: choose cards to keep
    RUM_GIVE,
    LANTERN_KEEP,  # a lantern was played: choose a card to keep
    LANTERN_PUT,
    CHEST_OPEN,
    DISCARDING,  # a dark card caught a player with too many cards
    OVER,
) = range(13)

ALL_ABOARD, ALL_HIDDEN = 1, 2  # endings
POOL = SEATS  # as an owner: the cards that a rum or a lantern drew and that are not distributed yet
PUBLIC = SEATS  # as a viewer in ``limits``: a spectator


@struct
class State:
    rng: u64
    occupied: i64  # spaces of the path with pirates, as a set
    crowded: i64  # spaces of the path with three pirates, as a set
    symbols: Annotated[i64s, N_SYMBOLS]  # the spaces with each symbol
    at: Annotated[i64s, SEATS]  # the places with a pirate of each colour
    turns: i32
    chests: i16  # the laid parts, counted from 0, whose chest still has its token
    players: i8
    crew: i8  # number of pirates of each colour
    story: i8
    drawing: i8
    flibusters: i8
    magic: i8
    laid: i8  # number of parts of the path
    spaces: i8  # the last space of the path
    shore: i8  # the last space of the first half; in the stories with one half, of the path
    first: i8  # the seat of the first turn
    turn: i8  # the seat whose turn it is
    phase: i8
    left: i8  # actions left in this turn
    captain: i8  # 1 while the captain can still sail for free
    sloop: i8  # the harbour where the sloop is
    dark: i8  # 1 if a dark card was used in this action
    other: i8  # the player whose hand is looked into, who is given a card, or who discards
    keeps: i8  # how many cards of the pool the player still keeps
    ending: i8  # number of the ending, 0 while the game runs
    winner: i8
    deck_left: i8
    pooled: i8  # cards in the pool
    parts: Annotated[i8s, PARTS]  # the laid parts in order
    tokens: Annotated[i8s, PARTS]  # the chest token of each laid part; the rest are out of the game, unseen
    where: Annotated[i8s, SEATS, CREW]  # the place of each pirate
    crowd: Annotated[i8s, PLACES]  # number of pirates on each place
    hands: Annotated[i8s, SEATS, KINDS]  # number of cards of each kind
    held: Annotated[i8s, SEATS]  # size of each hand
    discard: Annotated[i8s, KINDS]
    pool: Annotated[i8s, KINDS]
    deck: Annotated[i8s, N_CARDS]  # the last is the top card
    known: Annotated[i8s, SEATS, SEATS + 1, KINDS]
    doubt: Annotated[i8s, SEATS, SEATS + 1]
    beside: Annotated[i8s, SEATS, SEATS + 1]
    taker: Annotated[i8s, SEATS, SEATS + 1]  # a seat plus one, or 0
    tops: Annotated[i8s, SEATS]
    limits: Annotated[i8s, SEATS + 1, KINDS]
    unseen: Annotated[i8s, KINDS]  # scratch space of ``determinize``; zero otherwise


@struct
class Options:
    """The options as ``setup`` reads them; -1 means random."""

    players: i8
    story: i8
    parts: Annotated[i8s, PARTS + 1]  # how many, then which
    tunnel: Annotated[i8s, PARTS + 1]
    island: Annotated[i8s, PARTS + 1]
    set: Annotated[i8s, PARTS * SIDES * PART_SPACES]
    pirates: i8
    draw: i8
    flibusters: i8
    magic: i8
    first: i8


# The blocks of an observation.
OBSERVATION = Blocks(
    Block("space_symbol", SPACES * N_SYMBOLS, "symbol of each space, one-hot"),
    Block("chest_token", SPACES, "a chest token lies on the space"),
    Block("pirate_places", SEATS * PLACES, "pirates of each colour on each place, own first"),
    Block("hand", KINDS, "cards of each kind in this seat's hand"),
    Block("hand_sizes", SEATS, "cards in each hand, own first"),
    Block("known_cards", (SEATS - 1) * KINDS, "cards of each kind known to be in each other hand, from the left"),
    Block("known_doubt", SEATS - 1, "how many of the known cards may have left each other hand unseen"),
    Block("pool", KINDS, "cards of each kind that this seat has drawn by rum or lantern"),
    Block("pool_size", 1, "cards drawn by rum or lantern"),
    Block("deck_top", MAX_KNOWN_TOP * KINDS, "known cards on the deck from the top, one-hot"),
    Block("deck_size", 1, "cards in the deck"),
    Block("discard", KINDS, "cards of each kind in the discard"),
    Block("turn", SEATS, "whose turn, own first, one-hot"),
    Block("waiting", SEATS, "whom the game waits for, own first, one-hot"),
    Block("phase", len(PHASES), "phase, one-hot"),
    Block("actions_left", 1, "actions left"),
    Block("free_voyage", 1, "the captain may still sail for free"),
    Block("sloop_at_tortuga", 1, "the sloop is at Tortuga"),
    Block("crew_size", 1, "pirates of a colour"),
    Block("path_ends", 2, "last space of the path, last space before the sloop"),
    Block("story", len(STORIES), "story, one-hot"),
    Block("drawing_move", len(DRAWING_MOVES), "drawing move, one-hot"),
    Block("variants", 2, "flibusters, black magic"),
)
