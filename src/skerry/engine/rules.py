"""The kernels of a game's rules: its own, those of the game it varies, and defaults for what neither has.

- ``setup`` sets the number of players, and the seed of a game with chance.
- ``waiting`` and ``result`` read the fields of ``TurnState``. Without ``waiting``, ``legal`` is asked about the seat
  whose turn it is, and ``interrupts``, which a game may have, about the others.
- ``determinize`` reseeds the random generator, if there is one; all else is known to everybody.
- ``observe`` writes what the layout shows.

Before ``step`` a verb with a sentence (``Verb.told``) tells what is done.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, cast

import numpy as np

from skerry.engine.bitset import as_int
from skerry.engine.errors import BadGame
from skerry.engine.event_log import EventLog, emit_secret
from skerry.engine.events import EVERYBODY
from skerry.engine.game_package import find_module
from skerry.engine.kernel import INTERPRETED, kernel, lookup_table
from skerry.engine.layout import Hand
from skerry.engine.layout_observation import observe_layout
from skerry.engine.option_rules import choose_kernels, modules_of_options
from skerry.engine.protocols import Options, Rules, Seed, State
from skerry.engine.rng import derive_seed
from skerry.engine.struct import dtype_of
from skerry.engine.turns import TurnState

if TYPE_CHECKING:
    from skerry.engine.game import Game

KERNELS = ("setup", "waiting", "legal", "step", "determinize", "observe", "result")
REQUIRED = ("legal", "step")  # the others have defaults
INTERRUPTS = "interrupts"  # the legal actions in another's turn, of a game without ``waiting``
TURN_FIELDS = ("turn", "ending")
Kernel = Callable[..., Any]
Kernels = dict[str, Kernel]


class CompleteRules:
    """The kernels of a game whose module does not write all of them."""

    def __init__(self, kernels: Kernels) -> None:
        for name in KERNELS:
            setattr(self, name, kernels[name])


def rules_of(game: Game) -> Rules:
    """The kernels of a game."""
    module, told, choices = _module_of(game), _told_actions(game), list(modules_of_options(game))
    if game.base is None and all(hasattr(module, name) for name in KERNELS) and told is None and not choices:
        return cast(Rules, module)
    written = _written_kernels(game)
    kernels = _with_defaults(game, written)
    for option, code, chosen in choices:
        if option not in _fields(game):
            raise BadGame(f"the option {option} brings rules, so the state needs a field of this name")
        kernels = choose_kernels(option, code, _with_defaults(game, written | _kernels_of(chosen)), kernels)
    if told is not None:
        kernels["step"] = _telling(kernels["step"], lookup_table(told, np.int16))
    return cast(Rules, CompleteRules(kernels))


def _module_of(game: Game) -> Any:
    return find_module((game.package,), "rules.kernels") or importlib.import_module(game.package)


def _written_kernels(game: Game) -> Kernels:
    """The kernels that a game, or one that it varies, writes itself."""
    return ({} if game.base is None else _written_kernels(game.base)) | _kernels_of(_module_of(game))


def _kernels_of(module: Any) -> Kernels:
    """The kernels of a module."""
    written: Kernels = {}
    for name in (*KERNELS, INTERRUPTS):
        function = getattr(module, name, None)
        if function is None:
            continue
        if not INTERPRETED and not hasattr(function, "py_func"):
            raise BadGame(f"the function {name} of {module.__name__} is not compiled: write @kernel above it")
        written[name] = function
    return written


def _with_defaults(game: Game, written: Kernels) -> Kernels:
    """The written kernels, and defaults for the others."""
    for name in REQUIRED:
        if name not in written:
            raise BadGame(f"the game {game.name} has no kernel {name} in {_module_of(game).__name__}")
    has_rng = "rng" in _fields(game)
    kernels: Kernels = {
        "setup": seat_players_and_seed if has_rng else seat_players,
        "determinize": reseed if has_rng else nothing_hidden,
        **written,
    }
    if "waiting" not in written:
        _require_turns(game, "waiting")
        kernels["waiting"] = seat_in_turn
        kernels["legal"] = _legal_in_turn(written["legal"], written.get(INTERRUPTS, no_interrupts))
    elif INTERRUPTS in written:
        raise BadGame(
            f"the game {game.name} has both kernels waiting and interrupts; with waiting, legal is asked of all seats"
        )
    if "result" not in written:
        _require_turns(game, "result")
        kernels["result"] = _shared_result(lookup_table(game.is_win, np.int8)) if game.cooperative else noted_result
    hands = [component.field for component in game.layout if isinstance(component, Hand)]
    if hands and "determinize" not in written:
        raise BadGame(f"the game {game.name} has no kernel determinize, but hides {hands[0]}: bots would see all cards")
    if "observe" not in written:
        kernels["observe"] = observe_layout(game, kernels["waiting"])
    return kernels


def _fields(game: Game) -> tuple[str, ...]:
    return dtype_of(game.state_struct).names or ()


def _require_turns(game: Game, name: str) -> None:
    if not set(TURN_FIELDS) <= set(_fields(game)):
        raise BadGame(
            f"the game {game.name} has no kernel {name}; the default one reads the fields {' and '.join(TURN_FIELDS)}: "
            "let the state inherit from TurnState, or write the kernel"
        )


@kernel
def seat_players(state: State, options: Options, seed: Seed) -> None:
    """``setup`` of a game without chance that begins with a zeroed state."""
    state.players = options.players


@kernel
def seat_players_and_seed(state: State, options: Options, seed: Seed) -> None:
    """``setup`` of a game with chance that begins with a zeroed state."""
    state.players = options.players
    state.rng = seed


@kernel
def nothing_hidden(state: State, seat: int, seed: Seed) -> None:
    """``determinize`` of a game in which every seat knows everything."""


@kernel
def reseed(state: State, seat: int, seed: Seed) -> None:
    """``determinize`` of a game in which every seat knows everything but what chance will bring."""
    state.rng = derive_seed(seed, 0)


@kernel
def seat_in_turn(state: TurnState) -> int:
    """``waiting`` of a game with turns."""
    return 0 if state.ending else 1 << state.turn


@kernel
def noted_result(state: TurnState, scores: Any) -> int:
    """``result`` of a game with turns."""
    for seat in range(state.players):
        scores[seat] = state.scores[seat]
    return as_int(state.ending)


def _shared_result(wins: Any) -> Kernel:
    """``result`` of a game that all win or lose together."""

    @kernel
    def shared_result(state: TurnState, scores: Any) -> int:
        if state.ending:
            for seat in range(state.players):
                scores[seat] = wins[state.ending]
        return as_int(state.ending)

    return shared_result


@kernel
def no_interrupts(state: State, seat: int, out: Any) -> int:
    """``interrupts`` of a game in which nothing can be done in another's turn."""
    return 0


