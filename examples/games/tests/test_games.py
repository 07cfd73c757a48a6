"""Both games keep the contract, and tic-tac-toe is the game that everybody knows."""

from typing import Any

import pytest

import skerry
from skerry.engine import conformance

NAMES = ("tic-tac-toe", "lanterns")


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("check", conformance.CHECKS, ids=lambda check: check.__name__)
def test_conformance(name: str, check: Any) -> None:
    check(skerry.game(name).game)


def test_three_in_a_row_win() -> None:
    match = skerry.game("tic-tac-toe").new()
    for seat, cell in (0, 5), (1, 1), (0, 2), (1, 3), (0, 8):
        match.play(seat, f"mark {cell}")
    assert match.result is not None
    assert match.result.reason == "line" and match.result.winners == (0,)


def test_three_plies_have_504_sequences() -> None:
    assert conformance.count_sequences(skerry.game("tic-tac-toe"), 1, 3) == 9 * 8 * 7
