"""What people see of Hashi: names, the view, the prompt. Reasons and the drawing have files of their own."""

from __future__ import annotations

from typing import Any

from skerry.engine.notation import Name, Names
from skerry.engine.refusal import Message, say
from skerry.games.hashi import facts
from skerry.games.hashi.board import place_name
from skerry.games.hashi.bridges import due
from skerry.games.hashi.draft import bridges_at, drafted_at
from skerry.games.hashi.drawing import board
from skerry.games.hashi.happenings import ENDINGS
from skerry.games.hashi.knowledge import bridges_on, drafted_on, open_number
from skerry.games.hashi.legal import waiting
from skerry.games.hashi.reasons import explain, line_name
from skerry.games.hashi.scoring import points_of
from skerry.games.hashi.state import NOWHERE, OVER, PHASES, WRITING, State

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
        "card": [_same(card_name(card)) for card in range(facts.DECK)],
        "rank": [Name(name, say(title)) for name, title in zip(facts.RANK_NAMES, facts.RANK_TITLES["en"], strict=True)],
    }


def card_name(card: int) -> str:
    """A 5 with three bridges is ``5x3``."""
    number, bridges = facts.CARDS[card]
    return f"{number}x{bridges}"


def _same(word: str) -> Name:
    return Name(word, say("{name}", name=word))


def _line(name: str) -> Name:
    first, _, second = name.partition("-")
    return Name(name, say("{name}", name=name), (f"{second}-{first}".lower(),))


def _place(state: State, island: int) -> str:
    return place_name(state.row[island], state.column[island])


def view(state: State, seat: int | None) -> dict[str, Any]:
    """Everything but the order of the cards, the card set aside, and what others have drafted."""
    cards = [card_name(card) for card in state.deck]
    return {
        "seat": seat,
        "phase": PHASES[state.phase],
        "round": int(state.turns),
        "rounds": facts.ROUNDS,
        "card": _card(state),
        "shown": cards[: state.turns],
        "unseen": sorted(cards[state.turns :]),
        "board": _board(state),
        "papers": [_paper(state, owner, owner == seat) for owner in range(state.players)],
        "draft": None if seat is None or state.phase == OVER else _draft(state, seat),
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
    return {
        "width": 1 + max(state.column),
        "height": 1 + max(state.row),
        "islands": [
            {
                "island": _place(state, island),
                "row": int(state.row[island]),
                "column": int(state.column[island]),
                "flag": "red" if state.red >> island & 1 else "blue" if state.blue >> island & 1 else None,
            }
            for island in range(facts.ISLANDS)
        ],
        "lines": [
            {"line": line_name(state, line), "ends": [_place(state, state.end[line, side]) for side in range(2)]}
            for line in range(state.lines)
        ],
    }


def _paper(state: State, owner: int, own: bool) -> dict[str, Any]:
    """A player's paper: the own with this round's draft, another's without."""
    islands = [_island(state, owner, island, own) for island in range(facts.ISLANDS)]
    done = sum(island["finished"] for island in islands)
    bonuses = {name: int(state.bonus[owner, bonus]) or None for bonus, name in enumerate(facts.BONUSES)}
    return {
        "seat": owner,
        "player": facts.PENS[owner],
        "islands": islands,
        "bridges": [
            bridges_on(state, owner, line) - (0 if own else drafted_on(state, owner, line)) for line in range(state.lines)
        ],
        "finished": done,
        "bonuses": bonuses,
        "points": facts.ISLAND_POINTS * done + sum(points or 0 for points in bonuses.values()),
        "confirmed": bool(state.confirmed >> owner & 1),
    }


def _island(state: State, owner: int, island: int, own: bool) -> dict[str, Any]:
    number = int(state.number[owner, island]) if own else open_number(state, owner, island)
    bridges = bridges_at(state, owner, island) - (0 if own else drafted_at(state, owner, island))
    return {"number": number or None, "bridges": bridges, "finished": bool(number) and bridges == number}


def _draft(state: State, seat: int) -> dict[str, Any]:
    island = int(state.draft_island[seat])
    return {
        "island": None if island == NOWHERE else _place(state, island),
        "start": int(state.draft_start[seat]) or None,
        "bridges": [line_name(state, line) for line in list(state.draft_line[seat, i] for i in range(state.drafted[seat]))],
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
    rank = facts.rank_of(points_of(state, 0))
    return {"rank": facts.RANK_NAMES[rank], "title": facts.RANK_TITLES["en"][rank], "number": rank + 1}


def prompt(state: State, seat: int | None) -> Message:
    """One line that says what the game waits for."""
    if state.phase == OVER:
        return say("The game is over: {points} points", points=max(points_of(state, s) for s in range(state.players)))
    if seat is None or state.confirmed >> seat & 1:
        left = sum(waiting(state) >> player & 1 for player in range(state.players))
        return say("Waiting for {left} of {players} players", left=left, players=int(state.players))
    if state.phase == WRITING:
        if state.draft_island[seat] == NOWHERE:
            return say("Write a 3 or a 4 on an island without a flag")
        return say("Confirm your start number, or choose another")
    return _round(state, seat)


def _round(state: State, seat: int) -> Message:
    number, bridges = facts.CARDS[state.deck[state.turns - 1]]
    left = due(state, seat)
    card = {"round": int(state.turns), "number": number, "bridges": bridges, "left": left}
    if not left:
        return Message("Card {round}: all bridges are drawn; confirm, or change your mind", card)
    if left < bridges:
        return Message("Card {round}: {left} of {bridges} bridges to go", card)
    if state.draft_island[seat] == NOWHERE:
        return Message("Card {round}: write a {number}, then draw {bridges} bridges; or confirm without", card)
    return Message("Card {round}: draw {bridges} bridges, or confirm with none", card)
