"""What a learner is given says nothing of what its seat cannot know."""

from __future__ import annotations

import numpy as np

import skerry
from skerry.engine.struct import StructBuffer
from skerry.envs.pettingzoo import raw_env


def test_resampling_what_a_seat_cannot_know_changes_nothing_it_sees(game: skerry.Game) -> None:
    for players in (game.seats[0], game.seats[-1]):
        env = raw_env(game.name, players=players)
        chance = np.random.default_rng(players)
        changed = 0
        for episode in range(3):
            env.reset(seed=episode)
            for agent in env.agent_iter(60):
                seen, _, terminated, truncated, _ = env.last()
                changed += resampled(env, chance)
                over = terminated or truncated
                env.step(None if over else env.action_space(agent).sample(seen["action_mask"]))
        assert changed, "nothing is hidden: the test cannot fail"


def resampled(env: raw_env, chance: np.random.Generator) -> int:
    """Compare what each seat sees of the truth and of a sample; how many samples differ from the truth."""
    truth, changed = env._batch.states.tobytes(), 0
    for seat, agent in enumerate(env.possible_agents):
        before = env.observe(agent)
        world = StructBuffer(env.game.state_struct, truth)
        env.game.rules.determinize(world.struct, seat, chance.integers(0, 2**64, dtype=np.uint64))
        changed += world.content != truth
        env._batch.states[:] = world.array
        after = env.observe(agent)
        env._batch.states[:] = StructBuffer(env.game.state_struct, truth).array
        assert all(np.array_equal(before[name], after[name]) for name in before)
    return changed
