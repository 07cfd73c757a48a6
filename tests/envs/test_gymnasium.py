"""Gymnasium's own checks, and what its users rely on."""

from __future__ import annotations

import subprocess
import sys
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from gymnasium.vector import AutoresetMode

import skerry
from skerry.engine.errors import BadOption
from skerry.envs.gymnasium import SkerryEnv, env_id
from tests.envs.by_hand import ByHand


def chosen(env: Any, seen: Any) -> Any:
    return env.action_space.sample(seen["action_mask"])


def episode(env: Any, seed: int) -> list[Any]:
    """Random play under a seed, as plain numbers."""
    env.action_space.seed(seed)
    seen, info = env.reset(seed=seed)
    told: list[Any] = [seen["observation"].tolist(), info]
    over = False
    while not over:
        seen, reward, terminated, truncated, info = env.step(chosen(env, seen))
        told.append([seen["observation"].tolist(), reward, terminated, truncated, info])
        over = terminated or truncated
    return told


def test_check_env_at_every_number_of_players(game: skerry.Game) -> None:
    for players in game.seats:
        check_env(gymnasium.make(env_id(game), players=players).unwrapped)


def test_check_env_of_a_seat_against_bots_and_of_a_whole_table(game: skerry.Game) -> None:
    check_env(gymnasium.make(env_id(game), seats=("random", "me")).unwrapped)
    check_env(gymnasium.make(env_id(game), seats="me,me", reward="score", limit=50).unwrapped)


def test_the_same_seed_is_the_same_episode(game: skerry.Game) -> None:
    env = gymnasium.make(env_id(game))
    first = episode(env, 5)
    assert episode(env, 6) != first
    assert episode(env, 5) == first
    assert episode(gymnasium.make(env_id(game)), 5) == first


def test_a_seed_is_the_match_of_that_seed(game: skerry.Game) -> None:
    env = SkerryEnv(game.name, seats=("me",) * game.seats[-1], forced=True)
    _, info = env.reset(seed=12)
    match = env.config.variant.new(12)
    decision = ByHand(match, ask_forced=True).decision()
    assert decision is not None
    assert env._batch.states.tobytes() == match.content and info["seat"] == decision.seat


def test_who_is_over_must_be_reset() -> None:
    env = SkerryEnv("hashi", players=1)
    with pytest.raises(gymnasium.error.ResetNeeded):
        env.step(0)
    env.reset(seed=1)
    _, reward, terminated, _, _ = env.step(-1)
    assert terminated and reward == -1
    with pytest.raises(gymnasium.error.ResetNeeded):
        env.step(0)


def test_a_picture_is_what_a_spectator_sees(game: skerry.Game) -> None:
    env = SkerryEnv(game.name, render_mode="ansi", forced=True, seats=("me",) * game.seats[-1])
    env.reset(seed=3)
    shown = env.render()
    assert shown is not None and str(env.config.variant.new(3).prompt()) in " ".join(shown.split())
    assert SkerryEnv(game.name).render() is None


def test_who_watches_reads_every_step(capsys: pytest.CaptureFixture[str]) -> None:
    env, quiet = (SkerryEnv("hashi", players=1, render_mode=mode) for mode in ("human", "ansi"))
    for one in (env, quiet):
        one.reset(seed=3)
    assert capsys.readouterr().out.strip() == str(quiet.render()).strip()
    for one in (env, quiet):
        one.step(np.flatnonzero(one.action_masks())[0])
    assert capsys.readouterr().out.strip() == str(quiet.render()).strip()


@pytest.mark.parametrize(
    ("make", "modes"),
    [(gymnasium.make, "'ansi', 'human', 'rgb_array'"), (gymnasium.make_vec, "'ansi', 'rgb_array'")],
)
@pytest.mark.filterwarnings("ignore:.*render_mode.*")
def test_a_way_to_render_that_there_is_not(make: Any, modes: str) -> None:
    with pytest.raises(skerry.BadOption, match=f"no render_mode 'depth_array' here; there is {modes}$"):
        make("skerry/hashi-v1", render_mode="depth_array")


@pytest.mark.parametrize("many", [False, True])
def test_a_seed_that_is_too_large(many: bool) -> None:
    env: Any = gymnasium.make_vec("skerry/hashi-v1", 2) if many else SkerryEnv("hashi")
    for seed in [2**64, [1, 2**64]] if many else [2**64]:
        with pytest.raises(skerry.BadOption, match="a whole number from 0 to 2"):
            env.reset(seed=seed)
    env.reset(seed=2**64 - 1)


def test_masks_for_sb3(game: skerry.Game) -> None:
    env = SkerryEnv(game.name)
    seen, _ = env.reset(seed=3)
    assert env.action_masks().dtype == bool and (env.action_masks() == seen["action_mask"]).all()


