"""``skerry board``: check, show, make and solve boards of Hashi."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.progress import track
from rich.text import Text

from skerry.engine.errors import BadRecord, Refusal
from skerry.engine.game_record import read_record
from skerry.engine.messages import say
from skerry.games.hashi.rules.board import Board
from skerry.games.hashi.rules.options import SIDES, board_of, read_board_file

HELP = """Boards of Hashi: check, show, make and solve them.

A board is a text: islands are o, r with a red flag, b with a blue flag; lines between them are drawn with - and |,
crossings with +, and water is a space or a dot. Lines that begin with # are not read."""

app = typer.Typer(name="board", help=HELP, no_args_is_help=True)

Which = Annotated[str, typer.Argument(metavar="BOARD", help="A, B, or a file with a drawing.")]
Effort = Annotated[float, typer.Option(min=0.1, help="How hard to think about each score; about seconds.")]


def read_which(which: str) -> Board:
    return board_of(which.upper()) if which.upper() in SIDES else read_board_file(Path(which))


@app.command()
def check(
    which: Which,
    effort: Annotated[float, typer.Option(min=0, help="How hard to look for a perfect game; 0 does not look.")] = 60,
) -> None:
    """Say whether a drawing is a board, and whether a perfect game is possible on it."""
    console = Console(highlight=False)
    board = read_which(which)
    console.print(
        f"A board with {len(board.islands)} islands, {len(board.lines)} lines, {len(board.crossings)} crossings."
    )
    if not effort:
        return
    from skerry.games.hashi.puzzles.solver import NoSolver, perfect

    try:
        best = perfect(board, effort)
    except NoSolver as refusal:
        console.print(Text(f"Not looked for a perfect game: {refusal}", "yellow"))
        return
    if best is None:
        console.print(Text("Warning: no perfect game (60 points) was found.", "yellow"))
        return
    island, number = best.start
    cards = " ".join(f"{n}x{bridges}" for n, bridges in (turn.card for turn in best.plan))
    console.print(f"60 points are possible: start {number} on {board.islands[island].name}, cards {cards}")


@app.command()
def show(
    which: Which,
    svg: Annotated[Path | None, typer.Option(help="Write a picture to this file too.")] = None,
) -> None:
    """Draw a board in the terminal."""
    board = read_which(which)
    _draw(Console(highlight=False), board)
    if svg is not None:
        from skerry.games.hashi.ui.svg import draw_svg

        svg.write_text(draw_svg(board, f"Hashi: {which}"), encoding="utf-8")


def _draw(console: Console, board: Board) -> None:
    from skerry.games.hashi import GAME
    from skerry.games.hashi.ui.terminal import empty_board

    match = GAME.configure({"players": 1, "board": board}).new(seed=0)
    console.print(empty_board(match.view(None)))


@app.command()
def make(
    seed: Annotated[int, typer.Option(min=0, help="Another seed, another board.")],
    output: Annotated[Path | None, typer.Option(help="Write the drawing to this file too.")] = None,
) -> None:
    """Make a new board on which a perfect game is possible, and say how hard it is."""
    from skerry.games.hashi.puzzles.generator import make as make_board

    console = Console(highlight=False)
    made = make_board(seed)
    _draw(console, made.board)
    hard = made.hardness
    console.print(f"{hard.word.capitalize()}: the skilled bot scores {hard.points} on it. Drawing number {made.tries}.")
    if output is not None:
        rows = "\n".join(made.board.picture(4, 2))
        output.write_text(f"# Made with seed {seed}: {hard.word}\n{rows}\n", encoding="utf-8")


@app.command()
def best(
    record: Annotated[Path, typer.Argument(help="The record of a solo game that is over.")],
    effort: Effort = 20,
) -> None:
    """Say what would have been possible in a solo game."""
    from skerry.games.hashi import GAME

    text = _text(record)
    if f"game {GAME.name} " not in text:
        raise BadRecord("this is not the record of a game of Hashi")
    match = read_record(text, lambda name: GAME)
    if match.variant.players != 1 or match.result is None:
        raise BadRecord("this is not the record of a solo game that is over")
    from skerry.games.hashi.puzzles.solver import solve_match

    found = solve_match(match, effort)
    range_ = f"{found.points}" if found.exact else f"between {found.points} and {found.bound}"
    print(f"You scored {match.result.scores[0]:.0f}; the best possible was {range_}.")


@app.command()
def orders(
    which: Which,
    count: Annotated[int, typer.Option(min=1, help="How many random orders of cards.")] = 200,
    effort: Effort = 20,
    cores: Annotated[int | None, typer.Option(min=1, help="Use so many cores; all by default.")] = None,
    kept: Annotated[
        Path | None, typer.Option("--keep", help="A file of the orders solved so far; a run goes on from there.")
    ] = None,
) -> None:
    """The best possible solo scores over random starts and orders of cards; a few seconds an order."""
    from skerry.games.hashi.puzzles.orders import histogram, keep, kept_in, solve_orders

    board = read_which(which)
    results = {number: best for number, best in (kept_in(kept, board) if kept else {}).items() if number < count}
    missing = [number for number in range(count) if number not in results]
    solved = solve_orders(board, missing, effort, cores)
    try:
        for number, best in track(solved, "Solving", len(missing), console=Console(stderr=True)):
            results[number] = best
            if kept:
                keep(kept, board, number, best)
    except KeyboardInterrupt:  # what is known so far is printed
        pass
    if results:
        print("\n".join(histogram(results)))


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError):
        raise Refusal(say("cannot read {path}", path=str(path))) from None
