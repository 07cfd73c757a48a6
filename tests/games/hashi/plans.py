"""Whole solo games as text, played through the rules.

board A
start 4 C4
card 5x3: write B6; bridge C4-E4 A6-B6 B6-D6
…
"""

from __future__ import annotations

from pathlib import Path

import skerry
from skerry.engine.match import Match
from skerry.games.hashi.board import Board
from skerry.games.hashi.solver import Best
from tests.games.hashi.paper import CARD_NAMES

PERFECT = Path(__file__).parent / "perfect.txt"


def read_plans(text: str) -> list[list[str]]:
    """The lines of each game; a game begins with its board."""
    plans: list[list[str]] = []
    for line in text.splitlines():
        if line.startswith("board "):
            plans.append([])
        if line and not line.startswith("#"):
            plans[-1].append(line)
    return plans


def write_plan(board: Board, best: Best) -> list[str]:
    island, number = best.start
    lines = [f"board {board.text}", f"start {number} {board.islands[island].name}"]
    for turn in best.plan:
        words = [f"write {board.islands[turn.island].name}"] if turn.island is not None else []
        if turn.lines:
            words.append("bridge " + " ".join(board.line_name(line) for line in turn.lines))
        lines.append(f"card {turn.card[0]}x{turn.card[1]}: " + "; ".join(words))
    return lines


def play_plan(lines: list[str]) -> Match:
    """The game with the cards in the order of the plan; every word of it must be legal."""
    board, start, *turns = lines
    match = skerry.game("hashi", players=1, board=board.partition(" ")[2]).new(seed=0)
    cards = [CARD_NAMES.index(turn.partition(":")[0].split()[1]) for turn in turns]
    for position, card in enumerate([*cards, *set(range(18)) - set(cards)]):
        match.state.deck[position] = card
    match.play(0, start)
    match.play(0, "confirm")
    for turn in turns:
        for part in turn.partition(":")[2].split(";"):
            verb, *names = part.split() or [""]
            for name in names:
                match.play(0, f"{verb} {name}")
        match.play(0, "confirm")
    return match
