"""Elements of a page, with everything escaped that is not an element itself."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape


class Markup(str):
    """Text that is a piece of page already."""

    __slots__ = ()


def tag(name: str, *children: str | None, **attributes: str | float | None) -> Markup:
    """``tag("p", "a < b", class_="note")``; what is None is left out."""
    given = "".join(f' {_name(key)}="{escape(_text(value))}"' for key, value in attributes.items() if value is not None)
    return Markup(f"<{name}{given}>{join(children)}</{name}>")


def join(children: Iterable[str | None]) -> Markup:
    return Markup("".join(one if isinstance(one, Markup) else escape(one, quote=False) for one in children if one))


def _name(key: str) -> str:
    return key.removesuffix("_").replace("_", "-")


def _text(value: str | float) -> str:
    return f"{value:.2f}".rstrip("0").rstrip(".") if isinstance(value, float) else str(value)
