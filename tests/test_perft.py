"""Perft: the number of sequences of the first steps, which only a change of the rules may change.

Each line of ``tests/perft.txt`` has a game, a seed, a depth, the number of sequences, and options. Any seat may act
next, so interruptions count too; chance depends on the seed. ``python -m tests.test_perft`` writes the file.
"""

from __future__ import annotations

from pathlib import Path

import pytest

import skerry
from skerry.engine.conformance import count_sequences
from skerry.games import all_games

FILE = Path(__file__).parent / "perft.txt"
LINES = [line.split() for line in FILE.read_text().splitlines()] if FILE.exists() else []


@pytest.mark.parametrize("line", LINES, ids=" ".join)
def test_the_number_of_sequences(line: list[str]) -> None:
    name, seed, depth, sequences, *options = line
    variant = skerry.game(name, **dict(option.split("=") for option in options))
    assert count_sequences(variant, int(seed), int(depth)) == int(sequences)


def test_every_game_has_counts() -> None:
    assert {line[0] for line in LINES} == {game.name for game in all_games()}


def main() -> None:
    lines = []
    for game in all_games():
        for players in game.seats:
            variant = game.configure({"players": players})
            for depth in (1, 2, 3):
                sequences = count_sequences(variant, 7, depth)
                lines.append(f"{game.name} 7 {depth} {sequences} players={players}")
    FILE.write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
