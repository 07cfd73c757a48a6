"""The command line: ``skerry --help``."""

from __future__ import annotations

import io
import sys
from pathlib import Path
from typing import Annotated

import typer

import skerry
from skerry.cli.admin import app as admin_app
from skerry.cli.interrupt import Commands, handle_ctrl_c
from skerry.cli.options import CustomBots, DatabaseUrl, GameName, Json, Language, Options, read_options, register_bots
from skerry.cli.simulation_options import SimulationOptions, with_simulation_options
from skerry.cli.train import app as train_app
from skerry.engine.errors import Refusal
from skerry.games import all_games

app = typer.Typer(
    cls=Commands,
    help="Board games with exact rules: play them, replay them, and simulate millions of games between bots.",
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode="markdown",
    pretty_exceptions_enable=False,
)
app.add_typer(train_app, name="train")
app.add_typer(admin_app, name="admin")


def main() -> None:
    """Run a command. A refusal is printed as one line, with exit status 2."""
    handle_ctrl_c()
    for game in all_games():
        if game.command_name:
            app.add_typer(game.command_group, name=game.command_name)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")  # show "?" for characters that the terminal lacks
    try:
        app()
    except Refusal as refusal:
        print(f"skerry: {refusal}", file=sys.stderr)
        raise SystemExit(2) from None
    except BrokenPipeError:  # such as after ``skerry … | head``
        raise SystemExit(1) from None
    except OSError as error:
        print(f"skerry: {error}", file=sys.stderr)
        raise SystemExit(1) from None


def _version(wanted: bool) -> None:
    if wanted:
        print(f"skerry {skerry.__version__}")
        raise typer.Exit


@app.callback()
def _skerry(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version and exit.")
    ] = False,
) -> None:
    pass


@app.command()
def games(json: Json = False) -> None:
    """List the games with their options and bots."""
    from skerry.cli.games import list_games

    list_games(json)


@app.command()
def rules(
    game: GameName,
    rule: Annotated[str | None, typer.Argument(metavar="RULE", help="Print one rule only, such as FI-12.")] = None,
    lang: Language = "en",
    json: Json = False,
) -> None:
    """Print the rulebook of a game, with the ids of the rules in the margin."""
    from skerry.cli.rules import print_rules

    print_rules(game, rule, lang, json)


@app.command("check-game")
def check_game(game: GameName, json: Json = False) -> None:
    """Check that a game keeps the contract, by playing it. Exit status 1 if it does not.

    For what is broken, the shortest game that shows it is printed as a game record.
    """
    from skerry.cli.check_game import report_on_game

    if not report_on_game(game, json):
        raise typer.Exit(1)


@app.command()
def words(game: GameName) -> None:
    """Bring the translations of a game of another package up to date: its words/es.po and words/pt.po.

    It collects what the game says, keeps what is translated, and lists what is not.
    """
    from skerry.engine.errors import Refusal
    from skerry.games import find_game

    try:
        from skerry.cli.update_words import update_words_of
    except ModuleNotFoundError:
        raise Refusal("translations need the extra server: pip install 'skerry[server]'") from None
    update_words_of(find_game(game))


@app.command("new-game")
def new_game(
    name: Annotated[str, typer.Argument(metavar="NAME", help="Name of the game: words of a-z joined by hyphens.")],
    folder: Annotated[
        Path | None, typer.Option(metavar="FOLDER", help="New folder for the project; by default the name.")
    ] = None,
) -> None:
    """Write the project of a small game that works, to be changed into yours."""
    from skerry.cli.new_game import write_project

    write_project(name, folder)


@app.command()
def play(
    game: Annotated[
        str | None,
        typer.Argument(metavar="GAME", help="Name of a game. Without it, you choose from a list."),
    ] = None,
    option: Options = None,
    seats: Annotated[
        str | None,
        typer.Option(
            metavar="NAME,NAME,…", help="Who plays at each seat: `me`, or the name of a bot. A single name is for all."
        ),
    ] = None,
    seed: Annotated[
        int | None, typer.Option(help="Seed of the game. The same seed gives the same cards; random by default.")
    ] = None,
    record: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Save the game in this new file instead of the data folder.")
    ] = None,
    resume: Annotated[
        bool, typer.Option("--resume", help="Continue your last unfinished game, or the one in --record.")
    ] = False,
    bot: CustomBots = None,
    lang: Language = "en",
) -> None:
    """Play in the terminal, with bots or with several people at one keyboard."""
    from skerry.cli.play import play_game

    play_game(game, read_options(option), seats, seed, record, resume, lang, register_bots(bot))


