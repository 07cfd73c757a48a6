"""``make words``: bring the catalogues up to date with what there is to say, and tell what is not translated."""

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

HEADER = """# Skerry's words in {language}. `make words` keeps this file in step with the sources.
msgid ""
msgstr ""
"Content-Type: text/plain; charset=UTF-8\\n"
"Language: {language}\\n"

"""
TRANSLATED = tuple(language for language in LANGUAGES if language != ENGLISH)
# The engine speaks for the rooms that have no catalogue of their own.
ENGINE = [
    ROOT / "engine",
    ROOT / "botkit",
    ROOT / "bots",
    ROOT / "lab",
    ROOT / "games" / "__init__.py",
    ROOT / "cli" / "advise.py",
]


def packages() -> Iterator[tuple[str, list[str]]]:
    """Every package with catalogues, and what is to be translated there; what the engine says, no other repeats."""
    common = collect(ENGINE)
    yield "skerry.engine.i18n", common
    yield "skerry.server", _without(common, collect([ROOT / "server"]))
    for game in all_games():
        folder = Path(str(import_module(game.package).__file__)).parent
        yield game.package, _without(common, collect([folder], game))


def _without(common: list[str], texts: list[str]) -> list[str]:
    return [text for text in texts if text not in common]


def file_of(package: str, language: str) -> Path:
    return ROOT.parent.joinpath(*package.split("."), "words", f"{language}.po")


def updated(path: Path, language: str, texts: list[str]) -> Catalog:
    """A catalogue with just these texts: known translations are kept, others are put aside as obsolete; one that is
    wanted again comes back."""
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


def written(catalogue: Catalog, language: str) -> str:
    for message in catalogue:
        message.flags -= {"python-format", "python-brace-format"}  # a guess of Babel's, another in each version
    out = BytesIO()
    write_po(out, catalogue, width=0, no_location=True, omit_header=True, sort_output=True)
    return HEADER.format(language=language) + out.getvalue().decode("utf-8")


def main() -> None:
    for package, texts in packages():
        for language in TRANSLATED:
            path = file_of(package, language)
            catalogue = updated(path, language, texts)
            path.parent.mkdir(exist_ok=True)
            path.write_text(written(catalogue, language), encoding="utf-8")
            missing = [message.id for message in catalogue if message.id and not message.string]
            print(f"{package} {language}: {len(texts)} texts, {len(missing)} untranslated")
            for text in missing:
                print(f"    {text}")


if __name__ == "__main__":
    main()
