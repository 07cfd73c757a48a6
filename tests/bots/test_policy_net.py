"""What players do at first sight: the network as it is written down, what it sees, and who goes by it."""

from __future__ import annotations

import importlib
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from skerry.bots import default_bot, default_policy, find
from skerry.bots.expert import LIKELY, Expert, determinize_match
from skerry.bots.halving import Positions
from skerry.bots.interrupts import interrupting_of
from skerry.bots.policy_net import (
    FIRST,
    IMPRESSION,
    OTHER_PLACE,
    PAWNS,
    PLACE,
    PLACES,
    SEATS,
    SECOND,
    THING,
    THINGS,
    VERB,
    WIDTH,
    PolicyNet,
    action_parts,
    policy_net_of,
)
from skerry.bots.rollout_pool import RolloutPool
from skerry.engine.game import Game
from skerry.engine.kernel import kernel_array
from skerry.engine.loop import PASS
from skerry.engine.match import Match
from skerry.engine.struct import StructBuffer
from skerry.games import all_games, find_game
from tests.modes import told_in_both

LEARNT = pytest.mark.parametrize("game", [game for game in all_games() if game.policy_net], ids=lambda game: game.name)


def instinct(game: Game) -> PolicyNet:
    found = policy_net_of(game)
    assert found is not None
    return found


def decisions(game: Game, players: int, seeds: int = 2) -> Iterator[tuple[Match, int]]:
    """Positions in which a seat has a choice, in games of the game's own best player."""
    bot = find(game, default_bot(game))
    for seed in range(seeds):
        match = game.configure({"players": players}).new(seed=seed)
        while match.result is None:
            seat = match.waiting[0]
            if len(match.legal_ids(seat)) > 1:
                yield match, seat
            match.play(seat, bot.choose(match, seat, len(match.steps)))


def rated(match: Match, seat: int) -> NDArray[np.float64]:
    learnt, legal = instinct(match.game), np.array(match.legal_ids(seat), np.int16)
    out, desk = np.zeros(len(legal)), np.zeros(learnt.form.desk["end"])
    given = kernel_array(legal), len(legal), kernel_array(learnt.weights[match.variant.players]), kernel_array(desk)
    learnt.rate(match.state, seat, *given, kernel_array(out))
    chosen = learnt.choose(match.state, seat, *given)
    assert out[chosen] == out.max()
    return out


class ByHand:
    """The network in matrices."""

    def __init__(self, game: Game, players: int) -> None:
        self.game, self.form, self.weights = game, instinct(game).form, instinct(game).weights[players]
        self.names, _ = action_parts(game, self.form.groups)
        self.sketching = importlib.import_module(f"{game.package}.bot.state_features")
        self.regarding = importlib.import_module(f"{game.package}.bot.action_features")

    def matrix(self, name: str, numbers: int, size: int, more: int = 0) -> NDArray[np.float64]:
        start = self.form.weights[name] + more
        return self.weights[start : start + numbers * size].reshape(numbers, size)

    def layer(self, name: str, inputs: NDArray[Any], size: int, more: int = 0) -> NDArray[np.float64]:
        numbers = inputs.shape[-1]
        return inputs @ self.matrix(name, numbers, size, more) + self.matrix(name, 1, size, more + numbers * size)[0]

    def rate(self, match: Match, seat: int) -> list[float]:
        desk = np.zeros(self.form.desk["end"])
        self.sketching.write_state_features(match.state, kernel_array(desk))
        seen, start = [], 0
        for i, (things, numbers, _) in enumerate(self.form.groups):
            mine = desk[start : start + things * numbers].reshape(things, numbers)
            seen.append(np.maximum(self.layer(f"group {i}", mine, IMPRESSION), 0) * (mine[:, :1] != 0))
            start += things * numbers
        inside = np.maximum(self.layer("first", np.concatenate([group.sum(0) for group in seen]), FIRST), 0)
        whole = np.maximum(self.layer("second", inside, SECOND), 0)
        self.regarding.prepare_action_features(match.state, kernel_array(desk))
        return [self.rate_one(match, seat, action, seen, whole, desk) for action in match.legal_ids(seat)]

    def rate_one(self, match: Match, seat: int, action: int, seen: Any, whole: Any, desk: Any) -> float:
        name, regards = self.names[action], np.zeros(self.form.regarded)
        verb = int(name[VERB])
        self.regarding.write_action_features(match.state, seat, action, kernel_array(desk), kernel_array(regards))
        total = self.layer("verb", whole, WIDTH, verb * (SECOND + 1) * WIDTH)
        total = total + seen[SEATS][seat] @ self.matrix("seat", IMPRESSION, WIDTH)
        for place in name[[PLACE, OTHER_PLACE]]:
            if place >= 0:
                total = total + seen[PLACES][place] @ self.matrix("place", IMPRESSION, WIDTH)
        if name[THING] >= 0:
            total = total + seen[THINGS][name[THING]] @ self.matrix("thing", IMPRESSION, WIDTH)
        pawns = [other for other in range(len(seen[SEATS])) if name[PAWNS] >> other & 1]
        total = total + seen[SEATS][pawns].sum(0) @ self.matrix("pawn", IMPRESSION, WIDTH)
        total = total + regards @ self.matrix("regard", self.form.regarded, WIDTH)
        bias = self.weights[self.form.weights["bias"] + verb]
        return float(np.maximum(total, 0) @ self.matrix("out", WIDTH, 1)[:, 0] + bias)


