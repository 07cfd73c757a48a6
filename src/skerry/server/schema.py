"""The tables of the store. A match is a row, its seats, and its actions: the log that is only ever added to.

The primary key of an action, (match, seq), is the lock of the match: of two who write the same number, one wins.
"""

from __future__ import annotations

from sqlalchemy import (
    Boolean,
    Column,
    Float,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    String,
    Table,
    Text,
    UniqueConstraint,
    false,
)

metadata = MetaData()

settings = Table(
    "settings", metadata, Column("name", String(40), primary_key=True), Column("value", Text, nullable=False)
)

guests = Table(
    "guests",
    metadata,
    Column("id", String(24), primary_key=True),
    Column("name", String(40), nullable=False),
    Column("language", String(8), nullable=False),
    Column("created", Float, nullable=False),
)

matches = Table(
    "matches",
    metadata,
    Column("id", String(24), primary_key=True),
    Column("game", String(40), nullable=False),
    Column("version", Integer, nullable=False),
    Column("options", Text, nullable=False),  # JSON
    Column("seed", String(24), nullable=False),  # 64 bits without a sign
    Column("owner", String(24)),
    Column("listed", Boolean, nullable=False),
    Column("clock", Integer),  # seconds for a decision
    Column("created", Float, nullable=False),
    Column("ended", String(40)),  # the ending's name
    Column("next", String(24)),  # the rematch
    Column("guide", Boolean, nullable=False, server_default=false()),  # a first game, with comments beside it
    Column("origin", String(24)),  # the finished match whose first steps this one begins with
    Index("matches_owner", "owner"),
    Index("matches_open", "ended", "listed", "created"),
)

seats = Table(
    "seats",
    metadata,
    Column("match", String(24), ForeignKey("matches.id", ondelete="CASCADE"), primary_key=True),
    Column("seat", Integer, primary_key=True),
    Column("guest", String(24)),  # whose seat it is
    Column("bot", String(40)),  # who plays it now, if not the guest
    Index("seats_guest", "guest"),
)

actions = Table(
    "actions",
    metadata,
    Column("match", String(24), ForeignKey("matches.id", ondelete="CASCADE"), primary_key=True),
    Column("seq", Integer, primary_key=True),  # from 1
    Column("seat", Integer, nullable=False),
    Column("action", Integer, nullable=False),  # its id; UNDO where the seat took its last step back
    Column("key", String(64)),  # the client's own mark: the same one is not played twice
    Column("rows", LargeBinary, nullable=False),  # JSON: what happened, as the rules wrote it
    Column("sealed", Boolean, nullable=False),
    Column("before", Integer, nullable=False),  # the seq whose state this step began from
    Column("state", LargeBinary, nullable=False),  # after it, so that a match loads without a replay
    Column("at", Float, nullable=False),
    UniqueConstraint("match", "key", name="actions_key"),
    Index("actions_at", "at"),  # to find what a process that died left unplayed
)

UNDO = -1
