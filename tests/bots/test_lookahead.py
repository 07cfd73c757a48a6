"""The lookahead rollout policy: it searches a seat's own steps, never hidden information, and interrupts for a gain."""

from __future__ import annotations

import numpy as np
import pytest

from skerry.bots.interrupts import interrupting_of
from skerry.bots.lookahead import BREADTH, LOGIT_WEIGHT, MAX_LOGIT_GAP, MIN_GAIN
from skerry.bots.policy_net import policy_net_of
from skerry.bots.value_net import value_net_of
from skerry.engine.event_log import new_event_log
from skerry.engine.game import Game
from skerry.engine.kernel import kernel_array
from skerry.engine.loop import PASS
from skerry.engine.match import Match
from skerry.engine.seats import MAX_SEATS
from skerry.engine.struct import StructBuffer
from skerry.games import all_games, find_game
from skerry.games.forbidden_island.rules import actions
from skerry.games.forbidden_island.rules.components import FOOLS_LANDING, HELICOPTER, N_TREASURES
from tests.bots.test_policy_net import decisions, rollout_action
from tests.modes import output_in_both_modes


def looks_ahead(game: Game) -> bool:
    value_net = value_net_of(game)
    return value_net is not None and value_net.lookahead_steps > 0


WITH_LOOKAHEAD = pytest.mark.parametrize(
    "game", [game for game in all_games() if looks_ahead(game)], ids=lambda game: game.name
)


class ReferenceSearch:
    """The same search in plain Python, with a copy of the state for every step."""

    def __init__(self, game: Game) -> None:
        value_net, policy_net = value_net_of(game), policy_net_of(game)
        assert value_net is not None and policy_net is not None
        self.game, self.value_net, self.policy_net = game, value_net, policy_net
        self.won = game.is_win.tolist()

    def legal(self, content: bytes, seat: int) -> tuple[list[int], list[float]]:
        """The legal actions of a seat and their logits."""
        world, buffer = StructBuffer(self.game.state_struct, content), np.zeros(self.game.actions.size + 1, np.int16)
        count = self.game.rules.legal(world.struct, seat, kernel_array(buffer))
        weights = self.policy_net.weights[int(world.struct.players)]
        logits, scratch = np.zeros(count), np.zeros(self.policy_net.shape.scratch.size)
        arguments = kernel_array(buffer), count, kernel_array(weights), kernel_array(scratch), kernel_array(logits)
        self.policy_net.write_logits(world.struct, seat, *arguments)
        return buffer[:count].tolist(), logits.tolist()

    def value(self, content: bytes) -> float:
        world = StructBuffer(self.game.state_struct, content)
        if not self.game.rules.waiting(world.struct):
            return 1.0 if self.won[self.game.rules.result(world.struct, kernel_array(np.zeros(MAX_SEATS)))] else 0.0
        weights = self.value_net.weights[int(world.struct.players)]
        scratch = np.zeros(self.value_net.shape.scratch_size)
        return float(self.value_net.value(world.struct, kernel_array(weights), kernel_array(scratch)))

    def after(self, content: bytes, seat: int, action: int) -> tuple[bytes, bool]:
        """The state after an action, and whether that revealed hidden information."""
        world = StructBuffer(self.game.state_struct, content)
        revealed = self.game.rules.step(world.struct, seat, action, new_event_log(0))
        return world.content, bool(revealed)

    def search(self, content: bytes, seat: int, steps: int) -> tuple[float, int]:
        """The best score, and the action that leads to it."""
        legal, logits = self.legal(content, seat)
        scored = []
        for index in sorted(range(len(legal)), key=lambda index: -logits[index])[:BREADTH]:
            gap = max(logits) - logits[index]
            if gap <= MAX_LOGIT_GAP:
                score = self.score(content, seat, legal[index], steps) - LOGIT_WEIGHT * gap
                scored.append((score, legal[index]))
        return max(scored, key=lambda one: one[0])

    def score(self, content: bytes, seat: int, action: int, steps: int) -> float:
        after, revealed = self.after(content, seat, action)
        if revealed:
            return self.value(content)
        waiting = self.game.rules.waiting(StructBuffer(self.game.state_struct, after).struct)
        if steps > 1 and waiting == 1 << seat:
            return self.search(after, seat, steps - 1)[0]
        return self.value(after)

    def interrupt(self, content: bytes, seat: int) -> int:
        legal, logits = self.legal(content, seat)
        now, better = self.value(content), []
        for index in sorted(range(len(legal)), key=lambda index: -logits[index])[:BREADTH]:
            after, revealed = self.after(content, seat, legal[index])
            gain = MIN_GAIN if self.game.rules.waiting(StructBuffer(self.game.state_struct, after).struct) else 0
            if not revealed and self.value(after) > now + gain:
                better.append((self.value(after), legal[index]))
        return max(better, key=lambda one: one[0])[1] if better else PASS


