"""``skerry replay``."""

from __future__ import annotations

import sys
from pathlib import Path

from rich.console import Console
from rich.text import Text

import skerry
from skerry.cli import dump, read_file
from skerry.engine.match import Match
from skerry.engine.messages import Translate, say

HELP = "Enter: next step, b: back, a number: that step, e: the end, q: quit"


def replay_record(path: Path, verify: bool, json: bool) -> None:
    try:
        match = skerry.replay(read_file(path))
    except skerry.BadRecord as refusal:
        raise skerry.BadRecord(
            say("cannot replay {path}: {reason}", path=str(path), reason=refusal.message), refusal.rule
        ) from None
    standing = match.result.reason if match.result else "running"
    if json:
        steps = [
            {"seat": step.seat, "action": step.action.text, "events": [event.as_dict() for event in events]}
            for step, events in zip(match.steps, match.events(None), strict=True)
        ]
        dump({"game": match.game.name, "options": match.variant.options, "standing": standing, "steps": steps})
    elif verify:
        print(f"{path}: {match.game.title}, {len(match.steps)} actions, {standing}: replays to the same state")
    elif sys.stdin.isatty():
        _walk(match)
    else:
        _tell(match)


def _tell(match: Match) -> None:
    """The whole record in words."""
    for number in range(1, len(match.steps) + 1):
        print(_line(match, number))


def _line(match: Match, number: int) -> str:
    step = match.steps[number - 1]
    told = "; ".join(str(event) for event in match.step_events(step, None))
    return f"{number:>4}  {who(match, step.seat)}: {step.action}" + (f"  ·  {told}" if told else "")


def who(match: Match, seat: int, translate: Translate = str) -> str:
    """A seat as people call it: by its pawn, colour or pen, and by who sits there."""
    name = match.names[match.game.seat_kind][seat].title.render(translate)
    return f"{name} ({match.seats[seat]})" if match.seats[seat] else name


def _walk(match: Match) -> None:
    console = Console(highlight=False)
    at, last = 0, len(match.steps)
    title = f"{match.game.title}: {', '.join(who(match, seat) for seat in range(match.variant.players))}"
    while True:
        view = match.variant.new(match.seed)
        for step in match.steps[:at]:
            view.play(step.seat, step.action)
        console.clear()
        console.print(Text(title, "bold"))
        console.print(match.game.ui.board(view.view(None), console.width))
        if at:
            console.print(f"\n{_line(match, at)}")
        console.print(f"\n[dim]Step {at} of {last}. {HELP}[/]")
        try:
            said = input("> ").strip().lower()
        except (EOFError, KeyboardInterrupt):
            return
        if said in ("q", "quit", "exit"):
            return
        if said == "b":
            at = max(0, at - 1)
        elif said.isdecimal() and len(said) < 9:
            at = min(last, int(said))
        elif said == "e":
            at = last
        elif not said:
            at = min(last, at + 1)
