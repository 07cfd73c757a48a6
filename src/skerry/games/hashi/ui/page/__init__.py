"""The scene of Hashi for the browser: the reader's own paper, and small ones of the others.

A draft is drawn in pencil until its seat confirms, then in ink.
"""

from __future__ import annotations

import functools
from typing import Any

from skerry.engine.scene import PartFamily, Scene
from skerry.games.hashi.rules import components
from skerry.games.hashi.rules.scoring import rank_of
from skerry.games.hashi.ui.page.layout import Data, SheetLayout, layout_of

TO_COME, SHOWN, NOW, ASIDE = "to-come", "shown", "now", "aside"
START_NAMES = tuple(map(str, components.START_NUMBERS))
STRIP_LEFT, CARD_WIDTH, NUMBER_GAP = 26, 29, 5  # the strip of cards: three of each number, then a gap
STRIP = tuple(
    (f"{number}x{bridges}", number, bridges, STRIP_LEFT + i * CARD_WIDTH + i // 3 * NUMBER_GAP)
    for i, (number, bridges) in enumerate(components.CARDS)
)
LADDER = tuple(zip(components.RANK_POINTS, components.RANK_TITLES, strict=True))[::-1]


def shared_parts(view: dict[str, Any]) -> Scene:
    """The current card and the cards to come."""
    return {"flipped": _card_part(view), "deal": PartFamily(_deck_parts(view))}


def personal_parts(view: dict[str, Any]) -> Scene:
    """Nearly everything, since the main paper is the reader's own."""
    layout = layout_of(view["board"])
    papers = view["papers"]
    paper = papers[view["seat"] or 0]
    over = view["phase"] == "over"
    made: Scene = {
        "grid": _grid_part(layout, paper["seat"]),
        "line": PartFamily(_line_parts(layout, view, paper)),
        "island": PartFamily(_island_parts(layout, view["draft"], paper)),
        "number": PartFamily({name: _start_number_part(view, paper, int(name)) for name in START_NAMES}),
        "seal": _seal_part(view, paper),
        "rubber": bool(view["draft"] and view["draft"]["island"] and view["round"] and not paper["confirmed"]),
        "counted": sum(paper["finished"]),
        "box": PartFamily(
            {bonus["bonus"]: {**bonus, "got": paper["bonuses"][bonus["bonus"]]} for bonus in view["bonuses"]}
        ),
        "total": paper["points"],
        "prize": PartFamily({bonus["bonus"]: {**bonus, "got": _winners(papers, bonus)} for bonus in view["bonuses"]}),
        "strip": [(p["player"], p["points"], p["confirmed"]) for p in papers],
        "tally": PartFamily({str(p["seat"]): _score_part(view, p) for p in papers}),
        "paper": PartFamily({str(p["seat"]): _small_paper_part(layout, p) for p in papers if p is not paper}),
    }
    if len(papers) == 1:
        made["ranks"] = {"steps": LADDER, "rank": rank_of(paper["points"]), "over": over}
    return made


def _seal_part(view: dict[str, Any], paper: Data) -> Data:
    """The seal that confirms a round. ``empty`` says that nothing has been written or drawn in it."""
    draft, over = view["draft"], view["phase"] == "over"
    stamped = paper["confirmed"] or over
    empty = not stamped and draft is not None and not (draft["island"] or draft["bridges"])
    return {"stamped": stamped, "over": over, "round": view["round"], "empty": empty}


@functools.lru_cache(maxsize=256)
def _grid_part(layout: SheetLayout, seat: int) -> Data:
    pen = {"pen": components.PENS[seat], "title": components.PEN_TITLES[seat]}
    return {
        **pen,
        "columns": layout.columns,
        "letters": layout.letters,
        "scenery": layout.scenery,
        "scale": layout.scale,
    }


def _line_parts(layout: SheetLayout, view: dict[str, Any], paper: Data) -> dict[str, Data]:
    """The parts ``line``. A line is closed if the bridges on the paper leave no room for another (HA-15 to HA-18)."""
    pencilled = view["draft"]["bridges"] if view["draft"] and not paper["confirmed"] else ()
    closed = 0
    for crossings, bridges in zip(layout.crossings, paper["bridges"], strict=True):
        if bridges:
            closed |= crossings
    for lines, number, reached in zip(layout.at, paper["numbers"], paper["reached"], strict=True):
        if reached == (number or components.MAX_ISLAND_BRIDGES):
            closed |= lines
    return {
        name: _line_part(layout, i, bridges, pencilled.count(name), bool(closed >> i & 1))
        for i, (name, bridges) in enumerate(zip(layout.names, paper["bridges"], strict=True))
    }


@functools.lru_cache(maxsize=20_000)
def _line_part(layout: SheetLayout, line: int, bridges: int, pencilled: int, closed: bool) -> Data:
    """A line. ``strokes`` says how each of its two bridges is drawn, ``closed`` that no bridge can be added."""
    strokes = [*["ink"] * (bridges - pencilled), *["pencil"] * pencilled, "none", "none"][:2]
    return {**layout.lines[line], "bridges": bridges, "strokes": strokes, "closed": closed or bridges == 2}


def _island_parts(layout: SheetLayout, draft: Data | None, paper: Data) -> dict[str, Data]:
    """The parts ``island``. Until all have written a start number (HA-02), it is only in the draft."""
    islands = {}
    drafted, start = (draft["island"], draft["start"]) if draft else (None, None)
    for i, (number, reached) in enumerate(zip(paper["numbers"], paper["reached"], strict=True)):
        place = layout.islands[i]["place"]
        if place == drafted:
            islands[place] = _island_part(
                layout, i, number or start, reached, "ink" if paper["confirmed"] else "pencil"
            )
        else:
            islands[place] = _island_part(layout, i, number, reached, "ink")
    return islands


@functools.lru_cache(maxsize=20_000)
def _island_part(layout: SheetLayout, island: int, number: int | None, reached: int, hand: str) -> Data:
    return {
        **layout.islands[island],
        "number": number,
        "reached": reached,
        "finished": number is not None and number == reached,
        "hand": hand,
    }


def _card_part(view: dict[str, Any]) -> Data:
    """The current card. Cards use two places in turn, so that the previous card can be seen leaving."""
    count = view["round"]
    faces = [(0, 0, False), (0, 0, False)]
    for back, name in enumerate(view["shown"][: -len(faces) - 1 : -1]):
        faces[(count - back) % len(faces)] = (int(name[0]), int(name[2]), not back)
    return {"round": count, "rounds": view["rounds"], "faces": faces, "over": view["phase"] == "over"}


def _start_number_part(view: dict[str, Any], paper: Data, number: int) -> Data:
    """A start number to pick up, while start numbers are written."""
    draft = view["draft"]
    return {
        "x": 376 + 66 * START_NAMES.index(str(number)),
        "there": view["phase"] == "start" and draft is not None and not paper["confirmed"],
        "taken": draft is not None and draft["start"] == number,
    }


def _deck_parts(view: dict[str, Any]) -> dict[str, Data]:
    shown = dict.fromkeys(view["shown"], SHOWN)
    if view["shown"] and view["phase"] != "over":
        shown[view["shown"][-1]] = NOW
    rest = ASIDE if len(view["unseen"]) == 1 else TO_COME
    return {name: _deck_part(name, number, bridges, x, shown.get(name, rest)) for name, number, bridges, x in STRIP}


@functools.cache
def _deck_part(name: str, number: int, bridges: int, x: int, state: str) -> Data:
    return {"number": number, "bridges": bridges, "x": x, "state": state}


def _winners(papers: list[Data], bonus: Data) -> list[tuple[str, str, int]]:
    name = bonus["bonus"]
    return [(p["player"], components.PEN_TITLES[p["seat"]], p["bonuses"][name]) for p in papers if p["bonuses"][name]]


def _score_part(view: dict[str, Any], paper: Data) -> Data:
    return {
        "pen": paper["player"],
        "title": components.PEN_TITLES[paper["seat"]],
        "finished": sum(paper["finished"]),
        "bonuses": [(name, points) for name, points in paper["bonuses"].items() if points],
        "points": paper["points"],
        "done": paper["seat"] not in view["waiting"],
        "over": view["phase"] == "over",
    }


def _small_paper_part(layout: SheetLayout, paper: Data) -> Data:
    bridges = "".join([strokes[count] for strokes, count in zip(layout.strokes, paper["bridges"], strict=True)])
    return {
        "pen": paper["player"],
        "title": components.PEN_TITLES[paper["seat"]],
        "dots": layout.dots,
        "bridges": bridges,
        "scale": layout.scale,
        "islands": [
            (island["place"], island["x"], island["y"], island["flag"], number, finished)
            for island, number, finished in zip(layout.islands, paper["numbers"], paper["finished"], strict=True)
        ],
    }
