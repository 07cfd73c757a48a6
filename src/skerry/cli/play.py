"""``skerry play``: a match in the terminal."""

from __future__ import annotations

import contextlib
import os
import secrets
from pathlib import Path

from rich.console import Console
from rich.text import Text

import skerry
from skerry import bots
from skerry.cli import read_file
from skerry.cli.simulate import read_seats
from skerry.engine.game import Game
from skerry.engine.match import Match
from skerry.engine.notation import Action
from skerry.engine.refusal import Refusal, say
from skerry.engine.rulebook import read_rulebook
from skerry.games import every, find

ME = "me"
FEW = 12  # so many actions of one verb are listed in full
COMMANDS = {
    "?": "this help;  ? VERB lists all its ways;  ? ACTION says why it is not allowed",
    "N: ACTION": "act for seat N, for instance to play a special card on another's turn",
    "Enter": "take the only choice there is, or let a bot go on",
    "go": "let the bots go on without asking until you must decide",
    "undo": "take the last step back",
    "board": "draw the board again",
    "log": "what has happened so far",
    "rules ID": "what a rule says, such as: rules FI-12",
    "quit": "stop; `skerry play GAME --resume` goes on",
}


def play_game(
    name: str | None, options: dict[str, str], seats: str | None, seed: int | None, record: Path | None, resume: bool
) -> None:
    console = Console(highlight=False)
    game = find(name or _ask_game(console))
    path = record or _kept(game)
    if resume:
        match = skerry.replay(read_file(path))
    else:
        variant, who = read_seats(game.name, seats, options, ME)
        if not seats and game.bots:
            who = (ME,) + (game.bots[0],) * (variant.players - 1)
        for bot in set(who) - {ME}:
            bots.find(game, bot)
        match = variant.new(seed, who)
    Terminal(match, path, console).run()


def _ask_game(console: Console) -> str:
    known = every()
    if len(known) == 1:
        return known[0].name
    for number, game in enumerate(known, 1):
        console.print(f"{number}  [bold]{game.title}[/]: {game.summary}")
    try:
        said = input("Which game? ").strip().lower()
    except EOFError:
        raise Refusal(say("name a game: {known}", known=", ".join(game.name for game in known))) from None
    return known[int(said) - 1].name if said in map(str, range(1, len(known) + 1)) else said


def _kept(game: Game) -> Path:
    base = os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share"
    return Path(base) / "skerry" / f"{game.name}.txt"


