"""The simulation finds the faults that it is there to find."""

from __future__ import annotations

import pytest

from tests.server.simulation.history import run_history
from tests.server.simulation.planted_faults import PLANTED_FAULTS, PlantedFault

SEEDS = 200  # within which a planted fault must be found; most are found by one of the first ten


@pytest.mark.parametrize("fault", PLANTED_FAULTS, ids=lambda fault: fault.what)
def test_some_seed_finds(fault: PlantedFault) -> None:
    with fault.planted():
        found = next((seed for seed in range(SEEDS) if run_history(seed).violations), None)
    assert found is not None, f"no seed finds that {fault.what}"
    assert not run_history(found).violations, f"seed {found} fails without the planted fault, too"
