"""HTML elements as strings; everything that is not an element itself is escaped."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape


class Markup(str):
    """Text that is HTML already and needs no escaping."""

    __slots__ = ()


def tag(name: str, *children: str | None, **attributes: str | float | None) -> Markup:
    """An element, such as ``tag("p", "a < b", class_="note")``. Children and attributes that are None are left out."""
    rendered = "".join(
        f' {_attribute_name(key)}="{escape(_attribute_value(value))}"'
        for key, value in attributes.items()
        if value is not None
    )
    return Markup(f"<{name}{rendered}>{join(children)}</{name}>")


def join(children: Iterable[str | None]) -> Markup:
    return Markup("".join(one if isinstance(one, Markup) else escape(one, quote=False) for one in children if one))


def _attribute_name(key: str) -> str:
    return key.removesuffix("_").replace("_", "-")


def _attribute_value(value: str | float) -> str:
    return f"{value:.2f}".rstrip("0").rstrip(".") if isinstance(value, float) else str(value)
