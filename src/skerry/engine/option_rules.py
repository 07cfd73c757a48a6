"""Rules that an option brings: kernels of another module, where a value of an option is chosen.

The choice is kept in a field of the state that is named like the option. Each kernel that a module replaces becomes one
that looks at that field, so that the same compiled rules play every variant.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

from skerry.engine.event_log import EventLog
from skerry.engine.kernel import kernel
from skerry.engine.options import Choice
from skerry.engine.protocols import Options, Seed, State

if TYPE_CHECKING:
    from skerry.engine.game import Game

Kernel = Callable[..., Any]
Kernels = dict[str, Kernel]


def modules_of_options(game: Game) -> Iterator[tuple[str, int, Any]]:
    """The option, the code of its value and the module, of all values that bring rules."""
    for option in game.options:
        if isinstance(option, Choice):
            for value, module in option.rules.items():
                yield option.name, option.encode(value), importlib.import_module(module)


def choose_kernels(option: str, code: int, chosen: Kernels, otherwise: Kernels) -> Kernels:
    """The kernels that play by some rules where an option has a value, and by others where it has not."""
    kernels = {
        name: otherwise[name] if kernel is otherwise[name] else _CHOICES[name](option, code, kernel, otherwise[name])
        for name, kernel in chosen.items()
    }
    return {**kernels, "setup": _setup(option, code, chosen["setup"], otherwise["setup"])}


def _setup(option: str, code: int, chosen: Kernel, otherwise: Kernel) -> Kernel:
    @kernel
    def setup(state: State, options: Options, seed: Seed) -> None:
        if options[option] == code:
            chosen(state, options, seed)
        else:
            otherwise(state, options, seed)
        state[option] = options[option]

    return setup


def _of_state(option: str, code: int, chosen: Kernel, otherwise: Kernel) -> Kernel:
    @kernel
    def waiting(state: State) -> int:
        return chosen(state) if state[option] == code else otherwise(state)

    return waiting


def _with_scores(option: str, code: int, chosen: Kernel, otherwise: Kernel) -> Kernel:
    @kernel
    def result(state: State, scores: Any) -> int:
        return chosen(state, scores) if state[option] == code else otherwise(state, scores)

    return result


def _of_seat(option: str, code: int, chosen: Kernel, otherwise: Kernel) -> Kernel:
    @kernel
    def of_seat(state: State, seat: int, argument: Any) -> Any:
        return chosen(state, seat, argument) if state[option] == code else otherwise(state, seat, argument)

    return of_seat


def _step(option: str, code: int, chosen: Kernel, otherwise: Kernel) -> Kernel:
    @kernel
    def step(state: State, seat: int, action: int, log: EventLog) -> bool:
        if state[option] == code:
            return chosen(state, seat, action, log)
        return otherwise(state, seat, action, log)

    return step


_CHOICES: dict[str, Callable[[str, int, Kernel, Kernel], Kernel]] = {
    "setup": _setup,
    "waiting": _of_state,
    "legal": _of_seat,
    "step": _step,
    "determinize": _of_seat,
    "observe": _of_seat,
    "result": _with_scores,
}
