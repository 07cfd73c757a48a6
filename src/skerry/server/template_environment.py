"""The Jinja environment of the pages: one for each language, so that rendered fragments can be cached.

Compiled templates are kept in the cache of kernels: compiling those of the lobby takes a third of a second.
"""

from __future__ import annotations

import functools
import hashlib
import re
from collections.abc import Iterable
from importlib.metadata import version
from pathlib import Path
from typing import Any

from jinja2 import BaseLoader, BytecodeCache, Environment, PackageLoader, PrefixLoader, StrictUndefined
from jinja2.bccache import Bucket
from jinja2.runtime import Macro
from markdown_it import MarkdownIt
from markupsafe import Markup

from skerry.engine import kernel_cache
from skerry.engine.bot_titles import bot_title
from skerry.engine.i18n.translations import Translations

INDENTATION = re.compile(r"^[ \t]+", re.MULTILINE)
FRAGMENTS_CACHE_SIZE = 4_000  # fragments that many parts of a game have in common, in one language: about 3 MiB


class TemplateEnvironment(Environment):
    """Looks up ``tile.title`` as a dict key first, which it nearly always is in our templates."""

    def getattr(self, obj: Any, attribute: str) -> Any:
        if isinstance(obj, dict) and attribute in obj:
            return obj[attribute]
        return super().getattr(obj, attribute)

    def preprocess(self, source: str, name: str | None = None, filename: str | None = None) -> str:
        """Strip the indentation of the source, so that templates can be indented without making pages longer."""
        return INDENTATION.sub("", super().preprocess(source, name, filename))


class CompiledTemplates(BytecodeCache):
    """The compiled templates in the cache. Jinja checks that a template's source is the one it was compiled from."""

    def load_bytecode(self, bucket: Bucket) -> None:
        content = kernel_cache.read(self._file(bucket))
        if content is not None:
            try:
                bucket.bytecode_from_string(content)
            except Exception:  # a damaged file can raise anything
                bucket.reset()

    def dump_bytecode(self, bucket: Bucket) -> None:
        kernel_cache.write(self._file(bucket), bucket.bytecode_to_string())

    def _file(self, bucket: Bucket) -> str:
        return f"templates/{_compiler_digest()}-{bucket.key}"


@functools.cache
def _compiler_digest() -> str:
    """What else the code of a template depends on: Jinja and our environment."""
    return hashlib.sha256(version("jinja2").encode() + Path(__file__).read_bytes()).hexdigest()[:16]


def template_environment(
    translate: Translations, game_loaders: dict[str, BaseLoader] | None = None
) -> TemplateEnvironment:
    """The server's own templates under ``server/``, and those of games under their names."""
    loader = PrefixLoader({"server": PackageLoader("skerry.server", "templates"), **(game_loaders or {})})
    environment = TemplateEnvironment(
        loader=loader,
        bytecode_cache=CompiledTemplates(),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    cached = functools.lru_cache(FRAGMENTS_CACHE_SIZE)(_call_macro)

    def cached_each(macro: Macro, rows: Iterable[tuple[Any, ...]], end: str = "") -> Markup:
        """What ``cached`` gives for each of several rows of arguments, joined. Much quicker than a loop."""
        return Markup(end.join([*(cached(macro, *row) for row in rows), ""]))

    environment.globals.update(_=translate, language=translate.language, bot_title=bot_title)
    environment.filters.update(
        prose=_markdown_block,
        inline=_markdown_inline,
        cached=cached,
        cached_each=cached_each,
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
