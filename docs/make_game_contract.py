"""Write the generated parts of docs/game-contract.md: ``python docs/make_game_contract.py``.

A test checks that the page is up to date.
"""

from __future__ import annotations

import ast
import inspect
import re
from collections.abc import Iterator
from pathlib import Path

from skerry import toolkit
from skerry.engine import layout, protocols
from skerry.engine.events import Argument, EventKind
from skerry.engine.game import Ending, Game
from skerry.engine.notation import One, Pair, Subset, Verb
from skerry.engine.options import Choice, Number
from skerry.engine.rules import INTERRUPTS, KERNELS, REQUIRED
from skerry.engine.turns import TurnState, end_game, end_turn, win_game

PAGE = Path(__file__).parent / "game-contract.md"
MODULES = {
    "ui.names": "NamesModule",
    "ui.view": "ViewModule",
    "ui.prompt": "PromptModule",
    "ui.reasons": "ReasonsModule",
    "ui.terminal": "TerminalModule",
    "ui.page": "PageModule",
    "ui.tutorial": "TutorialModule",
    "rules.upgrades": "UpgradesModule",
    "daily": "DailyModule",
    "commands": "CommandsModule",
}
INSTEAD = {
    "ui.names": "names of the fact sheet (`names`), else the kind and a number",
    "ui.view": "what the layout shows",
    "ui.prompt": "“Your turn”, “Waiting for …”, and at the end who won and how",
    "ui.reasons": "whose turn it is, or which actions are possible",
    "ui.terminal": "the layout, drawn with rich",
    "ui.page": "the layout, drawn by `server/templates/layout.html`",
    "ui.tutorial": "no tutorial",
    "rules.upgrades": "none; required from version 2 on",
    "daily": "no puzzle of the day",
    "commands": "no commands",
}


WITHOUT_KERNEL = {
    "setup": "the number of players is set, and the seed of a game with chance",
    "waiting": "the seat in the field `turn`, until `ending` is set (`TurnState`)",
    "interrupts": "nothing can be done in another's turn",
    "determinize": "the generator is seeded anew; required if the layout has a hand",
    "observe": "what the layout shows (`observation`)",
    "result": "the fields `ending` and `scores` (`TurnState`); in a cooperative game, 1 for all if the ending is `won`",
}


def table(*rows: tuple[str, ...]) -> str:
    head, *body = ["| " + " | ".join(cell.replace("|", "\\|") for cell in row) + " |" for row in rows]
    return "\n".join((head, "|---" * len(rows[0]) + "|", *body))


def sentence(text: str | None) -> str:
    """A docstring as one line of Markdown."""
    return " ".join((text or "").replace("``", "`").split())


def fields_of(kind: type) -> Iterator[tuple[str, str, str, str]]:
    """Each field of a dataclass: its name, type and default as they are written, and the comment beside it."""
    source = inspect.getsource(kind)
    lines = source.splitlines()
    tree = ast.parse(source).body[0]
    assert isinstance(tree, ast.ClassDef)
    for node in tree.body:
        if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
            _, _, comment = lines[node.lineno - 1].partition("  # ")
            default = "" if node.value is None else ast.unparse(node.value).replace("field(default_factory=dict)", "{}")
            yield node.target.id, ast.unparse(node.annotation), default, comment


def fields_table(kind: type) -> str:
    rows = [
        (f"`{name}`", f"`{annotation}`", f"`{default}`" if default else "required", sentence(comment))
        for name, annotation, default, comment in fields_of(kind)
    ]
    return table(("field", "type", "default", "meaning"), *rows)


def kernels_table() -> str:
    rows = []
    for name in sorted((*KERNELS, INTERRUPTS), key=lambda name: name not in REQUIRED):
        method = getattr(protocols.Interrupts if name == INTERRUPTS else protocols.Rules, name)
        arguments = ", ".join(list(inspect.signature(method).parameters)[1:])
        rows.append((f"`{name}({arguments})`", sentence(method.__doc__), WITHOUT_KERNEL.get(name, "required")))
    return table(("kernel", "what it does", "without it"), *rows)


def turns_tables() -> str:
    kernels = [
        (f"`{kernel.__name__}({', '.join(inspect.signature(kernel).parameters)})`", sentence(kernel.__doc__))
        for kernel in (end_turn, end_game, win_game)
    ]
    return fields_table(TurnState) + "\n\n" + table(("kernel", "what it does"), *kernels)


