"""Arbitrary input for every game leads to a step or to a refusal that changes nothing, never to another exception."""

from __future__ import annotations

import random
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import skerry
from skerry.engine.conformance import random_play
from skerry.engine.game import Game
from skerry.games import all_games

SEATS = st.one_of(st.integers(-2, 6), st.integers(), st.none(), st.text(max_size=3), st.booleans())


def near_actions(game: Game) -> st.SearchStrategy[str]:
    """Texts that resemble actions."""
    match = game.configure({}).new(1)
    known = [verb.name for verb in game.actions.verbs]
    known += [name.slug for names in match.names.values() for name in names]
    word = st.one_of(st.sampled_from(known), st.text(max_size=6), st.integers(-3, 40).map(str))
    return st.lists(word, max_size=4).flatmap(
        lambda parts: st.sampled_from([" ", ",", "\n", "; "]).map(lambda s: s.join(parts))
    )


def play_or_be_refused(match: skerry.Match, seat: Any, action: Any) -> None:
    before, steps = match.content, len(match.steps)
    try:
        match.play(seat, action)
    except skerry.Refusal as refusal:
        assert str(refusal) and match.content == before and len(match.steps) == steps
    else:
        assert len(match.steps) == steps + 1


@pytest.mark.parametrize("game", all_games(), ids=lambda game: game.name)
def test_arbitrary_actions(game: Game) -> None:
    actions = st.one_of(
        st.integers(-2, game.actions.size + 1), st.integers(), near_actions(game), st.text(), st.none(), st.floats()
    )

    @settings(max_examples=150, deadline=None, suppress_health_check=list(HealthCheck))
    @given(st.integers(0, 2**64 - 1), st.integers(0, 80), st.lists(st.tuples(SEATS, actions), max_size=30))
    def fuzz(seed: int, steps: int, inputs: list[tuple[Any, Any]]) -> None:
        match = game.configure({}).new(seed)
        for _ in random_play(match, random.Random(seed), limit=steps):
            pass
        for seat, action in inputs:
            play_or_be_refused(match, seat, action)

    fuzz()


@pytest.mark.parametrize("game", all_games(), ids=lambda game: game.name)
def test_arbitrary_options(game: Game) -> None:
    names = st.one_of(st.sampled_from([option.name for option in game.options]), st.text(max_size=5))
    values = st.one_of(
        st.integers(), st.text(max_size=8), st.none(), st.booleans(), st.lists(st.text(max_size=4), max_size=3)
    )

    @settings(max_examples=200, deadline=None)
    @given(st.dictionaries(names, values, max_size=3))
    def fuzz(options: dict[str, Any]) -> None:
        try:
            variant = game.configure(options)
        except skerry.Refusal as refusal:
            assert str(refusal)
        else:
            assert game.configure(variant.options).options == variant.options

    fuzz()


@pytest.mark.parametrize("game", all_games(), ids=lambda game: game.name)
def test_edited_game_records(game: Game) -> None:
    match = game.configure({}).new(5)
    for _ in random_play(match, random.Random(5), limit=25):
        pass
    text = match.record()

    @settings(max_examples=150, deadline=None)
    @given(st.integers(0, len(text) - 1), st.integers(0, 4), st.text(max_size=4))
    def fuzz(start: int, removed: int, inserted: str) -> None:
        edited = text[:start] + inserted + text[start + removed :]
        try:
            again = skerry.replay(edited)
        except skerry.BadRecord as refusal:
            assert str(refusal)
        else:  # the edit made a comment or an empty line, or changed nothing
            assert again.content == match.content

    fuzz()
