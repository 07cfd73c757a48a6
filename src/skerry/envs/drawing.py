"""Boards as pixels: the drawing of a game's page, rasterised without a browser.

A page is SVG with style sheets, and what browsers understand in style sheets is more than what small rasterisers do. So
the styles are resolved here: custom properties, the light colours, and drawings that are used again. What is left are
plain attributes, which resvg draws. It takes some tenths of a second a picture.
"""

from __future__ import annotations

import copy
import functools
import io
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from importlib.resources import files
from typing import Any, NamedTuple
from xml.etree import ElementTree
from xml.etree.ElementTree import Element

import numpy as np
from numpy.typing import NDArray

from skerry.engine.errors import BadOption
from skerry.engine.game import Game
from skerry.engine.game_package import find_file
from skerry.engine.messages import say
from skerry.engine.struct import StructBuffer
from skerry.envs import missing

WIDTH = 640  # of a picture, in pixels
PAPER = "#f7f1e3"
SVG = "http://www.w3.org/2000/svg"
KEY = "data-rule-key"  # marks which element of the page a copy was made of
SHEETS = ("tokens", "pieces", "table", "layout")  # of the server's pages, in their order
FONT_PROPERTIES = ("font-family", "font-size", "font-weight", "font-style", "letter-spacing", "text-anchor")
STROKE_PROPERTIES = ("stroke-width", "stroke-opacity", "stroke-dasharray", "stroke-dashoffset", "stroke-linecap")
PAINTED = {  # properties that resvg takes as attributes
    *("fill", "fill-opacity", "fill-rule", "stroke", "stroke-linejoin", "opacity", "color", "display", "visibility"),
    *("dominant-baseline", "paint-order", "transform", "transform-origin", "stop-color", "stop-opacity", "clip-path"),
    *STROKE_PROPERTIES,
    *FONT_PROPERTIES,
}
STYLED = PAINTED | {"font"}
UNKNOWN_FUNCTION = re.compile(r"(calc|clamp|min|max|attr|env|var|color-mix)\(")
ALONG_ONE_AXIS = re.compile(r"(translate|scale)([XY])\(([^)]*)\)")
FONT = re.compile(
    r"(?:(?P<style>italic|oblique)\s+)?(?:(?P<weight>bold|\d{3})\s+)?(?P<size>[\d.]+)(?:px)?(?:/\S+)?\s+(?P<family>.+)"
)
SERIF, SANS = "DejaVu Serif", "DejaVu Sans"

Declarations = dict[str, str]


def pixels(game: Game, states: NDArray[Any], width: int = WIDTH) -> NDArray[np.uint8]:
    """The first of some games as a spectator sees it: rows of pixels of red, green and blue."""
    try:
        import resvg_py
        from PIL import Image
    except ImportError as error:
        raise missing(str(error.name), "pictures") from error
    drawn = resvg_py.svg_to_bytes(
        svg_string=svg(game, states),
        background=PAPER,
        width=width,
        serif_family=SERIF,
        sans_serif_family=SANS,
        cursive_family=SERIF,
    )
    with Image.open(io.BytesIO(drawn)) as image:
        return np.array(image.convert("RGB"))


def svg(game: Game, states: NDArray[Any]) -> str:
    """The board of the first of some games as an SVG that needs no style sheet."""
    try:
        from skerry.server.renderer import renderer_for
    except ImportError as error:
        raise missing(str(error.name), "pictures") from error
    shown = StructBuffer(game.state_struct, states[:1].tobytes()).struct
    scene = game.scene(game.ui.view(shown, None))
    markup = str(renderer_for(game, "en").macro("board", scene))
    page = ElementTree.fromstring(
        f'<body class="at-table game-{game.name}"><section class="board">{markup}</section></body>'
    )
    board = next((element for element in page.iter() if element.tag == "svg"), None)
    if board is None:
        raise BadOption(say("{title} has no drawn board: use the render_mode 'ansi'", title=game.title))
    rules = matched_rules(page, style_sheets(game))
    drawn = Resolver(rules, {e.get("id", ""): e for e in board.iter()}).resolve(board, inherited(page, board, rules))
    drawn.set("xmlns", SVG)
    return ElementTree.tostring(drawn, encoding="unicode")


