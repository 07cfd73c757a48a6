"""The kernels of Forbidden Island, as the engine's contract names them."""

from skerry.games.forbidden_island.rules.knowledge import determinize, observe, result
from skerry.games.forbidden_island.rules.legal import legal, waiting
from skerry.games.forbidden_island.rules.setup import setup
from skerry.games.forbidden_island.rules.step import step

__all__ = ["determinize", "legal", "observe", "result", "setup", "step", "waiting"]
