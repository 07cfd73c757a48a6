"""What-if boards: actions that are tried from any step of a finished match, and what the positions are worth.

Nothing is stored: a board is the step that it begins from and the line of actions since, which the page sends along. So
every process can answer, and nothing has to be cleaned up. Draws are those of the match: the cards come in the order in
which they lay. The values know no more than those of the analysis do.
"""

from __future__ import annotations

import re
from collections import OrderedDict
from collections.abc import Sequence
from typing import NamedTuple

from skerry.analysis.viewpoint import Viewpoint, hides_hands
from skerry.engine.errors import BadOption, Refusal
from skerry.engine.match import Match
from skerry.engine.messages import say
from skerry.server.analysis.analyst import PositionValue
from skerry.server.analysis.analyst_process import AnalystDied, AnalystFailed, AnalystProcess
from skerry.server.errors import RateLimited
from skerry.server.replay import Replay

LONGEST_LINE = 80  # actions
LINE = re.compile(r"(?:\d{1,2}\.\d{1,6})(?:-\d{1,2}\.\d{1,6})*")
WORLDS = 100  # for a value
MOST_WAITING = 8  # values that this process computes or will compute
KEPT_VALUES = 500


class Tried(NamedTuple):
    """An action that was tried: the seat and the id of the action."""

    seat: int
    action: int


class Board(NamedTuple):
    """A position that was reached by a line."""

    match: Match  # its steps are those since the step that the line begins from
    line: tuple[Tried, ...]
    latest: int  # the number of steps before the last action of the line, which may have brought forced steps with it

    @property
    def is_over(self) -> bool:
        return self.match.result is not None

    @property
    def viewer(self) -> int | None:
        """The seat whose hand is shown: one that the game waits for."""
        return next(iter(self.match.waiting), None)


def read_line(text: str) -> tuple[Tried, ...]:
    """The line of a text such as ``0.17-0.4-1.33``; empty for none."""
    if not text:
        return ()
    if not LINE.fullmatch(text) or text.count("-") >= LONGEST_LINE:
        raise BadOption(say("a line has at most {most} actions, such as 0.17-1.4", most=LONGEST_LINE))
    return tuple(Tried(*map(int, one.split("."))) for one in text.split("-"))


def line_text(line: Sequence[Tried]) -> str:
    return "-".join(f"{seat}.{action}" for seat, action in line)


def board_after(replay: Replay, at: int, line: tuple[Tried, ...]) -> Board:
    """Play a line from a step of a replay, or a refusal if the rules do not allow it."""
    match = replay.full.copy()
    match.replace_content(replay.content(at))
    latest = 0
    for seat, action in line:
        latest = len(match.steps)
        match.play(seat, action)
        _play_forced(match)
    return Board(match, line, latest)


def _play_forced(match: Match) -> None:
    """Play what is forced after a step that draws or reveals something, as at a table."""
    while match.steps[-1].sealed and match.result is None:
        forced = match.forced_action()
        if forced is None:
            return
        match.play(forced[0], forced[1].id)


class WhatIfValues:
    """Evaluates positions in a process of its own, so that nobody waits for an analysis."""

    def __init__(self) -> None:
        self.analyst = AnalystProcess()
        self._waiting = 0
        self._known: OrderedDict[tuple[str, bytes], tuple[float, ...]] = OrderedDict()

    async def value(self, match: Match) -> tuple[float, ...]:
        """What the present position of a match is worth to each seat."""
        key = f"{match.game.name} {match.variant.options}", match.content
        if key not in self._known:
            if self._waiting >= MOST_WAITING:
                raise RateLimited("too many positions are being evaluated; try again in a moment", 2)
            self._waiting += 1
            try:
                self._known[key] = await self._compute(match)
            finally:
                self._waiting -= 1
            if len(self._known) > KEPT_VALUES:
                self._known.popitem(last=False)
        return self._known[key]

    async def _compute(self, match: Match) -> tuple[float, ...]:
        task = PositionValue(match.copy(), Viewpoint("open" if hides_hands(match) else "table"), WORLDS)
        try:
            values = [tuple(reply["values"]) async for reply in self.analyst.ask(task)]
        except (AnalystDied, AnalystFailed) as error:
            raise Refusal("this position could not be evaluated") from error
        return values[0]

    async def close(self) -> None:
        await self.analyst.close()
