"""The notation of actions: ids, texts and entities."""

from __future__ import annotations

import pytest

from skerry.engine.bitset import pair_index
from skerry.engine.errors import Unreadable
from skerry.engine.messages import say
from skerry.engine.notation import Actions, Name, One, Pair, Subset, Verb, pairs

ACTIONS = Actions(
    Verb("end", help="end"),
    Verb("move", One("place", 3), help="move"),
    Verb("join", Pair("place", 3), help="join"),
    Verb("lift", Subset("pawn", 2), One("place", 3), help="lift"),
    Verb("lift off", help="win"),
    Verb("join", One("place", 3), help="join one"),
)
NAMES = {
    "place": [Name(slug, say(slug), (f"tile-{i}",)) for i, slug in enumerate(("A1", "B1", "C1"))],
    "pawn": [Name("red", say("Red"), ("0",)), Name("blue", say("Blue"), ("1",))],
}


def test_ids_are_dense_and_texts_are_unique_and_parse_back() -> None:
    assert ACTIONS.size == 1 + 3 + 3 + 9 + 1 + 3
    texts = [ACTIONS.action(i, NAMES).text for i in range(ACTIONS.size)]
    assert len(set(texts)) == ACTIONS.size
    assert [ACTIONS.read(text, NAMES) for text in texts] == list(range(ACTIONS.size))
    assert texts[:7] == ["end", "move A1", "move B1", "move C1", "join A1,B1", "join A1,C1", "join B1,C1"]
    assert ACTIONS.first_id("join") == 4 and ACTIONS.first_id("join", 1) == 17


def test_an_action_names_its_entities() -> None:
    action = ACTIONS.action(ACTIONS.read("lift red,blue C1", NAMES), NAMES)
    assert action.verb == "lift"
    assert action.entities == (("pawn", "red"), ("pawn", "blue"), ("place", "C1"))


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("  MOVE   a1 ", "move A1"),
        ("move tile-2", "move C1"),
        ("join C1,A1", "join A1,C1"),
        ("lift blue,red b1", "lift red,blue B1"),
        ("lift 1,0 B1", "lift red,blue B1"),
        ("Lift Off", "lift off"),
    ],
)
def test_case_spaces_order_and_aliases_do_not_matter(typed: str, meant: str) -> None:
    assert ACTIONS.action(ACTIONS.read(typed, NAMES), NAMES).text == meant


@pytest.mark.parametrize(
    ("typed", "reason"),
    [
        ("", "no action in an empty line"),
        ("   ", "no action in an empty line"),
        ("jump A1", "there are end, move, join, lift, lift off"),
        ("move", "move PLACE"),
        ("move A1 B1", "move PLACE"),
        ("move Z9", "there are A1, B1, C1"),
        ("move A1,B1", "move PLACE"),
        ("join A1,A1", "join PLACE,PLACE or join PLACE"),
        ("lift red,red A1", r"lift PAWN\[,PAWN…\] PLACE"),
        ("end; end", "one action at a time"),
        ("move A1\nend", "one action at a time"),
        ("lift green A1", "there are red, blue"),
    ],
)
def test_a_refusal_says_what_is_not_understood(typed: str, reason: str) -> None:
    with pytest.raises(Unreadable, match=f"(?i){reason}"):
        ACTIONS.read(typed, NAMES)


def test_kernels_and_notation_number_pairs_alike() -> None:
    assert [pair_index(*two) for two in pairs(24)] == list(range(276))
