"""Advice for a seat: its legal actions ranked by the expert's search, and the reason for the first one."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from skerry.bots.arms import Arms
from skerry.bots.asked import Positions, determinize_match
from skerry.bots.expert import Expert
from skerry.bots.halving import RolloutBackend
from skerry.engine.errors import Illegal
from skerry.engine.game import Game
from skerry.engine.loop import PASS
from skerry.engine.match import Match
from skerry.engine.messages import Message, say

Z = 1.959964  # standard errors of a 95 % interval
Unit = Literal["chance", "score"]  # of winning; in points
SINGLE_ACTION_ROLLOUTS = 64  # for an action without alternatives
UNSEARCHED_ROLLOUTS = 16  # for each action that the search left out
NOTABLE_SHARE = 0.02  # of games that must end otherwise for the difference to be mentioned


@dataclass(frozen=True)
class AdvisedAction:
    """``low`` and ``high`` are a 95 % interval of the mean of infinitely many rollouts. It does not cover the errors of
    the rollout policy and of the value network."""

    action: int
    value: float
    low: float
    high: float
    games: int
    why: Message


@dataclass(frozen=True)
class Advice:
    """The actions are ranked: the best one, those that were searched to the end, those that were eliminated earlier,
    and those that were not searched."""

    seat: int
    unit: Unit
    actions: tuple[AdvisedAction, ...]
    wait: bool = False  # the seat may only interrupt, and it is as well not to


def advise(match: Match, seat: int, expert: Expert, seed: int = 0, most: int = 0) -> Advice:
    """Search the position of a seat, from what the seat knows, and rank its actions, or the ``most`` best of them. The
    first one is the expert's choice."""
    legal = match.legal_ids(seat)
    if not legal:
        raise Illegal(say("seat {seat} has nothing to do now", seat=seat))
    position = determinize_match(match, seat, seed)
    arms = expert.search(position)
    first, pulls = arms.best(1)[0], arms.pulls.copy()
    if len(arms.actions) == 1:
        _play(arms, position, expert.rollout_pool, SINGLE_ACTION_ROLLOUTS)
    elif (pulls > 0).sum() < (most or len(arms.actions)):
        _play_unsearched(arms, position, expert.rollout_pool)
    order = _ranking(arms, first, pulls)[: len(legal)][: most or None]
    unit: Unit = "score" if match.variant.players == 1 else "chance"
    best, *others = [_advised_action(arms, int(arm), unit) for arm in order]
    wait = bool(arms.actions[first] == PASS)
    if wait:
        best = replace(best, why=say("{outcome}; it is as well to wait", outcome=best.why))
    elif others:
        best = replace(best, why=_reason(match, arms, order, best, others[0], unit))
    return Advice(seat, unit, (best, *others), wait)


def _play(arms: Arms, position: Positions, backend: RolloutBackend, rollouts: int) -> None:
    """Play ``rollouts`` rollouts of each arm."""
    jobs = arms.jobs(np.array([rollouts]))
    arms.add(jobs, backend.play(position, arms.actions, jobs))


def _play_unsearched(arms: Arms, position: Positions, backend: RolloutBackend) -> None:
    """Play some rollouts of the actions that the search left out."""
    unplayed = arms.unplayed()
    _play(unplayed, position, backend, UNSEARCHED_ROLLOUTS)
    arms.merge(unplayed)


def _ranking(arms: Arms, first: int, pulls: NDArray[np.int64]) -> NDArray[Any]:
    """The arms in the order of the advice, each part by value. To pass comes last unless it is the first choice.

    ``pulls`` are those of the search, before arms that it left out were played.
    """
    chosen, eliminated = np.arange(len(pulls)) == first, pulls < pulls.max()
    return np.lexsort((-arms.means, eliminated, pulls == 0, ~chosen, arms.actions == PASS))


def _advised_action(arms: Arms, arm: int, unit: Unit) -> AdvisedAction:
    games = int(arms.pulls[arm])
    value = float(arms.means[arm])
    half = Z * math.sqrt(arms.mean_variances()[arm])
    low, high = value - half, value + half
    if unit == "chance":
        low, high = max(0.0, low), min(1.0, high)
    return AdvisedAction(int(arms.actions[arm]), value, low, high, games, _outcome(value, games, unit))


def _percent(share: float) -> str:
    return f"{100 * share:.0f}"


def _outcome(value: float, games: int, unit: Unit) -> Message:
    if unit == "score":
        return say("scores {points} on average in {games} simulated games", points=f"{value:.1f}", games=games)
    return say("{share} % to win, from {games} simulated games", share=_percent(value), games=games)


def _reason(
    match: Match, arms: Arms, order: NDArray[Any], best: AdvisedAction, other: AdvisedAction, unit: Unit
) -> Message:
    """Why the best action is preferred to the next one."""
    if best.value <= other.value:
        return say("{outcome}; nothing else is better beyond doubt", outcome=best.why)
    label = match.label(other.action)
    if unit == "score":
        points, less = f"{best.value:.1f}", f"{other.value:.1f}"
        return say(
            "scores {points} on average in {games} simulated games; the next best ({other}): {less}",
            **{"points": points, "games": best.games, "other": label, "less": less},
        )
    compared = say(
        "{share} % to win, from {games} simulated games; the next best ({other}): {less} %",
        **{"share": _percent(best.value), "games": best.games, "other": label, "less": _percent(other.value)},
    )
    avoided = _avoided_ending(match.game, arms, int(order[0]), int(order[1]))
    if avoided is None:
        return compared
    return say("{compared}. Less often it ends so: {how}", compared=compared, how=avoided)


def _avoided_ending(game: Game, arms: Arms, best: int, other: int) -> Message | None:
    """The way to lose that the best arm avoids most, compared with another, if the difference is notable."""
    if not game.cooperative:
        return None
    shares = arms.endings / np.maximum(arms.pulls, 1)[:, None]
    avoided = [
        (float(shares[other, number] - shares[best, number]), ending.text)
        for number, ending in enumerate(game.endings, 1)
        if not ending.won
    ]
    share, text = max(avoided)
    return say(text) if share >= NOTABLE_SHARE else None
