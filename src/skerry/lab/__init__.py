"""The laboratory: simulations of many seeded games, parameter sweeps and tournaments (docs/laboratory.md)."""

from __future__ import annotations

from skerry.lab.series import Series
from skerry.lab.simulate import simulate
from skerry.lab.sweep import SeriesResult, sweep
from skerry.lab.tally import Tally
from skerry.lab.tournament import Tournament, tournament

__all__ = ["Series", "SeriesResult", "Tally", "Tournament", "simulate", "sweep", "tournament"]
