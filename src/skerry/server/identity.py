"""Guests: a name and a signed mark. Nobody needs an account."""

from __future__ import annotations

import functools
import secrets
import time
from dataclasses import dataclass
from typing import Any

from itsdangerous import BadSignature, Signer, TimestampSigner

from skerry.engine.errors import BadOption
from skerry.engine.i18n.translations import LANGUAGES
from skerry.engine.messages import say
from skerry.server.errors import NotKnown
from skerry.server.store import Store

COOKIE = "skerry"
COOKIE_DAYS = 400
LINK_HOURS = 24
LONGEST_NAME = 40
KNOWN = 10_000  # guests kept in memory
FRESH = 60.0  # seconds


@dataclass(frozen=True)
class Guest:
    id: str
    name: str
    language: str


class GuestService:
    def __init__(self, store: Store, secret: str) -> None:
        self.store = store
        self._cookies = Signer(secret, salt="guest")
        self._links = TimestampSigner(secret, salt="personal link")
        self._seats = Signer(secret, salt="seat")
        self._known: dict[str, tuple[float, Guest]] = {}
        self._unsigned = functools.lru_cache(KNOWN)(self._unsign)

    async def add(self, name: str, language: str) -> Guest:
        guest = Guest(secrets.token_urlsafe(16), read_name(name), read_language(language))
        await self.store.add_guest(id=guest.id, name=guest.name, language=guest.language, created=time.time())
        return self._keep(guest)

    async def change(self, guest: Guest, name: str | None = None, language: str | None = None) -> Guest:
        changed = Guest(
            guest.id,
            guest.name if name is None else read_name(name),
            guest.language if language is None else read_language(language),
        )
        await self.store.change_guest(guest.id, name=changed.name, language=changed.language)
        return self._keep(changed)

    def forget(self, guest: Guest) -> None:
        self._known.pop(guest.id, None)

    def _keep(self, guest: Guest) -> Guest:
        if len(self._known) >= KNOWN:
            del self._known[next(iter(self._known))]
        self._known[guest.id] = time.monotonic(), guest
        return guest

    # Tokens

    def token(self, guest: Guest) -> str:
        """What the cookie holds, and what a program sends as its bearer token."""
        return self._cookies.sign(guest.id).decode()

    async def known(self, token: str) -> Guest:
        """The guest of a token, or a refusal."""
        guest = self._unsigned(token)
        at, found = self._known.get(guest, (0.0, None))
        if found is not None and time.monotonic() - at < FRESH:
            return found
        row: Any = await self.store.guest(guest)
        if row is None:
            self._known.pop(guest, None)
            raise NotKnown("this guest is not known here any more")
        return self._keep(Guest(row.id, row.name, row.language))

    def _unsign(self, token: str) -> str:
        try:
            return self._cookies.unsign(token).decode()
        except (BadSignature, UnicodeError):
            raise NotKnown("this cookie or token is not one of ours") from None

    def personal_link(self, guest: Guest) -> str:
        """A mark that makes another device the same guest; it works for a day."""
        return self._links.sign(guest.id).decode()

    async def by_personal_link(self, mark: str) -> Guest:
        try:
            guest = self._links.unsign(mark, max_age=LINK_HOURS * 3600).decode()
        except (BadSignature, UnicodeError):
            raise NotKnown("this personal link is not valid (any more); make a new one on the other device") from None
        return await self.known(self._cookies.sign(guest).decode())

    def seat_link(self, match: str, seat: int) -> str:
        """A mark that invites to one seat of a match."""
        return self._seats.sign(f"{match}/{seat}").decode().rpartition(".")[2]

    def is_seat_link(self, match: str, seat: int, mark: str) -> bool:
        return self._seats.validate(f"{match}/{seat}.{mark}")


def read_name(name: str) -> str:
    clean = " ".join("".join(sign for sign in name if sign.isprintable()).split())
    if not 0 < len(clean) <= LONGEST_NAME:
        raise BadOption(say("a name has 1 to {most} characters", most=LONGEST_NAME))
    return clean


def read_language(language: str) -> str:
    if language not in LANGUAGES:
        raise BadOption(say("we speak {known}, not {given!r}", known=", ".join(LANGUAGES), given=language[:20]))
    return language


def preferred(header: str) -> str:
    """The first language of an Accept-Language header that we speak."""
    weighed = []
    for place, part in enumerate(header.split(",")[:20]):
        tag, _, weight = part.partition(";q=")
        try:
            weighed.append((-float(weight or 1), place, tag.strip().lower()[:2]))
        except ValueError:
            continue
    return next((tag for _, _, tag in sorted(weighed) if tag in LANGUAGES), LANGUAGES[0])
