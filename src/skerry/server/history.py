"""A guest's history: the matches as a list can show them, with filters, and what they add up to.

Everything here is made from summaries: no session is opened and nothing is compiled, and of a running match no more is
known than that it runs and who sits at it.
"""

from __future__ import annotations

import datetime
import json
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from skerry.engine.game import Game
from skerry.engine.i18n.translations import Translations, translations
from skerry.server.history_store import HistoryStore
from skerry.server.match_summaries import MatchSummaries, MatchSummary, seat_titles
from skerry.server.outcomes import Outcome, outcome_for, points_of, seats_of
from skerry.server.schema import ARCHIVED
from skerry.server.store import Store

HISTORY_LIMIT = 1000  # matches that are read, the newest first
PAGE = 20  # of the history
DIFFICULTY = "difficulty"
FEWEST_WITH_ROLE = 3  # games after which a role is called unbeaten
MONTHS = 12  # of the plot


@dataclass(frozen=True)
class HistoryEntry:
    """A match in a guest's history."""

    summary: MatchSummary
    outcome: Outcome
    seats: tuple[int, ...]  # the guest's
    points: float | None
    partners: tuple[tuple[str, str], ...]  # the other guests with seats: ids and names
    bots: tuple[str, ...]
    archived: bool

    @property
    def id(self) -> str:
        return self.summary.id

    @property
    def game(self) -> Game | None:
        return self.summary.game

    @property
    def options(self) -> dict[str, Any]:
        try:
            return dict(json.loads(self.summary.header.options))
        except ValueError:  # a damaged match is listed with the rest of it
            return {}

    @property
    def day(self) -> datetime.date:
        return datetime.datetime.fromtimestamp(self.summary.last_activity, datetime.UTC).date()

    @property
    def is_decided(self) -> bool:
        return self.outcome in (Outcome.WON, Outcome.LOST)


def entry_of(summary: MatchSummary, guest: str, mark: str | None) -> HistoryEntry:
    mine = seats_of(summary, guest)
    partners = {holder.guest: holder.name for holder in summary.seats if holder.guest and holder.guest != guest}
    return HistoryEntry(
        summary,
        outcome_for(summary, guest),
        mine,
        points_of(summary, mine),
        tuple(partners.items()),
        tuple(holder.bot for holder in summary.seats if holder.bot and holder.guest is None),
        mark == ARCHIVED,
    )


async def history_of(summaries: MatchSummaries, marks: HistoryStore, guest: str) -> list[HistoryEntry]:
    """A guest's matches, archived ones too, the last played first."""
    marked = await marks.marks(guest)
    found = await summaries.history(guest, HISTORY_LIMIT)
    return [entry_of(summary, guest, marked.get(summary.id)) for summary in found]


# Filters


@dataclass(frozen=True)
class Filter:
    """Which matches of a history to show. Empty texts stand for all."""

    game: str = ""
    result: str = ""
    partner: str = ""  # the id of a guest
    text: str = ""  # in a game's or a person's name, or in an option
    archived: bool = False

    def accepts(self, entry: HistoryEntry) -> bool:
        return (
            entry.archived == self.archived
            and self.game in ("", entry.summary.header.game)
            and self.result in ("", entry.outcome)
            and self.partner in ("", *(partner for partner, _ in entry.partners))
            and self.text.casefold() in _searched(entry)
        )


def _searched(entry: HistoryEntry) -> str:
    names = [name for _, name in entry.partners]
    return " ".join([entry.summary.title, *names, *map(str, entry.options.values())]).casefold()


def partners_of(entries: Iterable[HistoryEntry]) -> list[tuple[str, str]]:
    """Everybody in a history, those played with most often first."""
    counts = Counter(partner for entry in entries for partner in entry.partners)
    return [partner for partner, _ in counts.most_common()]


# Statistics


@dataclass
class Tally:
    """What some matches add up to."""

    title: str
    games: int = 0
    won: int = 0
    lost: int = 0
    best: float | None = None
    unbeaten: list[str] = field(default_factory=list)  # roles with which a group has never lost

    def add(self, entry: HistoryEntry) -> None:
        self.games += 1
        self.won += entry.outcome is Outcome.WON
        self.lost += entry.outcome is Outcome.LOST
        if entry.points is not None:
            self.best = entry.points if self.best is None else max(self.best, entry.points)

    @property
    def rate(self) -> int | None:
        """The share of decided games that were won, in percent."""
        decided = self.won + self.lost
        return round(100 * self.won / decided) if decided else None

    def as_dict(self) -> dict[str, Any]:
        return {"title": self.title, "games": self.games, "won": self.won, "lost": self.lost, "best": self.best}


@dataclass(frozen=True)
class Month:
    """What was played in a month."""

    first_day: datetime.date
    tally: Tally


