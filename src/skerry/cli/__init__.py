"""The command line: ``skerry --help``."""

from __future__ import annotations

import io
import sys
from pathlib import Path
from typing import Annotated, Any

import typer

import skerry
from skerry.cli.options import GameName, Json, Options, read_pairs
from skerry.cli.output import Study, studying
from skerry.cli.train import app as train_app
from skerry.engine.errors import Refusal
from skerry.engine.messages import say
from skerry.games import all_games

app = typer.Typer(
    help="Board games by their rulebooks: play them, watch them, simulate a million of them.",
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode="markdown",
    pretty_exceptions_enable=False,
)
app.add_typer(train_app, name="train")


def main() -> None:
    """Run a command. What cannot be done is said in one line, and the exit status is 2."""
    for game in all_games():
        if game.command_name:
            app.add_typer(game.command_group, name=game.command_name)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")  # a terminal without our signs shows others, not a traceback
    try:
        app()
    except Refusal as refusal:
        print(f"skerry: {refusal}", file=sys.stderr)
        raise SystemExit(2) from None
    except BrokenPipeError:  # the reader of our output has gone
        raise SystemExit(1) from None
    except OSError as error:
        print(f"skerry: {error}", file=sys.stderr)
        raise SystemExit(1) from None


def read_file(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is not text"
        raise Refusal(say("cannot read {path}: {reason}", path=str(path), reason=reason)) from None


def _version(wanted: bool) -> None:
    if wanted:
        print(f"skerry {skerry.__version__}")
        raise typer.Exit


@app.callback()
def _skerry(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version.")
    ] = False,
) -> None:
    pass


@app.command()
def games(json: Json = False) -> None:
    """List the games, their options and their bots."""
    from skerry.cli.games import list_games

    list_games(json)


@app.command()
def rules(
    game: GameName,
    rule: Annotated[str | None, typer.Argument(metavar="RULE", help="One rule's id, such as FI-12.")] = None,
    lang: Annotated[str, typer.Option(help="en, es or pt.")] = "en",
    json: Json = False,
) -> None:
    """Print a game's rulebook, with the rules' ids in the margin."""
    from skerry.cli.games import print_rules

    print_rules(game, rule, lang, json)


@app.command()
def play(
    game: Annotated[
        str | None,
        typer.Argument(metavar="GAME", help="A game's name; if there are several and you name none, you are asked."),
    ] = None,
    option: Options = None,
    seats: Annotated[
        str | None, typer.Option(metavar="WHO,WHO,…", help="Who sits where: me, or a bot's name, for each seat.")
    ] = None,
    seed: Annotated[
        int | None, typer.Option(help="The number all chance comes from; the same number, the same cards.")
    ] = None,
    record: Annotated[
        Path | None, typer.Option(help="Keep the record in this new file, not in your data folder.")
    ] = None,
    resume: Annotated[
        bool, typer.Option("--resume", help="Go on with your last unfinished game, or with the one in --record.")
    ] = False,
    lang: Annotated[str, typer.Option(help="What the game says is said in en, es or pt.")] = "en",
) -> None:
    """Play in the terminal, alone at all seats or with bots."""
    from skerry.cli.play import play_game

    play_game(game, read_pairs(option), seats, seed, record, resume, lang)


