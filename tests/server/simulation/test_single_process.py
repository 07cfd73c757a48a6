"""The same for a single process, which has no Redis and nobody who takes over while it is away."""

from __future__ import annotations

import pytest

from tests.server.simulation.test_histories import SEEDS, check, first_seeds


@pytest.mark.parametrize("first", first_seeds(100_000, SEEDS // 2))
def test_histories_of_one_process(first: int) -> None:
    check(first, processes=1)


@pytest.mark.slow
@pytest.mark.parametrize("first", first_seeds(100_100, 200))
def test_many_histories_of_one_process(first: int) -> None:
    check(first, processes=1)
