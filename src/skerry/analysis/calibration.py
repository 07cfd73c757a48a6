"""Calibration: maps the value network's estimates to chances that come true.

Of the positions to which the network gives 30 per cent, about 30 per cent should be won. How well that holds is
measured by ``docs/make_analysis.py``; docs/analysis.md has the figures. Where a network is off by more than three
points, its log-odds are shifted and stretched (Platt 1999), which keeps the order of all positions.
"""

from __future__ import annotations

import functools
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from skerry.engine.game import Game

EDGE = 1e-9  # keeps log-odds finite


@dataclass(frozen=True)
class Calibration:
    """A map of estimates; the default one changes nothing."""

    shift: float = 0.0
    stretch: float = 1.0

    def __call__(self, values: NDArray[np.float64]) -> NDArray[np.float64]:
        if (self.shift, self.stretch) == (0.0, 1.0):
            return values
        clipped = np.clip(values, EDGE, 1 - EDGE)
        return 1 / (1 + np.exp(-(self.shift + self.stretch * np.log(clipped / (1 - clipped)))))


MEASURED = {  # by game and number of players
    ("forbidden-island", 2): Calibration(0.38, 1.11),
    ("forbidden-island", 3): Calibration(0.43, 0.95),
    ("forbidden-island", 4): Calibration(0.54, 0.94),
    ("forbidden-desert", 2): Calibration(0.31, 1.08),
    ("forbidden-desert", 3): Calibration(0.43, 0.96),
    ("forbidden-desert", 4): Calibration(0.08, 1.02),
    ("forbidden-desert", 5): Calibration(0.26, 1.02),
}


@functools.cache
def calibration_of(game: Game, players: int) -> Calibration:
    """The calibration of a game's network for a number of players."""
    return MEASURED.get((game.name, players), Calibration())
