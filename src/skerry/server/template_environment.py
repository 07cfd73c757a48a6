"""The Jinja environment of the pages: one for each language, so that rendered fragments can be cached."""

from __future__ import annotations

import functools
from typing import Any

from jinja2 import Environment, PackageLoader, PrefixLoader, StrictUndefined
from jinja2.runtime import Macro
from markdown_it import MarkdownIt
from markupsafe import Markup

from skerry.engine.i18n.translations import Translations

FRAGMENTS_CACHE_SIZE = 20_000  # fragments that many parts have in common, in one language


class TemplateEnvironment(Environment):
    """Looks up ``tile.title`` as a dict key first, which it nearly always is in our templates."""

    def getattr(self, obj: Any, attribute: str) -> Any:
        if isinstance(obj, dict) and attribute in obj:
            return obj[attribute]
        return super().getattr(obj, attribute)


def template_environment(
    translate: Translations, game_loaders: dict[str, PackageLoader] | None = None
) -> TemplateEnvironment:
    """The server's own templates under ``server/``, and those of games under their names."""
    loader = PrefixLoader({"server": PackageLoader("skerry.server", "templates"), **(game_loaders or {})})
    environment = TemplateEnvironment(
        loader=loader, autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True
    )
    environment.globals.update(_=translate, language=translate.language)
    environment.filters.update(
        prose=_markdown_block,
        inline=_markdown_inline,
        cached=functools.lru_cache(FRAGMENTS_CACHE_SIZE)(_call_macro),
    )
    return environment


def _call_macro(macro: Macro, *arguments: Any) -> Markup:
    """The filter ``cached``: a macro's output, cached for all who call it with the same arguments."""
    return Markup(macro(*arguments))


def _markdown_block(text: str) -> Markup:
    return Markup(_markdown().render(text))


def _markdown_inline(text: str) -> Markup:
    return Markup(_markdown().renderInline(text))


@functools.cache
def _markdown() -> MarkdownIt:
    return MarkdownIt("commonmark", {"html": False}).enable("table")
