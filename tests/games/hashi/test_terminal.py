"""The papers in a terminal."""

from __future__ import annotations

import io

import pytest
from rich.console import Console

from skerry.games.hashi import GAME
from tests.games.hashi.positions import Paper


def drawn(paper: Paper, seat: int | None, width: int = 80) -> str:
    console = Console(width=width, record=True, file=io.StringIO())
    console.print(GAME.ui.board(paper.match.view(seat), width))
    return console.export_text()


def test_numbers_bridges_and_finished_islands_are_drawn() -> None:
    paper = Paper("5x1", "C4:4 C5:2 E4:1", "C4-C5 C4-E4 C4-C5")
    rows = drawn(paper, 0).splitlines()
    assert any("( )┄┄┄┼┄┄┄(4)───────(1*" in row for row in rows)
    assert any("┆   ( )┄┄(2*┄┄( )   ┆" in row for row in rows)
    assert any(row.split()[:5] == ["┆", "┆", "║", "┆", "┆"] for row in rows)


def test_a_draft_is_drawn_for_its_owner_only() -> None:
    paper = Paper("5x1", "C4:4", players=2)
    paper.play("write B6", "bridge C4-E4")
    assert "(5)" in drawn(paper, 0) and "(5)" not in drawn(paper, 1) and "(5)" not in drawn(paper, None)


@pytest.mark.parametrize("players", [1, 2, 3, 4])
@pytest.mark.parametrize("side", ["A", "B"])
def test_papers_fit_into_80_columns(players: int, side: str) -> None:
    paper = Paper("6x3", players=players, board=side)
    assert max(map(len, drawn(paper, 0).splitlines())) <= 80
