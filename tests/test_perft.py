"""How many ways there are to play the first steps: counts that only a change of the rules may change.

``tests/perft.txt`` has one line a count: game, seed, depth, number of sequences, options. A sequence is what any seats
do one after another, interrupts included; chance is the seed's. ``python -m tests.test_perft`` writes them anew.
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
def test_the_number_of_ways_to_play(line: list[str]) -> None:
    name, seed, depth, sequences, *options = line
    variant = skerry.game(name, **dict(option.split("=") for option in options))
    assert count_sequences(variant, int(seed), int(depth)) == int(sequences)


def test_every_game_is_counted() -> None:
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
