"""The kernels of Forbidden Desert, as the engine's contract names them."""

from skerry.games.forbidden_desert.knowledge import determinize, observe
from skerry.games.forbidden_desert.legal import legal, waiting
from skerry.games.forbidden_desert.outcome import result
from skerry.games.forbidden_desert.setup import setup
from skerry.games.forbidden_desert.step import step

__all__ = ["determinize", "legal", "observe", "result", "setup", "step", "waiting"]
