"""Helper for tests: positions of Forbidden Island, drawn as text.

    Island("engineer,pilot", board='''
            . ~
          . . E .
        . . . . . .
        . p - . . .
          . . . .
            . .
    ''')

A board shows the 24 places of the default layout, C1 and D1 in the first row, A3 to F3 in the third; line breaks and
spaces do not count. Each sign is one place:

    .  a dry tile              P E X N D M  the pawn with this letter, on a dry tile
    ~  a flooded tile          p e x n d m  the same pawn, on a flooded tile
    -  a tile that has sunk

A pawn that is not drawn stands on the last place, D6. The tiles always lie in the same order: the ten without treasure
or pawn from C1 (Breakers Bridge) on, those of the treasures from E3 on, two each, then Fools' Landing (B5) and the five
gates. ``swap`` moves one. Hands are empty and seat 0 has its three actions left.
"""

from __future__ import annotations

from typing import Any

import pytest

import skerry
from skerry.engine.match import Match
from skerry.games.forbidden_island.rules import components
from skerry.games.forbidden_island.rules.state import State

FIRST_PLAIN = components.TILE_NAMES.index("breakers-bridge")
DRY = """
        . .
      . . . .
    . . . . . .
    . . . . . .
      . . . .
        . .
"""


class Island:
    """A match in a given position, with ``roles`` in seat order; seat 0 begins."""

    def __init__(self, roles: str = "engineer,messenger", board: str = DRY, **options: Any) -> None:
        names = roles.split(",")
        game = skerry.game("forbidden-island", players=len(names), roles=roles, first=0, **options)
        self.match: Match = game.new(seed=1)
        self.state: State = self.match.state
        self._lay(board)
        for seat in range(len(names)):
            self.hand(seat)

    def _lay(self, board: str) -> None:
        """Put the cards of flooded tiles into the flood discard and those of dry tiles into the deck."""
        state, marks = self.state, "".join(board.split())
        assert len(marks) == components.TILES
        state.flooded = state.sunk = state.flood_left = state.flood_shown = 0
        for place, mark in enumerate(marks):
            tile = (place + FIRST_PLAIN) % components.TILES
            state.tile_at[place], state.place_of[tile] = tile, place
            if mark == "-":
                state.sunk |= 1 << place
            elif mark == "~" or mark.islower():
                state.flooded |= 1 << place
                state.flood_discard[state.flood_shown] = tile
                state.flood_shown += 1
            else:
                state.flood_deck[state.flood_left] = tile
                state.flood_left += 1
        for seat in range(state.players):
            place = marks.upper().find(components.ROLES[state.role[seat]].letter)
            self.state.pawn[seat] = place if place >= 0 else 23

    # Setting up a position

    def place(self, name: str) -> int:
        return components.LAYOUTS[self.state.layout].place_names.index(name)

    def swap(self, tile: str, place: str) -> Island:
        """Swap a tile with the one on a place. Whether they are flooded stays with the places."""
        state, number, new_place = self.state, components.TILE_NAMES.index(tile), self.place(place)
        old_place, other = state.place_of[number], state.tile_at[new_place]
        state.tile_at[new_place], state.tile_at[old_place] = number, other
        state.place_of[number], state.place_of[other] = new_place, old_place
        for pile in (state.flood_deck, state.flood_discard):
            for i in range(components.TILES):
                if pile[i] in (number, other):
                    pile[i] = number + other - pile[i]
        self.match.__dict__.pop("names", None)
        return self

    def at(self, seat: int, place: str) -> Island:
        self.state.pawn[seat] = self.place(place)
        return self

    def hand(self, seat: int, **cards: int) -> Island:
        """Give a seat exactly these cards, by short names (stone, statue, crystal, chalice, lift, sandbags)."""
        state = self.state
        for card in range(components.HAND_CARD_KINDS):
            while state.hands[seat, card]:
                state.hands[seat, card] -= 1
                state.treasure_deck[state.treasure_left] = card
                state.treasure_left += 1
        for name, count in cards.items():
            for _ in range(count):
                self._take(_card(name))
                state.hands[seat, _card(name)] += 1
        return self

    def _take(self, card: int) -> None:
        deck, left = self.state.treasure_deck, self.state.treasure_left
        found = next(i for i in range(left) if deck[i] == card)
        deck[found] = deck[left - 1]
        self.state.treasure_left = left - 1

    def captured(self, *names: str, by: int = 0) -> Island:
        """Capture these treasures; four of their cards go to the discard."""
        for name in names:
            self.state.captor[_card(name)] = by
            for _ in range(components.SET_SIZE):
                self._take(_card(name))
            self.state.treasure_discard[_card(name)] += components.SET_SIZE
        return self

    def next_treasure_cards(self, *names: str) -> Island:
        """Put these cards on top of the treasure deck, the first on top."""
        for name in names:
            self._take(_card(name))
        for name in reversed(names):
            self.state.treasure_deck[self.state.treasure_left] = _card(name)
            self.state.treasure_left += 1
        return self

    def last_treasure_cards(self, *names: str) -> Island:
        """Leave only these cards in the treasure deck; the others go to the discard."""
        for name in names:
            self._take(_card(name))
        for i in range(self.state.treasure_left):
            self.state.treasure_discard[self.state.treasure_deck[i]] += 1
        self.state.treasure_left = len(names)
        for i, name in enumerate(reversed(names)):
            self.state.treasure_deck[i] = _card(name)
        return self

    def next_flood_cards(self, *places: str) -> Island:
        """Put the cards of the tiles on these places on top of the flood deck, the first on top."""
        state = self.state
        tiles = [state.tile_at[self.place(place)] for place in places]
        deck = [tile for tile in list(state.flood_deck)[: state.flood_left] if tile not in tiles]
        shown = [tile for tile in list(state.flood_discard)[: state.flood_shown] if tile not in tiles]
        deck += tiles[::-1]
        for i, tile in enumerate(deck):
            state.flood_deck[i] = tile
        for i, tile in enumerate(shown):
            state.flood_discard[i] = tile
        state.flood_left, state.flood_shown = len(deck), len(shown)
        return self

    def last_flood_cards(self, *places: str) -> Island:
        """Leave only these cards in the flood deck; those of all other remaining tiles go to the discard."""
        self.next_flood_cards(*places)
        state, kept = self.state, len(places)
        for i in range(state.flood_left - kept):
            state.flood_discard[state.flood_shown + i] = state.flood_deck[i]
        state.flood_shown += state.flood_left - kept
        for i in range(kept):
            state.flood_deck[i] = state.flood_deck[state.flood_left - kept + i]
        state.flood_left = kept
        return self

    # Playing

    def play(self, *lines: str) -> list[str]:
        """Play actions with their seats, as in ``"0 move C3"``; the names of the events of the last one."""
        events: list[skerry.Event] = []
        for line in lines:
            seat, _, text = line.partition(" ")
            events = self.match.play(int(seat), text)
        return [event.name for event in events]

    def go_to_flood_cards(self, seat: int = 0) -> Island:
        """End the actions and draw two harmless treasure cards, so that the flood cards come next."""
        self.next_treasure_cards("stone", "statue")
        self.play(f"{seat} end", f"{seat} draw", f"{seat} draw")
        return self

    def legal(self, seat: int, verb: str = "") -> set[str]:
        """The legal actions of a seat; for a verb, only its arguments."""
        actions = [action for action in self.match.legal(seat) if not verb or action.verb == verb]
        return {action.text.removeprefix(verb).strip() for action in actions}

    def refuses(self, line: str, rule: str, because: str = "") -> None:
        """Check that an action is refused by this rule, with these words, and that nothing changes."""
        seat, _, text = line.partition(" ")
        before = self.match.content
        with pytest.raises(skerry.Illegal) as caught:
            self.match.play(int(seat), text)
        assert caught.value.rule == rule, str(caught.value)
        assert because in str(caught.value), str(caught.value)
        assert self.match.content == before

    # Reading the position

    def condition(self, place: str) -> str:
        return {shown["place"]: shown["condition"] for shown in self.match.view(None)["places"]}[place]

    def place_of(self, seat: int) -> str:
        return str(self.match.view(None)["seats"][seat]["place"])

    def cards(self, seat: int) -> dict[str, int]:
        return dict(self.match.view(None)["seats"][seat]["hand"])

    @property
    def ending(self) -> str | None:
        return self.match.result.reason if self.match.result else None


def _card(name: str) -> int:
    for card, (full, also) in enumerate(zip(components.CARDS, components.CARD_ALIASES, strict=True)):
        if name == full or name in also:
            return card
    raise KeyError(name)
