"""Players who look before they act: through their own steps, never at what is hidden, and when they interrupt."""

from __future__ import annotations

import numpy as np
import pytest

from skerry.bots.interrupts import interrupting_of
from skerry.bots.lookahead import GAIN, LEANING, LIKELY, UNLIKELY
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
from tests.bots.test_policy_net import decisions, imagined
from tests.modes import told_in_both


def looks(game: Game) -> bool:
    judgement = value_net_of(game)
    return judgement is not None and judgement.steps > 0


LOOKING = pytest.mark.parametrize("game", [game for game in all_games() if looks(game)], ids=lambda game: game.name)


class ByHand:
    """The same in plain Python, a copy of the game for every step."""

    def __init__(self, game: Game) -> None:
        judgement, instinct = value_net_of(game), policy_net_of(game)
        assert judgement is not None and instinct is not None
        self.game, self.judgement, self.instinct = game, judgement, instinct
        self.won = [False, *(ending.won for ending in game.endings)]

    def legal(self, content: bytes, seat: int) -> tuple[list[int], list[float]]:
        world, buffer = StructBuffer(self.game.state_struct, content), np.zeros(self.game.actions.size + 1, np.int16)
        count = self.game.rules.legal(world.struct, seat, kernel_array(buffer))
        ratings, desk = np.zeros(count), np.zeros(self.instinct.form.desk["end"])
        given = (
            kernel_array(buffer),
            count,
            kernel_array(self.instinct.weights[int(world.struct.players)]),
            kernel_array(desk),
            kernel_array(ratings),
        )
        self.instinct.rate(world.struct, seat, *given)
        return buffer[:count].tolist(), ratings.tolist()

    def worth(self, content: bytes) -> float:
        world = StructBuffer(self.game.state_struct, content)
        if not self.game.rules.waiting(world.struct):
            return 1.0 if self.won[self.game.rules.result(world.struct, kernel_array(np.zeros(MAX_SEATS)))] else 0.0
        given = (
            kernel_array(self.judgement.weights[int(world.struct.players)]),
            kernel_array(np.zeros(self.judgement.shape.desk)),
        )
        return float(self.judgement.worth(world.struct, *given))

    def after(self, content: bytes, seat: int, action: int) -> tuple[bytes, bool]:
        world = StructBuffer(self.game.state_struct, content)
        revealed = self.game.rules.step(world.struct, seat, action, new_event_log(0))
        return world.content, bool(revealed)

    def look(self, content: bytes, seat: int, steps: int) -> tuple[float, int]:
        actions, ratings = self.legal(content, seat)
        found = []
        for index in sorted(range(len(actions)), key=lambda index: -ratings[index])[:LIKELY]:
            less = max(ratings) - ratings[index]
            if less <= UNLIKELY:
                found.append((self.come_to(content, seat, actions[index], steps) - LEANING * less, actions[index]))
        return max(found, key=lambda one: one[0])

    def come_to(self, content: bytes, seat: int, action: int, steps: int) -> float:
        after, revealed = self.after(content, seat, action)
        if revealed:
            return self.worth(content)
        waited = self.game.rules.waiting(StructBuffer(self.game.state_struct, after).struct)
        return self.look(after, seat, steps - 1)[0] if steps > 1 and waited == 1 << seat else self.worth(after)

    def interrupt(self, content: bytes, seat: int) -> int:
        actions, ratings = self.legal(content, seat)
        now, found = self.worth(content), []
        for index in sorted(range(len(actions)), key=lambda index: -ratings[index])[:LIKELY]:
            after, revealed = self.after(content, seat, actions[index])
            gain = GAIN if self.game.rules.waiting(StructBuffer(self.game.state_struct, after).struct) else 0
            if not revealed and self.worth(after) > now + gain:
                found.append((self.worth(after), actions[index]))
        return max(found, key=lambda one: one[0])[1] if found else PASS


def interrupters(match: Match) -> list[int]:
    free = interrupting_of(match.game)(match.state)
    return [seat for seat in range(match.variant.players) if free >> seat & 1 and seat not in match.waiting]


@LOOKING
@pytest.mark.parametrize("players", [2, 4])
def test_they_do_what_leads_to_the_best_position_along_what_suggests_itself(game: Game, players: int) -> None:
    by_hand, second_thoughts = ByHand(game), 0
    for number, (match, seat) in enumerate(decisions(game, players, 6)):
        actions, ratings = by_hand.legal(match.content, seat)
        done, at_first = imagined(match, seat), actions[int(np.argmax(ratings))]
        if number % 9 == 0 or done != at_first:
            assert done == by_hand.look(match.content, seat, by_hand.judgement.steps)[1]
            second_thoughts += done != at_first
    assert second_thoughts > 5


@LOOKING
def test_they_interrupt_where_it_betters_things_clearly(game: Game) -> None:
    by_hand, answers = ByHand(game), set()
    for match, _ in decisions(game, game.seats[-1], 6):
        for seat in interrupters(match):
            action = imagined(match, seat)
            assert action == by_hand.interrupt(match.content, seat)
            answers.add(action == PASS)
    assert answers == {True, False}


@LOOKING
def test_what_is_hidden_does_not_change_what_they_do(game: Game) -> None:
    """Where a step would turn over a card, too."""
    revealing = 0
    for number, (match, seat) in enumerate(decisions(game, 3, 3)):
        verbs = {match.game.actions.decode(action)[0].reveals for action in match.legal_ids(seat)}
        if number % 9 == 0 or True in verbs:
            other = match.copy()
            game.rules.determinize(other.state, -1, np.uint64(number))
            assert other.content != match.content
            revealing += True in verbs
            for one in (seat, *interrupters(match)):
                assert imagined(other, one) == imagined(match, one)
    assert revealing


def test_who_can_fly_all_home_does_so_at_once() -> None:
    match = find_game("forbidden-island").configure({"players": 2, "first": 0}).new(seed=1)
    state = match.state
    for treasure in range(N_TREASURES):
        state.captor[treasure] = 0
    for seat in range(2):
        state.pawn[seat] = state.place_of[FOOLS_LANDING]
        state.hands[seat, HELICOPTER] = 1
    assert interrupters(match) == [1]
    assert imagined(match, 0) == imagined(match, 1) == actions.LIFT_OFF


@LOOKING
def test_they_do_the_same_when_interpreted(game: Game) -> None:
    code = f"""
from itertools import islice
from skerry.games import find_game
from tests.bots.test_policy_net import decisions, imagined
print([imagined(match, seat) for match, seat in islice(decisions(find_game({game.name!r}), 3), 3)])
"""
    compiled, interpreted = told_in_both(code)
    assert compiled and compiled == interpreted