# Style sheets


class Rule(NamedTuple):
    """A selector and what it declares."""

    selector: Any  # compiled by cssselect2
    declarations: Declarations


@functools.cache
def style_sheets(game: Game) -> tuple[Rule, ...]:
    """The rules of a game's page, without those for some screens only."""
    server = files("skerry.server") / "static"
    texts = [(server / f"{name}.css").read_text(encoding="utf-8") for name in SHEETS]
    for package in reversed(game.packages):
        own = find_file((package,), "ui/page/style.css")
        texts += [] if own is None else [own.read_text(encoding="utf-8")]
    return tuple(rule for text in texts for rule in _rules_in(text))


def _rules_in(text: str) -> Iterator[Rule]:
    import cssselect2
    import tinycss2

    for rule in tinycss2.parse_stylesheet(text, skip_comments=True, skip_whitespace=True):
        if rule.type != "qualified-rule":
            continue
        declared = tinycss2.parse_blocks_contents(rule.content, skip_comments=True, skip_whitespace=True)
        found = {
            one.name if one.name.startswith("--") else one.lower_name: tinycss2.serialize(one.value).strip()
            for one in declared
            if one.type == "declaration"
        }
        kept = {name: value for name, value in found.items() if name.startswith("--") or name in STYLED}
        if not kept:
            continue
        try:
            selectors = cssselect2.compile_selector_list(tinycss2.serialize(rule.prelude).replace(":root", "body"))
        except cssselect2.SelectorError:  # for something that a picture has not, such as a focus
            continue
        yield from (Rule(selector, kept) for selector in selectors if not selector.pseudo_element)


def matched_rules(page: Element, rules: Iterable[Rule]) -> dict[str, Declarations]:
    """What the rules declare for each element of a page, by the keys that the elements get."""
    import cssselect2

    matcher = cssselect2.Matcher()
    for rule in rules:
        matcher.add_selector(rule.selector, rule.declarations)
    found: dict[str, Declarations] = {}
    for number, wrapper in enumerate(cssselect2.ElementWrapper.from_xml_root(page).iter_subtree()):
        declared: Declarations = {}
        for _, _, _, declarations in sorted(matcher.match(wrapper), key=lambda match: match[:2]):
            declared |= declarations
        wrapper.etree_element.set(KEY, str(number))
        found[str(number)] = declared
    return found


def inherited(page: Element, board: Element, rules: Mapping[str, Declarations]) -> Declarations:
    """The custom properties of the elements around the board."""
    found: Declarations = {}
    for element in page.iter():
        if element is board:
            return found
        found |= {name: value for name, value in rules[element.get(KEY, "")].items() if name.startswith("--")}
    return found


@dataclass(frozen=True)
class Resolver:
    """Makes elements that need no style sheet."""

    rules: Mapping[str, Declarations]
    by_id: Mapping[str, Element]

    def resolve(self, element: Element, properties: Declarations, copied: bool = False) -> Element:
        """A copy of an element with its styles as attributes; ``properties`` are the custom properties around it."""
        declared = self.rules[element.get(KEY, "")] | _inline_styles(element)
        properties = properties | {name: value for name, value in declared.items() if name.startswith("--")}
        plain = Element(element.tag, {})
        for name, value in [*element.attrib.items(), *((n, v) for n, v in declared.items() if n in STYLED)]:
            if name in (KEY, "class", "style") or (copied and name == "id") or name.startswith(("data-", "aria-")):
                continue
            resolved = resolved_value(value, properties)
            if resolved is None:
                continue
            if name == "font":
                plain.attrib |= font_attributes(resolved)
            else:
                plain.set(name, resolved)
        plain.text, plain.tail = element.text, element.tail
        if element.tag == "use":
            return self._expanded(plain, properties)
        for child in element:
            if child.tag not in ("title", "desc"):
                plain.append(self.resolve(child, properties, copied))
        return plain

    def _expanded(self, use: Element, properties: Declarations) -> Element:
        """What is used again, in the place where it is: there its custom properties have their values."""
        group = Element("g", {name: value for name, value in use.attrib.items() if name not in ("href", "id")})
        size: dict[str, str] = {
            name: group.attrib.pop(name) for name in ("x", "y", "width", "height") if name in group.attrib
        }
        target = self.by_id.get(use.get("href", "").removeprefix("#"))
        if target is None:
            return group
        drawn = self.resolve(copy.copy(target), properties, copied=True)
        if drawn.tag == "symbol":
            drawn.tag = "svg"
            drawn.attrib |= size
        elif size.get("x") or size.get("y"):
            moved = f"translate({size.get('x', 0)} {size.get('y', 0)})"
            group.set("transform", f"{group.get('transform', '')} {moved}".strip())
        drawn.tail = None
        group.append(drawn)
        group.tail = use.tail
        return group


