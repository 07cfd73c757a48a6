"""The revisions of the schema: which one a database has, and how it gets another."""

from __future__ import annotations

import sqlalchemy as sa

from skerry.server.schema import REVISIONS

NEWEST = REVISIONS[-1]


def current(connection: sa.Connection) -> str | None:
    """The revision of a database's tables; None if it has none."""
    if not sa.inspect(connection).has_table("alembic_version"):
        return None
    return connection.scalar(sa.text("SELECT version_num FROM alembic_version"))


def upgrade(connection: sa.Connection, revision: str) -> None:
    """Create the tables of a revision, or bring them up to it, in the connection's transaction."""
    from alembic import command  # imported only where it is needed: it takes a fifth of a second
    from alembic.config import Config

    config = Config()
    config.set_main_option("script_location", "skerry.server:migrations")
    config.attributes["connection"] = connection
    command.upgrade(config, revision)
