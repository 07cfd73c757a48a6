"""Drawing a view for the browser: a game's templates, rendered once for each distinct piece of data."""

from __future__ import annotations

import functools
import marshal
from array import array
from collections.abc import Callable, Iterator
from itertools import compress, repeat
from json.encoder import encode_basestring as quoted
from typing import Any

from jinja2 import Environment, PackageLoader, PrefixLoader, StrictUndefined
from markdown_it import MarkdownIt
from markupsafe import Markup

from skerry.engine.game import Game
from skerry.engine.i18n.translations import Translations, translations
from skerry.engine.scene import PartFamily, Scene

TABLE_PARTS = {  # and where they are drawn
    **dict.fromkeys(("table-seat", "table-prompt", "table-actions", "table-result"), "parts"),
    "table-chair": "chair",
    "table-guide": "guide",
}
PARTS_KEPT = 1_000  # drawn parts of a name, over all matches of a game in one language
FRAGMENTS_KEPT = 20_000  # what many parts have in common, in one language

Part = tuple[str, str | None, bytes]  # a macro, which of its family, its data


class Renderer:
    """Draws the matches of one game in one language."""

    def __init__(self, game: Game, language: str) -> None:
        self.game = game
        self.words = words_of(game, language)
        self._environment = environment(self.words, {game.name: PackageLoader(game.package, "ui/page")})
        self._macros = _macros(self._environment, f"{game.name}/parts.html")
        self._table = {name: _macros(self._environment, f"server/{file}.html") for name, file in TABLE_PARTS.items()}
        self._writers: dict[str, Callable[[Part], str]] = {}

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

    def render_part(self, piece: Part) -> str:
        name, member, data = piece
        value = marshal.loads(data)
        macro = getattr(self._table.get(name, self._macros), name.replace("-", "_") if name in self._table else name)
        return str(macro(value) if member is None else macro(member, value)).strip()

    def written(self, piece: Part) -> str:
        """A drawn part as a member of a JSON object, ready to be sent. Parts that are never the same twice do not
        push out those of another name."""
        if piece[0] not in self._writers:
            self._writers[piece[0]] = functools.lru_cache(PARTS_KEPT)(self._written)
        return self._writers[piece[0]](piece)

    def _written(self, piece: Part) -> str:
        return f"{quoted(element(piece))}:{quoted(self.render_part(piece))}"

    def macro(self, name: str, *arguments: Any) -> Markup:
        """Draw with a macro of the game: one part, or a whole region (``board``, ``side``, ``seat``, ``cover``)."""
        return Markup(getattr(self._macros, name)(*arguments))

    def render(self, template: str, **context: Any) -> str:
        """A whole page."""
        return self._environment.get_template(f"server/{template}").render(**context)


def element(piece: Part) -> str:
    """The id of a part's element."""
    name, member, _ = piece
    return name if member is None else f"{name}-{member}"


class Parts:
    """The parts of a scene, in its order: which they are, and the data of each."""

    __slots__ = ("data", "members", "names")

    def __init__(self, scene: Scene) -> None:
        self.names: list[str] = []
        self.members: list[str | None] = []
        values: list[Any] = []
        for name, value in scene.items():
            each = value if isinstance(value, PartFamily) else {None: value}
            self.names.extend(repeat(name, len(each)))
            self.members.extend(each)
            values.extend(each.values())
        self.data = [marshal.dumps(one, 2) for one in values]

    def __iter__(self) -> Iterator[Part]:
        return zip(self.names, self.members, self.data, strict=True)


def parts_by_id(scene: Scene) -> dict[str, Part]:
    """What there is to draw, by the id of its element."""
    return {element(piece): piece for piece in Parts(scene)}


class Fingerprints:
    """What readers have been shown: a number for each part, and in which version it became so. Enough to see what has
    changed, and small."""

    def __init__(self) -> None:
        self._version = 0
        self._marks = array("q")
        self._since = array("l")

    def note(self, shown: Parts, version: int) -> None:
        """This is what there is to see in a version."""
        if version == self._version:
            return
        marks = array("q", map(hash, shown.data))
        if len(marks) != len(self._marks):
            self._since = array("l", [version]) * len(marks)
        elif marks != self._marks:
            olds = zip(marks, self._marks, self._since, strict=True)
            self._since = array("l", [then if new == old else version for new, old, then in olds])
        self._version, self._marks = version, marks

    def since(self, shown: Parts, version: int) -> list[Part]:
        """Those of the noted parts that are not as they were in a version."""
        return [*compress(shown, [then > version for then in self._since])]


def _macros(made: Environment, name: str) -> Any:
    return made.get_template(name).module


@functools.cache
def renderer_for(game: Game, language: str) -> Renderer:
    return Renderer(game, language)


def words_of(game: Game, language: str) -> Translations:
    return translations(language, game.package, "skerry.engine.i18n", "skerry.server")


class TemplateEnvironment(Environment):
    """Templates write ``tile.title`` for what is nearly always a key of a dict: look there first."""

    def getattr(self, obj: Any, attribute: str) -> Any:
        if isinstance(obj, dict) and attribute in obj:
            return obj[attribute]
        return super().getattr(obj, attribute)


def environment(translate: Translations, more: dict[str, PackageLoader] | None = None) -> Environment:
    """Templates speak one language, so that what they make can be kept."""
    loader = PrefixLoader({"server": PackageLoader("skerry.server", "templates"), **(more or {})})
    made = TemplateEnvironment(
        loader=loader, autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True
    )
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
