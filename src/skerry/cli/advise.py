"""``skerry advise``."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from rich.console import Console
from rich.table import Table
from rich.text import Text

import skerry
from skerry import bots
from skerry.bots import EXPERT
from skerry.bots.advice import Advice, advise
from skerry.bots.expert import Expert
from skerry.cli.compile_progress import bot_kernels, compile_progress
from skerry.cli.files import read_text_file
from skerry.cli.output import print_json, seat_name
from skerry.engine.errors import BadOption, Refusal
from skerry.engine.i18n.translations import Translations, check_language, translations
from skerry.engine.match import Match
from skerry.engine.messages import say

PASSES = "–"  # a bot that does not interrupt
BAR_WIDTH = 20  # characters
EXPLANATION = (
    "The intervals account for the chance in simulated games only, not for how well these are played and evaluated. "
    "Actions with fewer games were discarded earlier."
)
TEXTS = (EXPLANATION, "action", "wins", "score", "games")


def advise_on(
    path: Path,
    move: int | None,
    seat: int | None,
    seconds: float,
    rollouts: int,
    language: str,
    json: bool,
    own_bots: Sequence[str] = (),
) -> None:
    check_language(language)
    with compile_progress("the rules"):
        match = _position_after(skerry.replay(read_text_file(path)), move)
    if seat is None:
        if not match.waiting:
            raise Refusal("the game is over; choose an earlier position with --move, such as --move 0 for the start")
        seat = match.waiting[0]
    match.check_seat(seat)
    expert = Expert.of(match.game)
    expert = replace(expert, rollouts=rollouts) if rollouts else expert.with_time_limit(seconds)
    with compile_progress(match.game.title, bot_kernels(match.game, [EXPERT])):
        advice = advise(match, seat, expert)
    translate = translations(language, *match.game.packages, "skerry.engine.i18n")
    chosen = {name: chosen_action(match, seat, name) for name in own_bots}
    if json:
        print_json(as_data(match, advice, translate) | ({"bots": chosen} if chosen else {}))
    else:
        console = Console(highlight=False)
        _print_advice(match, advice, translate, console)
        for name, action in chosen.items():
            console.print(Text(f"{name}: {action or PASSES}"))


def chosen_action(match: Match, seat: int, name: str) -> str | None:
    """The action of a bot in the notation, or None if it passes."""
    bot = bots.find(match.game, name)
    if seat in match.waiting:
        return match.action(bot.choose(match, seat, seed=0)).text
    action = bot.interrupt(match, seat, seed=0)
    return None if action is None else match.action(action).text


def _position_after(match: Match, move: int | None) -> Match:
    """The match after ``move`` steps; as it is, if ``move`` is None."""
    if move is None:
        return match
    if not 0 <= move <= len(match.steps):
        raise BadOption(say("the record has {last} steps; there is no step {move}", last=len(match.steps), move=move))
    earlier = match.variant.new(match.seed, match.seats)
    for step in match.steps[:move]:
        earlier.apply(step)
    return earlier


def as_data(match: Match, advice: Advice, translate: Translations) -> dict[str, object]:
    return {
        "seat": advice.seat,
        "seq": len(match.steps),
        "unit": advice.unit,
        "wait": advice.wait,
        "actions": [
            {
                "action": match.action(one.action).text,
                "label": match.label(one.action).render(translate),
                "value": round(one.value, 4),
                "low": round(one.low, 4),
                "high": round(one.high, 4),
                "games": one.games,
                "why": one.why.render(translate),
            }
            for one in advice.actions
        ],
    }


def _print_advice(match: Match, advice: Advice, translate: Translations, console: Console) -> None:
    title, step, name = match.game.title, len(match.steps), seat_name(match, advice.seat, translate)
    console.print(Text(say("{title}, step {step}: {who}", title=title, step=step, who=name).render(translate), "bold"))
    best = advice.actions[0]
    console.print(Text(f"{match.label(best.action).render(translate)}: {best.why.phrase(translate)}\n"))
    console.print(_table(match, advice, translate))
    console.print(Text(f"\n{say(EXPLANATION).render(translate)}", "dim"))


def _table(match: Match, advice: Advice, translate: Translations) -> Table:
    chance = advice.unit == "chance"
    table = Table(box=None, padding=(0, 2, 0, 0), header_style="dim")
    table.add_column(translate("action"))
    table.add_column(translate("wins") if chance else translate("score"), justify="right")
    table.add_column("")
    table.add_column("95 %")
    table.add_column(translate("games"), justify="right")
    top = 1.0 if chance else max(one.value for one in advice.actions) or 1.0
    for number, one in enumerate(advice.actions):
        bar = "█" * round(BAR_WIDTH * max(0.0, one.value) / top)
        value, low, high = (f"{each:.1%}" if chance else f"{each:.1f}" for each in (one.value, one.low, one.high))
        spread = say("{low} to {high}", low=low, high=high).phrase(translate)
        table.add_row(
            match.action(one.action).text, value, Text(bar, "green" if number == 0 else "dim"), spread, f"{one.games:,}"
        )
    return table