@LEARNT
def test_the_network_is_the_one_that_is_written_down(game: Game) -> None:
    verbs = set()
    for players in game.seats:
        by_hand = ByHand(game, players)
        for number, (match, seat) in enumerate(decisions(game, players, 1)):
            if number % 5 == 0:
                assert rated(match, seat) == pytest.approx(by_hand.rate(match, seat), abs=1e-9)
                verbs |= {match.game.actions.decode(action)[0].name for action in match.legal_ids(seat)}
    assert len(verbs) > 6


@LEARNT
def test_actions_that_are_told_apart_have_other_names(game: Game) -> None:
    names, verbs = action_parts(game, instinct(game).form.groups)
    assert len({tuple(row) for row in names.tolist()}) == game.actions.size
    assert verbs == names[:, VERB].max() + 1


@LEARNT
def test_it_looks_at_what_all_know(game: Game) -> None:
    for number, (match, seat) in enumerate(decisions(game, game.seats[-1])):
        if number % 7 == 0:
            other = match.copy()
            game.rules.determinize(other.state, -1, np.uint64(number))
            assert other.content != match.content
            assert rated(other, seat).tolist() == rated(match, seat).tolist()


@LEARNT
def test_what_is_regarded_are_numbers_of_about_one(game: Game) -> None:
    regarding = importlib.import_module(f"{game.package}.bot.action_features")
    sketch = importlib.import_module(f"{game.package}.bot.state_features").write_state_features
    form, most = instinct(game).form, np.zeros(regarding.N_ACTION_FEATURES)
    for match, seat in decisions(game, game.seats[-1]):
        desk, out = np.zeros(form.desk["end"]), np.zeros(regarding.N_ACTION_FEATURES)
        sketch(match.state, kernel_array(desk))
        regarding.prepare_action_features(match.state, kernel_array(desk))
        assert not desk[regarding.SCRATCH_SIZE :].any()
        for action in match.legal_ids(seat):
            regarding.write_action_features(match.state, seat, action, kernel_array(desk), kernel_array(out))
            most = np.maximum(most, np.abs(out))
    assert np.isfinite(most).all() and most.max() <= 5
    assert (most > 0).mean() > 0.8


@LEARNT
def test_it_comes_to_the_same_when_interpreted(game: Game) -> None:
    code = f"""
from itertools import islice
from skerry.games import find_game
from tests.bots.test_policy_net import decisions, rated
for match, seat in islice(decisions(find_game({game.name!r}), 3), 3):
    print([number.hex() for number in rated(match, seat).tolist()])
"""
    compiled, interpreted = told_in_both(code)
    assert compiled and compiled == interpreted


def imagined(match: Match, seat: int) -> int:
    """What an imagined player does."""
    states = StructBuffer(match.game.state_struct, match.content).array
    positions = Positions(match.game, states, np.array([seat], np.int8), np.array([len(match.steps)], np.uint64))
    return RolloutPool(match.game, default_policy(match.game), 1).answer(positions, 0)


def test_players_who_do_not_look_go_by_it_and_interrupt_as_the_own_best_player_does() -> None:
    game = find_game("forbidden-desert")
    bot, other, interrupted = find(game, default_bot(game)), 0, 0
    for number, (match, seat) in enumerate(decisions(game, game.seats[-1], 3)):
        if number % 10 == 0:
            action = imagined(match, seat)
            assert action == match.legal_ids(seat)[int(rated(match, seat).argmax())]
            other += action != bot.choose(match, seat, len(match.steps))
        free = interrupting_of(game)(match.state)
        for guest in range(match.variant.players):
            if free >> guest & 1 and guest not in match.waiting:
                wanted = bot.interrupt(match, guest, len(match.steps))
                interrupted += wanted is not None
                assert imagined(match, guest) == (PASS if wanted is None else wanted)
    assert other > 3 and interrupted


@LEARNT
def test_with_few_games_only_what_suggests_itself_is_tried(game: Game) -> None:
    expert = Expert(f"expert:{LIKELY}", default_policy(game), blind=False, game=game, rollouts=4 * LIKELY, threads=1)
    match, seat = next(found for found in decisions(game, game.seats[0]) if len(found[0].legal_ids(found[1])) > LIKELY)
    field = expert.search(determinize_match(match, seat, 3))
    assert (field.tries > 0).sum() == LIKELY
    best = np.argsort(-rated(match, seat))[:LIKELY]
    assert {match.legal_ids(seat)[i] for i in best} == set(field.plans[field.tries > 0].tolist())


@LEARNT
def test_with_one_game_it_does_what_suggests_itself(game: Game) -> None:
    expert, others = find(game, "expert:1"), 0
    for number, (match, seat) in enumerate(decisions(game, game.seats[0])):
        if number % 20 == 0:
            action = expert.choose(match, seat, number)
            assert action == imagined(match, seat)
            others += action != find(game, default_bot(game)).choose(match, seat, number)
    assert others


def test_where_nothing_was_learnt_everything_is_tried() -> None:
    game = find_game("cartagena")
    assert not game.policy_net
    expert = Expert("expert:40", default_policy(game), blind=False, game=game, rollouts=40, threads=1)
    match, seat = next(found for found in decisions(game, 3) if len(found[0].legal_ids(found[1])) > LIKELY)
    assert (expert.search(determinize_match(match, seat, 3)).tries > 0).all()
