"""The record of a game of Hashi.

The board's own facts are in the record, so that a match goes on without the file it was drawn in. Islands and
lines are numbered in reading order; sets of them are bits of an int.

A seat's paper holds the draft of the running round too: taking the draft away again gives what others see.
"""

from __future__ import annotations

from typing import Annotated

from skerry.engine.blocks import Block, Blocks
from skerry.engine.struct import i8, i8s, i16, i32, i32s, struct, u64
from skerry.games.hashi.rules.components import ISLANDS, LINES, MAX_CARD_BRIDGES, N_BONUSES, N_CARDS, SEATS

STARTING, PLAYING, OVER = range(3)  # phases: the start numbers, the rounds, the end
PHASES = ("start", "round", "over")
COUNTED, RANKED = range(1, 3)  # endings
NOWHERE = -1

BOARD_SIZE = 3 * ISLANDS + 1 + 2 * LINES  # row, column and flag of each island; how many lines; two ends of each
PAPER_SIZE = 2 * ISLANDS + LINES  # numbers of a paper as it is shown
NO_FLAG, RED_FLAG, BLUE_FLAG = range(3)


@struct
class State:
    rng: u64
    red: i32  # islands
    blue: i32  # islands
    at: Annotated[i32s, ISLANDS]  # the lines at each island
    cross: Annotated[i32s, LINES]  # the lines that cross each line
    built: Annotated[i32s, SEATS]  # lines with a bridge
    double: Annotated[i32s, SEATS]  # lines with two
    blocked: Annotated[i32s, SEATS]  # lines that a bridge crosses
    turns: i16  # the round, counted from 1; 0 while the start numbers are written
    players: i8
    phase: i8
    ending: i8  # number of the ending, 0 while the game runs
    confirmed: i8  # seats, a bit set
    claimed: i8  # bonuses whose full points went to somebody in an earlier round, a bit set
    lines: i8  # how many the board has
    row: Annotated[i8s, ISLANDS]
    column: Annotated[i8s, ISLANDS]
    end: Annotated[i8s, LINES, 2]  # the islands of each line
    number: Annotated[i8s, SEATS, ISLANDS]  # 0: none yet
    room: Annotated[i8s, SEATS, ISLANDS]  # bridges an island can still take
    bonus: Annotated[i8s, SEATS, N_BONUSES]  # points
    deck: Annotated[i8s, N_CARDS]  # in the order of the rounds; the last is the card set aside
    draft_island: Annotated[i8s, SEATS]  # where this round's (or the start) number is written, or nowhere
    draft_start: Annotated[i8s, SEATS]  # the start number written there, or 0
    draft_line: Annotated[i8s, SEATS, MAX_CARD_BRIDGES]  # this round's bridges, in the order they were drawn
    drafted: Annotated[i8s, SEATS]  # how many


@struct
class Choices:
    """The options as ``setup`` reads them."""

    players: i8
    board: Annotated[i8s, BOARD_SIZE]
    start: Annotated[i8s, 3]  # row, column and number that everybody begins with; number 0: written by the players


# What ``observe`` writes for a learner, block by block. Others' drafts are not in it.
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
    Block("bonus", SEATS * N_BONUSES, "points of each bonus, own first"),
    Block("confirmed", SEATS, "has confirmed, own first"),
    Block("bonus_late", N_BONUSES, "full points of each bonus are gone"),
    Block("card_unseen", N_CARDS, "card is still to come or set aside"),
    Block("card", 2, "number and bridges of this round's card"),
    Block("round", 1, "round"),
    Block("draft_number", 2, "own draft: island of the number, or -1; start number"),
    Block("draft_bridges", LINES, "own draft: bridges drawn on each line"),
)