@app.command()
def serve(
    host: Annotated[
        str, typer.Option(help="The address to listen at; 0.0.0.0 for all of this machine's.")
    ] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=0, max=65535, help="0 takes any free one.")] = 8000,
    database: Annotated[
        str,
        typer.Option(envvar="SKERRY_DATABASE", help="sqlite:///FILE or postgresql://…; a file of yours by default."),
    ] = "",
    redis: Annotated[
        str, typer.Option(envvar="SKERRY_REDIS", help="redis://…, if several processes serve one database.")
    ] = "",
    origin: Annotated[
        list[str] | None,
        typer.Option(help="Another origin that pages may come from, such as https://play.example.org."),
    ] = None,
    https: Annotated[bool, typer.Option("--https", help="Behind a proxy that speaks https: secure cookies.")] = False,
    pace: Annotated[float, typer.Option(min=0, help="Seconds between two steps of bots while people watch.")] = 0.5,
    browse: Annotated[bool, typer.Option("--open", help="Open the lobby in your browser.")] = False,
    verbose: Annotated[bool, typer.Option("--verbose", help="Log every request, as JSON lines.")] = False,
) -> None:
    """Serve the table: play in the browser, with friends and with bots."""
    from skerry.cli.serve import serve_table

    serve_table(host, port, database, redis, tuple(origin or ()), https, pace, browse, verbose)


@app.command()
@studying
def simulate(
    game: GameName,
    games: Annotated[
        int | None,
        typer.Option(min=1, help="How many games, in a sweep for each combination: 100,000, or 100 with experts."),
    ] = None,
    seats: Annotated[
        str | None,
        typer.Option(
            metavar="BOT,BOT,…",
            help="A bot for each seat, or one for all; random by default. Where a sweep has more players, the last one "
            "goes on.",
        ),
    ] = None,
    *,
    study: Study,
) -> None:
    """Play many games between bots and count what came of them.

    Example: `skerry simulate forbidden-island --seats skilled --sweep difficulty=all --sweep players=2,3,4
    --report island.html`
    """
    from skerry.cli.simulate import simulate_games

    simulate_games(game, games, seats, study)


@app.command()
@studying
def tournament(
    game: GameName,
    bots: Annotated[
        str, typer.Option(metavar="BOT,BOT,…", help="Who takes part; all bots of the game by default.")
    ] = "all",
    games: Annotated[
        int | None,
        typer.Option(
            min=1,
            help="How many games one bot plays beside another, at all seats together: 10,000, or 30 with experts.",
        ),
    ] = None,
    *,
    study: Study,
) -> None:
    """Let bots meet: each beside each other, at every seat, in the same set-ups.

    Where all win together, the table says how well one bot does in a team of others.
    """
    from skerry.cli.tournament import play_tournament

    play_tournament(game, games, bots, study)


@app.command()
def replay(
    file: Annotated[Path, typer.Argument(help="A record.")],
    verify: Annotated[bool, typer.Option("--verify", help="Only check that it replays as it was written.")] = False,
    json: Json = False,
) -> None:
    """Step through a record, or check it."""
    from skerry.cli.replay import replay_record

    replay_record(file, verify, json)


@app.command()
def advise(
    file: Annotated[Path, typer.Argument(help="A record, finished or not.")],
    move: Annotated[int | None, typer.Option(min=0, help="After so many steps; at its end by default.")] = None,
    seat: Annotated[int | None, typer.Option(min=0, help="For this seat; whose decision it is by default.")] = None,
    seconds: Annotated[float, typer.Option(min=0.0, help="How long to think.")] = 2.0,
    rollouts: Annotated[int, typer.Option(min=0, help="Imagine about so many games instead: the same every time.")] = 0,
    lang: Annotated[str, typer.Option(help="What the game says is said in en, es or pt.")] = "en",
    json: Json = False,
) -> None:
    """Say what the expert would do in a game, and how good everything else is."""
    from skerry.cli.advise import advise_on

    advise_on(file, move, seat, seconds, rollouts, lang, json)


@app.command()
def bench(
    game: Annotated[str | None, typer.Argument(metavar="GAME", help="One game; all by default.")] = None,
    seconds: Annotated[float, typer.Option(min=0.1, help="How long each measurement takes, about.")] = 2.0,
    json: Json = False,
) -> None:
    """Measure random play: actions and games a second, one core and all, compiled and interpreted."""
    from skerry.cli.bench import bench_games

    bench_games(game, seconds, json)


def dump(data: Any) -> None:
    """Print data as JSON."""
    import json

    print(json.dumps(data, ensure_ascii=False, indent=2))
