"""What people see of Hashi: names, the view, the prompt. Reasons and the drawing have files of their own."""

from __future__ import annotations

import functools
from typing import Any

import numpy as np

from skerry.engine.kernel import argument
from skerry.engine.notation import Name, Names
from skerry.engine.refusal import Message, say
from skerry.engine.sharing import shared
from skerry.games.hashi import facts
from skerry.games.hashi.board import FLAG_NAMES, Board, Island, place_name
from skerry.games.hashi.bridges import due
from skerry.games.hashi.drawing import board
from skerry.games.hashi.happenings import ENDINGS
from skerry.games.hashi.knowledge import paper
from skerry.games.hashi.legal import waiting
from skerry.games.hashi.reasons import explain, line_name
from skerry.games.hashi.scoring import points_of, rank_of
from skerry.games.hashi.state import BLUE_FLAG, NOWHERE, OVER, PAPER, PHASES, PLAIN, RED_FLAG, WRITING, State

CARD_NAMES = tuple(f"{number}x{bridges}" for number, bridges in facts.CARDS)  # a 5 with three bridges is 5x3
__all__ = ["board", "explain", "names", "prompt", "view"]


def names(state: State) -> Names:
    """Islands are called by column and row, lines by their two islands, players by their pens."""
    return {
        "island": [_same(_place(state, island)) for island in range(facts.ISLANDS)],
        "line": [_line(line_name(state, line)) for line in range(state.lines)],
        "number": [_same(str(number)) for number in facts.START_NUMBERS],
        "player": [
            Name(pen, say(title), (str(seat),))
            for seat, (pen, title) in enumerate(zip(facts.PENS, facts.PEN_TITLES, strict=True))
        ][: state.players],
        "bonus": [Name(name, say(title)) for name, title in zip(facts.BONUSES, facts.BONUS_TITLES, strict=True)],
        "card": [_same(name) for name in CARD_NAMES],
        "rank": [Name(name, say(title)) for name, title in zip(facts.RANK_NAMES, facts.RANK_TITLES, strict=True)],
    }


def _same(word: str) -> Name:
    return Name(word, say("{name}", name=word))


def _line(name: str) -> Name:
    first, _, second = name.partition("-")
    return Name(name, say("{name}", name=name), (f"{second}-{first}".lower(),))


def _place(state: State, island: int) -> str:
    return place_name(state.row[island], state.column[island])


def view(state: State, seat: int | None) -> dict[str, Any]:
    """Everything but the order of the cards, the card set aside, and what others have drafted."""
    table = _table(state)
    if seat is None:
        return {"seat": None, **table, "draft": None}
    papers = [_paper(state, seat, True) if paper["seat"] == seat else paper for paper in table["papers"]]
    draft = None if state.phase == OVER else _draft(state, seat)
    return {"seat": seat, **table, "papers": papers, "draft": draft}


@shared
def _table(state: State) -> dict[str, Any]:
    """What all may see."""
    cards = [CARD_NAMES[card] for card in state.deck]
    return {
        "phase": PHASES[state.phase],
        "round": int(state.turns),
        "rounds": facts.ROUNDS,
        "card": _card(state),
        "shown": cards[: state.turns],
        "unseen": sorted(cards[state.turns :]),
        "board": _board(state),
        "papers": [_paper(state, owner, False) for owner in range(state.players)],
        "bonuses": [_bonus(state, bonus) for bonus in range(facts.N_BONUSES)],
        "waiting": [player for player in range(state.players) if waiting(state) >> player & 1],
        "ending": ENDINGS[state.ending - 1].name if state.ending else None,
        "rank": _rank(state) if state.ending and state.players == 1 else None,
    }


def _card(state: State) -> dict[str, int] | None:
    if not state.turns:
        return None
    number, bridges = facts.CARDS[state.deck[state.turns - 1]]
    return {"number": number, "bridges": bridges}


def _board(state: State) -> dict[str, Any]:
    flags = (int(state.red), int(state.blue))
    board = _laid_out(state.row.tobytes(), state.column.tobytes(), flags, state.end.tobytes(), int(state.lines))
    lines = [{"line": line["line"], "ends": [*line["ends"]]} for line in board["lines"]]
    return {**board, "islands": [*map(dict, board["islands"])], "lines": lines}


