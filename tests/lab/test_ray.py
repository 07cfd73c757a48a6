"""The Ray backend, on a cluster of two workers on this machine, one of which is killed."""

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
    """A cluster whose head node runs no tasks. Workers use interpreted kernels, which give the same games but are slow
    enough that a worker can be killed in the middle of a chunk."""
    from ray.cluster_utils import Cluster

    monkeypatch.setenv("SKERRY_INTERPRET", "1")
    monkeypatch.setenv(
        "PYTHONPATH", os.pathsep.join((os.path.dirname(skerry.__path__[0]), os.environ.get("PYTHONPATH", "")))
    )
    cluster = Cluster(initialize_head=True, head_node_args={"num_cpus": 0, "include_dashboard": False})
    yield cluster
    cluster.shutdown()


def series(games: int) -> Series:
    return Series(skerry.game("cartagena", players=2), ("random", "random"), games, seed=8)


def test_when_a_worker_dies_no_game_is_lost_or_counted_twice(cluster: Any) -> None:
    workers = [cluster.add_node(num_cpus=1) for _ in range(2)]
    backend = RayBackend(cluster.address)
    backend.min_chunk = 2  # games, so that both workers are busy and others wait
    run = SimulationRun([series(24)], backend)
    played = []
    for result in run:
        played.append((result.chunk.first, result.chunk.count))
        if len(played) == 1:
            cluster.remove_node(workers.pop(), allow_graceful=False)
    assert sorted(game for first, count in played for game in range(first, first + count)) == list(range(24))
    assert run.tallies[0] == simulate(series(24))


def test_an_address_without_a_cluster_is_refused() -> None:
    with pytest.raises(skerry.Refusal, match=r"No Ray cluster answers at 127\.0\.0\.1:1"):
        simulate(series(1), backend=RayBackend("127.0.0.1:1"))
