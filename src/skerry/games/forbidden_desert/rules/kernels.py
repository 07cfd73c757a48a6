"""The kernels of Forbidden Desert, as the engine's contract names them."""

from skerry.games.forbidden_desert.rules.knowledge import determinize, observe
from skerry.games.forbidden_desert.rules.legal import legal, waiting
from skerry.games.forbidden_desert.rules.result import result
from skerry.games.forbidden_desert.rules.setup import setup
from skerry.games.forbidden_desert.rules.step import step

__all__ = ["determinize", "legal", "observe", "result", "setup", "step", "waiting"]
