"""One game being played: whose decision it is, what may be done, what happened, and the way back."""

from __future__ import annotations

import functools
import threading
from dataclasses import dataclass
from typing import Any

import numpy as np

from skerry.engine.errors import Illegal, NoUndo, UnknownSeat, Unreadable
from skerry.engine.events import Event, read_events
from skerry.engine.game import Ending, Game, Variant, as_ints
from skerry.engine.kernel import kernel_array
from skerry.engine.loop import NOBODY, forcing
from skerry.engine.messages import Message, say
from skerry.engine.notation import Action, Names
from skerry.engine.struct import StructBuffer


@dataclass(frozen=True)
class Result:
    """How a match ended."""

    scores: tuple[float, ...]
    winners: tuple[int, ...]
    ending: Ending

    @property
    def reason(self) -> str:
        return self.ending.name


@dataclass(frozen=True)
class Step:
    """One action that was played, and what is needed to tell of it and to take it back."""

    seat: int
    action: Action
    log_rows: tuple[tuple[int, ...], ...]
    sealed: bool
    before: bytes
    after: bytes


class _Scratch(threading.local):
    """Where matches of a game try things out, one after another: a thread has its own."""

    def __init__(self, game: Game) -> None:
        from skerry.engine.event_log import new_event_log

        self.tried = StructBuffer(game.state_struct)
        self.log = new_event_log()
        self.out = np.zeros(game.actions.size + 1, np.int16)


_scratch = functools.cache(_Scratch)


