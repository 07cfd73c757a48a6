"""What a page shows of a view: named parts, each drawn from plain data of its own.

A game's module ``page`` has two pure functions of a view: ``common`` makes the parts that look the same to all, and is
asked once for all readers, with a spectator's view; ``own`` makes those that depend on who looks. Each key of a scene
names a part and the macro that draws it in the game's template ``page/parts.html``; the value is all that the macro may
know. A part is one element whose id is its name; an ``Each`` is a family of such elements, ``tile-C3`` and so on, drawn
by one macro. An open page gets only the parts whose data changed, so the members of a family stay the same from the
first step to the last.
"""

from __future__ import annotations

from typing import Any

Scene = dict[str, Any]


class PartFamily(dict[str, Any]):
    """A family of parts: what tells them apart, and the data of each."""
