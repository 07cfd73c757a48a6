"""The database schema. A match is a row, its seats, and its actions: an append-only log.

The primary key of an action, (match, seq), orders concurrent writes: of two rows with the same number, one is written.
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

REVISIONS = ("0001", "0002", "0003", "0004", "0005", "0006", "0007")  # of the migrations, in order

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
    Column("by_hand", Boolean, nullable=False, server_default=false()),  # turns every card by hand
)

matches = Table(
    "matches",
    metadata,
    Column("id", String(24), primary_key=True),
    Column("game", String(40), nullable=False),
    Column("version", Integer, nullable=False),  # of the rules at the start; rows of the log with RULES change it
    Column("options", Text, nullable=False),  # JSON
    Column("seed", String(24), nullable=False),  # an unsigned 64-bit number
    Column("owner", String(24)),
    Column("listed", Boolean, nullable=False),
    Column("clock", Integer),  # seconds per decision
    Column("created", Float, nullable=False),
    Column("ended", String(40)),  # the name of the ending
    Column("next", String(24)),  # the rematch, if there is one
    Column("guide", Boolean, nullable=False, server_default=false()),  # a guided first game
    Column("origin", String(24)),  # the finished match that this one continues from one of its steps
    Column("start", LargeBinary),  # the state after the setup
    Column("waiting", Integer),  # the seats that the game waits for at the start, as a bit set
    Column("result", Text),  # JSON: the winners and the scores, once the match has ended
    Column("hints", Boolean, nullable=False, server_default=false()),  # allowed although several people play
    Column("challenge", String(24)),  # the challenge whose deal this is
    Column("known", Boolean),  # true if somebody at it knew its challenge's deal
    Index("matches_owner", "owner"),
    Index("matches_challenge", "challenge"),
    Index("matches_seed", "seed"),
    Index("matches_open", "ended", "listed", "created"),
)

seats = Table(
    "seats",
    metadata,
    Column("match", String(24), ForeignKey("matches.id", ondelete="CASCADE"), primary_key=True),
    Column("seat", Integer, primary_key=True),
    Column("guest", String(24)),  # who holds the seat
    Column("bot", String(40)),  # which bot plays it now, if one does
    Column("stance", Text),  # JSON: whether it asks the table to wait, or needs no time in this turn
    Index("seats_guest", "guest"),
)

actions = Table(
    "actions",
    metadata,
    Column("match", String(24), ForeignKey("matches.id", ondelete="CASCADE"), primary_key=True),
    Column("seq", Integer, primary_key=True),  # from 1
    Column("seat", Integer, nullable=False),
    Column("action", Integer, nullable=False),  # its id, or UNDO
    Column("key", String(64)),  # chosen by the client: the same key is not played twice
    Column(
        "rows", LargeBinary, nullable=False
    ),  # JSON: the events, as the rules wrote them; of an undo, the action taken back
    Column("sealed", Boolean, nullable=False),
    Column(
        "before", Integer, nullable=False
    ),  # the seq whose state this step began from; of an undo, the one it returned to
    Column("state", LargeBinary, nullable=False),  # after the action, so that a match loads without replaying it
    Column("at", Float, nullable=False),
    Column("waiting", Integer),  # the seats that the game waits for after the action, as a bit set
    UniqueConstraint("match", "key", name="actions_key"),
    Index("actions_at", "at"),  # finds the matches that a dead process left behind
)

analyses = Table(
    "analyses",
    metadata,
    Column("match", String(24), ForeignKey("matches.id", ondelete="CASCADE"), primary_key=True),
    Column("viewpoint", String(12), primary_key=True),  # from whose knowledge: table, spectator, open, seat-0, …
    Column("state", String(12), nullable=False),  # queued, running, done or failed
    Column("version", String(40), nullable=False),  # of Skerry, which made it or is to make it
    Column("effort", Integer, nullable=False),
    Column("guest", String(24)),  # who asked for it
    Column("asked", Float, nullable=False),
    Column("attempts", Integer, nullable=False),  # how often it was begun
    Column("runner", String(24)),  # the process that runs it
    Column("beat", Float),  # when that process last said that it is alive
    Column("done", Integer, nullable=False),  # graded decisions
    Column("total", Integer, nullable=False),  # decisions to be graded; 0 until the course of the match is known
    Column("result", LargeBinary),  # as ``skerry.analysis.stored`` packs it; while it runs, what there is so far
    Index("analyses_state", "state", "asked"),
)

challenges = Table(
    "challenges",
    metadata,
    Column("id", String(24), primary_key=True),
    Column("game", String(40), nullable=False),
    Column("version", Integer, nullable=False),  # of the rules: another one would deal otherwise
    Column("options", Text, nullable=False),  # JSON
    Column("seed", String(24), nullable=False),  # an unsigned 64-bit number, which no guest ever gets
    Column("owner", String(24)),  # who made it; of a deal of the day nobody
    Column("created", Float, nullable=False),
    Column("day", String(10)),  # of a deal of the day: like 2026-11-20, in UTC
    Column("level", String(40)),  # of a deal of the day: its difficulty, or an empty text
    UniqueConstraint("game", "day", "level", name="challenges_day"),
    Index("challenges_owner", "owner"),
)

challenge_guests = Table(
    "challenge_guests",
    metadata,
    Column("challenge", String(24), ForeignKey("challenges.id", ondelete="CASCADE"), primary_key=True),
    Column("guest", String(24), primary_key=True),  # who has seen the deal
    Column("match", String(24), nullable=False),  # in which match first
    Column("again", Boolean, nullable=False, server_default=false()),  # and in another one since
    Index("challenge_guests_guest", "guest"),
)

shelf = Table(
    "shelf",
    metadata,
    Column("guest", String(24), primary_key=True),
    Column("match", String(24), ForeignKey("matches.id", ondelete="CASCADE"), primary_key=True),
    Column("mark", String(12), nullable=False),  # ARCHIVED or DELETED
    Index("shelf_match", "match"),
)

ARCHIVED, DELETED = "archived", "deleted"  # marks on a guest's shelf

UNDO = -1  # as an action: the seat takes its last step back
RULES = -2  # as an action: from here on the match is played under a later version of the rules
