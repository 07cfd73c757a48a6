"""``make words`` and ``skerry words``: update catalogues from the sources, and list what is not translated."""

from __future__ import annotations

from collections.abc import Iterator
from importlib import import_module
from io import BytesIO
from pathlib import Path

from babel.messages.catalog import Catalog
from babel.messages.pofile import read_po, write_po

from skerry.engine.errors import Refusal
from skerry.engine.game import Game
from skerry.engine.game_package import is_folder
from skerry.engine.i18n.extract import ROOT, collect
from skerry.engine.i18n.grammar import has_words
from skerry.engine.i18n.languages import ENGLISH, LANGUAGES
from skerry.engine.i18n.translations import read_catalogue
from skerry.engine.source_digest import source_of
from skerry.engine.variants import modules_made_anew
from skerry.games import own_games

HEADER = """# Translations into {language}. `{command}` keeps this file in step with the sources.
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
    ROOT / "analysis",
    ROOT / "lab",
    ROOT / "games" / "__init__.py",
    *(ROOT / "cli" / name for name in ("advise.py", "analyse.py", "terminal.py", "terminal_screen.py")),
]


def packages() -> Iterator[tuple[str, list[str]]]:
    """Every package with catalogues and the texts to translate there. Those of the engine are not repeated."""
    common = collect(ENGINE_SOURCES)
    yield "skerry.engine.i18n", common
    yield "skerry.server", _without(common, collect([ROOT / "server"]))
    for game in own_games():
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


def catalogue_text(catalogue: Catalog, language: str, command: str = "make words") -> str:
    """The catalogue as a PO file, in a stable form."""
    for message in catalogue:
        message.flags -= {"python-format", "python-brace-format"}  # Babel guesses these flags, and each version differs
    out = BytesIO()
    write_po(out, catalogue, width=0, no_location=True, omit_header=True, sort_output=True)
    return HEADER.format(language=language, command=command) + out.getvalue().decode("utf-8")


def update_words_of(game: Game) -> None:
    """Bring the catalogues of a game in a package of its own up to date, and list what is not translated."""
    languages = [language for language in game.languages if language != ENGLISH]
    if not is_folder(game.package):
        raise Refusal(
            f"{game.package} is a single module; words need a package: a folder {game.package} with the game in its "
            "__init__.py"
        )
    if not languages:
        known = ", ".join(repr(language) for language in LANGUAGES)
        raise Refusal(f"{game.name} speaks English only; give its fact sheet languages=({known})")
    folder = source_of(game.package)
    texts = {*collect([folder], game), *_texts_of_variant(game)}
    others = (*game.packages[1:], "skerry.engine.i18n", "skerry.server")
    for language in languages:
        known_texts = {text for package in others for text in read_catalogue(package, language)}
        _update(
            folder / "words" / f"{language}.po",
            language,
            sorted(texts - known_texts),
            game.package,
            f"skerry words {game.name}",
        )


def _texts_of_variant(game: Game) -> Iterator[str]:
    """The texts in tables of the modules that a variant changes."""
    for module in modules_made_anew(game.package):
        yield from (text for text in getattr(import_module(module), "TEXTS", ()) if has_words(text))


def _update(path: Path, language: str, texts: list[str], package: str, command: str = "make words") -> None:
    """Write a catalogue with exactly these texts, and list those without a translation."""
    catalogue = updated_catalogue(path, language, texts)
    path.parent.mkdir(exist_ok=True)
    path.write_text(catalogue_text(catalogue, language, command), encoding="utf-8")
    missing = [message.id for message in catalogue if message.id and not message.string]
    print(f"{package} {language}: {len(texts)} texts, {len(missing)} untranslated")
    for text in missing:
        print(f"    {text}")


def main() -> None:
    for package, texts in packages():
        for language in TRANSLATED:
            _update(catalogue_path(package, language), language, texts, package)


if __name__ == "__main__":
    main()
