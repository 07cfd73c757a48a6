"""Real clients play and learn: the libraries that people use, a few hundred steps each.

Those that need PyTorch run in ``make soak``.
"""

from __future__ import annotations

import random
from typing import Any

import gymnasium
import numpy as np
import pyspiel
import pytest
from open_spiel.python.algorithms import ismcts, mcts, outcome_sampling_mccfr

import skerry
from skerry.envs.gymnasium import env_id
from skerry.envs.open_spiel import short_name
from tests.envs.test_open_spiel import begun

ISLAND = "skerry/forbidden-island-v1"


class Scripted:
    """A bot of OpenSpiel that plays at random."""

    def __init__(self, seed: int) -> None:
        self.chance = random.Random(seed)

    def step(self, state: pyspiel.State) -> int:
        return int(self.chance.choice(state.legal_actions()))


def play_out(state: pyspiel.State, players: list[Any], most: int) -> int:
    """Play on with a bot at each seat; how many actions were played."""
    for number in range(most):
        if state.is_terminal():
            return number
        action = players[state.current_player()].step(state)
        assert action in state.legal_actions()
        state.apply_action(action)
    return most


def test_monte_carlo_tree_search_of_openspiel() -> None:
    """It looks ahead from copies, also into the end of the game, and leaves the game as it was."""
    state = begun("skerry_hashi(players=2,limit=40)")
    chance = np.random.RandomState(1)
    evaluator = mcts.RandomRolloutEvaluator(1, chance)
    search = mcts.MCTSBot(state.get_game(), 2.0, 12, evaluator, random_state=chance)
    before = str(state)
    search.step_with_policy(state)
    assert str(state) == before
    assert play_out(state, [search, Scripted(2)], 24) == 24


def test_information_set_tree_search_of_openspiel(game: skerry.Game) -> None:
    """It samples what it cannot know, and finds its nodes by information states."""
    state = begun(f"{short_name(game)}(players=2,limit=14)")
    evaluator = mcts.RandomRolloutEvaluator(1, np.random.RandomState(1))
    search = ismcts.ISMCTSBot(
        game=state.get_game(),
        evaluator=evaluator,
        uct_c=2.0,
        max_simulations=10,
        random_state=np.random.RandomState(2),
    )
    assert play_out(state, [search, search], 6) == 6


def test_counterfactual_regret_of_openspiel() -> None:
    """Outcome sampling meets information states again, and learns something in them."""
    game = pyspiel.load_game("skerry_hashi(players=2,limit=6)")
    solver = outcome_sampling_mccfr.OutcomeSamplingSolver(game)
    np.random.seed(1)
    for _ in range(30):
        solver.iteration()
    policy = solver.average_policy()
    state = begun("skerry_hashi(players=2,limit=6)")
    chances = policy.action_probabilities(state)
    assert set(chances) <= set(state.legal_actions()) and sum(chances.values()) == pytest.approx(1)
    assert len(solver._infostates) > 50


@pytest.fixture
def make_vec_env() -> Any:
    return pytest.importorskip("stable_baselines3.common.env_util").make_vec_env


