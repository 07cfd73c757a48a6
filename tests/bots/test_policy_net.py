"""The policy network: it computes what its definition says, sees public information only, and guides the expert."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from skerry.bots import default_bot, default_policy, find
from skerry.bots.asked import Positions, determinize_match
from skerry.bots.expert import MIN_BREADTH, Expert
from skerry.bots.feature_modules import action_features_of, state_features_of
from skerry.bots.interrupts import interrupting_of
from skerry.bots.policy_net import (
    ACTION_SIZE,
    EMBEDDING_SIZE,
    PLACE,
    PLACE_GROUP,
    SEAT_GROUP,
    SEATS,
    SECOND_PLACE,
    STATE_HIDDEN_SIZE,
    STATE_SIZE,
    THING,
    THING_GROUP,
    VERB,
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
from tests.modes import output_in_both_modes

WITH_POLICY_NET = pytest.mark.parametrize(
    "game", [game for game in all_games() if game.policy_net], ids=lambda game: game.name
)


def policy_net(game: Game) -> PolicyNet:
    found = policy_net_of(game)
    assert found is not None
    return found


def decisions(game: Game, players: int, seeds: int = 2) -> Iterator[tuple[Match, int]]:
    """Positions in which a seat has a choice, in games of the default bot."""
    bot = find(game, default_bot(game))
    for seed in range(seeds):
        match = game.configure({"players": players}).new(seed=seed)
        while match.result is None:
            seat = match.waiting[0]
            if len(match.legal_ids(seat)) > 1:
                yield match, seat
            match.play(seat, bot.choose(match, seat, len(match.steps)))


def logits(match: Match, seat: int) -> NDArray[np.float64]:
    net, legal = policy_net(match.game), np.array(match.legal_ids(seat), np.int16)
    weights, scratch = kernel_array(net.weights[match.variant.players]), kernel_array(np.zeros(net.shape.scratch.size))
    found = np.zeros(len(legal))
    net.write_logits(match.state, seat, kernel_array(legal), len(legal), weights, scratch, kernel_array(found))
    chosen = net.choose(match.state, seat, kernel_array(legal), len(legal), weights, scratch)
    assert found[chosen] == found.max()
    return found


class ReferenceNet:
    """The network in terms of matrices."""

    def __init__(self, game: Game, players: int) -> None:
        net = policy_net(game)
        self.shape, self.weights = net.shape, net.weights[players]
        self.parts = action_parts(game, self.shape.groups).table
        self.state_features, self.action_features = state_features_of(game), action_features_of(game)

    def matrix(self, block: str, inputs: int, outputs: int, start: int = 0) -> NDArray[np.float64]:
        first = self.shape.weights.offset(block) + start
        return self.weights[first : first + inputs * outputs].reshape(inputs, outputs)

    def dense(self, block: str, inputs: NDArray[Any], outputs: int, start: int = 0) -> NDArray[np.float64]:
        size = inputs.shape[-1]
        bias = self.matrix(block, 1, outputs, start + size * outputs)[0]
        return inputs @ self.matrix(block, size, outputs, start) + bias

    def linear(self, block: str, inputs: NDArray[Any]) -> NDArray[np.float64]:
        return inputs @ self.matrix(block, len(inputs), ACTION_SIZE)

    def embeddings(self, scratch: NDArray[np.float64]) -> list[NDArray[np.float64]]:
        """The embeddings of the entities of each group."""
        found, start = [], 0
        for i, group in enumerate(self.shape.groups):
            size = group.entities * group.features
            entities = scratch[start : start + size].reshape(group.entities, group.features)
            found.append(np.maximum(self.dense(f"group_{i}", entities, EMBEDDING_SIZE), 0) * (entities[:, :1] != 0))
            start += size
        return found

    def logits(self, match: Match, seat: int) -> list[float]:
        scratch = np.zeros(self.shape.scratch.size)
        self.state_features.write_state_features(match.state, kernel_array(scratch))
        embeddings = self.embeddings(scratch)
        pooled = np.concatenate([group.sum(0) for group in embeddings])
        hidden = np.maximum(self.dense("state_hidden", pooled, STATE_HIDDEN_SIZE), 0)
        state = np.maximum(self.dense("state", hidden, STATE_SIZE), 0)
        self.action_features.prepare_action_features(match.state, kernel_array(scratch))
        return [self.logit(match, seat, action, embeddings, state, scratch) for action in match.legal_ids(seat)]

    def logit(
        self,
        match: Match,
        seat: int,
        action: int,
        embeddings: list[NDArray[np.float64]],
        state: NDArray[np.float64],
        scratch: NDArray[np.float64],
    ) -> float:
        parts, features = self.parts[action], np.zeros(self.shape.action_features)
        verb, seats = int(parts[VERB]), embeddings[SEAT_GROUP]
        self.action_features.write_action_features(
            match.state, seat, action, kernel_array(scratch), kernel_array(features)
        )
        hidden = self.dense("verb", state, ACTION_SIZE, verb * (STATE_SIZE + 1) * ACTION_SIZE)
        hidden = hidden + self.linear("acting_seat", seats[seat])
        for place in parts[[PLACE, SECOND_PLACE]]:
            if place >= 0:
                hidden = hidden + self.linear("place", embeddings[PLACE_GROUP][place])
        if parts[THING] >= 0:
            hidden = hidden + self.linear("thing", embeddings[THING_GROUP][parts[THING]])
        named_seats = [other for other in range(len(seats)) if parts[SEATS] >> other & 1]
        hidden = hidden + self.linear("named_seat", seats[named_seats].sum(0))
        hidden = hidden + self.linear("action_features", features)
        bias = self.weights[self.shape.weights.offset("output_bias") + verb]
        return float(np.maximum(hidden, 0) @ self.matrix("output", ACTION_SIZE, 1)[:, 0] + bias)


@WITH_POLICY_NET
def test_the_kernels_compute_the_network(game: Game) -> None:
    verbs = set()
    for players in game.seats:
        reference = ReferenceNet(game, players)
        for number, (match, seat) in enumerate(decisions(game, players, 1)):
            if number % 5 == 0:
                assert logits(match, seat) == pytest.approx(reference.logits(match, seat), abs=1e-9)
                verbs |= {match.game.actions.decode(action)[0].name for action in match.legal_ids(seat)}
    assert len(verbs) > 6


@WITH_POLICY_NET
def test_different_actions_have_different_parts(game: Game) -> None:
    parts = action_parts(game, policy_net(game).shape.groups)
    assert len({tuple(row) for row in parts.table.tolist()}) == game.actions.size
    assert parts.verbs == parts.table[:, VERB].max() + 1


@WITH_POLICY_NET
def test_logits_depend_on_public_information_only(game: Game) -> None:
    for number, (match, seat) in enumerate(decisions(game, game.seats[-1])):
        if number % 7 == 0:
            other = match.copy()
            game.rules.determinize(other.state, -1, np.uint64(number))
            assert other.content != match.content
            assert logits(other, seat).tolist() == logits(match, seat).tolist()


@WITH_POLICY_NET
def test_action_features_are_of_the_order_of_one(game: Game) -> None:
    state_features, action_features = state_features_of(game), action_features_of(game)
    largest = np.zeros(action_features.N_ACTION_FEATURES)
    for match, seat in decisions(game, game.seats[-1]):
        scratch = np.zeros(policy_net(game).shape.scratch.size)
        features = np.zeros(action_features.N_ACTION_FEATURES)
        state_features.write_state_features(match.state, kernel_array(scratch))
        action_features.prepare_action_features(match.state, kernel_array(scratch))
        assert not scratch[action_features.SCRATCH_SIZE :].any()
        for action in match.legal_ids(seat):
            action_features.write_action_features(
                match.state, seat, action, kernel_array(scratch), kernel_array(features)
            )
            largest = np.maximum(largest, np.abs(features))
    assert np.isfinite(largest).all() and largest.max() <= 5
    assert (largest > 0).mean() > 0.8


@WITH_POLICY_NET
def test_logits_are_the_same_interpreted(game: Game) -> None:
    code = f"""
