"""Drawing a view for the browser: a game's templates, rendered once for each distinct piece of data."""

from __future__ import annotations

import functools
import json
import marshal
import sys
from array import array
from collections.abc import Callable, Iterable, Iterator
from itertools import chain, compress, repeat
from typing import Any

from jinja2 import Environment, PackageLoader, PrefixLoader, StrictUndefined
from markdown_it import MarkdownIt
from markupsafe import Markup

from skerry.engine.game import Game
from skerry.engine.scene import Each, Scene
from skerry.engine.words import Words, words

TABLE_PARTS = frozenset(("table-seat", "table-prompt", "table-actions", "table-result"))
GUIDE = "table-guide"  # a part of first games alone
PARTS_KEPT = 1_000  # drawn parts of a name, over all matches of a game in one language
FRAGMENTS_KEPT = 20_000  # what many parts have in common, in one language

Piece = tuple[str, str | None, bytes]  # a macro, which of its family, its data


class Artist:
    """Draws the matches of one game in one language."""

    def __init__(self, game: Game, language: str) -> None:
        self.game = game
        self.words = words_of(game, language)
        self._environment = environment(self.words, {game.name: PackageLoader(game.package, "page")})
        self._macros = _macros(self._environment, f"{game.name}/parts.html")
        self._table = _macros(self._environment, "table/parts.html")
        self._guide = _macros(self._environment, "table/guide.html")
        self._writers: dict[str, Callable[[str, Piece], str]] = {}

    @functools.cached_property
    def figures(self) -> Any:
        """The macros of the figures in the game's rulebook, and ``defs``, what they are drawn with."""
        return _macros(self._environment, f"{self.game.name}/figures.html")

    @functools.cached_property
    def kinds(self) -> dict[str, dict[str, str]]:
        """What the values of each kind of event are, so that a page can point at what an event names."""
        return {
            kind.name: {argument.name: argument.slot.kind for argument in kind.arguments if argument.slot}
            for kind in self.game.events
        }

    def scene(self, view: dict[str, Any]) -> Scene:
        return self.game.scene(view)

    def draw_piece(self, piece: Piece) -> str:
        name, member, data = piece
        value = marshal.loads(data)
        macro = getattr(self._drawer(name), name.replace("-", "_") if name.startswith("table-") else name)
        return str(macro(value) if member is None else macro(member, value)).strip()

    def _drawer(self, name: str) -> Any:
        return self._guide if name == GUIDE else self._table if name in TABLE_PARTS else self._macros

    def written(self, name: str, piece: Piece) -> str:
        """A drawn part as a member of a JSON object, ready to be sent. Parts that are never the same twice do not
        push out those of another name."""
        if piece[0] not in self._writers:
            self._writers[piece[0]] = functools.lru_cache(PARTS_KEPT)(self._written)
        return self._writers[piece[0]](name, piece)

    def _written(self, name: str, piece: Piece) -> str:
        return f"{json.dumps(name)}:{json.dumps(self.draw_piece(piece), ensure_ascii=False)}"

    def macro(self, name: str, *arguments: Any) -> Markup:
        """Draw with a macro of the game: one part, or a whole region (``board``, ``side``, ``seat``, ``cover``)."""
        return Markup(getattr(self._macros, name)(*arguments))

    def render(self, template: str, **context: Any) -> str:
        """A whole page."""
        return self._environment.get_template(f"table/{template}").render(**context)