@pytest.fixture(autouse=True)
def one_thread(request: pytest.FixtureRequest) -> None:
    """Small networks are quicker on one core than on all."""
    if request.node.get_closest_marker("slow"):
        pytest.importorskip("torch").set_num_threads(1)


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")
def test_stable_baselines3_makes_environments_and_learns(game: skerry.Game, make_vec_env: Any) -> None:
    """It asks for pictures, and does not know masks: illegal actions only end games."""
    from stable_baselines3 import PPO
    from stable_baselines3.common.env_checker import check_env

    check_env(gymnasium.make(env_id(game)).unwrapped)
    envs = make_vec_env(env_id(game), n_envs=2, env_kwargs={"limit": 30})
    assert envs.render_mode == "rgb_array"
    envs.reset()
    assert envs.render().dtype == np.uint8
    model = PPO("MultiInputPolicy", envs, n_steps=32, batch_size=32, seed=1)
    model.learn(128)
    action, _ = model.predict(envs.reset())
    assert envs.action_space.contains(int(action[0]))


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")
def test_maskable_ppo_learns_from_a_single_environment() -> None:
    contrib = pytest.importorskip("sb3_contrib")
    env = gymnasium.make("skerry/hashi-v1", players=1, limit=120)
    model = contrib.MaskablePPO("MultiInputPolicy", env, n_steps=64, batch_size=64, seed=1)
    model.learn(256)
    seen, _ = env.reset(seed=3)
    action, _ = model.predict(seen, action_masks=env.unwrapped.action_masks(), deterministic=True)  # type: ignore[attr-defined]
    assert seen["action_mask"][int(action)]


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")
def test_maskable_ppo_learns_in_a_batch_of_games() -> None:
    """Its masks are those of the games: no game ends by an illegal action while it explores."""
    contrib = pytest.importorskip("sb3_contrib")
    from stable_baselines3.common.vec_env import VecMonitor

    from skerry.envs.stable_baselines3 import SkerryVecEnv

    envs = VecMonitor(SkerryVecEnv("hashi", 16, seats=("me", "me"), limit=40), info_keywords=("ending",))
    envs.seed(1)
    model = contrib.MaskablePPO("MultiInputPolicy", envs, n_steps=64, batch_size=256, seed=1)
    before = [parameter.detach().clone() for parameter in model.policy.parameters()]
    model.learn(2_000)
    endings = {episode["ending"] for episode in model.ep_info_buffer}
    assert len(model.ep_info_buffer) > 20 and endings and "illegal action" not in endings
    assert any((was != now).any() for was, now in zip(before, model.policy.parameters(), strict=True))


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")
def test_the_batch_for_stable_baselines3_plays_the_games_of_gymnasium(game: skerry.Game) -> None:
    pytest.importorskip("stable_baselines3")
    from skerry.envs.gymnasium import SkerryEnv
    from skerry.envs.stable_baselines3 import SkerryVecEnv

    envs, single = SkerryVecEnv(game.name, 3, limit=25), SkerryEnv(game.name, limit=25)
    envs.seed(5)
    seen = envs.reset()
    alone, _ = single.reset(seed=7)  # the seeds of the games are 5, 6 and 7
    ended = 0
    for _ in range(60):
        assert all((seen[name][2] == alone[name]).all() for name in alone)
        assert (np.stack(envs.env_method("action_masks")) == seen["action_mask"].astype(bool)).all()
        actions = envs.batch.sample()
        seen, rewards, dones, infos = envs.step(actions)
        alone, reward, terminated, truncated, info = single.step(actions[2])
        assert rewards[2] == pytest.approx(reward) and dones[2] == (terminated or truncated)
        if dones[2]:
            last = infos[2]["terminal_observation"]
            assert all((last[name] == alone[name]).all() for name in alone)
            assert infos[2]["ending"] == info["ending"] and infos[2]["TimeLimit.truncated"] == truncated
            ended += 1
            break
    assert ended
    assert envs.get_attr("config")[0].limit == 25 and envs.env_is_wrapped(object) == [False] * 3
    with pytest.raises(AttributeError, match="no method 'fly'"):
        envs.env_method("fly")


@pytest.mark.slow
def test_a_loop_as_in_cleanrl_learns() -> None:
    """Its PPO in one file, with masks: actor and critic, advantages, clipped updates. The loss goes down."""
    torch = pytest.importorskip("torch")
    torch.manual_seed(1)
    envs: Any = gymnasium.make_vec("skerry/hashi-v1", 32, players=1, limit=120)
    seen, _ = envs.reset(seed=1)
    size, actions = seen["observation"].shape[1], seen["action_mask"].shape[1]
    trunk = torch.nn.Sequential(torch.nn.Linear(size, 64), torch.nn.Tanh())
    actor, critic = torch.nn.Linear(64, actions), torch.nn.Linear(64, 1)
    parameters = [*trunk.parameters(), *actor.parameters(), *critic.parameters()]
    optimizer = torch.optim.Adam(parameters, lr=1e-3)

    def distribution(observed: Any, mask: Any) -> Any:
        return torch.distributions.Categorical(logits=actor(trunk(observed)).masked_fill(mask == 0, -1e9))

    losses = []
    for _ in range(6):
        steps = []
        for _ in range(32):
            observed = torch.tensor(seen["observation"]) / 10
            mask = torch.tensor(seen["action_mask"])
            with torch.no_grad():
                chosen = distribution(observed, mask)
                action = chosen.sample()
                value = critic(trunk(observed)).squeeze(1)
            assert mask[torch.arange(32), action].all()
            seen, reward, terminated, truncated, _ = envs.step(action.numpy())
            steps.append(
                (observed, mask, action, chosen.log_prob(action), value, torch.tensor(reward), terminated | truncated)
            )
        target = torch.zeros(32)
        targets: list[Any] = []
        for *_, reward, ended in reversed(steps):
            target = reward / 50 + 0.99 * target * torch.tensor(~ended)
            targets.insert(0, target)
        observed, mask, action, before = (torch.cat([step[i] for step in steps]) for i in range(4))
        wanted, value = torch.cat(targets), torch.cat([step[4] for step in steps])
        for _ in range(4):
            ratio = (distribution(observed, mask).log_prob(action) - before).exp()
            advantage = wanted - value
            clipped = torch.min(ratio * advantage, ratio.clamp(0.8, 1.2) * advantage).mean()
            loss = (critic(trunk(observed)).squeeze(1) - wanted).pow(2).mean() - clipped
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        losses.append(float((critic(trunk(observed)).squeeze(1) - wanted).pow(2).mean().detach()))
    assert losses[-1] < losses[0] and all(np.isfinite(losses))
