"""Helper for tests: positions of Cartagena in one line.

    Passage("red 7 21, green 11 15, yellow 19 19", red="rum hook", parts="abcdef")

Red has pirates on the spaces 7 and 21, Green on 11 and 15, and Yellow two on 19; Red holds a rum and a hook. Pirates
that are not named are at the start, hands that are not given are empty, and it is Red's turn with all three actions
left. ``top`` names the next cards of the deck in the order in which they are drawn; what is left is an option.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import skerry
from skerry.engine.match import Match
from skerry.engine.struct import StructBuffer
from skerry.games.cartagena.rules import components
from skerry.games.cartagena.rules.path import move_pirate
from skerry.games.cartagena.rules.state import PUBLIC, State

COLOURS = components.COLOURS


class Passage:
    """A match in a given position."""

    def __init__(self, crews: str = "", /, players: int = 3, top: str = "", **given: Any) -> None:
        hands = {colour: cards_in(given.pop(colour, "")) for colour in COLOURS}
        options = {"parts": "abcdef", **given}
        if options.get("story") == "full":
            del options["parts"]
        self.match: Match = skerry.game("cartagena", players=players, first=0, **options).new(seed=1)
        self.state: State = self.match.state
        self._deal([hands[colour] for colour in COLOURS[:players]], cards_in(top))
        for group in filter(str.strip, crews.split(",")):
            colour, *places = group.split()
            for place in places:
                self._walk(COLOURS.index(colour), place)

    def _deal(self, hands: list[list[int]], top: list[int]) -> None:
        """Deal the hands. The named top cards are on the deck, all others below them in the order of their kinds."""
        state = self.state
        box = [int(state.limits[PUBLIC, kind]) for kind in range(components.KINDS)]
        for kind in range(components.KINDS):
            for viewer in range(PUBLIC + 1):
                state.limits[viewer, kind] = box[kind]
            for seat, hand in enumerate(hands):
                state.hands[seat, kind] = hand.count(kind)
                state.limits[seat, kind] -= hand.count(kind)
                box[kind] -= hand.count(kind)
            box[kind] -= top.count(kind)
        for seat, hand in enumerate(hands):
            state.held[seat] = len(hand)
        self._stack([kind for kind in range(components.KINDS) for _ in range(box[kind])] + top[::-1])

    def _stack(self, deck: list[int]) -> None:
        for position in range(components.N_CARDS):
            self.state.deck[position] = deck[position] if position < len(deck) else 0
        self.state.deck_left = len(deck)

    def deck(self, cards: str, discard: str = "") -> Passage:
        """Set the whole deck, in the order in which it is drawn, and the discards; other cards are not in the game."""
        self._stack(cards_in(cards)[::-1])
        for kind in range(components.KINDS):
            self.state.discard[kind] = cards_in(discard).count(kind)
        return self

    def _walk(self, seat: int, place: str) -> None:
        move_pirate(self.state, seat, components.START, self.place(place))

    def place(self, slug: str) -> int:
        return [name.slug for name in self.match.names["place"]].index(slug)

    def sloop_at(self, harbour: str, captain: bool = False) -> Passage:
        self.state.sloop = components.HARBOURS.index(harbour)
        self.state.captain = captain
        return self

    def chest(self, space: int, token: int) -> Passage:
        """Swap the token with this number of cards, or the snake, into the chest on a space."""
        part = (space - 1) // components.PART_SPACES
        tokens = list(self.state.tokens)
        other = tokens.index(token)
        self.state.tokens[other], self.state.tokens[part] = tokens[part], token
        return self

    @property
    def seat(self) -> int:
        (seat,) = self.match.waiting
        return seat

    def play(self, *texts: str) -> Passage:
        """Play actions, each for the seat that the game waits for."""
        for text in texts:
            self.match.play(self.seat, text)
        return self

    def legal(self, verb: str = "") -> set[str]:
        """The texts of the legal actions, or those of one verb."""
        actions = self.match.legal(self.seat)
        return {action.text for action in actions if not verb or action.verb == verb}

    def assert_refused(self, text: str, rule: str, words: str = "", seat: int | None = None) -> None:
        """Check that an action is refused by a rule, with these words in the reason, and changes nothing."""
        before = self.match.content
        with pytest.raises(skerry.Illegal) as refusal:
            self.match.play(self.seat if seat is None else seat, text)
        assert refusal.value.rule == rule and words.lower() in str(refusal.value).lower(), str(refusal.value)
        assert self.match.content == before

    def where(self, colour: str) -> list[str]:
        """The places of a colour's pirates along the path, except those at the start."""
        seat = COLOURS.index(colour)
        places = sorted(int(self.state.where[seat, i]) for i in range(self.state.crew))
        return [self.match.names["place"][place].slug for place in places if place]

    def hand(self, colour: str, world: State | None = None) -> str:
        state = world or self.state
        return self._cards(state.hands[COLOURS.index(colour), kind] for kind in range(components.KINDS))

    def hands(self, colour: str, seat: int) -> set[str]:
        """The hands that a colour has in determinizations for a seat."""
        return {self.hand(colour, world) for world in self.worlds(seat)}

    def held(self, colour: str) -> int:
        return int(self.state.held[COLOURS.index(colour)])

    def discarded(self) -> str:
        return self._cards(self.state.discard)

    @staticmethod
    def _cards(counts: Any) -> str:
        return " ".join(components.CARDS[kind] for kind, count in enumerate(counts) for _ in range(count))

    @property
    def winner(self) -> str | None:
        result = self.match.result
        return COLOURS[result.winners[0]] if result else None

    def worlds(self, seat: int, count: int = 60) -> list[State]:
        """Determinizations for a seat, or with -1 for a spectator."""
        worlds = []
        for seed in range(count):
            world = StructBuffer(State, self.match.content)
            self.match.game.rules.determinize(world.struct, seat, np.uint64(seed))
            worlds.append(world.struct)
        return worlds

    def events(self, seat: int | None = None) -> list[str]:
        """The texts of the last step's events, as a reader sees them."""
        return [str(event) for event in self.match.events(seat, since=len(self.match.steps) - 1)[0]]


def cards_in(text: str) -> list[int]:
    """The kinds of the cards named in a text."""
    return [components.CARDS.index(card) for card in text.split()]