def parts_tables(*kinds: type) -> str:
    """Each kind with what it is and its fields."""
    return "\n\n".join(f"**{kind.__name__}**: {sentence(kind.__doc__)}\n\n{fields_table(kind)}" for kind in kinds)


def verb_table() -> str:
    """The parameters of ``Verb``, explained in its docstring."""
    explained = {
        name: sentence(text)
        for names, text in re.findall(r"- (``\w+``)(.*?)(?=\n- |\Z)", inspect.getdoc(Verb) or "", re.DOTALL)
        for name in re.findall(r"\w+", names)
    }
    rows = []
    for name, parameter in list(inspect.signature(Verb).parameters.items()):
        default = "required" if parameter.default is parameter.empty else f"`{parameter.default!r}`"
        rows.append((f"`{name}`", f"`{parameter.annotation}`", default, explained[name].lstrip(": ")))
    return table(("parameter", "type", "default", "meaning"), *rows)


def layout_tables() -> str:
    return parts_tables(layout.Grid, layout.Track, layout.Counter, layout.Pile, layout.Hand)


def modules_table() -> str:
    rows = []
    for module, protocol in MODULES.items():
        kind = getattr(protocols, protocol)
        _, _, what = sentence(kind.__doc__).partition(": ")
        has = [name for name in (*vars(kind), *kind.__annotations__) if not name.startswith("_")]
        rows.append((f"`{module}`", ", ".join(f"`{name}`" for name in dict.fromkeys(has)), what, INSTEAD[module]))
    return table(("module", "has", "what it is", "without it"), *rows)


WITHOUT_DOCSTRING = {
    "EventLog": "The type of the parameter `log` of `step`.",
    "Options": "The type of the parameter `options` of `setup`.",
    "Seed": "The type of the parameter `seed` of `setup` and `determinize`.",
    "State": "The type of any state, where a kernel serves several games.",
    "u64": "The type of the field `rng`, the state of the random generator.",
    **{
        f"i{bits}": f"The type of a field: a whole number from {-1 << bits - 1:,} to {(1 << bits - 1) - 1:,}."
        for bits in (8, 16, 32)
    },
    **{
        f"i{bits}s": f"`Annotated[tk.i{bits}s, 4, 13]` is a field with a table of 4 by 13 of them."
        for bits in (8, 16, 32)
    },
}


def toolkit_table() -> str:
    return table(("name", "what it is"), *(_tool(name) for name in toolkit.__all__))


def _tool(name: str) -> tuple[str, str]:
    """A name of the toolkit, with the parameters of what is called, and the first paragraph of its docstring."""
    if name in WITHOUT_DOCSTRING:
        return f"`{name}`", WITHOUT_DOCSTRING[name]
    tool = getattr(toolkit, name)
    what = sentence((inspect.getdoc(tool) or "").partition("\n\n")[0])
    if isinstance(tool, type) and tool not in (toolkit.Name, toolkit.Illegal, toolkit.NotYourTurn):
        return f"`{name}`", what  # its fields are in a table of their own
    parameters = inspect.signature(tool).parameters.values()
    bare = [parameter.replace(annotation=inspect.Parameter.empty) for parameter in parameters]
    shown = re.sub(r"<class '([^']+)'>", r"\1", str(inspect.Signature(bare)))
    return f"`{name}{shown}`", what


def page(text: str) -> str:
    """The page with its generated parts renewed."""
    parts = {
        "fact sheet": fields_table(Game),
        "endings": fields_table(Ending),
        "kernels": kernels_table(),
        "turns": turns_tables(),
        "verbs": verb_table(),
        "slots": parts_tables(One, Pair, Subset),
        "events": parts_tables(EventKind, Argument),
        "options": parts_tables(Number, Choice),
        "layout": layout_tables(),
        "modules": modules_table(),
        "toolkit": toolkit_table(),
    }
    for name, part in parts.items():
        start, end = f"<!-- {name}, made by docs/make_game_contract.py -->", f"<!-- end of {name} -->"
        before, found, rest = text.partition(start)
        _, closed, after = rest.partition(end)
        assert found and closed, f"the page has no place for {name}"
        text = f"{before}{start}\n\n{part}\n\n{end}{after}"
    return text


if __name__ == "__main__":
    PAGE.write_text(page(PAGE.read_text()))
