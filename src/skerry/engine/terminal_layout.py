"""The layout of boards on a terminal of few lines: the picture, and beside it what a player needs most."""

from __future__ import annotations

from collections.abc import Sequence

from rich.console import Group
from rich.table import Table
from rich.text import Text

GAP = 2  # columns


def side_by_side(picture: Text, lines: Sequence[Text]) -> Table:
    """A picture at its full width, and lines to its right, each cut where the terminal ends."""
    picture.no_wrap = True
    picture.rstrip()
    for line in lines:
        line.no_wrap, line.overflow = True, "ellipsis"
    table = Table.grid(padding=(0, GAP, 0, 0), pad_edge=False)
    table.add_column(min_width=max(len(row) for row in picture.plain.splitlines()))
    table.add_column()
    table.add_row(picture, Group(*lines))
    return table