def interrupting_seats(match: Match) -> list[int]:
    free = interrupting_of(match.game)(match.state)
    return [seat for seat in range(match.variant.players) if free >> seat & 1 and seat not in match.waiting]


@WITH_LOOKAHEAD
@pytest.mark.parametrize("players", [2, 4])
def test_a_turn_is_searched_depth_first_along_the_highest_logits(game: Game, players: int) -> None:
    """Checked at every decision in which the search prefers another action than the one with the highest logit, and at
    some others."""
    reference, overruled = ReferenceSearch(game), 0
    for number, (match, seat) in enumerate(decisions(game, players, 6)):
        legal, logits = reference.legal(match.content, seat)
        chosen, likeliest = rollout_action(match, seat), legal[int(np.argmax(logits))]
        if number % 9 == 0 or chosen != likeliest:
            assert chosen == reference.search(match.content, seat, reference.value_net.lookahead_steps)[1]
            overruled += chosen != likeliest
    assert overruled > 5


@WITH_LOOKAHEAD
def test_a_seat_interrupts_if_that_clearly_increases_the_value(game: Game) -> None:
    reference, passed = ReferenceSearch(game), set()
    for match, _ in decisions(game, game.seats[-1], 6):
        for seat in interrupting_seats(match):
            action = rollout_action(match, seat)
            assert action == reference.interrupt(match.content, seat)
            passed.add(action == PASS)
    assert passed == {True, False}


@WITH_LOOKAHEAD
def test_choices_do_not_depend_on_hidden_information(game: Game) -> None:
    """Not even where an action would reveal some."""
    revealing = 0
    for number, (match, seat) in enumerate(decisions(game, 3, 3)):
        can_reveal = any(match.game.actions.decode(action)[0].reveals for action in match.legal_ids(seat))
        if number % 9 == 0 or can_reveal:
            other = match.copy()
            game.rules.determinize(other.state, -1, np.uint64(number))
            assert other.content != match.content
            revealing += can_reveal
            for asked in (seat, *interrupting_seats(match)):
                assert rollout_action(other, asked) == rollout_action(match, asked)
    assert revealing


def test_a_team_that_can_fly_home_does_so_at_once() -> None:
    match = find_game("forbidden-island").configure({"players": 2, "first": 0}).new(seed=1)
    state = match.state
    for treasure in range(N_TREASURES):
        state.captor[treasure] = 0
    for seat in range(2):
        state.pawn[seat] = state.place_of[FOOLS_LANDING]
        state.hands[seat, HELICOPTER] = 1
    assert interrupting_seats(match) == [1]
    assert rollout_action(match, 0) == rollout_action(match, 1) == actions.LIFT_OFF


@WITH_LOOKAHEAD
def test_choices_are_the_same_interpreted(game: Game) -> None:
    code = f"""
from itertools import islice
from skerry.games import find_game
from tests.bots.test_policy_net import decisions, rollout_action
print([rollout_action(match, seat) for match, seat in islice(decisions(find_game({game.name!r}), 3), 3)])
"""
    compiled, interpreted = output_in_both_modes(code)
    assert compiled and compiled == interpreted
