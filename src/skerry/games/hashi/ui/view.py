"""The view: what a seat may see, as plain data. Only what is named here can reach it."""

from __future__ import annotations

import functools
from typing import Any

import numpy as np

from skerry.engine.kernel import kernel_array
from skerry.engine.memo import memoize_recent
from skerry.games.hashi.rules import components
from skerry.games.hashi.rules.board import Board, Island
from skerry.games.hashi.rules.bridges import bridges_due
from skerry.games.hashi.rules.events import ENDINGS
from skerry.games.hashi.rules.legal import waiting
from skerry.games.hashi.rules.observation import observe_paper
from skerry.games.hashi.rules.scoring import points_of, rank_of
from skerry.games.hashi.rules.state import BLUE_FLAG, NO_FLAG, NOWHERE, OVER, PAPER_SIZE, PHASES, RED_FLAG, State
from skerry.games.hashi.ui.board_view import board_view
from skerry.games.hashi.ui.names import CARD_NAMES, island_slug
from skerry.games.hashi.ui.reasons import line_name


def view(state: State, seat: int | None) -> dict[str, Any]:
    """What a seat sees: everything except the order of the cards to come and the drafts of others."""
    public = _public_view(state)
    if seat is None:
        return {"seat": None, **public, "draft": None}
    papers = [_paper_view(state, seat, True) if paper["seat"] == seat else paper for paper in public["papers"]]
    draft = None if state.phase == OVER else _draft_view(state, seat)
    return {"seat": seat, **public, "papers": papers, "draft": draft}


@memoize_recent
def _public_view(state: State) -> dict[str, Any]:
    """What everybody may see."""
    cards = [CARD_NAMES[card] for card in state.deck]
    return {
        "phase": PHASES[state.phase],
        "round": int(state.turns),
        "rounds": components.ROUNDS,
        "card": _card_view(state),
        "shown": cards[: state.turns],
        "unseen": sorted(cards[state.turns :]),
        "board": _board(state),
        "papers": [_paper_view(state, owner, False) for owner in range(state.players)],
        "bonuses": [_bonus_view(state, bonus) for bonus in range(components.N_BONUSES)],
        "waiting": [player for player in range(state.players) if waiting(state) >> player & 1],
        "ending": ENDINGS[state.ending - 1].name if state.ending else None,
        "rank": _rank_view(state) if state.ending and state.players == 1 else None,
    }


def _card_view(state: State) -> dict[str, int] | None:
    if not state.turns:
        return None
    number, bridges = components.CARDS[state.deck[state.turns - 1]]
    return {"number": number, "bridges": bridges}


def _board(state: State) -> dict[str, Any]:
    flags = (int(state.red), int(state.blue))
    board = _board_view(state.row.tobytes(), state.column.tobytes(), flags, state.end.tobytes(), int(state.lines))
    lines = [{"line": line["line"], "ends": [*line["ends"]]} for line in board["lines"]]
    return {**board, "islands": [*map(dict, board["islands"])], "lines": lines}


@functools.lru_cache(maxsize=64)
def _board_view(rows: bytes, columns: bytes, flags: tuple[int, int], ends: bytes, lines: int) -> dict[str, Any]:
    """The part of the view for a board. A board does not change during a match, so it is cached."""
    red, blue = flags
    places = enumerate(zip(rows, columns, strict=True))
    islands = [(y, x, RED_FLAG if red >> i & 1 else BLUE_FLAG if blue >> i & 1 else NO_FLAG) for i, (y, x) in places]
    pairs = tuple(zip(ends[: 2 * lines : 2], ends[1 : 2 * lines : 2], strict=True))
    return board_view(Board(tuple(Island(*island) for island in islands), pairs))


def _paper_view(state: State, owner: int, with_draft: bool) -> dict[str, Any]:
    """A player's paper, with this round's draft or without. Lists are in the board's order."""
    out = np.zeros(PAPER_SIZE, np.int32)
    observe_paper(state, owner, with_draft, kernel_array(out))
    shown = out.tolist()
    numbers, reached = shown[: components.ISLANDS], shown[components.ISLANDS : 2 * components.ISLANDS]
    done = [bool(number) and number == bridges for number, bridges in zip(numbers, reached, strict=True)]
    bonuses = {name: int(state.bonus[owner, bonus]) or None for bonus, name in enumerate(components.BONUSES)}
    return {
        "seat": owner,
        "player": components.PENS[owner],
        "numbers": [number or None for number in numbers],
        "reached": reached,
        "finished": done,
        "bridges": shown[2 * components.ISLANDS :][: state.lines],
        "bonuses": bonuses,
        "points": components.ISLAND_POINTS * sum(done) + sum(points or 0 for points in bonuses.values()),
        "confirmed": bool(state.confirmed >> owner & 1),
    }


def _draft_view(state: State, seat: int) -> dict[str, Any]:
    island = int(state.draft_island[seat])
    return {
        "island": None if island == NOWHERE else island_slug(state, island),
        "start": int(state.draft_start[seat]) or None,
        "bridges": [line_name(state, state.draft_line[seat, i]) for i in range(state.drafted[seat])],
        "due": bridges_due(state, seat) if state.turns else 0,
    }


def _bonus_view(state: State, bonus: int) -> dict[str, Any]:
    """A bonus. ``open`` says whether it still gives full points in this round."""
    solo = state.players == 1
    late = state.turns > components.SOLO_DEADLINES[bonus] if solo else bool(state.claimed >> bonus & 1)
    return {
        "bonus": components.BONUSES[bonus],
        "full": components.FULL_POINTS[bonus],
        "late": components.LATE_POINTS[bonus],
        "open": not late,
        "deadline": components.SOLO_DEADLINES[bonus] if solo else None,
    }


def _rank_view(state: State) -> dict[str, Any]:
    rank = rank_of(points_of(state, 0))
    return {"rank": components.RANK_NAMES[rank], "title": components.RANK_TITLES[rank], "number": rank + 1}
