"""The kernels of Forbidden Desert, under the names that the engine expects."""

from skerry.games.forbidden_desert.rules.knowledge import determinize
from skerry.games.forbidden_desert.rules.legal import legal, waiting
from skerry.games.forbidden_desert.rules.observation import observe
from skerry.games.forbidden_desert.rules.setup import setup
from skerry.games.forbidden_desert.rules.step import step

__all__ = ["determinize", "legal", "observe", "setup", "step", "waiting"]
