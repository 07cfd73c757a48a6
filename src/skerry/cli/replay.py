"""``skerry replay``."""

from __future__ import annotations

import sys
from pathlib import Path

from rich.console import Console
from rich.text import Text

import skerry
from skerry.cli.compile_progress import compile_progress
from skerry.cli.files import read_text_file
from skerry.cli.output import print_json, seat_name
from skerry.engine.match import Match
from skerry.engine.messages import say

KEYS = "Enter: next step, b: back, a number: go to that step, e: the end, q: quit"


def replay_record(path: Path, verify: bool, json: bool) -> None:
    try:
        with compile_progress("the rules"):
            match = skerry.replay(read_text_file(path))
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
        print_json({"game": match.game.name, "options": match.variant.options, "standing": standing, "steps": steps})
    elif verify:
        print(f"{path}: {match.game.title}, {len(match.steps)} actions, {standing}: replays to the same state")
    elif sys.stdin.isatty():
        _step_through(match)
    else:
        _print_steps(match)


def _print_steps(match: Match) -> None:
    for number in range(1, len(match.steps) + 1):
        print(_step_line(match, number))


def _step_line(match: Match, number: int) -> str:
    """A step and its events in words."""
    step = match.steps[number - 1]
    events = "; ".join(str(event) for event in match.step_events(step, None))
    return f"{number:>4}  {seat_name(match, step.seat)}: {step.action}" + (f"  ·  {events}" if events else "")


def _step_through(match: Match) -> None:
    """Show the board after a step, and ask which step to show next."""
    console = Console(highlight=False)
    number, last = 0, len(match.steps)
    title = f"{match.game.title}: {', '.join(seat_name(match, seat) for seat in range(match.variant.players))}"
    while True:
        position = match.variant.new(match.seed)
        for step in match.steps[:number]:
            position.play(step.seat, step.action)
        console.clear()
        console.print(Text(title, "bold"))
        console.print(match.game.ui.board(position.view(None), console.width))
        if number:
            console.print(f"\n{_step_line(match, number)}")
        console.print(f"\n[dim]Step {number} of {last}. {KEYS}[/]")
        try:
            typed = input("> ").strip().lower()
        except (EOFError, KeyboardInterrupt):
            return
        if typed in ("q", "quit", "exit"):
            return
        if typed == "b":
            number = max(0, number - 1)
        elif typed.isdecimal() and len(typed) < 9:
            number = min(last, int(typed))
        elif typed == "e":
            number = last
        elif not typed:
            number = min(last, number + 1)
