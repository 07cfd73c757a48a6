"""What a host may set; every value has a default that suits one machine."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path


@dataclass(frozen=True)
class Limits:
    """What one guest, or one address, may ask of us."""

    body: int = 64 * 1024  # bytes of a request
    requests: float = 20.0  # a second, a guest
    burst: int = 60
    advice: float = 0.2  # pieces of advice a second, a guest: each costs a second of thinking
    advice_burst: int = 5
    newcomers: float = 2.0  # new guests a second, an address
    newcomers_burst: int = 60
    streams: int = 24  # open at a time, a guest
    all_streams: int = 10_000
    matches: int = 60  # unfinished ones that a guest opened


@dataclass(frozen=True)
class Settings:
    database: str = ""  # an SQLAlchemy URL; empty: an SQLite file in ``data``
    redis: str = ""  # a URL; empty: one process
    data: Path = field(default_factory=lambda: Path.home() / ".local" / "share" / "skerry")
    secret: str = ""  # signs cookies and links; empty: made once and kept in the database
    origins: tuple[str, ...] = ()  # besides the host's own, where pages may come from
    secure: bool = False  # cookies over https only
    pace: float = 0.5  # seconds between two steps of bots while people watch
    think: float = 1.0  # seconds that a bot which searches has for a decision
    thinkers: int = 0  # threads for bots; 0: one less than there are cores, at least one
    heartbeat: float = 15.0
    limits: Limits = field(default_factory=Limits)

    @property
    def database_url(self) -> str:
        if not self.database:
            return f"sqlite+aiosqlite:///{(self.data / 'skerry.db').absolute()}"
        scheme, separator, rest = self.database.partition("://")
        known = {"sqlite": "sqlite+aiosqlite", "postgres": "postgresql+asyncpg", "postgresql": "postgresql+asyncpg"}
        return known.get(scheme, scheme) + separator + rest
