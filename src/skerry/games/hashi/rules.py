"""The kernels of Hashi, as the engine's contract names them."""

from skerry.games.hashi.knowledge import determinize, observe, result
from skerry.games.hashi.legal import legal, waiting
from skerry.games.hashi.setup import setup
from skerry.games.hashi.step import step

__all__ = ["determinize", "legal", "observe", "result", "setup", "step", "waiting"]
