"""The kernels of Cartagena, as the engine's contract names them."""

from skerry.games.cartagena.knowledge import determinize
from skerry.games.cartagena.learning import observe, result
from skerry.games.cartagena.legal import legal, waiting
from skerry.games.cartagena.setup import setup
from skerry.games.cartagena.step import step

__all__ = ["determinize", "legal", "observe", "result", "setup", "step", "waiting"]
