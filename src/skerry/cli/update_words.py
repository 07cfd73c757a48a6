"""``make words``: update the catalogues from the sources, and list the texts that are not translated."""

from __future__ import annotations

from collections.abc import Iterator
from importlib import import_module
from io import BytesIO
from pathlib import Path

from babel.messages.catalog import Catalog
from babel.messages.pofile import read_po, write_po

from skerry.engine.i18n.extract import ROOT, collect
from skerry.engine.i18n.translations import ENGLISH, LANGUAGES
from skerry.games import all_games

HEADER = """# Skerry's translations into {language}. `make words` keeps this file in step with the sources.
msgid ""
msgstr ""
"Content-Type: text/plain; charset=UTF-8\\n"
"Language: {language}\\n"

"""
TRANSLATED = tuple(language for language in LANGUAGES if language != ENGLISH)
# Sources without a catalogue of their own: the engine's catalogue has their texts.
ENGINE_SOURCES = [
    ROOT / "engine",
    ROOT / "botkit",
    ROOT / "bots",
    ROOT / "lab",
    ROOT / "games" / "__init__.py",
    ROOT / "cli" / "advise.py",
]


def packages() -> Iterator[tuple[str, list[str]]]:
    """Every package with catalogues and the texts to translate there. Those of the engine are not repeated."""
    common = collect(ENGINE_SOURCES)
    yield "skerry.engine.i18n", common
    yield "skerry.server", _without(common, collect([ROOT / "server"]))
    for game in all_games():
        folder = Path(str(import_module(game.package).__file__)).parent
        yield game.package, _without(common, collect([folder], game))


def _without(common: list[str], texts: list[str]) -> list[str]:
    return [text for text in texts if text not in common]


def catalogue_path(package: str, language: str) -> Path:
    return ROOT.parent.joinpath(*package.split("."), "words", f"{language}.po")


def updated_catalogue(path: Path, language: str, texts: list[str]) -> Catalog:
    """A catalogue with exactly these texts. Translations of other texts become obsolete, and come back when their text
    is needed again."""
    with path.open("rb") if path.exists() else BytesIO() as file:
        catalogue = read_po(file, locale=language)
    for message in catalogue.obsolete.values():
        catalogue[message.id] = message
    catalogue.obsolete.clear()
    template = Catalog()
    for text in texts:
        template.add(text)
    catalogue.update(template, no_fuzzy_matching=True)
    return catalogue


def catalogue_text(catalogue: Catalog, language: str) -> str:
    """The catalogue as a PO file, in a stable form."""
    for message in catalogue:
        message.flags -= {"python-format", "python-brace-format"}  # Babel guesses these flags, and each version differs
    out = BytesIO()
    write_po(out, catalogue, width=0, no_location=True, omit_header=True, sort_output=True)
    return HEADER.format(language=language) + out.getvalue().decode("utf-8")


def main() -> None:
    for package, texts in packages():
        for language in TRANSLATED:
            path = catalogue_path(package, language)
            catalogue = updated_catalogue(path, language, texts)
            path.parent.mkdir(exist_ok=True)
            path.write_text(catalogue_text(catalogue, language), encoding="utf-8")
            missing = [message.id for message in catalogue if message.id and not message.string]
            print(f"{package} {language}: {len(texts)} texts, {len(missing)} untranslated")
            for text in missing:
                print(f"    {text}")


if __name__ == "__main__":
    main()
