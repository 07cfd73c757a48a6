"""Scenes: what a page shows of a view, as named parts with plain data.

A game's module ``ui.page`` has two pure functions of a view. ``shared_parts`` makes the parts that look the same to
everybody; it is called once for all readers, with a spectator's view. ``personal_parts`` makes those that depend on
the reader. Each key of a scene names a part and the macro in the template ``ui/page/parts.html`` that draws it; the
value is all that the macro gets.

A part is one element whose id is the part's name. A ``PartFamily`` is a group of such elements drawn by one macro, for
example ``tile-C3``, ``tile-D3`` and so on. An open page receives only the parts whose data changed, so the members of a
family must stay the same for the whole match.
"""

from __future__ import annotations

from typing import Any

Scene = dict[str, Any]


class PartFamily(dict[str, Any]):
    """Parts that one macro draws: what is added to the id of each, and its data."""