from itertools import islice
from skerry.games import find_game
from tests.bots.test_policy_net import decisions, logits
for match, seat in islice(decisions(find_game({game.name!r}), 3), 3):
    print([number.hex() for number in logits(match, seat).tolist()])
"""
    compiled, interpreted = output_in_both_modes(code)
    assert compiled and compiled == interpreted


def rollout_action(match: Match, seat: int) -> int:
    """What the rollout policy does."""
    states = StructBuffer(match.game.state_struct, match.content).array
    positions = Positions(match.game, states, np.array([seat], np.int8), np.array([len(match.steps)], np.uint64))
    return RolloutPool(match.game, default_policy(match.game), 1).policy_actions(positions)[0]


def test_without_lookahead_the_rollout_policy_takes_the_highest_logit_and_interrupts_as_the_default_bot() -> None:
    game = find_game("forbidden-desert")
    bot, different, interrupted = find(game, default_bot(game)), 0, 0
    for number, (match, seat) in enumerate(decisions(game, game.seats[-1], 3)):
        if number % 10 == 0:
            action = rollout_action(match, seat)
            assert action == match.legal_ids(seat)[int(logits(match, seat).argmax())]
            different += action != bot.choose(match, seat, len(match.steps))
        free = interrupting_of(game)(match.state)
        for other in range(match.variant.players):
            if free >> other & 1 and other not in match.waiting:
                expected = bot.interrupt(match, other, len(match.steps))
                interrupted += expected is not None
                assert rollout_action(match, other) == (PASS if expected is None else expected)
    assert different > 3 and interrupted


@WITH_POLICY_NET
def test_with_few_rollouts_only_the_actions_with_the_highest_logits_are_searched(game: Game) -> None:
    rollouts = 4 * MIN_BREADTH
    expert = Expert("expert", default_policy(game), blind=False, game=game, rollouts=rollouts, threads=1)
    match, seat = next(
        (match, seat) for match, seat in decisions(game, game.seats[0]) if len(match.legal_ids(seat)) > MIN_BREADTH
    )
    arms = expert.search(determinize_match(match, seat, 3))
    assert (arms.pulls > 0).sum() == MIN_BREADTH
    best = np.argsort(-logits(match, seat))[:MIN_BREADTH]
    assert {match.legal_ids(seat)[i] for i in best} == set(arms.actions[arms.pulls > 0].tolist())


@WITH_POLICY_NET
def test_with_one_rollout_the_expert_follows_the_rollout_policy(game: Game) -> None:
    expert, different = find(game, "expert:1"), 0
    for number, (match, seat) in enumerate(decisions(game, game.seats[0])):
        if number % 20 == 0:
            action = expert.choose(match, seat, number)
            assert action == rollout_action(match, seat)
            different += action != find(game, default_bot(game)).choose(match, seat, number)
    assert different


def test_without_a_policy_network_all_actions_are_searched() -> None:
    game = find_game("cartagena")
    assert not game.policy_net
    expert = Expert("expert:40", default_policy(game), blind=False, game=game, rollouts=40, threads=1)
    match, seat = next((match, seat) for match, seat in decisions(game, 3) if len(match.legal_ids(seat)) > MIN_BREADTH)
    assert (expert.search(determinize_match(match, seat, 3)).pulls > 0).all()