class Family:
    """A name of a scene and its data: one part, or an ``Each`` of them."""

    __slots__ = ("_contents", "data", "name")

    def __init__(self, name: str, data: Any) -> None:
        self.name, self.data = sys.intern(name), data
        self._contents: list[bytes] | None = None

    @property
    def mark(self) -> int:
        """Another, if anything in it is another."""
        return hash(marshal.dumps([*self.data.items()] if isinstance(self.data, Each) else self.data, 2))

    @property
    def contents(self) -> list[bytes]:
        """The data of each member."""
        if self._contents is None:
            each = self.data.values() if isinstance(self.data, Each) else (self.data,)
            self._contents = [marshal.dumps(one, 2) for one in each]
        return self._contents

    def parts(self, wanted: Iterable[bool] = repeat(True)) -> Iterator[tuple[str, Piece]]:
        """What there is to draw of it, by the id of its element."""
        name = self.name
        if not isinstance(self.data, Each):
            yield from ((name, (name, None, data)) for data in compress(self.contents, wanted))
            return
        for member, data in compress(zip(self.data, self.contents, strict=True), wanted):
            yield f"{name}-{member}", (name, member, data)


def families(scene: Scene) -> list[Family]:
    return [Family(name, data) for name, data in scene.items()]


def pieces(scene: Scene) -> dict[str, Piece]:
    """What there is to draw, by the id of its element."""
    return dict(chain.from_iterable(family.parts() for family in families(scene)))


class Marks:
    """What readers have been shown: a number for each part, and in which version it became so. Enough to see what has
    changed, and small."""

    def __init__(self) -> None:
        self._shown: dict[str, tuple[int, int, Members | None]] = {}  # by family: its mark, the version, its members

    def note(self, shown: list[Family], version: int) -> None:
        """This is what there is to see in a version."""
        for family in shown:
            was, mark = self._shown.get(family.name), family.mark
            if was is None or was[0] != mark:
                members = _members(family, version, was and was[2]) if isinstance(family.data, Each) else None
                self._shown[family.name] = mark, version, members

    def since(self, shown: list[Family], version: int) -> dict[str, Piece]:
        """Those of the noted parts that are not as they were in a version."""
        found: dict[str, Piece] = {}
        for family in shown:
            _, latest, members = self._shown[family.name]
            if latest > version:
                found.update(family.parts([since > version for since in members[1]] if members else (True,)))
        return found


Members = tuple["array[int]", "array[int]"]  # of a family: the mark of each, and in which version it became so


def _members(family: Family, version: int, was: Members | None) -> Members:
    marks = array("q", map(hash, family.contents))
    if was is None or len(was[0]) != len(marks):
        return marks, array("l", [version]) * len(marks)
    olds = zip(*was, strict=True)
    return marks, array("l", [then if old == new else version for new, (old, then) in zip(marks, olds, strict=True)])


def _macros(made: Environment, name: str) -> Any:
    return made.get_template(name).module


@functools.cache
def artist(game: Game, language: str) -> Artist:
    return Artist(game, language)


def words_of(game: Game, language: str) -> Words:
    return words(language, game.package, "skerry.engine", "skerry.table")


class Easel(Environment):
    """Templates write ``tile.title`` for what is nearly always a key of a dict: look there first."""

    def getattr(self, obj: Any, attribute: str) -> Any:
        if isinstance(obj, dict) and attribute in obj:
            return obj[attribute]
        return super().getattr(obj, attribute)


def environment(translate: Words, more: dict[str, PackageLoader] | None = None) -> Environment:
    """Templates speak one language, so that what they make can be kept."""
    loader = PrefixLoader({"table": PackageLoader("skerry.table", "pages"), **(more or {})})
    made = Easel(loader=loader, autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True)
    made.globals.update(_=translate, language=translate.language)
    made.filters.update(prose=_prose, inline=_inline, kept=functools.lru_cache(FRAGMENTS_KEPT)(_kept))
    return made


def _kept(macro: Any, *arguments: Any) -> Markup:
    """A macro's fragment, which is drawn once for all that want it with the same arguments."""
    return Markup(macro(*arguments))


def _prose(text: str) -> Markup:
    return Markup(_markdown().render(text))


def _inline(text: str) -> Markup:
    return Markup(_markdown().renderInline(text))


@functools.cache
def _markdown() -> MarkdownIt:
    return MarkdownIt("commonmark", {"html": False}).enable("table")
