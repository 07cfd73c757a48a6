"""Upgrades: how a stored match of an earlier version of a game's rules is read under the installed one.

A match is stored as its states, its actions and its events, all as numbers that only one version of the rules explains.
So whoever changes the rules writes an ``Upgrade`` from the version before to the new one, and a stored match passes
through all of them in order when it is read. Nothing stored is rewritten, and no old kernel has to be kept: states are
stored after every action, so a match never has to be replayed under rules that have changed since.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from copy import copy
from dataclasses import dataclass
from functools import cache, reduce
from typing import TYPE_CHECKING, Any, TypeAlias

from skerry.engine.errors import Refusal
from skerry.engine.messages import Message, Msgid, say

if TYPE_CHECKING:
    from skerry.engine.game import Game

Options: TypeAlias = Mapping[str, Any]
EventRow: TypeAlias = tuple[int, ...]  # a row of the event log


class NewerRules(Refusal):
    """Something was written under a later version of the rules than the installed one."""


def _same_options(options: Options) -> Options:
    return options


def _same_state(content: bytes) -> bytes:
    return content


def _same_action(action: int) -> int:
    return action


def _same_event(row: EventRow) -> EventRow | None:
    return row


@dataclass(frozen=True, kw_only=True)
class Upgrade:
    """What leads from one version of a game's rules to the next. What is left out has not changed."""

    text: Msgid  # what changed, as a sentence for the players of a match that is under way
    continues: bool  # whether an unfinished match goes on under the new rules; otherwise it can only be watched
    same_setup: bool = False  # whether the new rules set every match up byte for byte as the old ones did
    options: Callable[[Options], Options] = _same_options
    state: Callable[[bytes], bytes] = _same_state  # the bytes of the old struct to those of the new one
    action: Callable[[int], int] = _same_action  # the id of an action
    event: Callable[[EventRow], EventRow | None] = _same_event  # None for an event that is no longer told


class UpgradePath:
    """All upgrades from one version of a game's rules to the installed one, applied in order."""

    def __init__(self, game: Game, version: int) -> None:
        if not 1 <= version <= game.version:
            raise NewerRules(
                say(
                    "it was played under version {theirs} of the rules of {title}; version {ours} is installed here",
                    theirs=version,
                    title=game.title,
                    ours=game.version,
                )
            )
        self.game = game
        self.version = version
        self.upgrades: tuple[Upgrade, ...] = game.upgrades[version - 1 :]

    @property
    def is_needed(self) -> bool:
        return bool(self.upgrades)

    @property
    def continues(self) -> bool:
        """Whether an unfinished match of the old version goes on under the installed rules."""
        return all(upgrade.continues for upgrade in self.upgrades)

    @property
    def same_setup(self) -> bool:
        """Whether the installed rules set a match up as those of the old version did."""
        return all(upgrade.same_setup for upgrade in self.upgrades)

    @property
    def changes(self) -> Message:
        """What has changed, as one sentence after the other."""
        texts = [say(upgrade.text) for upgrade in self.upgrades]
        return reduce(lambda first, then: Message("{first} {then}", {"first": first, "then": then}), texts)

    def until(self, version: int) -> UpgradePath:
        """The part of the way that ends at a version before the installed one."""
        part = copy(self)
        part.upgrades = self.upgrades[: version - self.version]
        return part

    def options(self, options: Options) -> Options:
        for upgrade in self.upgrades:
            options = upgrade.options(options)
        return options

    def state(self, content: bytes) -> bytes:
        for upgrade in self.upgrades:
            content = upgrade.state(content)
        return content

    def action(self, action: int) -> int:
        for upgrade in self.upgrades:
            action = upgrade.action(action)
        return action

    def events(self, rows: tuple[EventRow, ...]) -> tuple[EventRow, ...]:
        for upgrade in self.upgrades:
            rows = tuple(row for old in rows if (row := upgrade.event(old)) is not None)
        return rows


@cache
def upgrade_path(game: Game, version: int) -> UpgradePath:
    """The way from a version of a game's rules to the installed one."""
    return UpgradePath(game, version)
