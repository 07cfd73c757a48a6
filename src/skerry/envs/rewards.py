"""Reward schemes: what each seat gets in the last step of a game. In all other steps the reward is 0."""

from __future__ import annotations

from typing import Any

from skerry.engine.errors import BadOption
from skerry.engine.game import Variant
from skerry.engine.kernel import kernel
from skerry.engine.messages import say

TEAM_RESULT, ZERO_SUM_RESULT, SCORE, MARGIN = range(4)
ILLEGAL_ACTION_REWARD = -1.0  # for the seat that chose the illegal action; the others get 0

REWARDS = {
    "result": "co-operative games: 1 for a win, −1 for a loss. Competitive games: 1 for a sole winner, "
    "−1/(players − 1) for a loser; tied winners share, so that the rewards of all seats add up to 0",
    "score": "the seat's score",
    "margin": "the seat's score minus the best score of the other seats; competitive games only",
}


def default_reward(variant: Variant) -> str:
    return "score" if _alone(variant) else "result"


def reward_scheme_of(variant: Variant, reward: str) -> int:
    """The scheme of a reward's name, as kernels take it; a refusal if the variant does not have it."""
    if reward not in REWARDS:
        raise BadOption(say("there is no reward {name!r}; there are {known}", name=reward, known=", ".join(REWARDS)))
    if _alone(variant) and reward != "score":
        raise BadOption(say("who plays alone has nobody to beat: the reward is score, not {name}", name=reward))
    if reward == "result":
        return TEAM_RESULT if variant.game.cooperative else ZERO_SUM_RESULT
    if reward == "margin" and variant.game.cooperative:
        raise BadOption(say("a team has one score: the reward is result or score, not {name}", name=reward))
    return SCORE if reward == "score" else MARGIN


def _alone(variant: Variant) -> bool:
    return variant.players == 1 and not variant.game.cooperative


@kernel
def compute_rewards(scheme: int, won: int, scores: Any, rewards: Any) -> None:
    """Write each seat's reward at the end of a game. ``won`` is read for ``TEAM_RESULT`` only."""
    for seat in range(len(rewards)):
        if scheme == TEAM_RESULT:
            rewards[seat] = 1 if won else -1
        elif scheme == SCORE:
            rewards[seat] = scores[seat]
        elif scheme == MARGIN:
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
    """The seats with the best score share the win; the rewards of all seats add up to 0."""
    players, winners = len(scores), 0
    best = max(scores[seat], _best_other(scores, seat))
    for other in range(players):
        if scores[other] == best:
            winners += 1
    share = 1.0 / winners if scores[seat] == best else 0.0
    return (players * share - 1.0) / (players - 1.0)
