"""The kernels of Hashi, under the names that the engine expects."""

from skerry.games.hashi.rules.knowledge import determinize
from skerry.games.hashi.rules.legal import legal, waiting
from skerry.games.hashi.rules.observation import observe
from skerry.games.hashi.rules.result import result
from skerry.games.hashi.rules.setup import setup
from skerry.games.hashi.rules.step import step

__all__ = ["determinize", "legal", "observe", "result", "setup", "step", "waiting"]
