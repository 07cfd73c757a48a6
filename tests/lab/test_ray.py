"""A real cluster of two workers on this machine; one is killed while it plays."""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import Any

import pytest

import skerry
from skerry.lab import Series, simulate
from skerry.lab.ray import RayBackend
from skerry.lab.simulate import SimulationRun

pytestmark = pytest.mark.filterwarnings("ignore")  # Ray's own


@pytest.fixture
def cluster(monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """A head that only manages, and two workers of one core each. They play interpreted: slow enough to be killed in
    the middle of a game, and the same games."""
    from ray.cluster_utils import Cluster

    monkeypatch.setenv("SKERRY_INTERPRET", "1")
    monkeypatch.setenv(
        "PYTHONPATH", os.pathsep.join((os.path.dirname(skerry.__path__[0]), os.environ.get("PYTHONPATH", "")))
    )
    made = Cluster(initialize_head=True, head_node_args={"num_cpus": 0, "include_dashboard": False})
    yield made
    made.shutdown()


def series(games: int) -> Series:
    return Series(skerry.game("cartagena", players=2), ("random", "random"), games, seed=8)


def test_a_worker_that_dies_costs_nothing_and_counts_nothing_twice(cluster: Any) -> None:
    workers = [cluster.add_node(num_cpus=1) for _ in range(2)]
    backend = RayBackend(cluster.address)
    backend.min_chunk = 2  # games: both workers are busy, and more waits
    run = SimulationRun([series(24)], backend)
    played = []
    for done in run:
        played.append((done.chunk.first, done.chunk.count))
        if len(played) == 1:
            cluster.remove_node(workers.pop(), allow_graceful=False)
    assert sorted(game for first, count in played for game in range(first, first + count)) == list(range(24))
    assert run.tallies[0] == simulate(series(24))


def test_no_cluster() -> None:
    with pytest.raises(skerry.Refusal, match=r"No Ray cluster answers at 127\.0\.0\.1:1"):
        simulate(series(1), backend=RayBackend("127.0.0.1:1"))
