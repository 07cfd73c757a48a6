"""``skerry play``: choose or resume a match, and play it in the terminal."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from rich.console import Console

from skerry import bots
from skerry.cli import autosave
from skerry.cli.compile_progress import compile_progress, rules_kernels
from skerry.cli.seating import read_seating
from skerry.cli.terminal import HUMAN, TerminalGame
from skerry.engine.errors import BadOption, Refusal
from skerry.engine.game import Game
from skerry.engine.i18n.translations import check_language, translations
from skerry.engine.match import Match
from skerry.engine.messages import say
from skerry.games import all_games, find_game


def play_game(
    name: str | None,
    options: dict[str, str],
    seats: str | None,
    seed: int | None,
    record: Path | None,
    resume: bool,
    language: str,
    own_bots: Sequence[str] = (),
) -> None:
    console = Console(highlight=False)
    check_language(language)
    if resume:
        if options or seats or seed is not None:
            raise BadOption("--resume continues a game with its own options, seats and seed; do not give any")
        game = find_game(name) if name else None
        with compile_progress(game.title if game else "the rules", rules_kernels(game) if game else ()):
            path, match = autosave.find_unfinished(game, record)
    else:
        game = find_game(name or _ask_for_game(console))
        with compile_progress(game.title, [game.rules.setup]):
            match = _new_match(game, options, seats, seed, own_bots)
        path = autosave.new_file(match.game, record)
    translate = translations(language, *match.game.packages, "skerry.engine.i18n")
    TerminalGame(match, path, console, translate).run()


def _new_match(
    game: Game, options: dict[str, str], seats: str | None, seed: int | None, own_bots: Sequence[str]
) -> Match:
    """By default the human is at seat 0 and begins, and one's own bot or the game's default bot has the other seats."""
    variant, names = read_seating(game.name, seats, options, HUMAN)
    opponent = next(iter((*own_bots, *game.bots)), None)
    if not seats and opponent:
        names = (HUMAN,) + (opponent,) * (variant.players - 1)
        if "first" not in options and any(option.name == "first" for option in game.options):
            variant = game.configure({**options, "first": 0})
    for bot in set(names) - {HUMAN}:
        bots.find(game, bot)
    return variant.new(seed, names)


def _ask_for_game(console: Console) -> str:
    games = all_games()
    if len(games) == 1:
        return games[0].name
    for number, game in enumerate(games, 1):
        console.print(f"{number}  [bold]{game.title}[/]: {game.summary}")
    try:
        typed = input("Which game? ").strip().lower()
    except EOFError:
        raise Refusal(say("name a game: {known}", known=", ".join(game.name for game in games))) from None
    return games[int(typed) - 1].name if typed in map(str, range(1, len(games) + 1)) else typed
