"""``skerry play``: a match in the terminal."""

from __future__ import annotations

import contextlib
import importlib
import shutil
import sys
from pathlib import Path

import numpy as np
from rich.console import Console
from rich.text import Text

import skerry
from skerry import bots
from skerry.bots.interrupts import imposes, interrupting_of
from skerry.cli import autosave
from skerry.cli.replay import who
from skerry.cli.simulate import read_seats
from skerry.engine.errors import BadOption, Refusal
from skerry.engine.i18n.translations import ENGLISH, Translations, check_language, translations
from skerry.engine.loop import TurnOrder
from skerry.engine.match import Match
from skerry.engine.messages import say
from skerry.engine.notation import Action
from skerry.engine.rulebook import read_rulebook
from skerry.games import all_games, find_game

ME = "me"
FEW = 12  # so many actions of one verb are listed in full
TALL = 45  # lines of a terminal in which the board is drawn again after each of one's own steps
COMMANDS = {
    "?": "this help;  ? VERB lists all its ways;  ? ACTION says why it is not allowed",
    "Enter": "the step at hand (a draw, or the only choice), or let a bot go on",
    "go": "let the bots go on without asking until you must decide",
    "undo": "take the last step back",
    "board": "draw the board again",
    "log": "what has happened so far",
    "rules ID": "what a rule says, such as: rules FI-12",
    "quit": "stop; the game is kept",
}
FOR_ANOTHER = {"0: ACTION": "act for seat 0, also on another's turn (seats are numbered on the board)"}


def play_game(
    name: str | None,
    options: dict[str, str],
    seats: str | None,
    seed: int | None,
    record: Path | None,
    resume: bool,
    language: str,
) -> None:
    console = Console(highlight=False)
    check_language(language)
    if resume:
        if options or seats or seed is not None:
            raise BadOption("a game that is resumed has its options, seats and seed; name none")
        path, match = autosave.last_unfinished(find_game(name) if name else None, record)
    else:
        match = _new_match(find_game(name or _ask_game(console)).name, options, seats, seed)
        path = autosave.new_file(match.game, record)
    Terminal(match, path, console, translations(language, match.game.package, "skerry.engine.i18n")).run()


def _new_match(name: str, options: dict[str, str], seats: str | None, seed: int | None) -> Match:
    """By default you are at seat 0 and begin, and the game's own bot has the other seats."""
    game = find_game(name)
    variant, names = read_seats(name, seats, options, ME)
    if not seats and game.bots:
        names = (ME,) + (game.bots[0],) * (variant.players - 1)
        if "first" not in options and any(option.name == "first" for option in game.options):
            variant = game.configure({**options, "first": 0})
    for bot in set(names) - {ME}:
        bots.find(game, bot)
    return variant.new(seed, names)


def _ask_game(console: Console) -> str:
    known = all_games()
    if len(known) == 1:
        return known[0].name
    for number, game in enumerate(known, 1):
        console.print(f"{number}  [bold]{game.title}[/]: {game.summary}")
    try:
        said = input("Which game? ").strip().lower()
    except EOFError:
        raise Refusal(say("name a game: {known}", known=", ".join(game.name for game in known))) from None
    return known[int(said) - 1].name if said in map(str, range(1, len(known) + 1)) else said


