"""Extraction of the texts to translate, from sources, templates and the fact sheets of games.

In Python sources these are the literals given to ``say``, ``Message``, ``_`` and refusals, and to functions of the same
file for parameters of type ``Msgid``. A module lists texts that come from tables in its ``TEXTS``.
"""

from __future__ import annotations

import ast
import importlib
from collections.abc import Iterable, Iterator
from pathlib import Path

from skerry.engine import errors
from skerry.engine.bot_titles import BOT_TITLES
from skerry.engine.errors import Refusal
from skerry.engine.game import Game
from skerry.engine.i18n.grammar import has_words
from skerry.engine.layout import Grid
from skerry.engine.messages import Message
from skerry.engine.options import Option, option_title

ROOT = Path(__file__).parents[2]
REFUSALS = [name for name, kind in vars(errors).items() if isinstance(kind, type) and issubclass(kind, Refusal)]
NOT_TRANSLATED = {errors.BadGame.__name__}  # for authors of games, who read English as the documentation is

# Functions that take texts to translate, with the positions of these among the arguments.
TextPositions = dict[str, list[int]]
TEXT_POSITIONS: TextPositions = {name: [0] for name in ("say", "Message", "_", *REFUSALS) if name not in NOT_TRANSLATED}


def collect(paths: Iterable[Path], game: Game | None = None) -> list[str]:
    """The texts to translate of some files and folders and of a game, in alphabetical order."""
    found = set(in_fact_sheet(game)) if game else set()
    for path in paths:
        sources = [path] if path.is_file() else [*path.rglob("*.py")]
        found.update(in_sources([source.read_text(encoding="utf-8") for source in sources]))
        found.update(text for source in sources for text in in_tables(source))
        found.update(text for template in path.rglob("*.html") for text in in_template(template))
    return sorted(text for text in found if has_words(text))


# The fact sheet


def in_fact_sheet(game: Game) -> Iterator[str]:
    """The texts of a game's fact sheet."""
    yield from (game.summary, game.daily_text, *(bot for bot in game.bots if bot not in BOT_TITLES))
    for verb in game.actions.verbs:
        yield from (verb.label, verb.help, *(slot.kind for slot in verb.slots))
    for event in game.events:
        yield from (event.text, event.veiled or event.text)
    yield from (ending.text for ending in game.endings)
    yield from (upgrade.text for upgrade in game.upgrades)
    for option in game.options:
        yield from (option.help, *(message.text for message in _messages(option)))
    for component in game.layout:
        yield component.title
        yield from component.pieces if isinstance(component, Grid) else ()
    for names in game.names.values():
        yield from names


def _messages(option: Option) -> Iterator[Message]:
    yield from (option_title(option), option.domain())
    yield from (option.title(value) for value in (*option.describe().get("choices", ()), option.default))


# Templates and tables


def in_template(path: Path) -> Iterator[str]:
    """The texts in ``_(…)`` of a template."""
    from jinja2.ext import babel_extract

    with path.open("rb") as file:
        for _, _, text, _ in babel_extract(file, ("_",), (), {"silent": "false"}):
            if isinstance(text, str):
                yield text


def in_tables(source: Path) -> tuple[str, ...]:
    """What a module lists in ``TEXTS``. Modules without it are not imported."""
    tree = ast.parse(source.read_text(encoding="utf-8"))
    if not any("TEXTS" in map(_name, node.targets) for node in tree.body if isinstance(node, ast.Assign)):
        return ()
    listed: tuple[str, ...] = importlib.import_module(module_of(source)).TEXTS
    return listed


def module_of(source: Path) -> str:
    """The name of the module that a file has when its package is imported."""
    name, folder = source.stem, source.parent
    while (folder / "__init__.py").exists():
        name, folder = f"{folder.name}.{name}", folder.parent
    return name.removesuffix(".__init__")


# Sources


def in_sources(sources: Iterable[str]) -> Iterator[str]:
    """The texts of files that belong together: refusals defined in one of them are known in all."""
    trees = [ast.parse(source) for source in sources]
    common = TEXT_POSITIONS | {name: [0] for name in _refusals(trees)}
    for tree in trees:
        positions = common | dict(_text_parameters(tree))
        for scope in ast.walk(tree):
            if isinstance(scope, ast.Module | ast.FunctionDef | ast.AsyncFunctionDef):
                yield from _texts_in(scope, positions)


def _refusals(trees: Iterable[ast.Module]) -> set[str]:
    """The names of refusal classes, subclasses of subclasses included."""
    classes = [node for tree in trees for node in ast.walk(tree) if isinstance(node, ast.ClassDef)]
    known = set(REFUSALS)
    while more := {node.name for node in classes if known & set(map(_name, node.bases))} - known:
        known |= more
    return known - NOT_TRANSLATED


def _text_parameters(tree: ast.Module) -> Iterator[tuple[str, list[int]]]:
    """The functions of a file with parameters of type ``Msgid``, and the positions of these."""
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef):
            annotations = [parameter.annotation for parameter in node.args.args]
            positions = [position for position, kind in enumerate(annotations) if kind and _name(kind) == "Msgid"]
            if positions:
                yield node.name, positions


def _texts_in(scope: ast.AST, positions: TextPositions) -> Iterator[str]:
    """The texts in the calls of a function. A variable stands for the literals that the function assigns to it."""
    assigned: dict[str, list[str]] = {}
    for node in ast.walk(scope):
        if isinstance(node, ast.Assign):
            for target in node.targets:
                assigned.setdefault(_name(target), []).extend(_literals(node.value, {}))
    for node in ast.walk(scope):
        if isinstance(node, ast.Call):
            for position in positions.get(_name(node.func), []):
                yield from (text for given in node.args[position : position + 1] for text in _literals(given, assigned))


def _literals(node: ast.expr, assigned: dict[str, list[str]]) -> list[str]:
    match node:
        case ast.Constant(value=str(text)):
            return [text]
        case ast.IfExp(body=body, orelse=other):
            return [*_literals(body, assigned), *_literals(other, assigned)]
        case ast.Name(id=name):
            return assigned.get(name, [])
        case _:
            return []


def _name(node: ast.expr) -> str:
    return node.id if isinstance(node, ast.Name) else node.attr if isinstance(node, ast.Attribute) else ""
