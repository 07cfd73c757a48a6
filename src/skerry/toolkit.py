"""What a game is written with: everything that the one file of a small game imports."""

from __future__ import annotations

from skerry.engine.blocks import Block, Blocks
from skerry.engine.card_counts import draw_card, hand_size, lose_card, pile_size, redeal_hands
from skerry.engine.errors import Illegal, NotYourTurn
from skerry.engine.event_log import EventLog, emit, emit_secret
from skerry.engine.events import Argument, EventKind
from skerry.engine.game import Ending, Game
from skerry.engine.kernel import kernel, lookup_table
from skerry.engine.layout import Counter, Grid, Hand, Pile, Track
from skerry.engine.messages import Message, say
from skerry.engine.notation import Actions, Name, One, Pair, Subset, Verb
from skerry.engine.options import Choice, Number
from skerry.engine.protocols import Options, Seed, State
from skerry.engine.rng import derive_seed, draw_below, shuffle
from skerry.engine.struct import i8, i8s, i16, i16s, i32, i32s, struct, u64
from skerry.engine.turns import TurnState, end_game, end_turn, win_game
from skerry.engine.variants import vary

__all__ = [
    "Actions",
    "Argument",
    "Block",
    "Blocks",
    "Choice",
    "Counter",
    "Ending",
    "EventKind",
    "EventLog",
    "Game",
    "Grid",
    "Hand",
    "Illegal",
    "Message",
    "Name",
    "NotYourTurn",
    "Number",
    "One",
    "Options",
    "Pair",
    "Pile",
    "Seed",
    "State",
    "Subset",
    "Track",
    "TurnState",
    "Verb",
    "derive_seed",
    "draw_below",
    "draw_card",
    "emit",
    "emit_secret",
    "end_game",
    "end_turn",
    "hand_size",
    "i8",
    "i8s",
    "i16",
    "i16s",
    "i32",
    "i32s",
    "kernel",
    "lookup_table",
    "lose_card",
    "pile_size",
    "redeal_hands",
    "say",
    "shuffle",
    "struct",
    "u64",
    "vary",
    "win_game",
]
