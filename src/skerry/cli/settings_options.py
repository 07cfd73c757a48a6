"""Commands whose options are the fields of a dataclass, so that each option is named in one place."""

from __future__ import annotations

import dataclasses
import functools
import inspect
from collections.abc import Callable, Mapping
from typing import Any

Command = Callable[..., None]  # with any arguments and options


def with_fields(settings_type: type[Any], annotations: Mapping[str, Any]) -> Callable[[Command], Command]:
    """Give a command the fields of a dataclass as options. It gets them together, as the argument ``settings``.

    Typer reads the options of a command from its signature, so the wrapper has a signature put together from the
    command's own parameters and the fields. ``annotations`` are the fields' types as Typer takes them; a field that
    holds a tuple is an option that can be given several times.
    """
    fields = dataclasses.fields(settings_type)
    tuples = {field.name for field in fields if field.default == ()}

    def wrap(command: Command) -> Command:
        signature = inspect.signature(command, eval_str=True)

        @functools.wraps(command)
        def run(**given: Any) -> None:
            values = {field.name: given.pop(field.name) for field in fields}
            values.update({name: tuple(values[name] or ()) for name in tuples})
            command(**given, settings=settings_type(**values))

        own = [parameter for name, parameter in signature.parameters.items() if name != "settings"]
        options = [
            inspect.Parameter(
                field.name,
                inspect.Parameter.KEYWORD_ONLY,
                default=None if field.name in tuples else field.default,
                annotation=annotations[field.name],
            )
            for field in fields
        ]
        run.__signature__ = signature.replace(parameters=[*own, *options])  # type: ignore[attr-defined]
        return run

    return wrap
