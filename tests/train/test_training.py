"""The programs that train players. All need the extra ``train``."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from skerry.bots.policy_net import instinct_of
from skerry.bots.value_net import judgement_of
from skerry.games import find

ROOT = Path(__file__).parents[2]
ISLAND = find("forbidden-island")
FOLDER = ROOT / "src/skerry/games/forbidden_island"


def run(module: str, *arguments: object) -> str:
    command = [sys.executable, "-m", f"skerry.train.{module}", *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


def fits(folder: Path) -> bool:
    """Whether a game could go by what was learnt."""
    judgement, instinct = judgement_of(ISLAND), instinct_of(ISLAND)
    assert judgement is not None and instinct is not None
    sizes = {"value.npy": judgement.shape.size, "policy.npy": instinct.form.weights["end"]}
    found = {name: np.load(folder / name) for name in sizes}
    return all(len(found[name]) == size and np.isfinite(found[name]).all() for name, size in sizes.items())


@pytest.mark.slow
def test_a_team_imitates_first_and_then_learns_by_playing(tmp_path: Path) -> None:
    small = ["forbidden-island", "--vary", "players=2", "--games", 64, "--horizon", 16, "--minibatches", 2]
    told = run("ppo", *small, "--imitate", 2, "--updates", 3, "--threads", 1, "--out", tmp_path)
    assert told.startswith("update 3") and fits(tmp_path)
    before = np.load(tmp_path / "policy.npy")
    run("ppo", *small, "--resume", tmp_path, "--updates", 2, "--threads", 1, "--out", tmp_path)
    assert fits(tmp_path) and (np.load(tmp_path / "policy.npy") != before).any()


@pytest.mark.slow
def test_what_is_taught_is_what_players_go_by() -> None:
    """The network that learns rates a choice as the one that plays does."""
    code = """
import importlib, numpy as np, torch
from skerry.train.rollout_env import Rehearsal
from skerry.train.ppo import Policy
from skerry.train.supervised import Net
from skerry.bots import policy_net, value_net
from skerry.botkit.deep_sets import Shape
from skerry.games import find

game = find("forbidden-island")
sketching = importlib.import_module(f"{game.package}.bot.state_features")
regarding = importlib.import_module(f"{game.package}.bot.action_features")
stage = Rehearsal(game, game.configure({"players": 3}).encoded.array, 40, 1, 1, "cpu", imitated=False)
names, verbs = policy_net.named(game, sketching.GROUPS)
policy, critic = Policy(sketching.GROUPS, names, verbs, regarding.REGARDED), Net(Shape(sketching.GROUPS))
learnt, judged = policy_net.instinct_of(game), value_net.judgement_of(game)
policy.load(learnt.weights[3])
critic.load(judged.weights[3])
worst = 0.0
for step in range(60):
    sight = stage.look()
    with torch.no_grad():
        logs, hopes = policy(sight), critic(sight.seen)
    desk, out = np.zeros(learnt.form.desk["end"]), np.zeros(game.actions.size + 1)
    for i in range(stage.games):
        first, count = int(sight.starts[i]), int(sight.counts[i])
        legal = sight.actions[first : first + count].numpy().astype(np.int16)
        state = stage.stage.states[i]
        learnt.rate(state, int(sight.seats[i]), legal, count, learnt.weights[3], desk, out)
        rated = out[:count] - np.log(np.exp(out[:count] - out[:count].max()).sum()) - out[:count].max()
        worst = max(worst, np.abs(logs[first : first + count].numpy() - rated).max())
        worst = max(worst, abs(float(hopes[i]) - judged.worth(state, judged.weights[3], np.zeros(judged.shape.desk))))
    stage.play(sight.counts - 1 if step % 2 else sight.counts * 0)
print(worst)
"""
    told = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert float(told) < 1e-4


@pytest.mark.slow
def test_the_games_that_are_learnt_from_compile_for_a_gpu() -> None:
    code = """
import types
import numba, numpy as np
import skerry.lab.cuda
from skerry.train import rollout_env
from numba import cuda
from numba.cuda import dispatcher
from skerry.games import find

dispatcher.get_current_device = lambda: types.SimpleNamespace(compute_capability=(9, 0))  # as an H200 would say
game = find("forbidden-island")
made = rollout_env.Rehearsal(game, game.configure({}).encoded.array, 8, 1, 1, "cpu", imitated=False)
kernel = rollout_env.on_each_thread(made.play_on, game.actions.size + 1)
arrays = rollout_env.Stage(*(rollout_env.as_array(item) for item in made.stage))
ptx, _ = cuda.compile_ptx(kernel.py_func, (numba.typeof(arrays), numba.int64[::1]), cc=(9, 0), opt=False)
print(".visible .entry" in ptx)
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.stdout.split() == ["True"], done.stderr[-2000:]


@pytest.mark.slow
def test_a_judgement_is_taught_by_games_and_by_practice(tmp_path: Path) -> None:
    out = tmp_path / "value.npy"
    run("supervised", "forbidden-island", "--games", 40, "--epochs", 1, "--threads", 1, "--out", out)
    assert np.isfinite(np.load(out)).all() and len(np.load(out)) == len(np.load(FOLDER / "value.npy"))
    run("self_play", "hashi", "--rounds", 1, "--games", 8, "--threads", 1, "--out", out)
    assert np.isfinite(np.load(out)).all()
