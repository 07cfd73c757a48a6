"""A match: one game being played, with its state, its steps, and what each seat may know and do."""

from __future__ import annotations

import functools
import threading
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from skerry.engine.errors import BadGame, Illegal, NoUndo, UnknownSeat, Unreadable
from skerry.engine.events import Event, logged_rows, read_events
from skerry.engine.game import Ending, Game, Variant, as_ints
from skerry.engine.kernel import kernel_array
from skerry.engine.messages import Message, say
from skerry.engine.notation import Action, Names
from skerry.engine.protocols import State, View
from skerry.engine.struct import StructBuffer


@dataclass(frozen=True)
class Result:
    """How a match ended."""

    scores: tuple[float, ...]
    winners: tuple[int, ...]
    ending: Ending

    @property
    def reason(self) -> str:
        """The name of the ending."""
        return self.ending.name


@dataclass(frozen=True, slots=True)
class Step:
    """One action that was played, with what is needed to describe it and to undo it."""

    seat: int
    action: Action
    log_rows: tuple[tuple[int, ...], ...]  # of the event log
    sealed: bool  # it revealed something hidden or used chance: it cannot be undone
    before: bytes  # the state's bytes
    after: bytes


@dataclass(frozen=True, slots=True)
class DueStep:
    """The step with which a match goes on by itself unless somebody does something else first."""

    seat: int
    action: Action
    free: tuple[int, ...]  # the seats that could do something else


class _Scratch(threading.local):
    """Buffers in which matches of a game try out steps. Each thread has its own."""

    def __init__(self, game: Game) -> None:
        from skerry.engine.event_log import new_event_log

        self.state = StructBuffer(game.state_struct)
        self.log = new_event_log(game.max_events)
        self.legal = np.zeros(game.actions.size + 1, np.int16)


_scratch_of = functools.cache(_Scratch)


