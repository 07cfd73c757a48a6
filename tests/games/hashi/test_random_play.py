"""Random games with all numbers of players on both boards; invariants are checked after every step."""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np
import pytest

import skerry
from skerry.engine.event_log import new_event_log
from skerry.engine.kernel import INTERPRETED, kernel, kernel_array, lookup_table
from skerry.engine.rng import derive_seed, next_below
from skerry.engine.struct import struct_array, struct_views
from skerry.games.hashi.rules import components
from skerry.games.hashi.rules import kernels as rules
from skerry.games.hashi.rules.state import NOWHERE, STARTING, State

NDArray = np.ndarray[Any, Any]
GAMES = 1 if INTERPRETED else 300
CHOICES = np.uint64(0xC401CE5)

setup, waiting, legal, step, result = rules.setup, rules.waiting, rules.legal, rules.step, rules.result
# Copies of the box's numbers, so that the checks use nothing of the rules' own tables.
FULL_POINTS = lookup_table(components.FULL_POINTS)
LATE_POINTS = lookup_table(components.LATE_POINTS)
SOLO_DEADLINES = lookup_table(components.SOLO_DEADLINES)
CARD_BRIDGES = lookup_table([bridges for _, bridges in components.CARDS])

CROSSED, OVERFULL, ROOM, ALL_OR_NONE, CARDS, UNEARNED, UNFAIR, SCORE, STUCK = range(1, 10)
INVARIANTS = (
    *("fine", "bridges cross", "an island over its number", "room", "all or none", "cards", "a bonus not reached"),
    *("a bonus not of that round", "the score", "stuck"),
)


@kernel
def broken_invariant(state: State, before: State) -> int:
    """The number of the first broken invariant, or 0. Nothing here uses helpers of the rules."""
    seen = 0
    for card in range(components.N_CARDS):
        seen |= 1 << state.deck[card]
        if state.deck[card] != before.deck[card]:
            return CARDS
    if seen != (1 << components.N_CARDS) - 1:
        return CARDS
    for seat in range(state.players):
        fault = _broken_paper(state, seat)
        if fault:
            return fault
        if state.turns != before.turns and before.phase != STARTING and not _all_or_none(state, before, seat):
            return ALL_OR_NONE
        fault = _broken_bonus(state, before, seat)
        if fault:
            return fault
    return 0


@kernel
def _bridges_on(state: State, seat: int, line: int) -> int:
    return (state.built[seat] >> line & 1) + (state.double[seat] >> line & 1)


@kernel
def _broken_paper(state: State, seat: int) -> int:
    if state.double[seat] & ~state.built[seat] or state.built[seat] >> state.lines:
        return ROOM
    for line in range(state.lines):
        if state.built[seat] >> line & 1 and state.built[seat] & state.cross[line]:
            return CROSSED
    for island in range(components.ISLANDS):
        bridges = 0
        for line in range(state.lines):
            if state.end[line, 0] == island or state.end[line, 1] == island:
                bridges += _bridges_on(state, seat, line)
        most = state.number[seat, island] if state.number[seat, island] else 6
        if bridges > most:
            return OVERFULL
        if state.room[seat, island] != most - bridges:
            return ROOM
    return 0


@kernel
def _all_or_none(state: State, before: State, seat: int) -> bool:
    """Compare the papers of two rounds: all bridges of the card or none are new, each with a number at one end, and at
    most one number is new."""
    drawn, written = 0, 0
    for line in range(state.lines):
        new = _bridges_on(state, seat, line) - _bridges_on(before, seat, line) + _drafted_bridges_on(before, seat, line)
        drawn += new
        if new < 0 or (
            new and not state.number[seat, state.end[line, 0]] and not state.number[seat, state.end[line, 1]]
        ):
            return False
    for island in range(components.ISLANDS):
        old = before.number[seat, island]
        if before.draft_island[seat] == island:
            old = 0
        if old != state.number[seat, island]:
            written += 1
            if old:
                return False
    return written <= 1 and (drawn == 0 or drawn == CARD_BRIDGES[before.deck[before.turns - 1]])


@kernel
def _drafted_bridges_on(state: State, seat: int, line: int) -> int:
    drawn = 0
    for i in range(state.drafted[seat]):
        drawn += 1 if state.draft_line[seat, i] == line else 0
    return drawn


@kernel
def _is_finished(state: State, seat: int, island: int) -> bool:
    return state.number[seat, island] > 0 and state.room[seat, island] == 0


