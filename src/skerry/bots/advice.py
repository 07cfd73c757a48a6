"""Advice for a seat: what can be done, what came of it in imagined games, and why the first is first."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from skerry.bots.arms import Arms
from skerry.bots.expert import Expert, determinize_match
from skerry.bots.halving import Player, Positions
from skerry.engine.errors import Illegal
from skerry.engine.game import Game
from skerry.engine.loop import PASS
from skerry.engine.match import Match
from skerry.engine.messages import Message, say

Z = 1.959964  # 95 %
Unit = Literal["chance", "score"]  # to win; points
ALONE = 64  # imagined games for the only thing that can be done
GLANCE = 16  # for each thing that the expert would not even try
TELLING = 0.02  # a share of games that is worth a word


@dataclass(frozen=True)
class Advised:
    """``low`` and ``high`` are a 95 % interval of what endlessly many imagined games would come to: how well the
    players in them play, and positions in them are judged, is not in it."""

    action: int
    value: float
    low: float
    high: float
    games: int
    why: Message


@dataclass(frozen=True)
class Advice:
    seat: int
    unit: Unit
    actions: tuple[Advised, ...]  # what to do; what was compared with it to the end; what was given up; the others
    wait: bool = False  # who may only interrupt does as well to do nothing


def advise(match: Match, seat: int, expert: Expert, counter: int = 0, most: int = 0) -> Advice:
    """What the expert would do for a seat now, from what the seat knows, and what it thinks of everything else (or of
    the ``most`` best). Who may only interrupt is told where it is as well to wait."""
    legal = match.legal_ids(seat)
    if not legal:
        raise Illegal(say("seat {seat} has nothing to do now", seat=seat))
    position = determinize_match(match, seat, counter)
    field = expert.search(position)
    first, tries = field.best(1)[0], field.tries.copy()
    if len(field.plans) == 1:
        _try(field, position, expert.player, ALONE)
    elif (tries > 0).sum() < (most or len(field.plans)):
        _glance(field, position, expert.player)
    order = _order(field, first, tries)[: len(legal)][: most or None]
    unit: Unit = "score" if match.variant.players == 1 else "chance"
    best, *others = [_weighed(match, field, int(plan), unit) for plan in order]
    wait = bool(field.plans[first] == PASS)
    if wait:
        best = replace(best, why=say("{outcome}; it is as well to wait", outcome=best.why))
    elif others:
        best = replace(best, why=_first(match, field, order, best, others[0], unit))
    return Advice(seat, unit, (best, *others), wait)


def _try(field: Arms, position: Positions, player: Player, games: int) -> None:
    jobs = field.jobs(np.array([games]))
    field.add(jobs, *player.play(position, field.plans, jobs))


def _glance(field: Arms, position: Positions, player: Player) -> None:
    """Look also at what the expert has left out."""
    rest = field.left_out()
    _try(rest, position, player, GLANCE)
    field.fill(rest)


def _order(field: Arms, first: int, tries: NDArray[np.int64]) -> NDArray[Any]:
    """The plan to follow, then the others by value; those that the expert has given up early come later, then those
    that it would not try, and to wait comes last."""
    chosen, early = np.arange(len(tries)) == first, tries < tries.max()
    return np.lexsort((-field.means, early, tries == 0, ~chosen, field.plans == PASS))


def _weighed(match: Match, field: Arms, plan: int, unit: Unit) -> Advised:
    games = int(field.tries[plan])
    value = float(field.means[plan])
    half = Z * math.sqrt(field.errors()[plan])
    low, high = value - half, value + half
    if unit == "chance":
        low, high = max(0.0, low), min(1.0, high)
    return Advised(int(field.plans[plan]), value, low, high, games, _came_of_it(value, games, unit))


def _percent(share: float) -> str:
    return f"{100 * share:.0f}"


def _came_of_it(value: float, games: int, unit: Unit) -> Message:
    if unit == "score":
        return say("scores {points} on average in {games} imagined games", points=f"{value:.1f}", games=games)
    return say("{share} % to win, from {games} imagined games", share=_percent(value), games=games)


def _first(match: Match, field: Arms, order: NDArray[Any], best: Advised, other: Advised, unit: Unit) -> Message:
    """Why the expert would do this and not the next."""
    if best.value <= other.value:
        return say("{outcome}; nothing else is better beyond doubt", outcome=best.why)
    label = match.label(other.action)
    if unit == "score":
        points, less = f"{best.value:.1f}", f"{other.value:.1f}"
        return say(
            "scores {points} on average in {games} imagined games; the next best ({other}): {less}",
            **{"points": points, "games": best.games, "other": label, "less": less},
        )
    compared = say(
        "{share} % to win, from {games} imagined games; the next best ({other}): {less} %",
        **{"share": _percent(best.value), "games": best.games, "other": label, "less": _percent(other.value)},
    )
    avoided = _avoided(match.game, field, int(order[0]), int(order[1]))
    return (
        compared if avoided is None else say("{compared}. Less often it ends so: {how}", compared=compared, how=avoided)
    )


def _avoided(game: Game, field: Arms, best: int, other: int) -> Message | None:
    """The way to lose that the best plan meets clearly less often than the next."""
    if not game.cooperative:
        return None
    shares = field.endings / np.maximum(field.tries, 1)[:, None]
    fewer = [(float(shares[other, i] - shares[best, i]), e.text) for i, e in enumerate(game.endings, 1) if not e.won]
    gain, text = max(fewer)
    return say(text) if gain >= TELLING else None