def _legal_in_turn(legal: Kernel, interrupts: Kernel) -> Kernel:
    """``legal`` of a game with turns."""

    @kernel
    def legal_in_turn(state: TurnState, seat: int, out: Any) -> int:
        if state.ending:
            return 0
        return legal(state, seat, out) if seat == state.turn else interrupts(state, seat, out)

    return legal_in_turn


def _told_actions(game: Game) -> list[list[int]] | None:
    """For each action the event that its verb tells, -1 for none, and three arguments; None if no verb tells any."""
    if not any(verb.told for verb in game.actions.verbs):
        return None
    kind, rows = len(game.events) - sum(bool(verb.told) for verb in game.actions.verbs), []
    for verb in game.actions.verbs:
        for offset in range(verb.size):
            indices = verb.split(offset) if verb.told else []
            rows.append([kind if verb.told else -1, *indices, *[0] * (3 - len(indices))])
        kind += bool(verb.told)
    return rows


def _telling(step: Kernel, told: Any) -> Kernel:
    """``step`` that first tells what is done."""

    @kernel
    def tell_and_step(state: State, seat: int, action: int, log: EventLog) -> bool:
        if told[action, 0] >= 0:
            emit_secret(log, EVERYBODY, told[action, 0], seat, told[action, 1], told[action, 2], told[action, 3])
        return step(state, seat, action, log)

    return tell_and_step