def _inline_styles(element: Element) -> Declarations:
    pairs = (part.partition(":") for part in element.get("style", "").split(";") if ":" in part)
    return {name.strip(): value.strip() for name, _, value in pairs}


def resolved_value(value: str, properties: Mapping[str, str]) -> str | None:
    """A value without functions of style sheets, or None if it has one that is not known here."""
    for _ in range(20):  # properties can refer to others
        if "var(" in value:
            value = _replace_function(value, "var", lambda inside: _property(inside, properties))
        elif "light-dark(" in value:
            value = _replace_function(value, "light-dark", lambda inside: split_arguments(inside)[0])
        elif "color-mix(" in value:
            value = _replace_function(value, "color-mix", mixed_colour)
        else:
            break
    if UNKNOWN_FUNCTION.search(value):
        return None
    return re.sub(r"(?<=\d)(px|deg)\b", "", ALONG_ONE_AXIS.sub(_along_both_axes, value))


def _along_both_axes(found: re.Match[str]) -> str:
    """``translateY(3px)`` as SVG writes it: ``translate(0 3px)``."""
    name, axis, value = found.groups()
    still = "0" if name == "translate" else "1"
    return f"{name}({value} {still})" if axis == "X" else f"{name}({still} {value})"


def font_attributes(value: str) -> Declarations:
    """The attributes of a ``font`` in one line, or none if it is not written in pixels."""
    found = FONT.fullmatch(value)
    if found is None:
        return {}
    parts = {"style": "normal", "weight": "normal"} | {name: part for name, part in found.groupdict().items() if part}
    return {f"font-{name}": part for name, part in parts.items()}


def mixed_colour(inside: str) -> str:
    """``color-mix(in srgb, A 20%, B)`` as one colour."""
    from tinycss2.color4 import parse_color

    _, first, second = split_arguments(inside)
    name, _, share = first.rpartition(" ")
    if not share.endswith("%"):
        name, share = first, "50%"
    colours = [parse_color(name), parse_color(second)]
    if None in colours:
        return "none"
    part = float(share.rstrip("%")) / 100
    one, other = ([*colour.to("srgb").coordinates, colour.alpha] for colour in colours)
    red, green, blue, alpha = (part * a + (1 - part) * b for a, b in zip(one, other, strict=True))
    return f"rgba({255 * red:.0f}, {255 * green:.0f}, {255 * blue:.0f}, {alpha:.3f})"


def _property(inside: str, properties: Mapping[str, str]) -> str:
    name, *rest = split_arguments(inside)
    return properties.get(name, rest[0] if rest else "inherit")


def _replace_function(value: str, name: str, replace: Any) -> str:
    """Replace the first call of a function in a value."""
    start = value.index(f"{name}(")
    depth, end = 0, start + len(name)
    for end in range(start + len(name), len(value)):
        depth += {"(": 1, ")": -1}.get(value[end], 0)
        if not depth:
            break
    return f"{value[:start]}{replace(value[start + len(name) + 1 : end])}{value[end + 1 :]}"


def split_arguments(inside: str) -> list[str]:
    """The arguments of a function, which can have functions in them."""
    parts, depth = [""], 0
    for sign in inside:
        depth += {"(": 1, ")": -1}.get(sign, 0)
        if sign == "," and not depth:
            parts.append("")
        else:
            parts[-1] += sign
    return [part.strip() for part in parts]
