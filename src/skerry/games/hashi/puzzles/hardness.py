"""How hard a board is: what the skilled player scores on it alone, on average."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from skerry.engine.event_log import new_event_log
from skerry.engine.kernel import kernel, kernel_array
from skerry.engine.loop import NO_LIMIT, nobody, play_loop
from skerry.engine.rng import derive_seed
from skerry.engine.struct import StructBuffer
from skerry.games.hashi.bot.policies import skilled
from skerry.games.hashi.rules.board import Board

GAMES = 400
SEED = np.uint64(0x4A5D)
WORDS = ((44.0, "easy"), (39.0, "medium"), (0.0, "hard"))  # the least average of each


@dataclass(frozen=True)
class Hardness:
    points: float
    word: str


def hardness(board: Board, games: int = GAMES) -> Hardness:
    from skerry.games.hashi import GAME

    variant = GAME.configure({"players": 1, "board": board})
    state, empty = StructBuffer(GAME.state_struct), bytes(GAME.state_size)
    buffer, log, scores = np.zeros(GAME.actions.size + 1, np.int32), new_event_log(0), np.zeros(1)
    play_on = play_loop(GAME.rules, nobody, decide, ask_forced=True)
    total = 0.0
    for number in range(games):
        state.content = empty
        GAME.rules.setup(state.struct, variant.encoded_options.struct, np.uint64(derive_seed(SEED, number)))
        play_on(state.struct, 0, 0, 0, np.uint64(number), NO_LIMIT, NO_LIMIT, kernel_array(buffer), kernel_array(log))
        GAME.rules.result(state.struct, kernel_array(scores))
        total += scores[0]
    points = total / games
    return Hardness(round(points, 1), next(word for least, word in WORDS if points >= least))


@kernel
def decide(context: Any, state: Any, seat: int, legal: Any, count: int, interrupts: bool, rng: Any) -> Any:
    """The skilled bot, which looks at its own paper and at what cards are left: alone, nothing of that is hidden."""
    return skilled(state, seat, legal, count, rng)