@app.command()
def serve(
    host: Annotated[
        str, typer.Option(help="Address to listen on; 0.0.0.0 for all network interfaces of this machine.")
    ] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=0, max=65535, help="Port to listen on; 0 for any free one.")] = 8000,
    database: DatabaseUrl = "",
    redis: Annotated[
        str, typer.Option(envvar="SKERRY_REDIS", help="redis://…, needed if several processes share a database.")
    ] = "",
    origin: Annotated[
        list[str] | None,
        typer.Option(help="Another origin to accept requests from, such as https://play.example.org. Can be repeated."),
    ] = None,
    https: Annotated[
        bool, typer.Option("--https", help="Set secure cookies: for a server behind a proxy that speaks HTTPS.")
    ] = False,
    pace: Annotated[
        float, typer.Option(min=0, help="Seconds between two steps of bots, so that people can follow.")
    ] = 0.5,
    workers: Annotated[
        int, typer.Option(min=1, max=64, help="Server processes on this machine, to use several of its cores.")
    ] = 1,
    bot: CustomBots = None,
    browse: Annotated[bool, typer.Option("--open", help="Open the start page in your browser.")] = False,
    verbose: Annotated[bool, typer.Option("--verbose", help="Log every request as a line of JSON.")] = False,
) -> None:
    """Start the web server: play in the browser, with friends and bots."""
    from skerry.cli.serve import run_server, shared_metrics

    register_bots(bot)
    with shared_metrics(workers):
        run_server(host, port, database, redis, tuple(origin or ()), https, pace, browse, verbose, workers)


@app.command()
@with_simulation_options
def simulate(
    game: GameName,
    games: Annotated[
        int | None,
        typer.Option(
            min=1,
            help="Number of games, in a sweep for each combination. By default 100,000, or 100 if an expert plays.",
        ),
    ] = None,
    seats: Annotated[
        str | None,
        typer.Option(
            metavar="BOT,BOT,…",
            help="The bot at each seat, or one bot for all; `random` by default. In a sweep over the number of "
            "players, the last bot takes the remaining seats.",
        ),
    ] = None,
    luck: Annotated[
        int,
        typer.Option(
            min=0,
            metavar="GAMES",
            help="Analyse so many games as well (of each combination), and show by bot what luck and choices brought.",
        ),
    ] = 0,
    losses: Annotated[
        bool,
        typer.Option(
            "--losses", help="With --luck: look for a better action in every decision, too. It takes seconds a game."
        ),
    ] = False,
    *,
    settings: SimulationOptions,
) -> None:
    """Simulate many games between bots and count the results.

    Example: `skerry simulate forbidden-island --seats skilled --sweep difficulty=all --sweep players=2,3,4
    --report island.html`
    """
    from skerry.cli.simulate import LuckOptions, simulate_games

    simulate_games(game, games, seats, settings, LuckOptions(luck, losses))


@app.command()
@with_simulation_options
def tournament(
    game: GameName,
    bots: Annotated[
        str, typer.Option(metavar="BOT,BOT,…", help="The bots that take part; by default all bots of the game.")
    ] = "all",
    games: Annotated[
        int | None,
        typer.Option(
            min=1,
            help="Number of games of each bot among others of one kind, at all seats together. By default 10,000, or "
            "30 if an expert plays.",
        ),
    ] = None,
    *,
    settings: SimulationOptions,
) -> None:
    """Compare bots: each plays against each other, at every seat, with the same seeds.

    In a cooperative game, the table shows how often a bot wins in a team of others.
    """
    from skerry.cli.tournament import play_tournament

    play_tournament(game, games, bots, settings)