class Match:
    """One game being played. Its state changes only by ``apply`` and ``undo``; refusals change nothing."""

    def __init__(self, variant: Variant, seed: int, seats: tuple[str, ...] = ()) -> None:
        if len(seats) > variant.players:
            raise UnknownSeat(say("{names} names for {seats} seats", names=len(seats), seats=variant.players))
        self.variant = variant
        self.game: Game = variant.game
        self.seed = seed
        names = tuple(" ".join(name.split()) for name in seats)  # one line each in the game record
        self.seats = names + ("",) * (variant.players - len(seats))
        self.steps: list[Step] = []
        self.stored_result: Result | None = None  # of a match that ended, perhaps under earlier rules
        self._state = StructBuffer(self.game.state_struct)
        self._make_caches()
        self._rules.setup(self._state.struct, variant.encoded_options.struct, np.uint64(seed))

    def _make_caches(self) -> None:
        """Everything that follows from the rest and is not pickled."""
        self._rules = self.game.rules
        self._scratch = _scratch_of(self.game)
        self._labels: dict[int, Message] = {}
        self._actions: dict[int, Action] = {}
        self._last_judged: tuple[bytes, Result | None] | None = None  # a state, and its result

    def __getstate__(self) -> dict[str, Any]:
        kept = ("variant", "game", "seed", "seats", "steps", "stored_result", "_state")
        return {name: self.__dict__[name] for name in kept}

    def __setstate__(self, kept: dict[str, Any]) -> None:
        self.__dict__.update(kept)
        self._make_caches()

    @property
    def state(self) -> State:
        """The game's state struct: everything, hidden information included."""
        return self._state.struct

    @property
    def content(self) -> bytes:
        """The state's bytes."""
        return self._state.content

    @functools.cached_property
    def names(self) -> Names:
        """The names of the entities, which stay the same for the whole match."""
        return self.game.ui.names(self.state)

    @property
    def waiting(self) -> tuple[int, ...]:
        """The seats whose decision the game waits for. Others may have legal actions too, to interrupt with."""
        return self.seats_in(self._rules.waiting(self.state))

    def waiting_in(self, content: bytes) -> int:
        """The seats whose decision the game waits for in another state of this match, as a bit set."""
        self._scratch.state.content = content
        return int(self._rules.waiting(self._scratch.state.struct))

    def seats_in(self, bits: int) -> tuple[int, ...]:
        """The seats of a bit set."""
        return tuple(seat for seat in range(self.variant.players) if bits >> seat & 1)

    @property
    def result(self) -> Result | None:
        """How the match ended, or None while it runs."""
        return self.stored_result or self._judged()

    def _judged(self) -> Result | None:
        """The result by the installed rules, which a page asks for several times in each state."""
        content = self.content
        if self._last_judged is None or self._last_judged[0] != content:
            self._last_judged = content, self._judge()
        return self._last_judged[1]

    def _judge(self) -> Result | None:
        scores = np.zeros(self.variant.players)
        number = self._rules.result(self.state, kernel_array(scores))
        if not number:
            return None
        ending = self.game.ending(number)
        if self.game.cooperative:
            winners = tuple(range(self.variant.players)) if ending.won else ()
        else:
            winners = tuple(int(seat) for seat in np.flatnonzero(scores == scores.max()))
        return Result(tuple(scores.tolist()), winners, ending)

    def legal_ids(self, seat: int) -> list[int]:
        """The ids of a seat's legal actions, ascending."""
        self.check_seat(seat)
        out = self._scratch.legal
        return as_ints(out, self._rules.legal(self.state, seat, kernel_array(out)))

    def legal(self, seat: int) -> list[Action]:
        """A seat's legal actions, in the order of their ids."""
        return [self.action(action) for action in self.legal_ids(seat)]

    def action(self, given: str | int | Action) -> Action:
        """The action that a text, an id or an action of another match stands for in this match."""
        if isinstance(given, Action):
            given = given.text
        if isinstance(given, str):
            number = self.game.actions.read(given, self.names)
        elif _is_int(given):
            number = int(given)
        else:
            raise Unreadable(say("an action is a text or an id, not {given!r}", given=given))
        if not 0 <= number < self.game.actions.size:
            raise Unreadable(say("action ids go from 0 to {last}", last=self.game.actions.size - 1))
        if number not in self._actions:
            self._actions[number] = self.game.actions.action(number, self.names)
        return self._actions[number]

    def label(self, action: int) -> Message:
        """The label of an action's button."""
        if action not in self._labels:
            self._labels[action] = self.game.actions.label(action, self.names)
        return self._labels[action]

    def label_now(self, seat: int, action: int) -> Message:
        """The label of a legal action's button in this position, which may say where it leads and what it brings."""
        return self.game.ui.label(self.state, seat, action) or self.label(action)

    def explain(self, seat: int, given: str | int | Action) -> Illegal | None:
        """Why an action is not legal for a seat now, or None if it is."""
        action = self.action(given)
        return None if action.id in self.legal_ids(seat) else self._refusal(seat, action)

    def _refusal(self, seat: int, action: Action) -> Illegal:
        if self.result is not None:
            ending = self.result.ending
            return Illegal(say("the game is over: {how}", how=say(ending.text)), ending.rule)
        refusal = self.game.ui.explain(self.state, seat, action.id)
        if not isinstance(refusal, Illegal):
            raise BadGame(f"the module ui.reasons returns {refusal!r} for {action.text!r}; it has to be skerry.Illegal")
        return refusal

    def play(self, seat: int, given: str | int | Action) -> list[Event]:
        """Play an action for a seat and return the events that this seat may know."""
        step = self.prepare(seat, given)
        self.apply(step)
        return self.step_events(step, seat)

    def prepare(self, seat: int, given: str | int | Action) -> Step:
        """The step that an action would be. Nothing changes until it is applied."""
        self.check_seat(seat)
        action = self.action(given)
        if action.id not in self.legal_ids(seat):
            raise self._refusal(seat, action)
        before, sealed = self.content, self._try(seat, action.id)
        log_rows = tuple(map(tuple, logged_rows(self._scratch.log, self.game.name)))
        return Step(seat, action, log_rows, sealed, before, self._scratch.state.content)

    def reveals(self, seat: int, action: int) -> bool:
        """Whether a legal action would reveal something hidden. That it would is no secret to its seat."""
        verb, _ = self.game.actions.decode(action)
        return verb.reveals and self._try(seat, action)

    def _try(self, seat: int, action: int) -> bool:
        """Play a legal action on the scratch state. True if the step is sealed."""
        state, log = self._scratch.state, self._scratch.log
        state.content = self.content
        log[0] = 0
        return bool(self._rules.step(state.struct, seat, action, kernel_array(log)))

    def replace_content(self, content: bytes) -> None:
        """Put the match into a stored state, without a step that led to it."""
        self._state.content = content

    def apply(self, step: Step) -> None:
        """Apply a step that was prepared here or loaded from a store."""
        self._state.content = step.after
        self.steps.append(step)

    def undo(self, seat: int) -> Action:
        """Undo the last step if it was this seat's and is not sealed; otherwise raise ``NoUndo``."""
        last = self.undoable_step(seat)
        self._state.content = last.before
        self.steps.pop()
        return last.action

    def undoable_step(self, seat: int) -> Step:
        """The step that ``undo`` would undo for this seat; raises ``NoUndo`` if there is none."""
        self.check_seat(seat)
        if not self.steps:
            raise NoUndo("nothing has been done yet")
        if self.result is not None:
            raise NoUndo("the game is over")
        last = self.steps[-1]
        if last.seat != seat:
            player = self.names[self.game.seat_kind][last.seat].title  # and not the action, which may be secret
            raise NoUndo(say("the last step was another's: {player}", player=player))
        if last.sealed:
            raise NoUndo(
                say("{text} cannot be taken back: it brought something hidden to light", text=last.action.text)
            )
        return last

    def forced_action(self) -> tuple[int, Action] | None:
        """The only action that any seat can play now, or None if there are more. It may be played automatically."""
        from skerry.engine.loop import NOBODY, forced_step_kernel  # imports numba; importing this module must not

        forced_step = forced_step_kernel(self._rules)
        seat, action = forced_step(self.state, self.variant.players, kernel_array(self._scratch.legal))
        return None if seat == NOBODY else (seat, self.action(action))

    def due_step(self) -> DueStep | None:
        """The step with which the match goes on by itself: the only action that anybody can play, or an automatic one,
        such as turning over a card, which others may interrupt. None if the match waits for a decision.

        Where players hide cards from each other, only an automatic step is due: that a player has no choice may tell
        what they hold.
        """
        waiting = self.waiting
        if len(waiting) != 1:
            return None
        (seat,) = waiting
        legal = self.legal_ids(seat)
        automatic = self._automatic_action(seat, legal)
        if automatic is None and (len(legal) != 1 or (self.game.hides_hands and self.variant.players > 1)):
            return None
        others = [other for other in range(self.variant.players) if other != seat and self.legal_ids(other)]
        free = (*others, seat) if len(legal) > 1 else tuple(others)
        if automatic is None and free:
            return None
        return DueStep(seat, self.action(legal[0] if automatic is None else automatic), free)

    def _automatic_action(self, seat: int, legal: Sequence[int]) -> int | None:
        """The one of a seat's legal actions that goes by itself, if any: the step that has to be taken sooner or later,
        or one that takes nothing away from the seat, such as ending its actions without any left."""
        actions = self.game.actions
        automatic = [action for action in legal if actions.is_automatic(action)]
        if len(automatic) != 1:
            return None
        (action,) = automatic
        verb, _ = actions.decode(action)
        if verb.primary or len(legal) == 1:
            return action
        is_sealed = self._try(seat, action)
        takes_away = is_sealed or self._lost_actions(legal, action, seat, self._scratch.state.content)
        return None if takes_away else action

    def took_nothing_away(self, step: Step) -> bool:
        """Whether all else that the seat of a step could do was still possible after it."""
        legal = self._legal_ids_at(step.before, step.seat)
        return not self._lost_actions(legal, step.action.id, step.seat, step.after)

    def _lost_actions(self, legal: Sequence[int], action: int, seat: int, after: bytes) -> set[int]:
        """Those of a seat's legal actions that are not legal any more after one of them."""
        return set(legal) - {action} - set(self._legal_ids_at(after, seat))

    def _legal_ids_at(self, content: bytes, seat: int) -> list[int]:
        """The ids of a seat's legal actions in another state of this match."""
        scratch = self._scratch
        scratch.state.content = content
        return as_ints(scratch.legal, self._rules.legal(scratch.state.struct, seat, kernel_array(scratch.legal)))

    def determinized(self, seat: int, seed: int) -> StructBuffer[Any]:
        """A copy of the state in which all that a seat cannot know is resampled."""
        world = StructBuffer(self.game.state_struct, self.content)
        self._rules.determinize(world.struct, seat, np.uint64(seed))
        return world

    def copy(self) -> Match:
        """A match in the same position, without the steps that led to it."""
        copied = Match(self.variant, self.seed, self.seats)
        copied._state.content = self.content
        return copied

    def view(self, seat: int | None) -> View:
        """All that a seat, or a spectator (None), may see, as plain data."""
        if seat is not None:
            self.check_seat(seat)
        return self.game.ui.view(self.state, seat)

    def prompt(self, seat: int | None = None) -> Message:
        """One line that says what the game waits for."""
        if seat is not None:
            self.check_seat(seat)
        return self.game.ui.prompt(self.state, seat)

    def outcome(self, seat: int | None = None) -> Message:
        """Who won or lost and how, once the match is over, in a sentence worded for this reader.

        The state knows the details. A stored result that the installed rules would judge differently is told by the
        general text of its ending.
        """
        assert self.result is not None, "a match that runs has no outcome"
        if self._judged() == self.result:
            return self.prompt(seat)
        return say("the game is over: {how}", how=say(self.result.ending.text))

    def events(self, seat: int | None, since: int = 0) -> list[list[Event]]:
        """The events that a seat or a spectator may know: a list for each step from step ``since`` on."""
        if seat is not None:
            self.check_seat(seat)
        return [self.step_events(step, seat) for step in self.steps[since:]]

    def step_events(self, step: Step, seat: int | None) -> list[Event]:
        """The events of one step that a seat or a spectator may know."""
        return read_events(self.game.events, step.log_rows, self.names, seat)

    def record(self) -> str:
        """The game record: text that replays to the same bytes. It contains the seed: keep it secret until the end."""
        from skerry.engine.game_record import write_record

        return write_record(self)

    def check_seat(self, seat: Any) -> None:
        """Refuse anything that is not a seat of this match."""
        if not _is_int(seat) or not 0 <= seat < self.variant.players:
            last = self.variant.players - 1
            raise UnknownSeat(say("there is no seat {seat!r}; seats go from 0 to {last}", seat=seat, last=last))


def _is_int(given: Any) -> bool:
    return isinstance(given, (int, np.integer)) and not isinstance(given, bool)
