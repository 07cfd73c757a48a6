"""What a finished game pays its seats. The rules count at the end, so before it every reward is 0."""

from __future__ import annotations

from typing import Any

from skerry.engine.errors import BadOption
from skerry.engine.game import Variant
from skerry.engine.kernel import kernel
from skerry.engine.messages import say

TOGETHER, AGAINST, SCORE, MARGIN = range(4)
ILLEGAL = -1.0  # for the seat that did what is not legal; the others get 0

REWARDS = {
    "result": "together 1 for a win and −1 for a loss; against others 1 for winning alone, −1/(players − 1) for losing,"
    " and what makes the sum 0 for sharing",
    "score": "the seat's own score",
    "margin": "the seat's own score less the best of the others'",
}


def default_reward(variant: Variant) -> str:
    return "score" if _alone(variant) else "result"


def kind_of(variant: Variant, reward: str) -> int:
    """The reward as the kernel knows it, or a refusal."""
    if reward not in REWARDS:
        raise BadOption(say("there is no reward {name!r}; there are {known}", name=reward, known=", ".join(REWARDS)))
    if _alone(variant) and reward != "score":
        raise BadOption(say("who plays alone has nobody to beat: the reward is score, not {name}", name=reward))
    if reward == "result":
        return TOGETHER if variant.game.cooperative else AGAINST
    if reward == "margin" and variant.game.cooperative:
        raise BadOption(say("a team has one score: the reward is result or score, not {name}", name=reward))
    return SCORE if reward == "score" else MARGIN


def _alone(variant: Variant) -> bool:
    return variant.players == 1 and not variant.game.cooperative


@kernel
def pay(kind: int, won: int, scores: Any, rewards: Any) -> None:
    """Write each seat's reward for a game that is over; ``won`` counts for a team only."""
    for seat in range(len(rewards)):
        if kind == TOGETHER:
            rewards[seat] = 1 if won else -1
        elif kind == SCORE:
            rewards[seat] = scores[seat]
        elif kind == MARGIN:
            rewards[seat] = scores[seat] - _best_other(scores, seat)
        else:
            rewards[seat] = _zero_sum(scores, seat)


@kernel
def _best_other(scores: Any, seat: int) -> float:
    best = scores[1 if seat == 0 else 0]
    for other in range(len(scores)):
        if other != seat and scores[other] > best:
            best = scores[other]
    return best


@kernel
def _zero_sum(scores: Any, seat: int) -> float:
    """Who has the best score shares the win; the rewards of all seats add up to 0."""
    players, winners = len(scores), 0
    best = max(scores[seat], _best_other(scores, seat))
    for other in range(players):
        if scores[other] == best:
            winners += 1
    share = 1.0 / winners if scores[seat] == best else 0.0
    return (players * share - 1.0) / (players - 1.0)
