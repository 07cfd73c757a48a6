"""Guests: a name and a signed token. Nobody needs an account."""

from __future__ import annotations

import functools
import secrets
import time
from dataclasses import dataclass, replace
from typing import NamedTuple

from itsdangerous import BadSignature, Signer, TimestampSigner

from skerry.engine.errors import BadOption
from skerry.engine.i18n.languages import LANGUAGES
from skerry.engine.i18n.translations import check_language
from skerry.engine.messages import say
from skerry.server.errors import Unauthenticated
from skerry.server.store import Store

COOKIE = "skerry"
COOKIE_DAYS = 400
LINK_HOURS = 24
LONGEST_NAME = 40
CACHED_GUESTS = 10_000
CACHE_SECONDS = 60.0  # until a cached guest is read from the store again


@dataclass(frozen=True)
class Guest:
    id: str
    name: str
    language: str
    by_hand: bool = False  # turns every card by hand, instead of letting it go by itself


class _CachedGuest(NamedTuple):
    at: float
    guest: Guest


class GuestService:
    """Adds and recognises guests, and signs their tokens and links."""

    def __init__(self, store: Store, secret: str) -> None:
        self.store = store
        self._guest_signer = Signer(secret, salt="guest")
        self._link_signer = TimestampSigner(secret, salt="personal link")
        self._seat_signer = Signer(secret, salt="seat")
        self._cache: dict[str, _CachedGuest] = {}
        self._guest_id = functools.lru_cache(CACHED_GUESTS)(self._unsign_token)

    async def add(self, name: str, language: str) -> Guest:
        guest = Guest(secrets.token_urlsafe(16), clean_name(name), clean_language(language))
        await self.store.add_guest(id=guest.id, name=guest.name, language=guest.language, created=time.time())
        return self._remember(guest)

    async def change(
        self, guest: Guest, name: str | None = None, language: str | None = None, by_hand: bool | None = None
    ) -> Guest:
        changed = guest
        if name is not None:
            changed = replace(changed, name=clean_name(name))
        if language is not None:
            changed = replace(changed, language=clean_language(language))
        if by_hand is not None:
            changed = replace(changed, by_hand=by_hand)
        await self.store.change_guest(guest.id, name=changed.name, language=changed.language, by_hand=changed.by_hand)
        return self._remember(changed)

    def forget(self, guest: Guest) -> None:
        """Drop a deleted guest from the cache."""
        self._cache.pop(guest.id, None)

    def _remember(self, guest: Guest) -> Guest:
        if len(self._cache) >= CACHED_GUESTS:
            del self._cache[next(iter(self._cache))]
        self._cache[guest.id] = _CachedGuest(time.monotonic(), guest)
        return guest

    # Tokens

    def token(self, guest: Guest) -> str:
        """The value of the guest's cookie, which is also the bearer token of a program."""
        return self._guest_signer.sign(guest.id).decode()

    async def authenticate(self, token: str) -> Guest:
        """The guest of a token, or a refusal."""
        return await self._guest(self._guest_id(token))

    async def _guest(self, guest_id: str) -> Guest:
        cached = self._cache.get(guest_id)
        if cached is not None and time.monotonic() - cached.at < CACHE_SECONDS:
            return cached.guest
        row = await self.store.guest(guest_id)
        if row is None:
            self._cache.pop(guest_id, None)
            raise Unauthenticated("this guest no longer exists")
        return self._remember(Guest(row.id, row.name, row.language, bool(row.by_hand)))

    def _unsign_token(self, token: str) -> str:
        try:
            return self._guest_signer.unsign(token).decode()
        except (BadSignature, UnicodeError):
            raise Unauthenticated("invalid cookie or token") from None

    def personal_link_token(self, guest: Guest) -> str:
        """The token of a link that makes another device the same guest. It is valid for a day."""
        return self._link_signer.sign(guest.id).decode()

    async def by_personal_link(self, token: str) -> Guest:
        try:
            guest_id = self._link_signer.unsign(token, max_age=LINK_HOURS * 3600).decode()
        except (BadSignature, UnicodeError):
            raise Unauthenticated(
                "this personal link is invalid or has expired; create a new one on the other device"
            ) from None
        return await self._guest(guest_id)

    def invitation_token(self, match: str, seat: int) -> str:
        """The token of an invitation to one seat of a match."""
        return self._seat_signer.sign(f"{match}/{seat}").decode().rpartition(".")[2]

    def is_invitation_token(self, match: str, seat: int, token: str) -> bool:
        return self._seat_signer.validate(f"{match}/{seat}.{token}")


def clean_name(name: str) -> str:
    clean = " ".join("".join(character for character in name if character.isprintable()).split())
    if not 0 < len(clean) <= LONGEST_NAME:
        raise BadOption(say("a name must have 1 to {most} characters", most=LONGEST_NAME))
    return clean


def clean_language(language: str) -> str:
    check_language(language[:20])  # the refusal repeats it
    return language


def preferred_language(header: str) -> str:
    """The best supported language of an Accept-Language header."""
    weighted = []
    for place, part in enumerate(header.split(",")[:20]):
        tag, _, weight = part.partition(";q=")
        try:
            weighted.append((-float(weight or 1), place, tag.strip().lower()[:2]))
        except ValueError:
            continue
    return next((tag for _, _, tag in sorted(weighted) if tag in LANGUAGES), LANGUAGES[0])
