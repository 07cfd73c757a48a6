"""Matches to analyse: golden records, games of bots, and the same match with other hidden cards."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

import skerry
from skerry.analysis.viewpoint import SPECTATOR, reshuffle_of
from skerry.bots import find
from skerry.engine.game import Variant
from skerry.engine.match import Match
from skerry.engine.struct import StructBuffer

RECORDS = Path(__file__).parents[1] / "records"
Knower = Callable[[int], int]  # whose knowledge stays when a seat acts


def recorded(name: str) -> Match:
    """A golden record."""
    return skerry.replay((RECORDS / f"{name}.txt").read_text(encoding="utf-8"))


def played_by(variant: Variant, bot: str, seed: int, most_steps: int = 10_000) -> Match:
    """A game of one bot at all seats, without interruptions."""
    match, player = variant.new(seed), find(variant.game, bot)
    while match.result is None and len(match.steps) < most_steps:
        seat = match.waiting[0]
        match.play(seat, player.choose(match, seat, seed * 10_000 + len(match.steps)))
    return match


def with_other_hidden_cards(match: Match, knower: Knower) -> Match:
    """The same match, in which everything that somebody did not know at each step was different."""
    determinize = match.game.rules.determinize
    return _resampled(match, lambda state, seat, seed: determinize(state, knower(seat), seed))


def with_other_cards_to_come(match: Match) -> Match:
    """The same match, in which the cards that nobody had seen at each step were in another order."""
    reshuffle = reshuffle_of(match.game)
    assert reshuffle is not None
    return _resampled(match, lambda state, seat, seed: reshuffle(state, seed))


def _resampled(match: Match, resample: Callable[[Any, int, Any], None]) -> Match:
    """The match with all its positions resampled, those between two draws in the same way."""
    sealed = np.cumsum([0, *(step.sealed for step in match.steps)])
    contents = []
    for number, content in enumerate([*(step.before for step in match.steps), match.content]):
        world = StructBuffer(match.game.state_struct, content)
        seat = match.steps[min(number, len(match.steps) - 1)].seat
        if match.result is None or number < len(match.steps):
            resample(world.struct, seat, np.uint64(100 + int(sealed[number])))
        contents.append(world.content)
    other = match.copy()
    other.replace_content(contents[-1])
    for step, before, after in zip(match.steps, contents, contents[1:], strict=False):
        other.steps.append(replace(step, before=before, after=after))
    assert [step.before for step in other.steps] != [step.before for step in match.steps]
    return other


def the_actor(seat: int) -> int:
    return seat


def a_spectator(seat: int) -> int:
    return SPECTATOR
