"""The renderer: HTML from a game's templates, each fragment rendered once for each distinct piece of data."""

from __future__ import annotations

import functools
import marshal
from array import array
from collections.abc import Callable, Iterator
from itertools import repeat
from json.encoder import encode_basestring as json_string
from typing import Any, NamedTuple

from jinja2 import PackageLoader
from jinja2.runtime import Macro
from markupsafe import Markup

from skerry.engine.game import Game
from skerry.engine.i18n.translations import Translations, translations
from skerry.engine.scene import PartFamily, Scene
from skerry.server.template_environment import TemplateEnvironment, template_environment

STANDARD_PARTS = {  # the parts that every game's page has, and the template of each
    "table-seat": "parts",
    "table-prompt": "parts",
    "table-actions": "parts",
    "table-result": "parts",
    "table-chair": "chair",
    "table-guide": "guide",
}
PARTS_CACHE_SIZE = 1_000  # rendered parts of one name, over all matches of a game in one language


class Part(NamedTuple):
    """One element of a page that can change: the macro that renders it, and the macro's data."""

    name: str  # of the macro
    member: str | None  # which one of a family of parts, if the name stands for several
    data: bytes  # marshalled, so that equal data is recognised quickly

    @property
    def element_id(self) -> str:
        return self.name if self.member is None else f"{self.name}-{self.member}"


class Parts:
    """The parts of a scene, in its order, stored by column."""

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
        self.data = [marshal.dumps(value, 2) for value in values]

    def __getitem__(self, index: int) -> Part:
        return Part(self.names[index], self.members[index], self.data[index])

    def __iter__(self) -> Iterator[Part]:
        return map(Part, self.names, self.members, self.data)


def parts_by_id(scene: Scene) -> dict[str, Part]:
    """The parts of a scene by the ids of their elements."""
    return {part.element_id: part for part in Parts(scene)}


class Fingerprints:
    """A hash of each part that was shown last, and the version in which it last changed.

    Much smaller than the parts themselves, and enough to tell what has changed since a version.
    """

    def __init__(self) -> None:
        self._version = 0
        self._hashes = array("q")
        self._changed_in = array("l")

    def update(self, parts: Parts, version: int) -> None:
        """Take over what is shown in a version."""
        if version == self._version:
            return
        hashes = array("q", map(hash, parts.data))
        if len(hashes) != len(self._hashes):
            self._changed_in = array("l", [version]) * len(hashes)
        elif hashes != self._hashes:
            olds = zip(hashes, self._hashes, self._changed_in, strict=True)
            self._changed_in = array("l", [changed if new == old else version for new, old, changed in olds])
        self._version = version
        self._hashes = hashes

    def changed_since(self, parts: Parts, version: int) -> list[Part]:
        """Those of the current parts that have changed since a version."""
        return [parts[index] for index, changed in enumerate(self._changed_in) if changed > version]


class Renderer:
    """Renders the matches of one game in one language."""

    def __init__(self, game: Game, language: str) -> None:
        self.game = game
        self.words = words_of(game, language)
        self._environment = template_environment(self.words, {game.name: PackageLoader(game.package, "ui/page")})
        self._macros = _macros(self._environment, f"{game.name}/parts.html")
        self._standard_macros = {
            name: _macros(self._environment, f"server/{template}.html") for name, template in STANDARD_PARTS.items()
        }
        self._part_json_by_name: dict[str, Callable[[Part], str]] = {}

    @functools.cached_property
    def figures(self) -> Any:
        """The macros of the figures in the game's rulebook, and ``defs``: the SVG definitions that they use."""
        return _macros(self._environment, f"{self.game.name}/figures.html")

    @functools.cached_property
    def event_entity_kinds(self) -> dict[str, dict[str, str]]:
        """The entity kinds of each event's arguments, so that a page can point at what an event names."""
        return {
            kind.name: {argument.name: argument.slot.kind for argument in kind.arguments if argument.slot}
            for kind in self.game.events
        }

    def scene(self, view: dict[str, Any]) -> Scene:
        return self.game.scene(view)

    def render_part(self, part: Part) -> str:
        value = marshal.loads(part.data)
        macro = self._macro_of(part.name)
        return str(macro(value) if part.member is None else macro(part.member, value)).strip()

    def _macro_of(self, name: str) -> Macro:
        if name in self._standard_macros:
            return getattr(self._standard_macros[name], name.replace("-", "_"))
        return getattr(self._macros, name)

    def part_json(self, part: Part) -> str:
        """A rendered part as a member of a JSON object, cached. Each part name has a cache of its own, so that parts
        which are never the same twice do not push out the others."""
        if part.name not in self._part_json_by_name:
            self._part_json_by_name[part.name] = functools.lru_cache(PARTS_CACHE_SIZE)(self._part_json)
        return self._part_json_by_name[part.name](part)

    def _part_json(self, part: Part) -> str:
        return f"{json_string(part.element_id)}:{json_string(self.render_part(part))}"

    def macro(self, name: str, *arguments: Any) -> Markup:
        """Render a macro of the game: one part, or a whole region (``board``, ``side``, ``seat``, ``cover``)."""
        return Markup(getattr(self._macros, name)(*arguments))

    def render(self, template: str, **context: Any) -> str:
        """Render a whole page."""
        return self._environment.get_template(f"server/{template}").render(**context)


def _macros(environment: TemplateEnvironment, template: str) -> Any:
    return environment.get_template(template).module


@functools.cache
def renderer_for(game: Game, language: str) -> Renderer:
    return Renderer(game, language)


def words_of(game: Game, language: str) -> Translations:
    """The translations for a page about a game."""
    return translations(language, game.package, "skerry.engine.i18n", "skerry.server")