class Terminal:
    """One person or several at one keyboard, some bots, one match. The game speaks the person's language; what is typed
    is the notation of records, the same in every language."""

    def __init__(self, match: Match, path: Path, console: Console, words: Translations) -> None:
        self.match = match
        self.words = words
        self.path = path
        self.console = console
        self.kept: OSError | None = None  # why the game could not be kept
        self.mine = [seat for seat, name in enumerate(match.seats) if not bots.is_bot(match.game, name)]
        self.going = False  # bots go on without asking
        self.told = len(match.steps)  # steps the player has been told of
        self.drawn = -1  # steps there were when the board was last drawn
        self.asked = -1  # the seat that was asked last
        self.turn_order = TurnOrder(interrupting_of(match.game))

    def run(self) -> None:
        with contextlib.suppress(ImportError):
            importlib.import_module("readline")  # arrow keys and history
        for name in {name for name in self.match.seats if bots.is_bot(self.match.game, name)}:
            # A bot's kernels are compiled before the first move, not in the middle of the game.
            bots.find(self.match.game, name).with_time_limit(0).choose(self.match, self.match.waiting[0], seed=0)
        self._keep()
        self._draw()
        self._introduce()
        try:
            while self.match.result is None:
                self._turn()
        except (EOFError, KeyboardInterrupt):
            self.console.print(Text(f"\n{self._where()}"))
            return
        ending = self.match.result.ending
        self._draw()
        verdict = "You win" if set(self.match.result.winners) & set(self.mine) else "It is over"
        self.console.print(Text(f"\n{verdict}: {self.words(ending.text)} ({ending.rule})", "bold"))
        self.console.print(Text(f"{self._where()} The seed was {self.match.seed}."))

    # Whose decision it is

    def _turn(self) -> None:
        """One decision. A forced step goes by itself if nobody could interrupt; a bot waits for you if you could."""
        only = self.match.forced_action()
        seat = next((seat for seat in self.match.waiting if seat in self.mine), self.match.waiting[0])
        if self._interrupted():
            return
        if only is not None:
            self._play(*only)
        elif seat in self.mine:
            self.going = False
            self._ask(seat)
        elif self.going or not self._may_interrupt():
            self._bot(seat)
        else:
            self._ask_before_bot(seat)

    def _interrupted(self) -> bool:
        """Ask the bots that may want to interrupt; whether one does. Once they have all passed, the game goes on."""
        for seat in self.turn_order.interrupters(self.match.state):
            if seat not in self.mine:
                action = self._player(seat).interrupt(self.match, seat, self._chance())
                if action is not None and not imposes(self.match.game, action, self.mine):
                    self._play(seat, self.match.action(action))
                    return True
                self.turn_order.passed(seat)
        return False

    def _may_interrupt(self) -> bool:
        return any(self.match.legal_ids(seat) for seat in self.mine)

    def _bot(self, seat: int) -> None:
        self._play(seat, self.match.action(self._player(seat).choose(self.match, seat, self._chance())))

    def _player(self, seat: int) -> bots.Bot:
        return bots.find(self.match.game, self.match.seats[seat])

    def _chance(self) -> int:
        """A bot's chance comes from the seed too, so that a game can be played again."""
        from skerry.engine.rng import derive_seed

        return int(derive_seed(np.uint64(self.match.seed), len(self.match.steps)))

    def _play(self, seat: int, action: Action | str) -> None:
        waited, turn = self.match.waiting, int(self.match.state.turns)
        self.match.play(seat, action)
        self.turn_order.stepped(seat, seat not in waited, turn == self.match.state.turns)
        self._keep()
        self._tell()

    def _keep(self) -> None:
        """After every step, so that a crash loses nothing; a disk that cannot be written is told once."""
        try:
            autosave.write(self.path, self.match)
        except OSError as error:
            if self.kept is None:
                self.console.print(Text(f"The game cannot be kept: {error}", "red"))
            self.kept = error

    def _where(self) -> str:
        if self.kept is not None:
            return f"The game is not kept: {self.kept}."
        if self.match.result is not None:
            return f"The record is in {self.path}."
        command = "skerry" if shutil.which("skerry") else sys.argv[0]
        return f"The game is kept in {self.path}. To go on: {command} play {self.match.game.name} --resume"

    # Listening

    def _ask(self, seat: int) -> None:
        others_acted = any(step.seat != seat for step in self.match.steps[max(0, self.drawn) :])
        if self.drawn != len(self.match.steps) and (self.console.height >= TALL or others_acted or self.asked != seat):
            self._draw()
        self.asked = seat
        self._list(seat)
        self._hear(seat, input(f"{self._who(seat)}> "))

    def _ask_before_bot(self, seat: int) -> None:
        said = input(f"{self._who(seat)} is next: Enter goes on, go lets all bots go on, ? helps> ").strip()
        if said:
            self._hear(self.mine[0], said)
        else:
            self._bot(seat)

    def _hear(self, seat: int, said: str) -> None:
        try:
            number, colon, rest = said.partition(":")
            if colon and number.strip().isdecimal() and len(number) < 9:
                seat, said = int(number), rest
                if seat not in self.mine:
                    raise skerry.UnknownSeat(say("seat {seat} is not yours", seat=seat))
            said = said.strip()
            if said.startswith("?"):
                self._help(seat, said[1:].strip())
            else:
                self._obey(seat, said)
        except Refusal as refusal:
            self.console.print(
                Text(refusal.render(self.words), "yellow" if isinstance(refusal, skerry.Unreadable) else "red")
            )

    def _obey(self, seat: int, said: str) -> None:
        word, _, rest = said.lower().partition(" ")
        commands = {"help": self._help, "h": self._help, "log": self._log, "rules": self._rules, "undo": self._undo}
        if word in ("quit", "exit", "q"):
            raise EOFError
        if word == "go":
            self.going = True
        elif word == "board":
            self._draw()
        elif word in commands:
            commands[word](seat, rest)
        elif said:
            self._play(seat, said)
        else:
            onward = self._onward(seat)
            if onward is not None:
                self._play(seat, onward)

    def _onward(self, seat: int) -> Action | None:
        """What Enter does: the only choice, or the draw that has to come."""
        choices = self.match.legal(seat)
        verbs = {verb.name for verb in self.match.game.actions.verbs if verb.primary}
        onward = [action for action in choices if action.verb in verbs]
        return onward[0] if len(onward) == 1 else choices[0] if len(choices) == 1 else None

    def _undo(self, seat: int, rest: str) -> None:
        last = self.match.steps[-1].seat if self.match.steps else seat
        undone = self.match.undo(last if last in self.mine else seat)
        self.turn_order.undone()
        self.told = len(self.match.steps)
        self._keep()
        self._draw()
        self.console.print(Text(f"Taken back: {undone}"))

    def _help(self, seat: int, rest: str) -> None:
        verbs = [verb for verb in self.match.game.actions.verbs if rest.lower() in (verb.name, *verb.aliases)]
        if not rest:
            self._help_all()
        elif verbs:
            ways = [action.text for action in self.match.legal(seat) if action.verb == verbs[0].name]
            for verb in verbs:
                self.console.print(Text(f"  {verb.usage()}: {self.words(verb.help)}", "cyan"))
            self.console.print(
                Text("  now: " + (" · ".join(ways).replace(" ", "\u00a0").replace("·", "\u200b·") or "nothing"))
            )
        else:
            refusal = self.match.explain(seat, rest)
            reason = refusal.render(self.words) if refusal else f"{self.match.action(rest)} is allowed now"
            self.console.print(Text(f"  {reason}"))

    def _help_all(self) -> None:
        for command, meaning in (COMMANDS | (FOR_ANOTHER if len(self.mine) > 1 else {})).items():
            self.console.print(Text.assemble("  ", (f"{command:<10}", "green"), f" {meaning}"))
        self.console.print("\n  What can be done in this game:")
        for verb in self.match.game.actions.verbs:
            self.console.print(Text.assemble("  ", (f"{verb.usage():<28}", "cyan"), self.words(verb.help)))
        self.console.print("\n  What things are called:")
        kinds = {slot.kind for verb in self.match.game.actions.verbs for slot in verb.slots}
        for kind in sorted(kinds & set(self.match.names)):
            known = ", ".join(name.slug for name in self.match.names[kind])
            self.console.print(Text.assemble("  ", (f"{kind.upper():<10}", "cyan"), f" {known}"))

    def _log(self, seat: int, rest: str) -> None:
        for events in self.match.events(seat):
            for event in events:
                self.console.print(Text(f"  {event.message.render(self.words)}"))

    def _rules(self, seat: int, rest: str) -> None:
        rules = list(read_rulebook(self.match.game.package, self.words.language).rules())
        found = [rule for rule in rules if rule.id == rest.upper()]
        for rule in found:
            self.console.print(Text.assemble("  ", (rule.id, "cyan"), f" {rule.text}"))
        if not found:
            self.console.print(Text(f"  say which: {', '.join(rule.id for rule in rules)}"))

    # Showing

    def _who(self, seat: int) -> str:
        return who(self.match, seat, self.words)

    def _gloss(self, actions: list[Action]) -> str:
        """To those who do not read English, what the verb means: of one action all, of several what it is for."""
        if self.words.language == ENGLISH:
            return ""
        if len(actions) == 1:
            return f"   {self.match.label(actions[0].id).render(self.words)}"
        verb, _ = self.match.game.actions.decode(actions[0].id)
        return f"   {self.words(verb.help)}"

    def _introduce(self) -> None:
        names = ", ".join(self._who(seat) for seat in self.mine)
        self.console.print(Text(f"\n{self.match.game.title}: {self.words(self.match.game.summary)}", "bold"))
        you = f"You are {names}. " if self.mine else ""
        self.console.print(Text(f"{you}Type what is listed, or ? for help.", "dim"))

    def _draw(self) -> None:
        viewer = self.mine[0] if len(self.mine) == 1 else None
        if len(self.mine) > 1 and self.match.waiting:
            viewer = next((seat for seat in self.match.waiting if seat in self.mine), self.mine[0])
        self.drawn = len(self.match.steps)
        self.console.print()
        self.console.print(self.match.game.ui.board(self.match.view(viewer), self.console.width))

    def _tell(self) -> None:
        """To one person all that the seat may know; to several at one screen only what is theirs who acted."""
        for step in self.match.steps[self.told :]:
            alone = self.mine[0] if len(self.mine) == 1 else None
            viewer = step.seat if len(self.mine) > 1 and step.seat in self.mine else alone
            for event in self.match.step_events(step, viewer):
                self.console.print(Text(f"  · {event.message.render(self.words)}", "italic"))
        self.told = len(self.match.steps)

    def _list(self, seat: int) -> None:
        self.console.print(Text(f"\n{self.match.prompt(seat).render(self.words)}", "bold"))
        by_verb: dict[str, list[Action]] = {}
        for action in self.match.legal(seat):
            by_verb.setdefault(action.verb, []).append(action)
        for verb, actions in by_verb.items():
            ways = ", ".join(action.text for action in actions)
            if len(actions) > FEW:
                usage = next(form.usage() for form in self.match.game.actions.verbs if form.name == verb)
                ways = f"{usage}   ({len(actions)} ways; ? {verb} lists them)"
            self.console.print(Text.assemble("  ", (ways, "cyan"), self._gloss(actions)))
        onward = self._onward(seat)
        if onward is not None:
            self.console.print(Text(f"  Enter: {onward}", "dim"))
        others = [f"{s}: {self._who(s)}" for s in self.mine if s != seat and self.match.legal_ids(s)]
        if others:
            self.console.print(Text(f"  Could interrupt: {', '.join(others)}", "dim"))
