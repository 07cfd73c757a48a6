"""The structs of Hashi: the state of a game, its options, and the blocks of its observation.

The state includes the whole board, so that a match can go on without the file of its drawing. Islands and lines are
numbered in reading order; sets of them are bit sets.

A seat's paper includes the draft of the current round. The other seats see the paper without it.
"""

from __future__ import annotations

from typing import Annotated

from skerry.engine.blocks import Block, Blocks
from skerry.engine.struct import i8, i8s, i16, i32, i32s, struct, u64
from skerry.games.hashi.rules.components import ISLANDS, LINES, MAX_CARD_BRIDGES, N_BONUSES, N_CARDS, SEATS

STARTING, PLAYING, OVER = range(3)  # phases: writing the start numbers, the rounds, the end
PHASES = ("start", "round", "over")
COUNTED, RANKED = range(1, 3)  # endings
NOWHERE = -1  # the island of a draft without a number

BOARD_SIZE = 3 * ISLANDS + 1 + 2 * LINES  # row, column and flag of each island; the number of lines; their two ends
PAPER_SIZE = 2 * ISLANDS + LINES  # number and bridges of each island; bridges on each line
NO_FLAG, RED_FLAG, BLUE_FLAG = range(3)


@struct
class State:
    rng: u64
    red: i32  # islands with a red flag, a bit set
    blue: i32  # islands with a blue flag, a bit set
    at: Annotated[i32s, ISLANDS]  # the lines at each island, a bit set
    cross: Annotated[i32s, LINES]  # the lines that cross each line, a bit set
    built: Annotated[i32s, SEATS]  # lines with one or two bridges, a bit set
    double: Annotated[i32s, SEATS]  # lines with two bridges, a bit set
    blocked: Annotated[i32s, SEATS]  # lines that are crossed by a bridge, a bit set
    turns: i16  # the round, counted from 1; 0 while the start numbers are written
    players: i8
    phase: i8
    ending: i8  # number of the ending, 0 while the game runs
    confirmed: i8  # seats that have confirmed, a bit set
    claimed: i8  # bonuses that somebody earned in an earlier round, a bit set
    lines: i8  # number of lines on the board
    row: Annotated[i8s, ISLANDS]  # of each island
    column: Annotated[i8s, ISLANDS]
    end: Annotated[i8s, LINES, 2]  # the two islands of each line
    number: Annotated[i8s, SEATS, ISLANDS]  # the number on each island, 0 for none
    room: Annotated[i8s, SEATS, ISLANDS]  # how many more bridges each island can take
    bonus: Annotated[i8s, SEATS, N_BONUSES]  # points scored for each bonus
    deck: Annotated[i8s, N_CARDS]  # in the order of the rounds; the last card is set aside
    draft_island: Annotated[i8s, SEATS]  # where the draft's number is written, or NOWHERE
    draft_start: Annotated[i8s, SEATS]  # the drafted start number, or 0
    draft_line: Annotated[i8s, SEATS, MAX_CARD_BRIDGES]  # the lines of the drafted bridges, in the order of drawing
    drafted: Annotated[i8s, SEATS]  # how many bridges are drafted


@struct
class Options:
    """The options as ``setup`` reads them."""

    players: i8
    board: Annotated[i8s, BOARD_SIZE]
    start: Annotated[i8s, 3]  # row, column and number of a given start; number 0 if there is none


# The blocks of an observation. Other seats' drafts are not part of it.
OBSERVATION = Blocks(
    Block("row", ISLANDS, "row of island"),
    Block("column", ISLANDS, "column of island"),
    Block("red_flag", ISLANDS, "island has a red flag"),
    Block("blue_flag", ISLANDS, "island has a blue flag"),
    Block("line_ends", 2 * LINES, "the two islands of each line, or -1"),
    Block(
        "papers",
        SEATS * PAPER_SIZE,
        "papers, own first: number on each island, bridges at it, bridges on each line",
    ),
    Block("bonus_points", SEATS * N_BONUSES, "points of each bonus, own first"),
    Block("confirmed", SEATS, "seat has confirmed, own first"),
    Block("bonus_late", N_BONUSES, "full points of each bonus are gone"),
    Block("card_unseen", N_CARDS, "card is still to come or set aside"),
    Block("card", 2, "number and bridges of this round's card"),
    Block("round", 1, "round"),
    Block("draft_number", 2, "this seat's draft: island of the number, or -1; start number"),
    Block("draft_bridges", LINES, "this seat's draft: bridges drawn on each line"),
)
