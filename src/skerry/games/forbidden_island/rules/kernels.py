"""The kernels of Forbidden Island, under the names that the engine expects."""

from skerry.games.forbidden_island.rules.knowledge import determinize
from skerry.games.forbidden_island.rules.legal import legal, waiting
from skerry.games.forbidden_island.rules.observation import observe
from skerry.games.forbidden_island.rules.setup import setup
from skerry.games.forbidden_island.rules.step import step

__all__ = ["determinize", "legal", "observe", "setup", "step", "waiting"]
