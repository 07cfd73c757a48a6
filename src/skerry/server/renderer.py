"""The renderer: HTML from a game's templates, each fragment rendered once for each distinct piece of data."""

from __future__ import annotations

import functools
import marshal
from collections.abc import Callable, Iterable, Iterator
from json.encoder import encode_basestring as json_string
from typing import Any, NamedTuple

from jinja2 import BaseLoader, FunctionLoader
from jinja2.runtime import Macro
from markupsafe import Markup

from skerry.engine.default_ui.page import cover as layout_cover
from skerry.engine.game import Game
from skerry.engine.game_package import find_file
from skerry.engine.i18n.translations import Translations, translations
from skerry.engine.scene import PartFamily, Scene
from skerry.server.fragment_cache import FragmentCache
from skerry.server.template_environment import TemplateEnvironment, template_environment

STANDARD_PARTS = {  # the parts that every game's page has, and the template of each
    "table-seat": "parts",
    "table-prompt": "parts",
    "table-moment": "parts",
    "table-actions": "parts",
    "table-result": "parts",
    "table-seat-offer": "seat_offer",
    "table-guide": "guide",
}
LONGEST_CACHED = 1_000  # bytes of a part's data
PART_CACHE_BYTES = 24 << 20  # rendered parts of all games in all languages

_PART_CACHE = FragmentCache(PART_CACHE_BYTES)


class Part(NamedTuple):
    """One element of a page that can change: the macro that renders it, and the macro's data."""

    name: str  # of the macro
    member: str | None  # which one of a family of parts, if the name stands for several
    data: Any

    @property
    def element_id(self) -> str:
        return self.name if self.member is None else f"{self.name}-{self.member}"


def parts_of(scene: Scene) -> Iterator[Part]:
    """The parts of a scene, in its order."""
    for name, value in scene.items():
        each = value if isinstance(value, PartFamily) else {None: value}
        for member, data in each.items():
            yield Part(name, member, data)


def parts_by_id(scene: Scene) -> dict[str, Part]:
    """The parts of a scene by the ids of their elements."""
    return {part.element_id: part for part in parts_of(scene)}


def changed_parts(scene: Scene, before: Scene) -> Iterator[Part]:
    """The parts of a scene that are not the same in the scene before."""
    for name, value in scene.items():
        old = before.get(name)
        if value == old and name in before:
            continue
        if isinstance(value, PartFamily) and isinstance(old, PartFamily):
            for member, data in value.items():
                if member not in old or old[member] != data:
                    yield Part(name, member, data)
        else:
            yield from parts_of({name: value})


class PartChanges:
    """Which parts changed in which version, for readers who saw different versions last."""

    def __init__(self) -> None:
        self._scene: Scene = {}
        self._changes: list[tuple[int, list[Part]]] = []  # by version, until all readers have got them

    def update(self, scene: Scene, version: int) -> None:
        """Take over what is shown in a version."""
        if scene is not self._scene:
            self._changes.append((version, list(changed_parts(scene, self._scene))))
            self._scene = scene

    def since(self, version: int) -> Iterable[Part]:
        """The parts that have changed since a version, as they are now."""
        newest = {part[:2]: part for when, parts in self._changes if when > version for part in parts}
        return newest.values()

    def forget(self, version: int) -> None:
        """All readers have got what had changed up to a version."""
        self._changes = [(when, parts) for when, parts in self._changes if when > version]


class Renderer:
    """Renders the matches of one game in one language."""

    def __init__(self, game: Game, language: str) -> None:
        self.game = game
        self.translations = translations_of(game, language)
        self._environment = template_environment(self.translations, dict(_page_loaders(game)))
        self._environment.globals["layout_cover"] = layout_cover(game)
        self._macros = _macros(self._environment, parts_template(game))
        self._standard_macros = {
            name: _macros(self._environment, f"server/{template}.html") for name, template in STANDARD_PARTS.items()
        }

    @functools.cached_property
    def figures(self) -> Any:
        """The macros of the figures in the game's rulebook, and ``defs``: the SVG definitions that they use."""
        return _macros(self._environment, parts_template(self.game).replace("parts", "figures"))

    def choice_picture(self, option: str, value: Any) -> Markup:
        """A picture of what a value of an option brings; empty if there is none."""
        data = self.game.ui.choice_picture(option, value)
        return Markup() if data is None else Markup(getattr(self._choices, option)(data))

    @functools.cached_property
    def _choices(self) -> Any:
        """The macros of the pictures for setting up a match, by option."""
        return _macros(self._environment, f"{self.game.name}/choices.html")

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
        macro = self._macro_of(part.name)
        return str(macro(part.data) if part.member is None else macro(part.member, part.data)).strip()

    def _macro_of(self, name: str) -> Macro:
        if name in self._standard_macros:
            return getattr(self._standard_macros[name], name.replace("-", "_"))
        return getattr(self._macros, name)

    def part_json(self, part: Part) -> bytes:
        """A rendered part as a member of a JSON object, cached. Long ones are hardly ever the same twice."""
        data = marshal.dumps(part.data, 2)  # equal data has equal bytes, whether it can be hashed or not
        if len(data) > LONGEST_CACHED:
            return self._part_json(part)
        key = self, part.name, part.member, data
        found = _PART_CACHE.get(key)
        if found is None:
            found = self._part_json(part)
            _PART_CACHE.put(key, found)
        return found

    def _part_json(self, part: Part) -> bytes:
        return f"{json_string(part.element_id)}:{json_string(self.render_part(part))}".encode()

    def macro(self, name: str, *arguments: Any) -> Markup:
        """Render a macro of the game: one part, or a whole region (``board``, ``side``, ``seat``, ``cover``)."""
        return Markup(getattr(self._macros, name)(*arguments))

    def render(self, template: str, **context: Any) -> str:
        """Render a whole page."""
        return self._environment.get_template(f"server/{template}").render(**context)


BASE = "base"  # in templates of a variant: those of the game that it varies


def _page_loaders(game: Game) -> Iterator[tuple[str, BaseLoader]]:
    """Where the templates of a game are found, by the names of the game and of those that it varies.

    A template of a variant takes the place of that of its base, which it reads as ``base/NAME.html``.
    """
    yield game.name, _page_loader(game.packages)
    if game.base is not None:
        yield BASE, _page_loader(game.base.packages)
    base = game.base
    while base is not None:
        yield base.name, _page_loader(game.packages)
        base = base.base


def _page_loader(packages: tuple[str, ...]) -> BaseLoader:
    """The templates in the folders ``ui/page`` of some packages: the first that has one."""

    def load(name: str) -> tuple[str, str, Callable[[], bool]] | None:
        file = find_file(packages, f"ui/page/{name}")
        return None if file is None else (file.read_text(encoding="utf-8"), str(file), lambda: True)

    return FunctionLoader(load)


def parts_template(game: Game) -> str:
    """The template with the macros of a game's parts. Without a page of its own, its layout is drawn."""
    own = find_file(game.packages, "ui/page/parts.html")
    return "server/layout.html" if own is None else f"{game.name}/parts.html"


def _macros(environment: TemplateEnvironment, template: str) -> Any:
    return environment.get_template(template).module


@functools.cache
def renderer_for(game: Game, language: str) -> Renderer:
    return Renderer(game, language)


def translations_of(game: Game, language: str) -> Translations:
    """The translations for a page about a game."""
    return translations(language, *game.packages, "skerry.engine.i18n", "skerry.server")
