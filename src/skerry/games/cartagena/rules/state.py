"""The record of a game of Cartagena.

Places are numbers: 0 is where the pirates begin (the prison, or on Tortuga the half-sunk sloop), 1 to 48 are the
spaces of the path, then come the sloop and the hideout. A set of places is the bits of an int, so that "the first
empty rum space ahead" is two ``&`` and the lowest bit.

What players know of each other's cards is in the record too. ``known[viewer, owner]`` are cards the viewer has seen
going into a hand and not leaving it; the owner holds all of them but at most ``doubt[viewer, owner]``, the number of
cards that left the hand unseen since. The last of those was one of the known cards or of so many ``beside`` them, and
``taker`` still has it. ``tops`` counts the cards on the deck that a seat has put there. ``limits`` bounds what can be
in the deck: after a reshuffle everybody knows that it is made of the discards.
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
    PARROTS_LAID,  # two parrots lie there and count as any other card
    HOOK_LAID,  # a hook lies there and waits for the second card
    HOOK_PARROTS_LAID,
    PISTOL_LOOK,  # a pistol: at whom?
    PISTOL_TAKE,
    RUM_KEEP,  # rum: which two to keep
    RUM_GIVE,
    LANTERN_KEEP,  # a lantern: which card to keep
    LANTERN_PUT,
    CHEST_OPEN,
    DISCARDING,  # a dark card caught somebody with too many
    OVER,
) = range(13)

ALL_ABOARD, ALL_HIDDEN = 1, 2  # endings
POOL = SEATS  # in ``known``: the cards a rum or a lantern has drawn and not yet placed
PUBLIC = SEATS  # in ``limits``: what a spectator knows


@struct
class State:
    rng: u64
    occupied: i64  # spaces of the path with a pirate
    crowded: i64  # with three
    symbols: Annotated[i64s, N_SYMBOLS]  # the spaces with each symbol
    at: Annotated[i64s, SEATS]  # the places with a pirate of each colour
    turns: i32
    chests: i16  # the laid parts, counted from 0, whose chest still has its token
    players: i8
    crew: i8  # pirates of each colour
    story: i8
    drawing: i8
    flibusters: i8
    magic: i8
    laid: i8  # parts of the path
    spaces: i8  # the last space of the path
    shore: i8  # the last space before the sloop; in the stories of one half, the last space
    first: i8  # the seat of the first turn
    turn: i8  # the seat whose turn it is
    phase: i8
    left: i8  # actions left in this turn
    captain: i8  # the free voyage is still to be had
    sloop: i8  # the harbour
    dark: i8  # a dark card was used in this action
    other: i8  # whose hand a pistol looks into, whom rum gives to, who discards
    keeps: i8  # cards of the pool still to keep
    ending: i8  # number of the ending, 0 while the game runs
    winner: i8
    deck_left: i8
    pooled: i8  # cards in the pool
    parts: Annotated[i8s, PARTS]  # letters of the laid parts in order
    tokens: Annotated[i8s, PARTS]  # what is in each laid part's chest; those beyond are out of the game, unseen
    where: Annotated[i8s, SEATS, CREW]  # the place of each pirate
    crowd: Annotated[i8s, PLACES]  # pirates on each place
    hands: Annotated[i8s, SEATS, KINDS]  # how many of each kind of card
    held: Annotated[i8s, SEATS]  # cards in each hand
    discard: Annotated[i8s, KINDS]
    pool: Annotated[i8s, KINDS]
    deck: Annotated[i8s, N_CARDS]  # the top is the last
    known: Annotated[i8s, SEATS, SEATS + 1, KINDS]
    doubt: Annotated[i8s, SEATS, SEATS + 1]
    beside: Annotated[i8s, SEATS, SEATS + 1]
    taker: Annotated[i8s, SEATS, SEATS + 1]  # a seat plus one; 0 is nobody, or who has lost a card since
    tops: Annotated[i8s, SEATS]
    limits: Annotated[i8s, SEATS + 1, KINDS]
    unseen: Annotated[i8s, KINDS]  # room for ``determinize`` to count in; zero otherwise


@struct
class Choices:
    """The options as ``setup`` reads them; -1 is random."""

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


# What ``observe`` writes for a learner, block by block.
OBSERVATION = Blocks(
    Block("symbol", SPACES * N_SYMBOLS, "symbol of each space, one-hot"),
    Block("chest", SPACES, "a chest token lies on the space"),
    Block("pirates", SEATS * PLACES, "pirates of each colour on each place, own first"),
    Block("hand", KINDS, "cards of each kind in the own hand"),
    Block("held", SEATS, "cards in each hand, own first"),
    Block("known", (SEATS - 1) * KINDS, "cards of each kind known to be in each other hand, from the left"),
    Block("doubt", SEATS - 1, "how many of them may have left it unseen"),
    Block("pool", KINDS, "cards of each kind in the own pool of a rum or lantern"),
    Block("pooled", 1, "cards in the pool"),
    Block("deck_top", MAX_KNOWN_TOP * KINDS, "known cards on the deck from the top, one-hot"),
    Block("deck", 1, "cards in the deck"),
    Block("discard", KINDS, "cards of each kind in the discard"),
    Block("turn", SEATS, "whose turn, own first, one-hot"),
    Block("waiting", SEATS, "whom the game waits for, own first, one-hot"),
    Block("phase", len(PHASES), "phase, one-hot"),
    Block("left", 1, "actions left"),
    Block("captain", 1, "the captain's free voyage"),
    Block("sloop", 1, "the sloop is at Tortuga"),
    Block("crew", 1, "pirates of a colour"),
    Block("path_ends", 2, "last space of the path, last space before the sloop"),
    Block("story", len(STORIES), "story, one-hot"),
    Block("drawing", len(DRAWING_MOVES), "drawing move, one-hot"),
    Block("variants", 2, "flibusters, black magic"),
)
