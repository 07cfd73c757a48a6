"""``skerry admin``: housekeeping of a server's database."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from skerry.cli.options import DatabaseUrl, Json

app = typer.Typer(
    help="Look after a server's database: back it up, check it, tidy it up. The server may run meanwhile, except for "
    "`restore`.",
    no_args_is_help=True,
)

MatchId = Annotated[str, typer.Argument(metavar="MATCH", help="The id of a match, as `skerry admin list` shows it.")]
Overwrite = Annotated[bool, typer.Option("--overwrite", help="Replace FILE if it exists.")]


@app.command()
def backup(
    file: Annotated[Path, typer.Argument(help="The file to write. Keep it secret: it holds hidden cards and keys.")],
    overwrite: Overwrite = False,
    database: DatabaseUrl = "",
) -> None:
    """Back up the whole database while people play.

    The file restores into SQLite and into PostgreSQL, whichever it came from.
    """
    from skerry.cli.admin_commands import back_up

    back_up(database, file, overwrite)


@app.command()
def restore(
    file: Annotated[Path, typer.Argument(help="A file that `skerry admin backup` wrote.")],
    replace: Annotated[
        bool, typer.Option("--replace", help="Delete everything that is in the database now. There is no way back.")
    ] = False,
    database: DatabaseUrl = "",
) -> None:
    """Restore a backup into an empty database, while no server uses it.

    The file is checked from end to end before anything is touched.
    """
    from skerry.cli.admin_commands import restore_backup

    restore_backup(database, file, replace)


@app.command()
def verify(json: Json = False, database: DatabaseUrl = "") -> None:
    """Check all matches by playing them again. Nothing is changed.

    Exits with status 1 if anything is wrong, and prints a table of what it is.
    """
    from skerry.cli.admin_commands import verify_database

    verify_database(database, json)


@app.command("list")
def list_(
    game: Annotated[str | None, typer.Option(metavar="GAME", help="List the matches of one game only.")] = None,
    finished: Annotated[
        bool | None, typer.Option("--finished/--unfinished", help="List only the matches that are over, or are not.")
    ] = None,
    limit: Annotated[int, typer.Option(min=0, help="How many to list, the last played first; 0 for all.")] = 50,
    json: Json = False,
    database: DatabaseUrl = "",
) -> None:
    """List the matches: who plays, how many actions, when the last one was."""
    from skerry.cli.admin_commands import print_matches

    print_matches(database, game, finished, limit, json)


@app.command()
def prune(
    matches_older_than: Annotated[
        int | None, typer.Option(metavar="DAYS", min=1, help="Delete matches without any action for so many days.")
    ] = None,
    finished: Annotated[
        bool | None, typer.Option("--finished/--unfinished", help="Delete only matches that are over, or are not.")
    ] = None,
    guests_idle_days: Annotated[
        int | None,
        typer.Option(metavar="DAYS", min=1, help="Delete guests who came so many days ago and have no match (left)."),
    ] = None,
    yes: Annotated[bool, typer.Option("--yes", help="Really delete; otherwise only say what would go.")] = False,
    database: DatabaseUrl = "",
) -> None:
    """Delete old matches and idle guests. Without --yes, only say how many would go.

    Example: `skerry admin prune --matches-older-than 365 --finished --guests-idle-days 90`
    """
    from skerry.cli.admin_commands import prune_database

    prune_database(database, matches_older_than, finished, guests_idle_days, yes)


@app.command()
def vacuum(database: DatabaseUrl = "") -> None:
    """Free the space of what was deleted.

    An SQLite file becomes smaller, and actions wait until it is done; PostgreSQL uses the space for new rows.
    """
    from skerry.cli.admin_commands import vacuum_database

    vacuum_database(database)


@app.command("export")
def export(
    match: MatchId,
    file: Annotated[Path, typer.Argument(help="The file to write. Keep it secret: it shows all hidden cards.")],
    overwrite: Overwrite = False,
    database: DatabaseUrl = "",
) -> None:
    """Write one match to a file, for another server to import."""
    from skerry.cli.admin_commands import export_to_file

    export_to_file(database, match, file, overwrite)


@app.command("import")
def import_(
    file: Annotated[Path, typer.Argument(help="A file that `skerry admin export` wrote.")],
    seat: Annotated[
        list[str] | None,
        typer.Option(
            metavar="SEAT=WHO",
            help="Who plays at a seat, counted from 0: a bot, `open`, or a guest by name or id. Can be repeated. "
            "Otherwise the seats of people are open.",
        ),
    ] = None,
    host: Annotated[
        str | None, typer.Option(metavar="GUEST", help="The guest who may change the bots' seats, by name or id.")
    ] = None,
    database: DatabaseUrl = "",
) -> None:
    """Add a match from another server, running or over. It is played again before it is accepted."""
    from skerry.cli.admin_commands import import_from_file

    import_from_file(database, file, seat or [], host)