@app.command()
def evaluate(
    task: Annotated[
        str | None, typer.Argument(metavar="TASK", help="Id of a task, such as hashi-solo-v1. Without it: list them.")
    ] = None,
    bots: Annotated[
        str | None,
        typer.Option(metavar="BOT,BOT,…", help="The bots; by default those of --bot, or random and skilled."),
    ] = None,
    bot: CustomBots = None,
    against: Annotated[
        str, typer.Option(metavar="BOT", help="The bot that the others are compared with, game by game.")
    ] = "skilled",
    games: Annotated[int, typer.Option(min=1, help="Number of evaluation games, from number 0 on.")] = 1_000,
    rows: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write a row for each game, as FILE.csv or FILE.parquet.")
    ] = None,
    record: Annotated[
        int | None, typer.Option(metavar="NUMBER", min=0, help="Print the record of one game of the first bot only.")
    ] = None,
    cores: Annotated[int, typer.Option(min=1, help="Number of CPU cores to use.")] = 1,
    json: Json = False,
) -> None:
    """Evaluate bots on a task of the benchmark: fixed rules, fixed games, the same for everybody."""
    from skerry.cli.evaluate import evaluate_bots, list_tasks, print_record
    from skerry.cli.seating import read_names

    own = register_bots(bot)
    chosen = (*read_names(bots), *own) or ("random", "skilled")
    if task is None:
        list_tasks(json)
    elif record is not None:
        print_record(task, chosen, record)
    else:
        evaluate_bots(task, chosen, against, games, rows, cores, json)


@app.command()
def replay(
    file: Annotated[Path, typer.Argument(help="A game record.")],
    verify: Annotated[bool, typer.Option("--verify", help="Only check that the record is valid.")] = False,
    json: Json = False,
) -> None:
    """Step through a recorded game, or check the record."""
    from skerry.cli.replay import replay_record

    replay_record(file, verify, json)


@app.command()
def advise(
    file: Annotated[Path, typer.Argument(help="The record of a finished or unfinished game.")],
    move: Annotated[
        int | None, typer.Option(min=0, help="Analyse the position after this many steps; by default the last one.")
    ] = None,
    seat: Annotated[
        int | None, typer.Option(min=0, help="Advise this seat; by default the one whose turn it is.")
    ] = None,
    seconds: Annotated[float, typer.Option(min=0.0, help="Time to search.")] = 2.0,
    rollouts: Annotated[
        int, typer.Option(min=0, help="Number of simulated games, instead of --seconds. Makes the result repeatable.")
    ] = 0,
    bot: CustomBots = None,
    lang: Language = "en",
    json: Json = False,
) -> None:
    """Show what the expert would play in a recorded game, and how good the other actions are.

    With `--bot`, also what your bot would play there.
    """
    from skerry.cli.advise import advise_on

    advise_on(file, move, seat, seconds, rollouts, lang, json, register_bots(bot))


@app.command()
def analyse(
    file: Annotated[Path, typer.Argument(help="The record of a finished or unfinished game.")],
    effort: Annotated[
        int, typer.Option(min=1, max=20_000, help="Simulated positions for each value, and games for each decision.")
    ] = 200,
    seat: Annotated[
        int | None,
        typer.Option(min=0, help="Where players hide cards: analyse from what this seat knew, not a spectator."),
    ] = None,
    open_cards: Annotated[
        bool, typer.Option("--open", help="Where players hide cards: with all hands open, after the end.")
    ] = False,
    html: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write a page with the curve, which needs no other file.")
    ] = None,
    lang: Language = "en",
    json: Json = False,
) -> None:
    """Show what decided a recorded game: its course, how much was luck and how much skill, and the mistakes."""
    from skerry.cli.analyse import analyse_record

    analyse_record(file, effort, seat, open_cards, lang, json, html)


@app.command()
def bench(
    game: Annotated[str | None, typer.Argument(metavar="GAME", help="Name of a game; all games by default.")] = None,
    seconds: Annotated[float, typer.Option(min=0.1, help="Approximate length of each measurement.")] = 2.0,
    json: Json = False,
) -> None:
    """Measure the speed of random play, in actions and games per second.

    It is measured on one core and on all, with compiled kernels and with interpreted ones.
    """
    from skerry.cli.bench import bench_games

    bench_games(game, seconds, json)
