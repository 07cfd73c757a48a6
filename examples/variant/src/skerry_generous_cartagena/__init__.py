"""Generous Cartagena: a house variant of Cartagena in which everybody begins with more cards.

Its own are the fact sheet, one option with its words, and the kernel ``setup``. The other kernels, the page, the
rulebook and the bots are those of Cartagena.
"""

from __future__ import annotations

from skerry import toolkit as tk
from skerry.games.cartagena import GAME as CARTAGENA
from skerry.games.cartagena.rules.state import Options

MOST_EXTRA = 4  # cards for each player


@tk.struct
class GenerousOptions(Options):
    """The options of Cartagena, and one of the variant's own."""

    extra: tk.i8


GAME = tk.vary(
    CARTAGENA,
    package=__name__,
    name="generous-cartagena",
    title="Generous Cartagena",
    summary="Cartagena with more cards at the start.",
    options=(*CARTAGENA.options, tk.Number("extra", "cards that each player gets in addition", 0, MOST_EXTRA, 2)),
    options_struct=GenerousOptions,
)
