"""Verdicts of the conformance suite, each with the shortest game that shows what is broken, and what games met.

A test of a game's own package is one line: ``assert_conforms(GAME)``.
"""

from __future__ import annotations

import inspect
import itertools
import random
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from skerry.engine.conformance import (
    CHECKS,
    IN_A_POSITION,
    Broken,
    check_facts,
    check_kernels,
    check_ranges,
    random_play,
    variants,
)
from skerry.engine.game import Game
from skerry.engine.game_errors import describe_error
from skerry.engine.match import Match

SEEDS = 40  # in which a shorter game is sought
STEPS = 200  # the longest game that is sought
COVERED_GAMES = 100


@dataclass(frozen=True)
class Verdict:
    """What a check has found."""

    name: str
    promise: str
    what: str = ""  # is broken; empty if nothing is
    match: Match | None = None  # the shortest that shows it

    @property
    def kept(self) -> bool:
        return not self.what

    @property
    def can_go_on(self) -> bool:
        """Whether the checks that play can be made. Without kernels nothing can be played."""
        return self.kept or self.name not in _FIRST

    @property
    def position(self) -> str:
        """Where the shortest game breaks it."""
        if self.match is None:
            return ""
        options = ", ".join(f"{name}={value}" for name, value in self.match.variant.options.items())
        return f"{options}; seed {self.match.seed}; step {len(self.match.steps)}"

    @property
    def record(self) -> str:
        """The game record of the shortest game."""
        return "" if self.match is None else self.match.record()


_FIRST = (check_facts.__name__, check_ranges.__name__, check_kernels.__name__)


def check_game(game: Game) -> Iterator[Verdict]:
    """The verdict of each check. After a fact sheet or kernels that are broken the others are left out."""
    for check in CHECKS:
        verdict = _verdict(game, check)
        yield verdict
        if not verdict.can_go_on:
            return


def assert_conforms(game: Game) -> None:
    """Raise an AssertionError that lists all guarantees that a game does not keep."""
    texts = [_report(verdict) for verdict in check_game(game) if not verdict.kept]
    if texts:
        raise AssertionError("\n".join([f"{game.name} is broken:", *texts]))


def assert_keeps(game: Game, check: Callable[[Game], None]) -> None:
    """Raise an AssertionError that says how a game does not keep one guarantee."""
    verdict = _verdict(game, check)
    if not verdict.kept:
        raise AssertionError(_report(verdict))


def _report(verdict: Verdict) -> str:
    return f"{verdict.name}: {verdict.what} [{verdict.position}]\n{verdict.record}"


def _verdict(game: Game, check: Callable[[Game], None]) -> Verdict:
    promise = " ".join((inspect.getdoc(check) or "").replace("``", "").split()).split(". ")[0].rstrip(".")
    try:
        check(game)
    except Exception as error:
        what, match = _said(error, game), error.match if isinstance(error, Broken) else None
        shortest = _shortest(game, check.__name__, len(match.steps) if match else STEPS)
        if shortest is not None:
            what, match = shortest
        return Verdict(check.__name__, promise, what, match)
    return Verdict(check.__name__, promise)


def _said(error: Exception, game: Game) -> str:
    """What is broken."""
    return error.what if isinstance(error, Broken) else describe_error(error, game)


def _shortest(game: Game, check: str, limit: int) -> tuple[str, Match] | None:
    """The shortest of some random games that breaks a check in its last position, and what is broken there."""
    try_position = IN_A_POSITION.get(check)
    if try_position is None:
        return None
    found: tuple[str, Match] | None = None
    for seed, variant in zip(range(SEEDS), itertools.cycle(variants(game)), strict=False):
        shown = _first_broken(variant.new(seed=seed), try_position, limit)
        if shown is not None:
            found, limit = shown, len(shown[1].steps) - 1
        if limit < 0:
            break
    return found


def _first_broken(
    match: Match, try_position: Callable[[Match, random.Random], None], limit: int
) -> tuple[str, Match] | None:
    """Play at random until a position breaks a check: what is broken, and the match."""
    try:
        try_position(match, random.Random(match.seed))
        for _ in _after_each_step(match, limit):
            try_position(match, random.Random(match.seed))
    except Exception as error:
        return _said(error, match.game), match
    return None


def _after_each_step(match: Match, limit: int) -> Iterator[None]:
    """Play at random, and stop after each step."""
    for number, _ in enumerate(random_play(match, random.Random(match.seed), limit)):
        if number:
            yield
    if match.steps:
        yield


@dataclass(frozen=True)
class Coverage:
    """How often random games met each verb, event and ending."""

    games: int
    verbs: dict[str, int]
    events: dict[str, int]
    endings: dict[str, int]

    def kinds(self) -> dict[str, dict[str, int]]:
        return {"verb": self.verbs, "event": self.events, "ending": self.endings}


def measure_coverage(game: Game, games: int = COVERED_GAMES) -> Coverage:
    """Play random games in all variants, and count what happens."""
    verbs: Counter[str] = Counter({verb.name: 0 for verb in game.actions.verbs})
    events: Counter[str] = Counter({kind.name: 0 for kind in game.events})
    endings: Counter[str] = Counter({ending.name: 0 for ending in game.endings})
    for seed, variant in zip(range(games), itertools.cycle(variants(game)), strict=False):
        match = variant.new(seed=seed)
        ended = _play_to_the_end(match)
        verbs.update(step.action.verb for step in match.steps)
        events.update(game.events[row[0]].name for step in match.steps for row in step.log_rows)
        if ended and match.result is not None:
            endings[match.result.reason] += 1
    return Coverage(games, dict(verbs), dict(events), dict(endings))


def _play_to_the_end(match: Match) -> bool:
    """Play at random. False where a broken game stops before its end, which is for the checks to tell."""
    try:
        for _ in random_play(match, random.Random(match.seed)):
            pass
    except Exception:
        return False
    return True
