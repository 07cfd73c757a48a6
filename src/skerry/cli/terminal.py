"""A match in the terminal: whose decision it is, and what a player can type."""

from __future__ import annotations

import contextlib
import importlib
import shutil
import sys
import threading
from itertools import chain
from pathlib import Path

import numpy as np
from rich.console import Console

import skerry
from skerry import bots
from skerry.bots.bot import Bot
from skerry.bots.interrupts import interrupting_of, moves_a_persons_piece
from skerry.cli import autosave
from skerry.cli.compile_progress import CompileProgress, bot_kernels, rules_kernels
from skerry.cli.interrupt import INTERRUPTED, end_now, last_words
from skerry.cli.terminal_screen import TALL, TerminalScreen
from skerry.engine import kernel_progress
from skerry.engine.errors import Refusal
from skerry.engine.i18n.translations import Translations
from skerry.engine.loop import TurnOrder
from skerry.engine.match import Match
from skerry.engine.messages import say
from skerry.engine.notation import Action
from skerry.engine.rng import derive_seed

HUMAN = "me"  # the name of a seat that is not a bot's


class TerminalGame:
    """One match, with one or several people at one keyboard, and bots.

    Everything is in the player's language. Actions are typed in the notation of records, which is the same in every
    language.
    """

    def __init__(self, match: Match, path: Path, console: Console, translate: Translations) -> None:
        self.match = match
        self.path = path
        self.human_seats = [seat for seat, name in enumerate(match.seats) if not bots.is_bot(match.game, name)]
        self.bot_names = sorted({name for name in match.seats if bots.is_bot(match.game, name)})
        self.screen = TerminalScreen(match, self.human_seats, console, translate)
        self.save_error: OSError | None = None
        self.bots_run_on = False  # bots play without waiting for Enter
        self.last_asked = -1  # the seat
        self.turn_order = TurnOrder(interrupting_of(match.game))
        kernels = chain(rules_kernels(match.game), bot_kernels(match.game, self.bot_names))
        self.compiling = CompileProgress(match.game.title, kernels, ready=[match.game.rules.setup])
        self.rules_ready = threading.Event()  # steps can be played without compiling
        self.bots_thread = threading.Thread(target=self._compile_the_rest, daemon=True)

    def run(self) -> None:
        with contextlib.suppress(ImportError):
            importlib.import_module("readline")  # arrow keys and a history for input()
        with last_words(self._save_note), kernel_progress.listening(self.compiling):
            try:
                self._play_to_the_end()
            except EOFError:
                self.screen.print_line(f"\n{self._save_note()}")
            except KeyboardInterrupt:
                self.screen.print_line(f"\n{self._save_note()}")
                raise SystemExit(INTERRUPTED) from None
            if self.bots_thread.is_alive():
                end_now("", 0)

    def _play_to_the_end(self) -> None:
        """The board is drawn as soon as it can be. What later turns need is compiled while the player reads it."""
        with self.compiling.visible():
            self.match.view(None)
            self._save()
        self.screen.draw_board()
        self.screen.print_introduction()
        with self.compiling.visible():
            result = self.match.result
            self.match.forced_action()
            self.turn_order.interrupters(self.match.state)
            for seat in self.human_seats:
                self.match.prompt(seat)
        self.bots_thread.start()
        while result is None:
            self._take_turn()
            result = self.match.result
        self.screen.draw_board()
        self.screen.print_result(result)
        self.screen.print_line(self._save_note())
        self.screen.tell(say("The seed was {seed}.", seed=self.match.seed))

    def _compile_the_rest(self) -> None:
        """Compile what no decision has needed so far: playing a step, and the bots. They play in other matches."""
        try:
            match, turn_order = self.match.variant.new(seed=0), TurnOrder(interrupting_of(self.match.game))
            seat = match.waiting[0]
            turn_order.passed(seat)
            with turn_order.step_of(seat, match):
                match.play(seat, match.legal(seat)[0])
        finally:
            self.rules_ready.set()
        for name in self.bot_names:
            match = self.match.variant.new(seed=0)
            bots.find(self.match.game, name).with_time_limit(0).choose(match, match.waiting[0], seed=0)

    # Whose decision it is

    def _take_turn(self) -> None:
        """One decision. A forced step is played at once. A bot waits for Enter if a human could interrupt."""
        forced = self.match.forced_action()
        seat = next((seat for seat in self.match.waiting if seat in self.human_seats), self.match.waiting[0])
        if self._bot_interrupts():
            return
        if forced is not None:
            self._play(*forced)
        elif seat in self.human_seats:
            self.bots_run_on = False
            self._ask_human(seat)
        elif self.bots_run_on or not self._human_can_interrupt():
            self._play_bot(seat)
        else:
            self._wait_before_bot(seat)

    def _bot_interrupts(self) -> bool:
        """Ask the bots that may interrupt, until one does or all have passed; whether one did."""
        for seat in self.turn_order.interrupters(self.match.state):
            if seat not in self.human_seats:
                action = self._bot_at(seat).interrupt(self.match, seat, self._bot_seed())
                if action is not None and not moves_a_persons_piece(self.match.game, action, self.human_seats):
                    self._play(seat, self.match.action(action))
                    return True
                self.turn_order.passed(seat)
        return False

    def _human_can_interrupt(self) -> bool:
        return any(self.match.legal_ids(seat) for seat in self.human_seats)

    def _play_bot(self, seat: int) -> None:
        self._play(seat, self.match.action(self._bot_at(seat).choose(self.match, seat, self._bot_seed())))

    def _bot_at(self, seat: int) -> Bot:
        if self.bots_thread.is_alive():
            with self.compiling.visible():
                self.bots_thread.join()
        return bots.find(self.match.game, self.match.seats[seat])

    def _bot_seed(self) -> int:
        """The seed of a bot's random choices. It depends on the match's seed, so that a game can be repeated."""
        return int(derive_seed(np.uint64(self.match.seed), len(self.match.steps)))

    def _play(self, seat: int, action: Action | str) -> None:
        if not self.rules_ready.is_set():
            with self.compiling.visible():
                self.rules_ready.wait()
        with self.turn_order.step_of(seat, self.match):
            self.match.play(seat, action)
        self._save()
        self.screen.print_new_events()

    # The record file

    def _save(self) -> None:
        """Save after every step, so that a crash loses nothing. A failure is reported once."""
        try:
            autosave.save(self.path, self.match)
        except OSError as error:
            if self.save_error is None:
                self.screen.tell(say("The game cannot be saved: {error}", error=str(error)), "red")
            self.save_error = error

    def _save_note(self) -> str:
        if self.save_error is not None:
            note = say("The game is not saved: {error}.", error=str(self.save_error))
        elif self.match.result is not None:
            note = say("The record is in {path}.", path=str(self.path))
        else:
            resume = f"{'skerry' if shutil.which('skerry') else sys.argv[0]} play {self.match.game.name} --resume"
            note = say("The game is saved in {path}. To continue: {command}", path=str(self.path), command=resume)
        return note.render(self.screen.translate)

    # Input

    def _ask_human(self, seat: int) -> None:
        if self._board_is_outdated(seat):
            self.screen.draw_board()
        self.last_asked = seat
        self.screen.print_actions(seat, self._default_action(seat))
        self._read_input(seat, input(f"{self.screen.seat_name(seat)}> "))

    def _board_is_outdated(self, seat: int) -> bool:
        """On a small terminal, the board is drawn only if another seat has acted or is asked now."""
        drawn = self.screen.drawn_steps
        if drawn == len(self.match.steps):
            return False
        others_acted = any(step.seat != seat for step in self.match.steps[max(0, drawn) :])
        return self.screen.height >= TALL or others_acted or self.last_asked != seat

    def _wait_before_bot(self, seat: int) -> None:
        name = self.screen.seat_name(seat)
        question = say("{name} is next (Enter: continue, go: let all bots play on, ?: help)", name=name)
        typed = input(f"{question.render(self.screen.translate)}> ").strip()
        if typed:
            self._read_input(self.human_seats[0], typed)
        else:
            self._play_bot(seat)

    def _read_input(self, seat: int, typed: str) -> None:
        """Obey a line; ``2: ACTION`` is for another seat."""
        try:
            number, colon, rest = typed.partition(":")
            if colon and number.strip().isdecimal() and len(number) < 9:
                seat, typed = int(number), rest
                if seat not in self.human_seats:
                    raise skerry.UnknownSeat(say("seat {seat} is not yours", seat=seat))
            typed = typed.strip()
            if typed.startswith("?"):
                self.screen.print_help(seat, typed[1:].strip())
            else:
                self._run_command(seat, typed)
        except Refusal as refusal:
            self.screen.print_refusal(refusal)

    def _run_command(self, seat: int, typed: str) -> None:
        """A command, an action, or nothing for the default action."""
        word, _, rest = typed.lower().partition(" ")
        if word in ("quit", "exit", "q"):
            raise EOFError
        if word == "go":
            self.bots_run_on = True
        elif word == "board":
            self.screen.draw_board(whole=True)
        elif word == "undo":
            self._undo(seat)
        elif word in ("help", "h"):
            self.screen.print_help(seat, rest)
        elif word == "log":
            self.screen.print_log(seat)
        elif word == "rules":
            self.screen.print_rule(rest)
        else:
            self._play_typed(seat, typed)

    def _play_typed(self, seat: int, typed: str) -> None:
        action = typed or self._default_action(seat)
        if action is not None:
            self._play(seat, action)

    def _default_action(self, seat: int) -> Action | None:
        """The action for Enter: the only legal one, or the only one of a primary verb, such as drawing cards."""
        legal = self.match.legal(seat)
        primary_verbs = {verb.name for verb in self.match.game.actions.verbs if verb.primary}
        primary = [action for action in legal if action.verb in primary_verbs]
        if len(primary) == 1:
            return primary[0]
        return legal[0] if len(legal) == 1 else None

    def _undo(self, seat: int) -> None:
        last = self.match.steps[-1].seat if self.match.steps else seat
        undone = self.match.undo(last if last in self.human_seats else seat)
        self.turn_order.undone()
        self.screen.forget_undone_events()
        self._save()
        self.screen.draw_board()
        self.screen.tell(say("Undone: {action}", action=str(undone)))