def vector(game: skerry.Game, num_envs: int = 6, **more: Any) -> Any:
    return gymnasium.make_vec(env_id(game), num_envs, **more)


@pytest.mark.parametrize("mode", [AutoresetMode.SAME_STEP, AutoresetMode.NEXT_STEP])
def test_a_vector_keeps_to_its_spaces(game: skerry.Game, mode: AutoresetMode) -> None:
    env = vector(game, autoreset_mode=mode, limit=25)
    assert env.metadata["autoreset_mode"] is mode
    seen, info = env.reset(seed=4)
    ended = 0
    for _ in range(80):
        assert env.observation_space.contains(seen)
        actions = env.sample()
        assert env.action_space.contains(actions)
        seen, reward, terminated, truncated, info = env.step(actions)
        assert reward.shape == terminated.shape == truncated.shape == info["seat"].shape == (6,)
        over = terminated | truncated
        ended += over.sum()
        assert ("final_obs" in info) == (mode is AutoresetMode.SAME_STEP and over.any())
        if "final_obs" in info:
            assert (info["_final_obs"] == over).all() and env.observation_space.contains(info["final_obs"])
    assert ended


def test_game_i_of_a_vector_is_the_single_game_of_its_seed(game: skerry.Game) -> None:
    many, single = vector(game, 3, autoreset_mode="NextStep"), SkerryEnv(game.name)
    seen, _ = many.reset(seed=[5, None, 9])
    alone, _ = single.reset(seed=9)
    for _ in range(15):
        assert (seen["observation"][2] == alone["observation"]).all()
        actions = many.sample()
        seen, *_, terminated, truncated, _ = many.step(actions)
        alone, _, over, cut, _ = single.step(actions[2])
        assert terminated[2] == over and truncated[2] == cut


def test_the_same_seed_is_the_same_vector(game: skerry.Game) -> None:
    one, two = vector(game), vector(game, threads=2)
    assert (one.reset(seed=8)[0]["observation"] == two.reset(seed=8)[0]["observation"]).all()
    for _ in range(40):
        actions = one.sample()
        assert (actions == two.sample()).all()
        first, second = one.step(actions), two.step(actions)
        assert (first[0]["observation"] == second[0]["observation"]).all() and (first[1] == second[1]).all()
    two.close()


def test_what_a_vector_hands_out_stays_unless_copying_is_off(game: skerry.Game) -> None:
    for copy in (True, False):
        env = vector(game, copy=copy)
        seen, _ = env.reset(seed=8)
        before = seen["observation"].copy()
        env.step(env.sample())
        assert (seen["observation"] == before).all() == copy


def test_a_vector_asks_bots_but_none_that_plays_by_the_clock(game: skerry.Game) -> None:
    env = vector(game)
    seen, _ = env.reset(seed=4)
    assert seen["action_mask"][np.arange(6), env.ask(game.bots[0])].all()
    with pytest.raises(BadOption, match="how many rollouts"):
        env.ask("expert")


def test_a_vector_always_begins_anew() -> None:
    with pytest.raises(ValueError, match="SAME_STEP or NEXT_STEP"):
        gymnasium.make_vec("skerry/hashi-v1", 2, autoreset_mode="Disabled")


def test_too_few_seeds() -> None:
    env: Any = gymnasium.make_vec("skerry/hashi-v1", 3, players=1)
    with pytest.raises(ValueError, match="shorter"):
        env.reset(seed=[1, 2])


def test_pictures_of_a_vector() -> None:
    env = gymnasium.make_vec("skerry/hashi-v1", 2, render_mode="ansi", players=1)
    env.reset(seed=1)
    shown = env.render()
    assert shown is not None and len(shown) == 2
    assert gymnasium.make_vec("skerry/hashi-v1", 2, players=1).render() is None


@pytest.mark.parametrize(
    ("module", "package", "extra"),
    [
        ("gymnasium", "gymnasium", "envs"),
        ("vector", "gymnasium", "envs"),
        ("pettingzoo", "pettingzoo", "envs"),
        ("open_spiel", "pyspiel", "open-spiel"),
    ],
)
def test_what_is_missing_is_named(module: str, package: str, extra: str) -> None:
    code = f"import sys; sys.modules[{package!r}] = None; import skerry.envs; import skerry.envs.{module}"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert f"pip install 'skerry[{extra}]'" in done.stderr


def test_numpy_sampling_from_a_vector(game: skerry.Game) -> None:
    """As the documentation shows it."""
    env = vector(game, limit=0)
    env.reset(seed=2)
    chance = np.random.default_rng(0)
    for _ in range(30):
        legal, choices = env.batch.legals, env.batch.choices
        actions = legal[np.arange(6), (chance.random(6) * choices).astype(int)]
        assert env.batch.observations["action_mask"][np.arange(6), actions].all()
        env.step(actions)
