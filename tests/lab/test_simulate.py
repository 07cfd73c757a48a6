"""Series of games: the same whatever the chunks, cores and mode."""

from __future__ import annotations

from collections import Counter
from concurrent.futures import Executor
from typing import Any

import numpy as np
import pytest

import skerry
from skerry.bots import rollout_pool
from skerry.lab.chunks import Chunk, ChunkResult, ChunkScheduler
from skerry.lab.series import STEP_LIMIT
from skerry.lab.simulate import Series, play, simulate, stream_tallies
from skerry.lab.statistics import mean_interval, quantile, wilson_interval
from skerry.lab.tally import Tally, count_values
from skerry.lab.threads import ThreadBackend


def series(games: int = 300, limit: int = STEP_LIMIT) -> Series:
    return Series(skerry.game("forbidden-island", players=3), ("random", "skilled", "random"), games, 4, limit)


def test_a_game_of_a_series_is_the_same_wherever_it_is_played(monkeypatch: pytest.MonkeyPatch) -> None:
    states, steps = play(series(), 0, 60)
    alone, its_steps = play(series(), 37, 1)
    assert alone.tobytes() == states[37:38].tobytes() and its_steps[0] == steps[37]
    whole = simulate(series(), cores=1)
    monkeypatch.setattr(ThreadBackend, "max_chunk", 7)
    assert simulate(series(), cores=2) == whole
    assert Tally.from_dict(whole.as_dict()) == whole


def test_pieces_grow_while_they_are_quick_and_shrink_when_they_are_slow() -> None:
    plan = ChunkScheduler([(series(), [(0, 300)])], ThreadBackend())
    tasks = iter(plan)
    assert next(tasks).count == ThreadBackend.min_chunk
    plan.adapt(ChunkResult(Chunk(series(), 0, 16), simulate(series(1)), seconds=0.001))
    assert next(tasks).count == 4 * ThreadBackend.min_chunk
    plan.adapt(ChunkResult(Chunk(series(), 16, 64), simulate(series(1)), seconds=320.0))
    assert next(tasks).count == 1


def test_shared_wins_are_parts() -> None:
    """Two random players of Hashi often draw."""
    total = simulate(Series(skerry.game("hashi", players=2), ("random",) * 2, 200))
    assert total.winners[:, 1].sum() > 0 and total.wins.sum() == 200
    assert total.wins[0] == total.winners[0, 0] + total.winners[0, 1] / 2


def test_who_else_is_compiled_in_changes_nothing() -> None:
    alone = Series(skerry.game("cartagena", players=2), ("random", "random"), 50, seed=4)
    among = Series(alone.variant, alone.seats, 50, seed=4, compiled_with=("novice", "random"))
    assert among.key == alone.key and among.playout() is not alone.playout()
    assert simulate(among) == simulate(alone)


def test_all_games_are_counted_once() -> None:
    total = simulate(series(301))
    assert total.games == 301 == sum(total.turns.values())


@pytest.mark.parametrize("games", [1, 2])
def test_experts_with_fewer_games_than_cores_share_all_that_are_given_and_no_more(
    monkeypatch: pytest.MonkeyPatch, games: int
) -> None:
    thinking, asked = rollout_pool.rollout_threads, list[int]()

    def workers(threads: int) -> Executor:
        asked.append(threads)
        return thinking(threads)

    monkeypatch.setattr(rollout_pool, "rollout_threads", workers)
    few = Series(skerry.game("hashi", players=1), ("expert:2",), games)
    assert simulate(few, cores=1) == simulate(few, cores=3)
    assert set(asked) == {3}, "with one core all is thought where the game is played"


def test_experts_with_as_many_games_as_cores_think_where_each_is_played(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rollout_pool, "rollout_threads", lambda threads: pytest.fail("thoughts were handed on"))
    several = Series(skerry.game("hashi", players=1), ("expert:2",), 6)
    assert simulate(several, cores=2) == simulate(several, cores=1)


def test_experts_do_not_play_a_game_to_the_end_only_to_compile(monkeypatch: pytest.MonkeyPatch) -> None:
    original_play, rollouts = rollout_pool.RolloutPool.play, list[int]()

    def counting(self: rollout_pool.RolloutPool, positions: Any, actions: Any, jobs: Any) -> Any:
        rollouts.append(len(jobs))
        return original_play(self, positions, actions, jobs)

    monkeypatch.setattr(rollout_pool.RolloutPool, "play", counting)
    alone = Series(skerry.game("hashi", players=1), ("expert:400",), 1)
    play(alone, 0, 1)
    one_game = sum(rollouts)
    simulate(alone)
    assert sum(rollouts) < 2.2 * one_game


def test_who_stops_listening_stops_the_series() -> None:
    games = 0
    for tally in stream_tallies(Series(skerry.game("forbidden-island"), ("random",) * 4, 1 << 40)):
        games += tally.games
        if games > 2 * ThreadBackend.min_chunk:
            break
    assert games < 1_000_000


def test_a_game_over_the_limit_is_unfinished() -> None:
    total = simulate(series(limit=5))
    assert total.endings[0] == 300 and total.steps == 1500


def test_a_match_played_by_hand_is_the_match_of_the_series() -> None:
    """The loop in a kernel and a loop in Python over the same seed and the same chance."""
    from skerry.engine.rng import derive_seed, next_below

    variant = skerry.game("forbidden-island", players=2)
    states, steps = play(Series(variant, ("random",) * 2, 20, seed=9), 0, 20)
    for number in range(20):
        match = variant.new(int(derive_seed(np.uint64(9), number)))
        counter = np.uint64(derive_seed(np.uint64(9) ^ np.uint64(0x5EED), number))
        while (waiting := match.waiting) != ():
            if len(waiting) > 1:
                pick, counter = next_below(np.uint64(counter), len(waiting))
                waiting = waiting[pick:]
            legal = match.legal_ids(waiting[0])
            index, counter = next_below(np.uint64(counter), len(legal))
            match.play(waiting[0], legal[index])
        assert match.content == states[number : number + 1].tobytes() and len(match.steps) == steps[number]


@pytest.mark.parametrize(
    ("seats", "games", "reason"),
    [(("random",), 1, "1 bots for 2 seats"), (("random", "random"), 0, "at least one game")],
)
def test_a_bad_series(seats: tuple[str, ...], games: int, reason: str) -> None:
    with pytest.raises(skerry.BadOption, match=reason):
        Series(skerry.game("forbidden-island", players=2), seats, games)


def test_an_unknown_bot() -> None:
    with pytest.raises(skerry.BadOption, match="no bot 'genius'; it has random, skilled, novice"):
        simulate(Series(skerry.game("forbidden-island", players=2), ("genius", "random"), 1))


def test_intervals() -> None:
    low, high = wilson_interval(50, 100)
    assert (round(low, 4), round(high, 4)) == (0.4038, 0.5962)
    assert wilson_interval(0, 10)[0] == 0 and 0.27 < wilson_interval(0, 10)[1] < 0.28
    assert wilson_interval(0, 0) == (0, 1)
    mean, low, high = mean_interval({1: 50, 3: 50})
    assert mean == 2 and round(high - mean, 3) == round(mean - low, 3) == 0.197
    assert quantile({1: 5, 2: 4, 9: 1}, 0.5) == 1 and quantile({1: 5, 2: 4, 9: 1}, 0.95) == 9


@pytest.mark.parametrize("values", [[3, 0, 3], [-1.0, 2.0], [0.5, 0.5, 7.0], [1e9], []])
def test_values_are_counted_whatever_they_are(values: list[float]) -> None:
    assert count_values(np.array(values)) == Counter(values)
