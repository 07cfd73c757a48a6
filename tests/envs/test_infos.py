"""What environments say beside observations, how they refuse, and options that change from game to game."""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np
import pytest
from pettingzoo.test import api_test, parallel_api_test

import skerry
from skerry.envs.gymnasium import SkerryEnv, env_id
from skerry.envs.pettingzoo import env as aec_env
from skerry.envs.pettingzoo import parallel_env
from tests.envs.by_hand import ByHand

pytestmark = [
    pytest.mark.filterwarnings("ignore:Observation is not a NumPy array"),
    pytest.mark.filterwarnings("ignore:.* has no option 'options'"),
    pytest.mark.filterwarnings("ignore:Observation space for each agent probably should be"),
    pytest.mark.filterwarnings(r"ignore:Action mask numpy array is all zeros \(no legal actions\)"),
]


def test_infos_have_actions_in_words_and_how_a_game_ends(game: skerry.Game) -> None:
    """They are those of the match of the same seed."""
    env = SkerryEnv(game.name, seats=("me", "me"), limit=0)
    _, info = env.reset(seed=4)
    by_hand, over = ByHand(env.config.variant.new(4)), False
    chance = np.random.default_rng(1)
    while not over:
        decision = by_hand.decision()
        assert decision is not None and "ending" not in info
        texts = {
            action: "pass" if action == by_hand.pass_action else by_hand.match.action(action).text
            for action in decision.legal
        }
        assert env.legal_actions() == texts
        action = int(chance.choice(decision.legal))
        by_hand.answer(decision.seat, action)
        *_, over, _, info = env.step(action)
        assert info["action"] == texts[action]
    assert by_hand.decision() is None
    result = by_hand.match.result
    assert result is not None
    assert info["ending"] == result.reason and info["scores"] == list(result.scores)


def test_endings_that_are_not_the_games_own(game: skerry.Game) -> None:
    env = SkerryEnv(game.name, limit=1)
    seen, _ = env.reset(seed=4)
    *_, truncated, info = env.step(np.flatnonzero(seen["action_mask"])[0])
    assert truncated and info["ending"] == "limit"
    env.reset(seed=4)
    assert env.step(-1)[-1]["ending"] == "illegal action"


def test_a_vector_says_how_its_games_end(game: skerry.Game) -> None:
    """Game by game what single environments say."""
    env: Any = gymnasium.make_vec(env_id(game), 4, limit=40)
    singles = [SkerryEnv(game.name, limit=40) for _ in range(4)]
    env.reset(seed=[1, 2, 3, 4])
    for seed, single in enumerate(singles, 1):
        single.reset(seed=seed)
    running, ended = set(range(4)), 0
    for _ in range(40):
        actions = env.sample()
        texts = {i: env.action_text(i, actions[i]) for i in running}
        *_, info = env.step(actions)
        for i in sorted(running):
            *_, terminated, truncated, alone = singles[i].step(actions[i])
            assert alone["action"] == texts[i]
            if terminated or truncated:
                running.discard(i)
                ended += 1
                final = info["final_info"]
                assert info["_final_info"][i] and final["_ending"][i]
                assert final["ending"][i] == info["ending"][i] == alone["ending"]
                assert final["scores"][i].tolist() == alone["scores"]
                assert final["rewards"][i].tolist() == alone["rewards"]
    assert ended == 4


def test_a_vector_is_reset_before_it_is_stepped() -> None:
    env = gymnasium.make_vec("skerry/hashi-v1", 2)
    with pytest.raises(gymnasium.error.ResetNeeded):
        env.step(np.zeros(2, np.int64))


@pytest.mark.parametrize("many", [False, True])
def test_options_of_one_reset(many: bool) -> None:
    name = "skerry/forbidden-island-v1"
    env: Any = gymnasium.make_vec(name, 2, players=2) if many else gymnasium.make(name, players=2).unwrapped
    batch = env.batch if many else env._batch

    def water() -> set[int]:
        return set(batch.states["water"].tolist())

    env.reset(seed=1)
    usual = water()
    env.reset(seed=1, options={"difficulty": "legendary"})
    assert min(water()) > max(usual)
    env.reset(seed=1)
    assert water() == usual
    with pytest.raises(skerry.BadOption, match="no option speed"):
        env.reset(options={"speed": 3})
    with pytest.raises(skerry.BadOption, match="number of players cannot change"):
        env.reset(options={"players": 4})


