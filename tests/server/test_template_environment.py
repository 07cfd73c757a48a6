"""Compiled templates are kept, and a cache that cannot be read or written is no error."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from skerry.engine import kernel_cache
from skerry.engine.i18n.translations import translations
from skerry.server.template_environment import TemplateEnvironment, template_environment

TEMPLATE = "getting_ready.html"


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """An empty cache of its own."""
    monkeypatch.setenv("SKERRY_CACHE", str(tmp_path))
    kernel_cache.cache_folder.cache_clear()
    yield tmp_path
    kernel_cache.cache_folder.cache_clear()


@pytest.fixture
def compiled(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The names of the templates that are compiled."""
    names: list[str] = []
    compile_template = TemplateEnvironment.compile

    def compile_and_note(self: TemplateEnvironment, source: str, name: str, *arguments: Any) -> Any:
        names.append(name)
        return compile_template(self, source, name, *arguments)

    monkeypatch.setattr(TemplateEnvironment, "compile", compile_and_note)
    return names


def load(language: str = "en") -> None:
    template_environment(translations(language, "skerry.server")).get_template(f"server/{TEMPLATE}")


def test_a_template_is_compiled_once_for_all_processes_and_languages(cache: Path, compiled: list[str]) -> None:
    load()
    load()
    load("es")
    assert compiled == [TEMPLATE]


def test_a_damaged_file_is_compiled_again(cache: Path, compiled: list[str]) -> None:
    load()
    (kept,) = cache.rglob("templates/*")
    whole = kept.read_bytes()
    kept.write_bytes(whole[: len(whole) // 2])
    load()
    assert compiled == [TEMPLATE, TEMPLATE] and kept.read_bytes() == whole


def test_a_cache_that_cannot_be_written_is_no_error(
    cache: Path, compiled: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SKERRY_CACHE", "/dev/null")
    load()
    load()
    assert compiled == [TEMPLATE, TEMPLATE]