class Match:
    def __init__(self, variant: Variant, seed: int, seats: tuple[str, ...] = ()) -> None:
        if len(seats) > variant.players:
            raise UnknownSeat(say("{names} names for {seats} seats", names=len(seats), seats=variant.players))
        self.variant = variant
        self.game: Game = variant.game
        self.seed = seed
        names = tuple(" ".join(name.split()) for name in seats)  # a record has a line a name
        self.seats = names + ("",) * (variant.players - len(seats))
        self.steps: list[Step] = []
        self._labels: dict[int, Message] = {}
        self._rules = self.game.rules
        self._actions: dict[int, Action] = {}
        self._state = StructBuffer(self.game.state_struct)
        self._scratch = _scratch(self.game)
        self._rules.setup(self._state.struct, variant.encoded_options.struct, np.uint64(seed))

    @property
    def state(self) -> Any:
        """The game's own record: everything, the hidden things too."""
        return self._state.struct

    @property
    def content(self) -> bytes:
        """The state's bytes."""
        return self._state.content

    @functools.cached_property
    def names(self) -> Names:
        return self.game.ui.names(self.state)

    @property
    def waiting(self) -> tuple[int, ...]:
        """The seats whose decision the game waits for; others may still have something legal."""
        seats = self._rules.waiting(self.state)
        return tuple(seat for seat in range(self.variant.players) if seats >> seat & 1)

    @property
    def result(self) -> Result | None:
        scores = np.zeros(self.variant.players)
        number = self._rules.result(self.state, kernel_array(scores))
        if not number:
            return None
        ending = self.game.endings[number - 1]
        if self.game.cooperative:
            winners = tuple(range(self.variant.players)) if ending.won else ()
        else:
            winners = tuple(int(seat) for seat in np.flatnonzero(scores == scores.max()))
        return Result(tuple(scores.tolist()), winners, ending)

    def legal_ids(self, seat: int) -> list[int]:
        self.check_seat(seat)
        out = self._scratch.out
        return as_ints(out, self._rules.legal(self.state, seat, kernel_array(out)))

    def legal(self, seat: int) -> list[Action]:
        """What a seat may do now, in the order of the ids."""
        return [self.action(action) for action in self.legal_ids(seat)]

    def action(self, given: str | int | Action) -> Action:
        """The action that a text, an id or an action of another match means here."""
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
        """What an action is called on a button."""
        if action not in self._labels:
            self._labels[action] = self.game.actions.label(action, self.names)
        return self._labels[action]

    def explain(self, seat: int, given: str | int | Action) -> Illegal | None:
        """Why a seat may not do this now; None when it may."""
        action = self.action(given)
        return None if action.id in self.legal_ids(seat) else self._refusal(seat, action)

    def _refusal(self, seat: int, action: Action) -> Illegal:
        if self.result is not None:
            ending = self.result.ending
            return Illegal(say("the game is over: {how}", how=say(ending.text)), ending.rule)
        refusal = self.game.ui.explain(self.state, seat, action.id)
        assert isinstance(refusal, Illegal)
        return refusal

    def play(self, seat: int, given: str | int | Action) -> list[Event]:
        """Do an action for a seat; what happened, as that seat may know it. A refusal changes nothing."""
        step = self.prepare(seat, given)
        self.apply(step)
        return self.step_events(step, seat)

    def prepare(self, seat: int, given: str | int | Action) -> Step:
        """The step that an action would be. Nothing has changed until it is taken."""
        self.check_seat(seat)
        action = self.action(given)
        if action.id not in self.legal_ids(seat):
            raise self._refusal(seat, action)
        before, sealed = self.content, self._try(seat, action.id)
        tried, log = self._scratch.tried, self._scratch.log
        rows = log[1 : log[0, 0] + 1].tolist()
        return Step(seat, action, tuple(map(tuple, rows)), sealed, before, tried.content)

    def reveals(self, seat: int, action: int) -> bool:
        """Whether a legal action would bring something hidden to light, which its seat knows beforehand."""
        verb, _ = self.game.actions.decode(action)
        return verb.reveals and self._try(seat, action)

    def _try(self, seat: int, action: int) -> bool:
        """Do a legal action on the scratch; whether it brought something hidden to light."""
        tried, log = self._scratch.tried, self._scratch.log
        tried.content = self.content
        log[0, 0] = 0
        return bool(self._rules.step(tried.struct, seat, action, kernel_array(log)))

    def apply(self, step: Step) -> None:
        """Do a step that was considered here or that a store kept."""
        self._state.content = step.after
        self.steps.append(step)

    def undo(self, seat: int) -> Action:
        """Take back the last step: only the seat's own, and only if nothing hidden came to light by it."""
        last = self.undoable_step(seat)
        self._state.content = last.before
        self.steps.pop()
        return last.action

    def undoable_step(self, seat: int) -> Step:
        """The step that a seat may take back, or a refusal."""
        self.check_seat(seat)
        if not self.steps:
            raise NoUndo("nothing has been done yet")
        if self.result is not None:
            raise NoUndo("the game is over")
        last = self.steps[-1]
        if last.seat != seat:
            raise NoUndo(say("the last step was another's: seat {seat}", seat=last.seat))  # which may be secret
        if last.sealed:
            raise NoUndo(
                say("{text} cannot be taken back: it brought something hidden to light", text=last.action.text)
            )
        return last

    def forced_action(self) -> tuple[int, Action] | None:
        """The one thing that can be done now, if there is but one for all seats: a driver may do it by itself."""
        seat, action = forcing(self._rules)(self.state, self.variant.players, kernel_array(self._scratch.out))
        return None if seat == NOBODY else (seat, self.action(action))

    def copy(self) -> Match:
        """The same position, to think about elsewhere; its past stays here."""
        twin = Match(self.variant, self.seed, self.seats)
        twin._state.content = self.content
        return twin

    def view(self, seat: int | None) -> dict[str, Any]:
        """What a seat, or a spectator (None), may see: plain data, made by allowing."""
        if seat is not None:
            self.check_seat(seat)
        return self.game.ui.view(self.state, seat)

    def prompt(self, seat: int | None = None) -> Message:
        """One line: what the game waits for."""
        if seat is not None:
            self.check_seat(seat)
        return self.game.ui.prompt(self.state, seat)

    def events(self, seat: int | None, since: int = 0) -> list[list[Event]]:
        """What happened, a list a step from step ``since`` on, as a seat or a spectator may know it."""
        if seat is not None:
            self.check_seat(seat)
        return [self.step_events(step, seat) for step in self.steps[since:]]

    def step_events(self, step: Step, seat: int | None) -> list[Event]:
        """What happened in one step, as a seat or a spectator may know it."""
        return read_events(self.game.events, step.log_rows, self.names, seat)

    def record(self) -> str:
        """The match as text that replays to the same bytes. It holds the seed: keep it until the end."""
        from skerry.engine.game_record import write_record

        return write_record(self)

    def check_seat(self, seat: Any) -> None:
        if not _is_int(seat) or not 0 <= seat < self.variant.players:
            last = self.variant.players - 1
            raise UnknownSeat(say("there is no seat {seat!r}; seats go from 0 to {last}", seat=seat, last=last))


def _is_int(given: Any) -> bool:
    return isinstance(given, (int, np.integer)) and not isinstance(given, bool)