def test_options_of_one_game_of_pettingzoo() -> None:
    table, alone = aec_env("forbidden-island", players=2), parallel_env("hashi", players=2)
    table.reset(seed=1, options={"difficulty": "legendary"})
    assert table.unwrapped._batch.states["water"] > 2
    with pytest.warns(UserWarning, match="has no option .speed.; it has difficulty"):
        table.reset(seed=1, options={"speed": 3})
    boards = []
    for options in ({}, {"board": "B"}):
        seen, _ = alone.reset(seed=1, options=options)
        boards.append(seen["seat_0"]["observation"])
    assert (boards[0] != boards[1]).any()


def test_what_all_seats_know_together(game: skerry.Game) -> None:
    env = SkerryEnv(game.name, seats=("me", "me"))
    env.reset(seed=2)
    table = aec_env(game.name, players=2)
    table.reset(seed=2)
    both = np.concatenate([table.observe(agent)["observation"] for agent in table.agents])
    assert env.state_space.contains(env.state()) and (env.state() == both).all()
    assert (table.state() == both).all() and table.state_space.contains(both)
    many: Any = gymnasium.make_vec(env_id(game), 2, seats=("me", "me"), threads=2)
    many.reset(seed=[2, 3])
    assert (many.state()[0] == both).all() and many.state().shape == (2, len(both))
    many.close()


def test_bots_at_some_seats_of_pettingzoo(game: skerry.Game) -> None:
    table = aec_env(game.name, seats=("random", "me", "random") if 3 in game.seats else ("random", "me"), limit=40)
    assert table.possible_agents == ["seat_1"]
    api_test(table, num_cycles=60)


def test_simultaneous_play() -> None:
    for players in (1, 2, 4):
        parallel_api_test(parallel_env("hashi", players=players), num_cycles=200)
    with pytest.raises(skerry.BadOption, match="played in turn"):
        parallel_env("cartagena")


def test_simultaneous_play_is_the_game_of_the_same_seed() -> None:
    """Seat by seat, each action is one of a match; and all hear how it ends."""
    env = parallel_env("hashi", players=3)
    seen, _ = env.reset(seed=6)
    match, chance = env._config.variant.new(6), np.random.default_rng(3)
    infos: dict[str, Any] = {}
    while env.agents:
        while len({seat for seat in match.waiting if len(match.legal_ids(seat)) > 1}) == 0:
            match.play(match.waiting[0], match.legal_ids(match.waiting[0])[0])
        actions = {}
        for seat, agent in enumerate(env.agents):
            legal = np.flatnonzero(seen[agent]["action_mask"]).tolist()
            assert legal == (match.legal_ids(seat) if seat in match.waiting else [env.wait])
            actions[agent] = int(chance.choice(legal))
        for seat, action in enumerate(actions.values()):
            if action != env.wait:
                match.play(seat, action)
        seen, rewards, *_, infos = env.step(actions)
    while match.result is None:
        match.play(match.waiting[0], match.legal_ids(match.waiting[0])[0])
    assert all(info["scores"] == list(match.result.scores) for info in infos.values())
    assert {info["ending"] for info in infos.values()} == {match.result.reason} and abs(sum(rewards.values())) < 1e-9


def test_an_illegal_action_ends_simultaneous_play() -> None:
    env = parallel_env("hashi", players=2)
    seen, _ = env.reset(seed=6)
    legal = int(np.flatnonzero(seen["seat_0"]["action_mask"])[0])
    _, rewards, terminated, _, infos = env.step({"seat_0": legal, "seat_1": env.wait})
    assert rewards == {"seat_0": 0.0, "seat_1": -1.0} and all(terminated.values()) and not env.agents
    assert infos["seat_1"] == {"action": "wait", "ending": "illegal action", "scores": [0.0, 0.0]}
    with pytest.raises(ValueError, match="call reset"):
        env.step({})
