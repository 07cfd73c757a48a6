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
crossings with +, and water is a space or a dot. Lines that begin with # are ignored."""

app = typer.Typer(name="board", help=HELP, no_args_is_help=True)

Which = Annotated[str, typer.Argument(metavar="BOARD", help="A, B, or a file with a drawing.")]
Effort = Annotated[float, typer.Option(min=0.1, help="Solver effort for each score, roughly in seconds.")]


def read_board_argument(which: str) -> Board:
    """The board that a command-line argument names."""
    return board_of(which.upper()) if which.upper() in SIDES else read_board_file(Path(which))


@app.command()
def check(
    which: Which,
    effort: Annotated[
        float,
        typer.Option(
            min=0, help="Solver effort for finding a perfect game, roughly in seconds; 0 does not look for one."
        ),
    ] = 60,
) -> None:
    """Check that a drawing is a valid board, and whether a perfect game is possible on it."""
    console = Console(highlight=False)
    board = read_board_argument(which)
    console.print(
        f"A board with {len(board.islands)} islands, {len(board.lines)} lines, {len(board.crossings)} crossings."
    )
    if not effort:
        return
    from skerry.games.hashi.puzzles.solver import SolverMissing, find_perfect_game

    try:
        solution = find_perfect_game(board, effort)
    except SolverMissing as refusal:
        console.print(Text(f"Not looked for a perfect game: {refusal}", "yellow"))
        return
    if solution is None:
        console.print(Text("Warning: no perfect game (60 points) was found.", "yellow"))
        return
    island, number = solution.start
    cards = " ".join(f"{n}x{bridges}" for n, bridges in (turn.card for turn in solution.plan))
    console.print(f"60 points are possible: start {number} on {board.islands[island].name}, cards {cards}")


@app.command()
def show(
    which: Which,
    svg: Annotated[Path | None, typer.Option(help="Also write a picture to this file.")] = None,
) -> None:
    """Draw a board in the terminal."""
    board = read_board_argument(which)
    _draw(Console(highlight=False), board)
    if svg is not None:
        from skerry.games.hashi.ui.svg import draw_svg

        svg.write_text(draw_svg(board, f"Hashi: {which}"), encoding="utf-8")


def _draw(console: Console, board: Board) -> None:
    from skerry.games.hashi.ui.terminal import empty_board

    console.print(empty_board(board))


@app.command()
def make(
    seed: Annotated[int, typer.Option(min=0, help="The random seed; each gives another board.")],
    output: Annotated[Path | None, typer.Option(help="Also write the drawing to this file.")] = None,
) -> None:
    """Generate a board on which a perfect game is possible, and print its difficulty."""
    from skerry.games.hashi.puzzles.generator import generate_board

    console = Console(highlight=False)
    generated = generate_board(seed)
    _draw(console, generated.board)
    difficulty = generated.difficulty
    level, points = difficulty.level, difficulty.points
    console.print(f"{level.capitalize()}: the skilled bot scores {points} on it. Drawing number {generated.tries}.")
    if output is not None:
        rows = "\n".join(generated.board.picture(4, 2))
        output.write_text(f"# Made with seed {seed}: {level}\n{rows}\n", encoding="utf-8")


@app.command()
def best(
    record: Annotated[Path, typer.Argument(help="The record of a finished solo game.")],
    effort: Effort = 20,
) -> None:
    """Find the best score that was possible in a solo game."""
    from skerry.games.hashi import GAME

    text = _read_text(record)
    if f"game {GAME.name} " not in text:
        raise BadRecord("this is not the record of a game of Hashi")
    match = read_record(text, lambda name: GAME)
    if match.variant.players != 1 or match.result is None:
        raise BadRecord("this is not the record of a solo game that is over")
    from skerry.games.hashi.puzzles.solver import solve_match

    solution = solve_match(match, effort)
    range_ = f"{solution.points}" if solution.exact else f"between {solution.points} and {solution.bound}"
    print(f"You scored {match.result.scores[0]:.0f}; the best possible was {range_}.")


@app.command()
def orders(
    which: Which,
    count: Annotated[int, typer.Option(min=1, help="How many random orders of cards.")] = 200,
    effort: Effort = 20,
    cores: Annotated[int | None, typer.Option(min=1, help="Number of cores; all by default.")] = None,
    kept: Annotated[
        Path | None, typer.Option("--keep", help="A file for the results; orders that are in it are not solved again.")
    ] = None,
) -> None:
    """Find the best possible solo scores for random starts and orders of cards. Takes a few seconds for each."""
    from skerry.games.hashi.puzzles.orders import append_result, histogram, read_results, solve_orders

    board = read_board_argument(which)
    earlier = read_results(kept, board) if kept else {}
    results = {number: solution for number, solution in earlier.items() if number < count}
    missing = [number for number in range(count) if number not in results]
    solved = solve_orders(board, missing, effort, cores)
    try:
        for number, solution in track(solved, "Solving", len(missing), console=Console(stderr=True)):
            results[number] = solution
            if kept:
                append_result(kept, board, number, solution)
    except KeyboardInterrupt:  # print the results so far
        pass
    if results:
        print("\n".join(histogram(results)))


def _read_text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError):
        raise Refusal(say("cannot read {path}", path=str(path))) from None
