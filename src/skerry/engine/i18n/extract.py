"""What there is to translate: from sources and templates, and from a game's fact sheet.

In a source it is every text that is given where ``Text`` is wanted: to ``say``, ``Message``, ``_``, a refusal, and to
functions of the same file with parameters of that type. Tables of texts are listed in a module's ``TEXTS``.
"""

from __future__ import annotations

import ast
import importlib
from collections.abc import Iterable, Iterator
from pathlib import Path

from skerry.engine import errors
from skerry.engine.errors import Refusal
from skerry.engine.game import Game
from skerry.engine.i18n.grammar import has_words
from skerry.engine.messages import Message
from skerry.engine.options import Option, option_title

ROOT = Path(__file__).parents[2]
REFUSALS = [name for name, kind in vars(errors).items() if isinstance(kind, type) and issubclass(kind, Refusal)]

# Functions that take texts, with the positions of these among the arguments.
Speakers = dict[str, list[int]]
SPEAKERS: Speakers = {name: [0] for name in ("say", "Message", "_", *REFUSALS)}


def collect(paths: Iterable[Path], game: Game | None = None) -> list[str]:
    """All that people read of some files and folders and of a game, in the order of the alphabet."""
    found = set(in_facts(game)) if game else set()
    for path in paths:
        sources = [path] if path.is_file() else [*path.rglob("*.py")]
        found.update(in_sources([source.read_text(encoding="utf-8") for source in sources]))
        found.update(text for source in sources for text in in_tables(source))
        found.update(text for template in path.rglob("*.html") for text in in_template(template))
    return sorted(text for text in found if has_words(text))


# The fact sheet


def in_facts(game: Game) -> Iterator[str]:
    yield from (game.summary, game.daily_text, *game.bots)
    for verb in game.actions.verbs:
        yield from (verb.label, verb.help, *(slot.kind for slot in verb.slots))
    for event in game.events:
        yield from (event.text, event.veiled or event.text)
    yield from (ending.text for ending in game.endings)
    for option in game.options:
        yield from (option.help, *(message.text for message in _messages(option)))


def _messages(option: Option) -> Iterator[Message]:
    yield from (option_title(option), option.domain())
    yield from (option.title(value) for value in (*option.describe().get("choices", ()), option.default))


# Templates and tables


def in_template(path: Path) -> Iterator[str]:
    from jinja2.ext import babel_extract

    with path.open("rb") as file:
        for _, _, text, _ in babel_extract(file, ("_",), (), {"silent": "false"}):
            if isinstance(text, str):
                yield text


def in_tables(source: Path) -> tuple[str, ...]:
    """What a module of ours lists in ``TEXTS``; one that has none is not imported."""
    tree = ast.parse(source.read_text(encoding="utf-8"))
    if not any("TEXTS" in map(_name, node.targets) for node in tree.body if isinstance(node, ast.Assign)):
        return ()
    path = source.relative_to(ROOT.parent).with_suffix("")
    listed: tuple[str, ...] = importlib.import_module(".".join(path.parts)).TEXTS
    return listed


# Sources


def in_sources(sources: Iterable[str]) -> Iterator[str]:
    """The texts of files that belong together: a refusal defined in one is known in all."""
    trees = [ast.parse(source) for source in sources]
    common = SPEAKERS | {name: [0] for name in _refusals(trees)}
    for tree in trees:
        speakers = common | dict(_speakers(tree))
        for scope in ast.walk(tree):
            if isinstance(scope, ast.Module | ast.FunctionDef | ast.AsyncFunctionDef):
                yield from _said_in(scope, speakers)


def _refusals(trees: Iterable[ast.Module]) -> set[str]:
    """The names of classes that are refusals, directly or by another."""
    classes = [node for tree in trees for node in ast.walk(tree) if isinstance(node, ast.ClassDef)]
    known = set(REFUSALS)
    while more := {node.name for node in classes if known & set(map(_name, node.bases))} - known:
        known |= more
    return known


def _speakers(tree: ast.Module) -> Iterator[tuple[str, list[int]]]:
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef):
            kinds = [argument.annotation for argument in node.args.args]
            wanted = [position for position, kind in enumerate(kinds) if kind and _name(kind) == "Msgid"]
            if wanted:
                yield node.name, wanted


def _said_in(scope: ast.AST, speakers: Speakers) -> Iterator[str]:
    """The texts of all calls in a function; a name stands for what the function assigns to it."""
    known: dict[str, list[str]] = {}
    for node in ast.walk(scope):
        if isinstance(node, ast.Assign):
            for target in node.targets:
                known.setdefault(_name(target), []).extend(_literals(node.value, {}))
    for node in ast.walk(scope):
        if isinstance(node, ast.Call):
            for position in speakers.get(_name(node.func), []):
                yield from (text for given in node.args[position : position + 1] for text in _literals(given, known))


def _literals(node: ast.expr, known: dict[str, list[str]]) -> list[str]:
    match node:
        case ast.Constant(value=str(text)):
            return [text]
        case ast.IfExp(body=body, orelse=other):
            return [*_literals(body, known), *_literals(other, known)]
        case ast.Name(id=name):
            return known.get(name, [])
        case _:
            return []


def _name(node: ast.expr) -> str:
    return node.id if isinstance(node, ast.Name) else node.attr if isinstance(node, ast.Attribute) else ""