class Terminal:
    """One person, some bots, one match."""

    def __init__(self, match: Match, path: Path, console: Console) -> None:
        self.match = match
        self.path = path
        self.console = console
        self.mine = [seat for seat, who in enumerate(match.seats) if who in (ME, "")]
        self.going = False  # bots go on without asking
        self.told = len(match.steps)  # steps the player has been told of
        self.drawn = -1  # steps there were when the board was last drawn

    def run(self) -> None:
        if self.match.waiting:  # a bot's kernels are compiled before the first move, not in the middle of the game
            for name in set(self.match.seats) - {ME, ""}:
                bots.find(self.match.game, name).choose(self.match, self.match.waiting[0], counter=0)
        self._draw()
        self.console.print("\n[dim]Type an action as listed, or ? for help.[/]")
        try:
            while self.match.result is None:
                self._turn()
        except (EOFError, KeyboardInterrupt):
            self.console.print(Text(f"\nThe game is kept in {self.path}; the same command with --resume goes on."))
            return
        self._draw()
        self.console.print(Text.assemble("\n", (str(self.match.prompt()), "bold"), f"  The record is in {self.path}"))

    # Whose decision it is

    def _turn(self) -> None:
        """One decision. A forced step goes by itself if nobody could interrupt; a bot waits for you if you could."""
        seat = self.match.waiting[0]
        only = self._only_choice()
        if only is not None:
            self._play(seat, only)
        elif seat in self.mine:
            self.going = False
            self._ask(seat)
        elif self.going or not self._may_interrupt():
            self._bot(seat)
        else:
            self._ask_before_bot(seat)

    def _only_choice(self) -> Action | None:
        choices = [action for seat in range(self.match.variant.players) for action in self.match.legal(seat)]
        return choices[0] if len(choices) == 1 and self.match.waiting else None

    def _may_interrupt(self) -> bool:
        return any(self.match.legal_ids(seat) for seat in self.mine)

    def _bot(self, seat: int) -> None:
        bot = bots.find(self.match.game, self.match.seats[seat])
        self._play(seat, self.match.action(bot.choose(self.match, seat, secrets.randbits(64))))

    def _play(self, seat: int, action: Action | str) -> None:
        self.match.play(seat, action)
        self._keep()
        self._tell()

    def _keep(self) -> None:
        """The record is written anew after every step: a crash loses nothing."""
        with contextlib.suppress(OSError):  # a read-only home is no reason to stop a game
            self.path.parent.mkdir(parents=True, exist_ok=True)
            draft = self.path.with_suffix(".new")
            draft.write_text(self.match.record(), encoding="utf-8")
            draft.replace(self.path)

    # Talking to the person

    def _ask(self, seat: int) -> None:
        if self.drawn != len(self.match.steps):
            self._draw()
        self._list(seat)
        self._hear(seat, input(f"{self._who(seat)}> "))

    def _ask_before_bot(self, seat: int) -> None:
        prompt = f"[Enter] lets {self._who(seat)} go on; go, ? or N: ACTION> "
        said = input(prompt).strip()
        if said:
            self._hear(self.mine[0], said)
        else:
            self._bot(seat)

    def _hear(self, seat: int, said: str) -> None:
        word, _, rest = said.strip().partition(" ")
        commands = {"?": self._help, "help": self._help, "log": self._log, "rules": self._rules, "undo": self._undo}
        try:
            if word in ("quit", "exit"):
                raise EOFError
            if word == "go":
                self.going = True
            elif word == "board":
                self._draw()
            elif word in commands:
                commands[word](seat, rest)
            else:
                self._act(seat, said)
        except Refusal as refusal:
            self.console.print(Text(str(refusal), "yellow" if isinstance(refusal, skerry.Unreadable) else "red"))

    def _act(self, seat: int, said: str) -> None:
        number, colon, rest = said.partition(":")
        if colon and number.strip().isdecimal() and len(number) < 9:
            seat, said = int(number), rest
            if seat not in self.mine:
                raise skerry.UnknownSeat(say("seat {seat} is not yours", seat=seat))
        if not said.strip():
            choices = self.match.legal(seat)
            if len(choices) != 1:
                return
            said = choices[0].text
        self._play(seat, said)

    def _undo(self, seat: int, rest: str) -> None:
        last = self.match.steps[-1].seat if self.match.steps else seat
        undone = self.match.undo(last if last in self.mine else seat)
        self.told = len(self.match.steps)
        self._keep()
        self._draw()
        self.console.print(Text(f"Taken back: {undone}"))

    def _help(self, seat: int, rest: str) -> None:
        verbs = self.match.game.actions.verbs
        if not rest:
            for command, meaning in COMMANDS.items():
                self.console.print(f"  [green]{command:<10}[/] {meaning}")
            self.console.print("\n  What can be done in this game:")
            for verb in verbs:
                self.console.print(Text.assemble("  ", (f"{verb.usage():<28}", "cyan"), verb.help))
            return
        ways = [action.text for action in self.match.legal(seat) if action.verb == rest.lower()]
        if ways:
            self.console.print(Text("  " + ", ".join(ways)))
            return
        reason = self.match.explain(seat, rest)
        self.console.print(Text(f"  {reason}" if reason else f"  {self.match.action(rest)} is allowed now"))

    def _log(self, seat: int, rest: str) -> None:
        for events in self.match.events(seat):
            for event in events:
                self.console.print(Text(f"  {event}"))

    def _rules(self, seat: int, rest: str) -> None:
        found = [rule for rule in read_rulebook(self.match.game.package, "en").rules() if rule.id == rest.upper()]
        for rule in found:
            self.console.print(f"  [cyan]{rule.id}[/] {rule.text}")
        if not found:
            self.console.print(f"  skerry rules {self.match.game.name} prints them all")

    # Showing

    def _who(self, seat: int) -> str:
        """A seat as people call it: its number and, where the game names its pawns, the name."""
        pawns = self.match.names.get("pawn", ())
        return f"{seat} {pawns[seat].title}" if seat < len(pawns) else f"seat {seat}"

    def _draw(self) -> None:
        viewer = self.mine[0] if len(self.mine) == 1 else None
        if len(self.mine) > 1 and self.match.waiting:
            viewer = next((seat for seat in self.match.waiting if seat in self.mine), self.mine[0])
        self.drawn = len(self.match.steps)
        self.console.print()
        self.console.print(self.match.game.face.board(self.match.view(viewer), self.console.width))

    def _tell(self) -> None:
        viewer = self.mine[0] if self.mine else None
        for events in self.match.events(viewer, since=self.told):
            for event in events:
                self.console.print(Text(f"  · {event}", "italic"))
        self.told = len(self.match.steps)

    def _list(self, seat: int) -> None:
        self.console.print(f"\n[bold]{self.match.prompt(seat)}[/]")
        by_verb: dict[str, list[Action]] = {}
        for action in self.match.legal(seat):
            by_verb.setdefault(action.verb, []).append(action)
        for verb, actions in by_verb.items():
            ways = ", ".join(action.text for action in actions)
            if len(actions) > FEW:
                usage = next(form.usage() for form in self.match.game.actions.verbs if form.name == verb)
                ways = f"{usage}   ({len(actions)} ways; ? {verb} lists them)"
            self.console.print(Text(f"  {ways}", "cyan"))
        others = [self._who(s) for s in self.mine if s != seat and self.match.legal_ids(s)]
        if others:
            self.console.print(f"  [dim]Could interrupt (N: ACTION): {', '.join(others)}[/]")
