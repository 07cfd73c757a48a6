"""The kernels of Cartagena, under the names that the engine expects."""

from skerry.games.cartagena.rules.knowledge import determinize
from skerry.games.cartagena.rules.legal import legal, waiting
from skerry.games.cartagena.rules.observation import observe
from skerry.games.cartagena.rules.result import result
from skerry.games.cartagena.rules.setup import setup
from skerry.games.cartagena.rules.step import step

__all__ = ["determinize", "legal", "observe", "result", "setup", "step", "waiting"]
