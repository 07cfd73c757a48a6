"""The kernels of Forbidden Island, as the engine's contract names them."""

from skerry.games.forbidden_island.knowledge import determinize, observe, result
from skerry.games.forbidden_island.legal import legal, waiting
from skerry.games.forbidden_island.setup import setup
from skerry.games.forbidden_island.step import step

__all__ = ["determinize", "legal", "observe", "result", "setup", "step", "waiting"]
