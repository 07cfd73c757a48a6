"""The difficulty of a board, by the average score of the skilled bot in solo games."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from skerry.engine.event_log import new_event_log
from skerry.engine.kernel import kernel, kernel_array
from skerry.engine.loop import NO_LIMIT, no_interrupts, play_loop
from skerry.engine.rng import derive_seed
from skerry.engine.struct import StructBuffer
from skerry.games.hashi.bot.policies import skilled
from skerry.games.hashi.rules.board import Board

GAMES = 400
SEED = np.uint64(0x4A5D)
LEVELS = ((44.0, "easy"), (39.0, "medium"), (0.0, "hard"))  # the lowest average of each level


@dataclass(frozen=True)
class Difficulty:
    """The average score and the level of difficulty that it stands for."""

    points: float
    level: str


def measure_difficulty(board: Board, games: int = GAMES) -> Difficulty:
    """Play solo games with the skilled bot on a board. The same board always gives the same result."""
    from skerry.games.hashi import GAME

    variant = GAME.configure({"players": 1, "board": board})
    state, empty = StructBuffer(GAME.state_struct), bytes(GAME.state_size)
    buffer, log, scores = np.zeros(GAME.actions.size + 1, np.int32), new_event_log(0), np.zeros(1)
    play_on = play_loop(GAME.rules, no_interrupts, decide, ask_forced=True)
    total = 0.0
    for number in range(games):
        state.content = empty
        GAME.rules.setup(state.struct, variant.encoded_options.struct, np.uint64(derive_seed(SEED, number)))
        rng, legal = np.uint64(number), kernel_array(buffer)
        end = play_on(state.struct, 0, 0, 0, rng, NO_LIMIT, NO_LIMIT, legal, kernel_array(log))
        if end.illegal:
            raise ValueError(f"the skilled bot chose an action that is not legal, in game {number}")
        GAME.rules.result(state.struct, kernel_array(scores))
        total += scores[0]
    points = total / games
    return Difficulty(round(points, 1), next(level for least, level in LEVELS if points >= least))


@kernel
def decide(context: Any, state: Any, seat: int, legal: Any, count: int, is_interrupt: bool, rng: Any) -> Any:
    """The choice of the skilled bot. It may read the state, since it uses only what a solo player knows."""
    return skilled(state, seat, legal, count, rng)
