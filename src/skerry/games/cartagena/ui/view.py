"""The view: what a seat may see, as plain data. Only what is named here can reach it."""

from __future__ import annotations

import functools
from typing import Any

from skerry.engine.memo import memoize_recent
from skerry.games.cartagena.rules import components
from skerry.games.cartagena.rules.events import ENDINGS
from skerry.games.cartagena.rules.legal import waiting
from skerry.games.cartagena.rules.memory import doubtful_copies, known_copies
from skerry.games.cartagena.rules.state import DISCARDING, PHASES, PISTOL_TAKE, POOL, RUM_GIVE, State
from skerry.games.cartagena.ui.names import place_names
from skerry.games.cartagena.ui.previews import move_previews


@functools.cache
def place_slugs(story: int) -> list[str]:
    return [name.slug for name in place_names(story)]


def view(state: State, seat: int | None) -> dict[str, Any]:
    """What a seat sees: everything public, its own hand, and what it knows of hidden cards."""
    slugs = place_slugs(state.story)
    return {
        "seat": seat,
        **_public_view(state),
        "seats": [_seat_view(state, player, seat) for player in _public_seats(state)],
        "deck": {"cards": int(state.deck_left), "top": _known_top_cards(state, seat)},
        "pool": _pool_view(state, seat),
        "reach": move_previews(state, slugs) if seat is not None and waiting(state) >> seat & 1 else None,
    }


@memoize_recent
def _public_view(state: State) -> dict[str, Any]:
    """What everybody may see."""
    crews, waited_for = _colours_by_place(state), waiting(state)
    return {
        "story": components.STORIES[state.story],
        "draw": components.DRAWING_MOVES[state.drawing],
        "flibusters": bool(state.flibusters),
        "magic": bool(state.magic),
        "pirates": int(state.crew),
        "parts": [components.PART_LETTERS[part] for part in list(state.parts)[: state.laid]],
        "path": _path_view(state, crews),
        "start": crews[components.START],
        "sloop": crews[components.SLOOP],
        "hideout": crews[components.HIDEOUT],
        "harbour": components.HARBOURS[state.sloop] if state.story == components.FULL else None,
        "discard": _card_counts(state.discard),
        "opened": [int(state.tokens[i]) for i in range(state.laid) if state.magic and not state.chests >> i & 1],
        "turn": {
            "number": int(state.turns),
            "seat": int(state.turn),
            "phase": PHASES[state.phase],
            "left": int(state.left),
            "captain": bool(state.captain),
            "other": int(state.other) if state.phase in (PISTOL_TAKE, RUM_GIVE, DISCARDING) else None,
        },
        "waiting": [player for player in range(state.players) if waited_for >> player & 1],
        "ending": ENDINGS[state.ending - 1].name if state.ending else None,
        "winner": int(state.winner) if state.ending else None,
    }


def _path_view(state: State, crews: list[list[str]]) -> list[dict[str, Any]]:
    """The spaces in order, with their symbols, chest tokens and pirates."""
    bare = _bare_path(tuple(state.symbols), state.spaces, _tunnel_end(state), state.chests)
    return [space | {"pirates": crew} if crew else space for space, crew in zip(bare, crews[1:], strict=False)]


def _tunnel_end(state: State) -> int:
    return 0 if state.story == components.TORTUGA else state.shore


@functools.lru_cache(maxsize=256)  # a board for each match, of 10 to 20 KiB
def _bare_path(symbols: tuple[int, ...], spaces: int, last_of_tunnel: int, tokens: int) -> list[dict[str, Any]]:
    """The spaces without pirates."""
    made = []
    for space in range(1, spaces + 1):
        symbol = next(name for name, places in zip(components.SYMBOLS, symbols, strict=True) if places >> space & 1)
        chest = symbol == "chest" and bool(tokens >> (space - 1) // components.PART_SPACES & 1)
        half = "tunnel" if space <= last_of_tunnel else "island"
        made.append({"place": str(space), "symbol": symbol, "half": half, "chest": chest, "pirates": []})
    return made


def _colours_by_place(state: State) -> list[list[str]]:
    """The colours of the pirates on each place."""
    crews: list[list[str]] = [[] for _ in range(components.PLACES)]
    where = state.where.tolist()
    for seat in range(state.players):
        for place in where[seat][: state.crew]:
            crews[place].append(components.COLOURS[seat])
    return crews


def _places_by_seat(state: State, slugs: list[str]) -> list[list[str]]:
    """The places of each seat's pirates. A pirate keeps its index, so that its moves can be animated."""
    crew = state.crew
    return [[slugs[place] for place in places[:crew]] for places in state.where.tolist()[: state.players]]


@memoize_recent
def _public_seats(state: State) -> list[dict[str, Any]]:
    """What a spectator sees of the seats."""
    return [
        {
            "seat": player,
            "colour": components.COLOURS[player],
            "where": where,
            "cards": int(state.held[player]),
            "hand": None,
            "known": {},
            "unsure": 0,
            "doubtful": {},
        }
        for player, where in enumerate(_places_by_seat(state, place_slugs(state.story)))
    ]


def _seat_view(state: State, player: dict[str, Any], reader: int | None) -> dict[str, Any]:
    """A seat as a reader sees it."""
    if reader is not None and player["seat"] == reader:
        return player | {"hand": _hand_view(state, reader)}
    if reader is None or not state.magic:
        return player
    owner = player["seat"]
    return player | {
        "known": _known_cards(state, reader, owner),
        "unsure": int(state.doubt[reader, owner]),
        "doubtful": _doubtful_cards(state, reader, owner),
    }


def _hand_view(state: State, seat: int) -> dict[str, int]:
    return _card_counts(state.hands.tolist()[seat])


def _known_cards(state: State, reader: int | None, owner: int) -> dict[str, int]:
    """The cards that a reader knows of a hand. Up to ``unsure`` of those that are doubtful may have left it since."""
    if reader is None or not state.magic:
        return {}
    return _card_counts([known_copies(state, reader, owner, kind) for kind in range(components.KINDS)])


def _doubtful_cards(state: State, reader: int, owner: int) -> dict[str, int]:
    return _card_counts([doubtful_copies(state, reader, owner, kind) for kind in range(components.KINDS)])


def _card_counts(counts: Any) -> dict[str, int]:
    return {components.CARDS[kind]: int(count) for kind, count in enumerate(counts) if count}


def _known_top_cards(state: State, reader: int | None) -> list[str]:
    """The cards on the deck, from the top, that a reader has put there."""
    tops = 0 if reader is None else state.tops[reader]
    return [components.CARDS[state.deck[state.deck_left - 1 - i]] for i in range(tops)]


def _pool_view(state: State, reader: int | None) -> dict[str, Any]:
    """The pool: cards drawn by a rum or a lantern and not distributed yet. The player who drew them sees them."""
    own = reader == state.turn
    return {
        "cards": int(state.pooled),
        "hand": _card_counts(state.pool) if own and state.pooled else None,
        "known": {} if own else _known_cards(state, reader, POOL),
        "unsure": 0 if own or reader is None else int(state.doubt[reader, POOL]),
    }