@functools.lru_cache(maxsize=64)
def _laid_out(rows: bytes, columns: bytes, flags: tuple[int, int], ends: bytes, lines: int) -> dict[str, Any]:
    """A board does not change while it is played on, so it is put into words once."""
    red, blue = flags
    places = enumerate(zip(rows, columns, strict=True))
    islands = [(y, x, RED_FLAG if red >> i & 1 else BLUE_FLAG if blue >> i & 1 else PLAIN) for i, (y, x) in places]
    pairs = tuple(zip(ends[: 2 * lines : 2], ends[1 : 2 * lines : 2], strict=True))
    board = Board(tuple(Island(*island) for island in islands), pairs)
    return {
        "width": board.width,
        "height": board.height,
        "islands": [
            {"island": i.name, "row": i.row, "column": i.column, "flag": FLAG_NAMES[i.flag]} for i in board.islands
        ],
        "lines": [{"line": board.line_name(line), "ends": board.line_name(line).split("-")} for line in range(lines)],
    }


def _paper(state: State, owner: int, own: bool) -> dict[str, Any]:
    """A player's paper: the own with this round's draft, another's without. Lists are in the board's order."""
    out = np.zeros(PAPER, np.int32)
    paper(state, owner, own, argument(out))
    shown = out.tolist()
    numbers, reached = shown[: facts.ISLANDS], shown[facts.ISLANDS : 2 * facts.ISLANDS]
    done = [bool(number) and number == bridges for number, bridges in zip(numbers, reached, strict=True)]
    bonuses = {name: int(state.bonus[owner, bonus]) or None for bonus, name in enumerate(facts.BONUSES)}
    return {
        "seat": owner,
        "player": facts.PENS[owner],
        "numbers": [number or None for number in numbers],
        "reached": reached,
        "finished": done,
        "bridges": shown[2 * facts.ISLANDS :][: state.lines],
        "bonuses": bonuses,
        "points": facts.ISLAND_POINTS * sum(done) + sum(points or 0 for points in bonuses.values()),
        "confirmed": bool(state.confirmed >> owner & 1),
    }


def _draft(state: State, seat: int) -> dict[str, Any]:
    island = int(state.draft_island[seat])
    return {
        "island": None if island == NOWHERE else _place(state, island),
        "start": int(state.draft_start[seat]) or None,
        "bridges": [line_name(state, state.draft_line[seat, i]) for i in range(state.drafted[seat])],
        "due": due(state, seat) if state.turns else 0,
    }


def _bonus(state: State, bonus: int) -> dict[str, Any]:
    """``open``: whether the full points can still be had in this round."""
    solo = state.players == 1
    late = state.turns > facts.DEADLINES[bonus] if solo else bool(state.claimed >> bonus & 1)
    return {
        "bonus": facts.BONUSES[bonus],
        "full": facts.FULL[bonus],
        "late": facts.LATE[bonus],
        "open": not late,
        "deadline": facts.DEADLINES[bonus] if solo else None,
    }


def _rank(state: State) -> dict[str, Any]:
    rank = rank_of(points_of(state, 0))
    return {"rank": facts.RANK_NAMES[rank], "title": facts.RANK_TITLES[rank], "number": rank + 1}


def prompt(state: State, seat: int | None) -> Message:
    """One line that says what the game waits for."""
    if state.phase == OVER:
        return say("The game is over: {points} points", points=max(points_of(state, s) for s in range(state.players)))
    if seat is None or state.confirmed >> seat & 1:
        left = sum(waiting(state) >> player & 1 for player in range(state.players))
        return say("Waiting for {left} of {players} players", left=left, players=int(state.players))
    if state.phase == WRITING:
        return _start(state, seat)
    return _round(state, seat)


def _start(state: State, seat: int) -> Message:
    """Who plays with others writes for the left neighbour, who gets the paper."""
    if state.draft_island[seat] != NOWHERE:
        return say("Confirm your start number, or choose another")
    if state.players == 1:
        return say("Write a 3 or a 4 on an island without a flag")
    neighbour = say(facts.PEN_TITLES[(seat + 1) % state.players])
    return say(
        "Write a 3 or a 4 on an island without a flag: {player} gets this paper and begins with that number",
        player=neighbour,
    )


def _round(state: State, seat: int) -> Message:
    number, bridges = facts.CARDS[state.deck[state.turns - 1]]
    left = due(state, seat)
    card = {"round": int(state.turns), "number": number, "bridges": bridges, "left": left}
    if not left:
        return Message("Card {round}: all bridges are drawn; confirm, or change your mind", card)
    if left < bridges:
        return Message("Card {round}: {left} of {bridges} bridges to go", card)
    if state.draft_island[seat] == NOWHERE:
        return Message(
            "Card {round}: write a {number}, then draw {bridges} {bridges:bridge|bridges}; or confirm without", card
        )
    return Message("Card {round}: draw {bridges} {bridges:bridge|bridges}, or confirm with none", card)
