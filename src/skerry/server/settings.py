"""The server's settings. Every default suits a single machine."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path


@dataclass(frozen=True)
class Limits:
    """What one guest, or one address, may use."""

    body_bytes: int = 64 * 1024  # of a request
    requests: float = 20.0  # per second and guest
    requests_burst: int = 60
    advice: float = 0.2  # pieces of advice per second and guest: each costs a second of computing
    advice_burst: int = 5
    new_guests: float = 2.0  # per second and address
    new_guests_burst: int = 60
    streams: int = 24  # open at the same time, per guest
    all_streams: int = 10_000  # open at the same time
    unfinished_matches: int = 60  # opened by a guest
    what_if: float = 2.0  # values of positions that are tried, per second and guest or address
    what_if_burst: int = 20
    analyses: int = 3  # waiting or running that a guest has asked for
    all_analyses: int = 100  # waiting or running
    running_analyses: int = 1  # of all processes together
    analysis_effort: int = 1_000


@dataclass(frozen=True)
class Settings:
    database: str = ""  # an SQLAlchemy URL; empty: an SQLite file in ``data``
    redis: str = ""  # a URL; empty: a single process
    data: Path = field(default_factory=lambda: Path.home() / ".local" / "share" / "skerry")
    secret: str = ""  # signs cookies and links; empty: generated once and kept in the database
    origins: tuple[str, ...] = ()  # further origins that pages may be served from
    secure: bool = False  # send cookies over https only
    pace: float = 0.5  # seconds between two steps of bots while somebody watches
    moment: float = 3.0  # seconds that people have before a card is turned over, if they could do something else
    bot_seconds: float = 1.0  # that a searching bot has for a decision
    bot_threads: int = 0  # 0: one less than there are cores, at least one
    heartbeat: float = 15.0  # seconds
    limits: Limits = field(default_factory=Limits)

    @property
    def database_url(self) -> str:
        if not self.database:
            return f"sqlite+aiosqlite:///{(self.data / 'skerry.db').absolute()}"
        scheme, separator, rest = self.database.partition("://")
        known = {"sqlite": "sqlite+aiosqlite", "postgres": "postgresql+asyncpg", "postgresql": "postgresql+asyncpg"}
        return known.get(scheme, scheme) + separator + rest
