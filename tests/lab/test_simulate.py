"""Series of games: the same results for all chunk sizes, numbers of cores and kernel modes."""

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


def test_a_game_does_not_depend_on_chunks_and_cores(monkeypatch: pytest.MonkeyPatch) -> None:
    states, steps = play(series(), 0, 60)
    alone, its_steps = play(series(), 37, 1)
    assert alone.tobytes() == states[37:38].tobytes() and its_steps[0] == steps[37]
    whole = simulate(series(), cores=1)
    monkeypatch.setattr(ThreadBackend, "max_chunk", 7)
    assert simulate(series(), cores=2) == whole
    assert Tally.from_dict(whole.as_dict()) == whole


def test_chunks_grow_while_they_are_quick_and_shrink_when_they_are_slow() -> None:
    scheduler = ChunkScheduler([(series(), [(0, 300)])], ThreadBackend())
    chunks = iter(scheduler)
    assert next(chunks).count == ThreadBackend.min_chunk
    scheduler.adapt(ChunkResult(Chunk(series(), 0, 16), simulate(series(1)), seconds=0.001))
    assert next(chunks).count == 4 * ThreadBackend.min_chunk
    scheduler.adapt(ChunkResult(Chunk(series(), 16, 64), simulate(series(1)), seconds=320.0))
    assert next(chunks).count == 1


def test_a_shared_win_counts_in_parts() -> None:
    """Two random bots often draw in Hashi."""
    tally = simulate(Series(skerry.game("hashi", players=2), ("random",) * 2, 200))
    assert tally.winners[:, 1].sum() > 0 and tally.wins.sum() == 200
    assert tally.wins[0] == tally.winners[0, 0] + tally.winners[0, 1] / 2


def test_other_bots_in_the_kernels_change_no_game() -> None:
    alone = Series(skerry.game("cartagena", players=2), ("random", "random"), 50, seed=4)
    among = Series(alone.variant, alone.seats, 50, seed=4, compiled_with=("novice", "random"))
    assert among.key == alone.key and among.kernels() is not alone.kernels()
    assert simulate(among) == simulate(alone)


def test_every_game_is_counted_once() -> None:
    tally = simulate(series(301))
    assert tally.games == 301 == sum(tally.turns.values())


@pytest.mark.parametrize("games", [1, 2])
def test_with_fewer_games_than_cores_a_search_uses_all_given_cores(monkeypatch: pytest.MonkeyPatch, games: int) -> None:
    original_threads, asked = rollout_pool.rollout_threads, list[int]()

    def workers(threads: int) -> Executor:
        asked.append(threads)
        return original_threads(threads)

    monkeypatch.setattr(rollout_pool, "rollout_threads", workers)
    series_of_few = Series(skerry.game("hashi", players=1), ("expert:2",), games)
    assert simulate(series_of_few, cores=1) == simulate(series_of_few, cores=3)
    assert set(asked) == {3}, "with one core, no thread pool is used"


def test_with_as_many_games_as_cores_each_search_stays_in_its_thread(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rollout_pool, "rollout_threads", lambda threads: pytest.fail("a search used a thread pool"))
    several = Series(skerry.game("hashi", players=1), ("expert:2",), 6)
    assert simulate(several, cores=2) == simulate(several, cores=1)


def test_compiling_with_an_expert_does_not_play_a_whole_game(monkeypatch: pytest.MonkeyPatch) -> None:
    original_play, rollouts = rollout_pool.RolloutPool.play, list[int]()

    def counting(self: rollout_pool.RolloutPool, positions: Any, actions: Any, jobs: Any) -> Any:
        rollouts.append(len(jobs))
        return original_play(self, positions, actions, jobs)

    monkeypatch.setattr(rollout_pool.RolloutPool, "play", counting)
    alone = Series(skerry.game("hashi", players=1), ("expert:40",), 1)
    play(alone, 0, 1)
    one_game = sum(rollouts)
    simulate(alone)
    assert sum(rollouts) < 2.2 * one_game


def test_closing_the_stream_stops_the_simulation() -> None:
    games = 0
    for tally in stream_tallies(Series(skerry.game("forbidden-island"), ("random",) * 4, 1 << 40)):
        games += tally.games
        if games > 2 * ThreadBackend.min_chunk:
            break
    assert games < 1_000_000


def test_a_game_that_reaches_the_step_limit_is_unfinished() -> None:
    tally = simulate(series(limit=5))
    assert tally.endings[0] == 300 and tally.steps == 1500


def test_a_match_played_step_by_step_equals_the_game_of_the_series() -> None:
    """The play loop of the kernels and one in Python, with the same seeds and the same random numbers."""
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
def test_a_series_with_bad_seats_or_no_games_is_refused(seats: tuple[str, ...], games: int, reason: str) -> None:
    with pytest.raises(skerry.BadOption, match=reason):
        Series(skerry.game("forbidden-island", players=2), seats, games)


def test_an_unknown_bot_is_refused() -> None:
    with pytest.raises(skerry.BadOption, match="no bot 'genius'; it has random, skilled, novice"):
        simulate(Series(skerry.game("forbidden-island", players=2), ("genius", "random"), 1))


def test_confidence_intervals_and_quantiles() -> None:
    low, high = wilson_interval(50, 100)
    assert (round(low, 4), round(high, 4)) == (0.4038, 0.5962)
    assert wilson_interval(0, 10)[0] == 0 and 0.27 < wilson_interval(0, 10)[1] < 0.28
    assert wilson_interval(0, 0) == (0, 1)
    mean, low, high = mean_interval({1: 50, 3: 50})
    assert mean == 2 and round(high - mean, 3) == round(mean - low, 3) == 0.197
    assert quantile({1: 5, 2: 4, 9: 1}, 0.5) == 1 and quantile({1: 5, 2: 4, 9: 1}, 0.95) == 9


@pytest.mark.parametrize("values", [[3, 0, 3], [-1.0, 2.0], [0.5, 0.5, 7.0], [1e9], []])
def test_values_of_every_kind_are_counted(values: list[float]) -> None:
    assert count_values(np.array(values)) == Counter(values)
