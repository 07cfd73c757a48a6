"""A small HTML parser: elements, their ids, and replacing an element."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from html.parser import HTMLParser

VOID = frozenset(("area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track", "wbr"))

UNCLOSED = frozenset(("option",))  # closed by the next one, or with its parent


@dataclass
class Element:
    tag: str
    attributes: dict[str, str] = field(default_factory=dict)
    children: list[Element | str] = field(default_factory=list)

    def __iter__(self) -> Iterator[Element]:
        """This element and all its descendants."""
        yield self
        for child in self.children:
            if isinstance(child, Element):
                yield from child

    @property
    def text(self) -> str:
        return " ".join(child if isinstance(child, str) else child.text for child in self.children)

    def by_id(self) -> dict[str, Element]:
        found = [(element.attributes["id"], element) for element in self if "id" in element.attributes]
        assert len(dict(found)) == len(found), "an id is not unique"
        return dict(found)

    def put(self, name: str, html: str) -> None:
        """Replace the element with this id, if there is one."""
        (part,) = read(html).children
        assert isinstance(part, Element) and part.attributes["id"] == name
        for element in self:
            for place, child in enumerate(element.children):
                if isinstance(child, Element) and child.attributes.get("id") == name:
                    element.children[place] = part
                    return


class _Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.open = [Element("document")]

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        element = Element(tag, {name: value or "" for name, value in attrs})
        self._close(tag in UNCLOSED)
        self.open[-1].children.append(element)
        if tag not in VOID:
            self.open.append(element)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.open[-1].children.append(Element(tag, {name: value or "" for name, value in attrs}))

    def handle_endtag(self, tag: str) -> None:
        if tag not in VOID:
            self._close(tag not in UNCLOSED)
            assert self.open[-1].tag == tag, f"</{tag}> closes <{self.open[-1].tag}>"
            self.open.pop()

    def _close(self, implied: bool) -> None:
        if implied and self.open[-1].tag in UNCLOSED:
            self.open.pop()

    def handle_data(self, data: str) -> None:
        if data.strip():
            self.open[-1].children.append(" ".join(data.split()))


def read(html: str) -> Element:
    reader = _Reader()
    reader.feed(html)
    reader.close()
    assert len(reader.open) == 1, f"<{reader.open[-1].tag}> is not closed"
    return reader.open[0]