@kernel
def _earned(state: State, seat: int, bonus: int) -> bool:
    if bonus < 2:
        flags = state.red if bonus == 0 else state.blue
        for island in range(components.ISLANDS):
            if flags >> island & 1 and not _is_finished(state, seat, island):
                return False
        return True
    for start in range(components.ISLANDS):
        if _is_finished(state, seat, start) and _group_size(state, seat, start) >= components.SIX_ISLANDS:
            return True
    return False


@kernel
def _group_size(state: State, seat: int, start: int) -> int:
    """The size of an island's group of finished islands, counted step by step outwards."""
    group, size = 1 << start, 1
    for _ in range(components.ISLANDS):
        for line in range(state.lines):
            a, b = state.end[line, 0], state.end[line, 1]
            joins = state.built[seat] >> line & 1 and (group >> a & 1) != (group >> b & 1)
            if joins and _is_finished(state, seat, a) and _is_finished(state, seat, b):
                size += 1
                group |= 1 << a | 1 << b
    return size


@kernel
def _broken_bonus(state: State, before: State, seat: int) -> int:
    round_ended = state.turns != before.turns or state.ending != before.ending
    for bonus in range(components.N_BONUSES):
        points, old = state.bonus[seat, bonus], before.bonus[seat, bonus]
        if points != old and (old or not round_ended):
            return UNFAIR
        if round_ended and before.phase != STARTING and (points > 0) != _earned(state, seat, bonus):
            return UNEARNED
        if points and not old:
            first = True
            for other in range(state.players):
                first = first and not before.bonus[other, bonus]
            if state.players == 1:
                first = before.turns <= SOLO_DEADLINES[bonus]
            if points != (FULL_POINTS[bonus] if first else LATE_POINTS[bonus]):
                return UNFAIR
    return 0


@kernel
def _is_score_broken(state: State, scores: NDArray) -> bool:
    for seat in range(state.players):
        total = 0
        for island in range(components.ISLANDS):
            total += 2 if _is_finished(state, seat, island) else 0
        for bonus in range(components.N_BONUSES):
            total += state.bonus[seat, bonus]
        if scores[seat] != total:
            return True
    return False


@kernel
def play(state: State, before: NDArray, scores: NDArray, buffer: NDArray, log: NDArray, rng: Any) -> int:
    """Play a random game; returns the number of the first broken invariant, or 0."""
    for _ in range(20_000):
        seats = waiting(state)
        if not seats:
            return SCORE if not result(state, scores) or _is_score_broken(state, scores) else 0
        seat, rng = next_below(rng, state.players)
        count = legal(state, seat, buffer)
        if (count > 0) != (seats >> seat & 1 == 1):
            return STUCK
        if count:
            index, rng = next_below(rng, count)
            before[0] = state
            step(state, seat, buffer[index], log)
            fault = broken_invariant(state, before[0])
            if fault:
                return fault
    return STUCK


@kernel
def play_many(states: Any, before: Any, options: Any, first: int, buffer: Any, log: Any, scores: Any) -> int:
    for i in range(len(states)):
        setup(states[i], options, derive_seed(CHOICES, first + i))
        fault = play(states[i], before, scores, buffer, log, derive_seed(first + i, 7))
        if fault:
            return fault
        if states[i].turns != components.ROUNDS or states[i].draft_island[0] != NOWHERE:
            return STUCK
    return 0


def check_games(players: int, board: str, games: int) -> None:
    variant = skerry.game("hashi", players=players, board=board)
    for first in range(0, games, 1000):
        states = struct_views(State, struct_array(State, min(1000, games - first)))
        buffer, log = kernel_array(np.zeros(variant.game.actions.size + 1, np.int32)), kernel_array(new_event_log(0))
        scores = kernel_array(np.zeros(4))
        fault = play_many(
            states,
            struct_views(State, struct_array(State, 1)),
            variant.encoded_options.struct,
            first,
            buffer,
            log,
            scores,
        )
        assert fault == 0, f"{INVARIANTS[fault]}: {variant.options}, games {first} and on"


VARIANTS = list(product(range(1, 5), "AB"))


@pytest.mark.rule("HA-13", "HA-15", "HA-16", "HA-17", "HA-33", "HA-34")
@pytest.mark.parametrize(("players", "board"), VARIANTS)
def test_random_games_keep_every_invariant(players: int, board: str) -> None:
    check_games(players, board, GAMES)


@pytest.mark.slow
@pytest.mark.parametrize(("players", "board"), VARIANTS)
def test_many_random_games_keep_every_invariant(players: int, board: str) -> None:
    check_games(players, board, 25_000)