@dataclass(frozen=True)
class Statistics:
    """What the finished matches of a guest add up to."""

    total: Tally
    streak: int  # wins in a row, up to the last decided game
    longest_streak: int
    months: list[Month]
    by_game: list[Tally]
    by_difficulty: list[Tally]
    by_players: list[Tally]
    by_role: list[Tally]
    by_partner: list[Tally]
    groups: list[Tally]

    def as_dict(self) -> dict[str, Any]:
        tables = ("by_game", "by_difficulty", "by_players", "by_role", "by_partner", "groups")
        return {
            "total": self.total.as_dict(),
            "streak": self.streak,
            "longest_streak": self.longest_streak,
            **{name: [tally.as_dict() for tally in getattr(self, name)] for name in tables},
        }


class Tallies:
    """Tallies by key, in a table."""

    def __init__(self) -> None:
        self.by_key: dict[Any, Tally] = {}

    def add(self, key: Any, title: str, entry: HistoryEntry) -> Tally:
        tally = self.by_key.setdefault(key, Tally(title))
        tally.add(entry)
        return tally

    def rows(self) -> list[Tally]:
        """The most played first."""
        return sorted(self.by_key.values(), key=lambda tally: -tally.games)


def statistics_of(
    entries: Sequence[HistoryEntry], roles: Mapping[str, tuple[str, ...]], texts: Translations, today: datetime.date
) -> Statistics:
    """Statistics of a history. ``roles`` are the guest's own, by match."""
    finished = [entry for entry in entries if entry.outcome in (Outcome.WON, Outcome.LOST, Outcome.POINTS)]
    total, tables = Tally(""), defaultdict[str, Tallies](Tallies)
    groups, group_roles = Tallies(), defaultdict[Any, Tallies](Tallies)
    for entry in finished:
        total.add(entry)
        game, title = entry.summary.header.game, entry.summary.title
        tables["game"].add(game, title, entry)
        level = _difficulty(entry, texts)
        if level:
            tables["difficulty"].add((game, level), f"{title} · {level}", entry)
        players = len(entry.summary.seats)
        tables["players"].add(players, str(players), entry)
        for role in roles.get(entry.id, ()):
            tables["role"].add((game, role), f"{role} · {title}", entry)
        for partner, name in entry.partners:
            tables["partner"].add(partner, name, entry)
        if entry.partners:
            group = frozenset(partner for partner, _ in entry.partners)
            groups.add(group, "\n".join(sorted(name for _, name in entry.partners)), entry)
            for role in roles.get(entry.id, ()):
                group_roles[group].add(role, role, entry)
    for group, tally in groups.by_key.items():
        tally.unbeaten = [
            role.title for role in group_roles[group].rows() if role.games >= FEWEST_WITH_ROLE and not role.lost
        ]
    streak, longest = _streaks(finished)
    return Statistics(
        total,
        streak,
        longest,
        months=_months(finished, today),
        by_game=tables["game"].rows(),
        by_difficulty=tables["difficulty"].rows(),
        by_players=tables["players"].rows(),
        by_role=tables["role"].rows(),
        by_partner=tables["partner"].rows(),
        groups=groups.rows(),
    )


def _difficulty(entry: HistoryEntry, texts: Translations) -> str:
    """The title of the difficulty of a co-operative match; empty if it has none."""
    game = entry.game
    option = next((one for one in game.options if one.name == DIFFICULTY), None) if game else None
    if game is None or option is None or not game.cooperative:
        return ""
    value = entry.options.get(DIFFICULTY, option.default)
    return option.title(value).render(game_texts(game, texts.language))


def _streaks(entries: Sequence[HistoryEntry]) -> tuple[int, int]:
    """The wins in a row up to the last decided game, and the most there have been."""
    current = longest = 0
    for entry in reversed(entries):
        if entry.is_decided:
            current = current + 1 if entry.outcome is Outcome.WON else 0
            longest = max(longest, current)
    return current, longest


def _months(entries: Sequence[HistoryEntry], today: datetime.date) -> list[Month]:
    """The last months, also those in which nothing was played."""
    months = []
    year, month = today.year, today.month
    for _ in range(MONTHS):
        months.append(Month(datetime.date(year, month, 1), Tally("")))
        year, month = (year, month - 1) if month > 1 else (year - 1, 12)
    by_month = {(found.first_day.year, found.first_day.month): found for found in months}
    for entry in entries:
        found = by_month.get((entry.day.year, entry.day.month))
        if found is not None:
            found.tally.add(entry)
    return months[::-1]


# Roles


def game_texts(game: Game | None, language: str) -> Translations:
    packages = () if game is None else game.packages
    return translations(language, *packages, "skerry.engine.i18n", "skerry.server")


async def first_states_of(store: Store, entries: Sequence[HistoryEntry]) -> dict[str, bytes]:
    return await store.first_states([entry.id for entry in entries]) if entries else {}


def roles_of(
    entries: Sequence[HistoryEntry], first_states: dict[str, bytes], language: str
) -> dict[str, tuple[str, ...]]:
    """The titles of the guest's seats by match, of games whose seats are roles: co-operative ones."""
    found = {}
    for entry in entries:
        if entry.game is not None and entry.game.cooperative and entry.seats:
            titles = seat_titles(entry.summary, first_states.get(entry.id), game_texts(entry.game, language))
            found[entry.id] = tuple(titles[seat] for seat in entry.seats)
    return found
