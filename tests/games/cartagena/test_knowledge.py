"""What seats know: views, events and determinizations."""

from __future__ import annotations

import dataclasses
import random
from collections import Counter
from typing import Any

import pytest

import skerry
from skerry.engine import conformance
from skerry.engine.game import Game
from skerry.games import find_game
from skerry.games.cartagena.rules import components
from skerry.games.cartagena.rules.state import PHASES, State

from .positions import Passage


def magic(crews: str = "", **given: Any) -> Passage:
    return Passage(crews, magic="on", **given)


def deck(world: State) -> list[str]:
    return [components.CARDS[world.deck[i]] for i in range(world.deck_left)]


@pytest.mark.rule("CA-03")
def test_a_determinization_keeps_the_own_hand_and_deals_the_rest_anew() -> None:
    match = skerry.game("cartagena", players=4, flibusters="on").new(seed=9)
    passage = Passage(players=4, flibusters="on")
    passage.match, passage.state = match, match.state
    assert passage.hands("green", 1) == {passage.hand("green")}
    assert len(passage.hands("red", 1)) > 50 and len(passage.hands("blue", -1)) > 50
    assert len({tuple(deck(world)) for world in passage.worlds(1)}) == 60
    for world in passage.worlds(1):
        assert list(world.held) == list(match.state.held) and world.deck_left == match.state.deck_left


@pytest.mark.rule("CA-03")
def test_every_unseen_card_is_equally_likely_on_top_of_the_deck() -> None:
    passage = Passage(red="rum " * 11, green="hook hook hook")
    tops = Counter(deck(world)[-1] for world in passage.worlds(0, 2000))
    unseen = {symbol: 17 - 11 * (symbol == "rum") for symbol in components.SYMBOLS}
    for symbol, count in unseen.items():
        assert abs(tops[symbol] / 2000 - count / 91) < 0.03


@pytest.mark.rule("CA-52")
def test_a_hand_seen_with_a_pistol_stays_known() -> None:
    passage = magic(red="pistol", green="rum hook chest", yellow="lantern", top="parrot")
    passage.play("magic pistol", "look green")
    assert passage.hands("green", 0) == {"rum hook chest"}
    assert len(passage.hands("green", 2)) > 20
    passage.play("take hook")
    for hand in passage.hands("green", 0):
        left = hand.split()
        left.remove("rum")
        left.remove("chest")
        assert len(left) == 1  # the card just drawn
    assert len(passage.hands("green", 0)) == 6


@pytest.mark.rule("CA-52")
def test_the_victim_of_a_pistol_knows_the_card_until_it_is_played() -> None:
    passage = magic(red="pistol rum", green="hook chest", yellow="lantern")
    passage.play("magic pistol", "look green", "take hook", "end")
    assert all("hook" in hand for hand in passage.hands("red", 1))
    assert not all("hook" in hand for hand in passage.hands("red", 2))
    passage.play("play chest prison", "end", "play lantern prison", "end", "play hook prison")
    assert passage.match.view(1)["seats"][0]["known"] == {}
    assert not all("hook" in hand for hand in passage.hands("red", 1))


@pytest.mark.rule("CA-52")
def test_a_known_hand_that_loses_an_unseen_card_is_known_but_for_one_card() -> None:
    passage = magic(red="pistol", green="pistol", yellow="rum hook chest", top="parrot parrot")
    passage.play("magic pistol", "look yellow", "take rum", "end")  # Red knows hook, chest
    assert passage.match.view(0)["seats"][2]["known"] == {"hook": 1, "chest": 1}
    passage.play("magic pistol", "look yellow", "take hook")
    seen = passage.match.view(0)["seats"][2]
    assert seen["known"] == {"hook": 1, "chest": 1} and seen["unsure"] == 1
    left = Counter(tuple(card in hand.split() for card in ("hook", "chest")) for hand in passage.hands("yellow", 0))
    assert left[(True, False)] and left[(False, True)] and left[(True, True)]
    assert all(hand.split().count("hook") + hand.split().count("chest") >= 1 for hand in passage.hands("yellow", 0))


@pytest.mark.rule("CA-52")
def test_a_card_taken_from_a_known_hand_is_with_the_taker_until_that_hand_loses_one() -> None:
    passage = magic(red="pistol", green="pistol", yellow="rum hook chest", top="parrot")
    passage.play("magic pistol", "look yellow", "take rum", "end")
    passage.state.doubt[0, 2] = 0
    passage.state.known[0, 2, components.PARROT] = (
        1  # let Red know the drawn card too, so that all of the hand is known
    )
    passage.play("magic pistol", "look yellow", "take hook")
    for world in passage.worlds(0):
        taken, left = passage.hand("green", world), passage.hand("yellow", world).split()
        for card in {"hook", "chest", "parrot"} - {taken}:
            left.remove(card)
        assert len(left) == 1  # what Yellow drew since
    assert passage.hands("green", 0) == {"hook", "chest", "parrot"}
    passage.state.left = 1
    passage.play("play hook prison")
    assert passage.state.taker[0, 2] == 0


@pytest.mark.rule("CA-53")
def test_rum_is_known_to_giver_and_receiver() -> None:
    passage = magic(red="rum", green="lantern", yellow="lantern", top="hook chest parrot pistol")
    passage.play("magic rum", "keep hook", "keep chest", "give parrot", "give pistol")
    assert all("parrot" in hand for hand in passage.hands("green", 0)) and len(passage.hands("green", 0)) == 6
    assert all("pistol" in hand for hand in passage.hands("yellow", 0))
    assert not all("parrot" in hand for hand in passage.hands("green", 2))
    assert not all("hook" in hand for hand in passage.hands("red", 1))


@pytest.mark.rule("CA-54")
def test_cards_put_on_the_deck_stay_known_to_their_player() -> None:
    passage = magic(red="lantern", green="rum", yellow="rum", top="hook chest parrot pistol")
    passage.play("magic lantern", "keep hook", "put pistol", "put chest", "put parrot")
    assert {tuple(deck(world)[-3:]) for world in passage.worlds(0)} == {("pistol", "chest", "parrot")}
    assert len({tuple(deck(world)[-3:]) for world in passage.worlds(1)}) > 20
    assert len({tuple(deck(world)[-3:]) for world in passage.worlds(-1)}) > 20


@pytest.mark.rule("CA-54")
def test_a_known_top_card_stays_known_when_another_player_draws_it() -> None:
    passage = magic("green 11, yellow 9", red="lantern", green="rum", top="hook chest parrot pistol")
    passage.play("magic lantern", "keep hook", "put pistol", "put chest", "put parrot", "end", "back 11")
    assert passage.events(0)[-1] == "Green draws parrot" and passage.events(2)[-1] == "Green draws a card"
    assert all("parrot" in hand for hand in passage.hands("green", 0))
    assert not all("parrot" in hand for hand in passage.hands("green", 2))
    assert passage.match.view(0)["deck"]["top"] == ["chest", "pistol"]


@pytest.mark.rule("CA-54")
def test_another_lantern_ends_the_knowledge_of_the_top_cards() -> None:
    passage = magic(red="lantern", green="lantern", yellow="rum", top="hook chest parrot pistol")
    passage.play("magic lantern", "keep hook", "put pistol", "put chest", "put parrot", "end", "magic lantern")
    assert passage.match.view(0)["pool"]["known"] == {"pistol": 1, "parrot": 1, "chest": 1}
    pools = {tuple(world.pool) for world in passage.worlds(0)}
    assert 1 < len(pools) <= 6 and all(pool[components.CHEST] for pool in pools)  # one card of four is new
    passage.play("keep chest", "put parrot", "put pistol")
    passage.play(sorted(passage.legal())[0])
    assert passage.match.view(0)["deck"]["top"] == []
    assert len(passage.match.view(1)["deck"]["top"]) == 3


@pytest.mark.rule("CA-04")
def test_two_players_know_each_others_hands_after_a_reshuffle() -> None:
    """The new deck consists of the discards, so by counting cards the other hand is known."""
    passage = Passage("red 11, green 9", players=2, red="rum", green="hook chest pistol")
    cards = [card for card in components.SYMBOLS for _ in range(17)]
    for card in ("rum", "hook", "chest", "pistol"):
        cards.remove(card)
    passage.deck("", discard=" ".join(cards)).play("back 11")
    assert passage.hands("green", 0) == {"pistol hook chest"}
    assert len(passage.hands("red", 1)) > 3  # Red drew one from the new deck
    assert all("rum" in hand for hand in passage.hands("red", 1))
    assert all(sorted(deck(world)) == sorted(deck(passage.state)) for world in passage.worlds(0))


@pytest.mark.rule("CA-51", "CA-57")
def test_closed_chests_are_hidden_and_opened_chests_public() -> None:
    passage = magic("red 5", red="chest").chest(5, 3).play("magic chest", "open 5")
    for seat in (-1, 0, 1):
        tokens = [list(world.tokens) for world in passage.worlds(seat)]
        assert {inside[0] for inside in tokens} == {3} and len({tuple(inside) for inside in tokens}) > 50
        assert all(sorted(inside) == sorted(components.CHEST_TOKENS) for inside in tokens)


@pytest.mark.rule("CA-52")
def test_a_determinization_hides_what_others_know_of_each_other() -> None:
    passage = magic(red="pistol", green="rum hook", yellow="chest").play("magic pistol", "look green")
    for seat, knows in ((1, True), (2, False), (-1, False)):
        for world in passage.worlds(seat, 5):
            assert any(world.known[0, 1, kind] for kind in range(components.KINDS)) == knows


def game_with(**defaults: Any) -> Game:
    """The game with other default options, for the conformance suite."""
    game = find_game("cartagena")
    options = tuple(dataclasses.replace(o, default=defaults.get(o.name, o.default)) for o in game.options)  # type: ignore[type-var]
    return dataclasses.replace(game, options=options)


MIDDLES = {
    "parrots": ["parrots mixed"],
    "hook": ["magic hook"],
    "hook-parrots": ["magic hook", "parrots"],
    "pistol-look": ["magic pistol"],
    "pistol-take": ["magic pistol", "look green"],
    "rum-keep": ["magic rum"],
    "rum-give": ["magic rum", "keep hook", "keep rum"],
    "lantern-keep": ["magic lantern"],
    "lantern-put": ["magic lantern", "keep rum", "put hook"],
    "chest": ["magic chest"],
    "discarding": ["play dark-rum 5"],
}


@pytest.mark.rule("CA-03", "CA-50")
@pytest.mark.parametrize("story", ["escape", "full"])
@pytest.mark.parametrize("phase", MIDDLES)
def test_secrecy_in_phase(phase: str, story: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """In determinizations, everything that a seat sees, may do and is told stays the same."""
    passage = magic(
        "red 5 5, yellow 5",
        story=story,
        **({"tunnel": "agf", "island": "bcd"} if story == "full" else {}),
        flibusters="on",
        red="parrot parrot dark-parrot hook pistol rum dark-rum lantern chest",
        green="chest rum rum rum lantern hook hook hook",
        yellow="pistol dark-chest",
        top="hook rum chest parrot",
    ).play(*MIDDLES[phase])
    assert passage.match.view(None)["turn"]["phase"] == phase
    spot = [(passage.match, random.Random(1))] * 3
    monkeypatch.setattr(conformance, "random_positions", lambda game, games, every: iter(spot))
    conformance.check_secrecy(passage.match.game)


VARIANTS = {
    "magic, flibusters and both moves": {"magic": "on", "flibusters": "on", "draw": "both", "players": 3},
    "the full story with everything": {
        "magic": "on",
        "flibusters": "on",
        "draw": "back-then-morgan",
        "story": "full",
        "players": 5,
    },
    "Morgan on Tortuga": {"draw": "morgan", "story": "tortuga", "magic": "on", "players": 2},
}


def positions_in_powers(game: Game, games: int, every: int) -> Any:
    """Random positions with the default options, including some in the middle of powers."""
    variant = game.configure({})
    for seed in range(games):
        match = variant.new(seed=seed)
        chance = random.Random(seed)
        for step, _ in enumerate(conformance.random_play(match, chance)):
            if step % every == seed % every or match.view(None)["turn"]["phase"] != "acting":
                yield match, chance


@pytest.mark.rule("CA-50", "CA-03")
@pytest.mark.parametrize("name", VARIANTS)
def test_secrecy_in_the_middle_of_every_power(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    game, phases = game_with(**VARIANTS[name]), Counter[str]()

    def positions(game: Game, games: int, every: int) -> Any:
        for match, chance in positions_in_powers(game, 2, 40):
            phases[match.view(None)["turn"]["phase"]] += 1
            yield match, chance

    monkeypatch.setattr(conformance, "random_positions", positions)
    conformance.check_secrecy(game)
    expected = set(PHASES) - {"over"} - ({"discarding"} if "flibusters" not in VARIANTS[name] else set())
    assert expected - set(phases) <= {"hook-parrots", "hook"}, phases


@pytest.mark.parametrize("name", VARIANTS)
def test_undo_and_determinizations_in_the_middle_of_every_power(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(conformance, "random_positions", lambda game, games, every: positions_in_powers(game, 1, 60))
    conformance.check_undo(game_with(**VARIANTS[name]))
    monkeypatch.setattr(conformance, "LIMIT", 300)
    conformance.check_worlds(game_with(**VARIANTS[name]))


@pytest.mark.rule("CA-52")
def test_a_card_seen_being_taken_stays_certain_despite_earlier_doubts() -> None:
    """Green has looked into Red's hand, Yellow has taken an unseen card from it, then Red takes Green's lantern."""
    passage = Passage(
        magic="on",
        red="pistol hook chest rum",
        green="pistol lantern lantern",
        yellow="pistol rum rum",
        top="parrot parrot parrot parrot",
    )
    for seat, line in ((1, "look red/take rum"), (2, "look red/take chest"), (0, "look green/take lantern")):
        passage.state.turn, passage.state.left = seat, 3
        passage.play("magic pistol", *line.split("/"))
    assert all("lantern" in passage.hand("red", world) for world in passage.worlds(1, 200))


def after_an_unseen_departure() -> Passage:
    """Red knows a hook, a chest and a rum in Yellow's hand, of which Green has taken one unseen."""
    passage = magic(
        red="pistol rum", green="pistol", yellow="lantern rum hook chest", top="parrot parrot hook lantern pistol rum"
    )
    return passage.play("magic pistol", "look yellow", "take lantern", "end", "magic pistol", "look yellow", "take rum")


@pytest.mark.rule("CA-52")
def test_a_card_seen_coming_after_an_unseen_departure_adds_to_what_is_known() -> None:
    passage = after_an_unseen_departure()
    passage.state.turn, passage.state.left = 0, 3
    passage.play("magic rum", "keep hook", "keep lantern", "give pistol", "give rum")  # the last one to Yellow
    yellow = passage.match.view(0)["seats"][2]
    assert yellow["known"] == {"rum": 2, "hook": 1, "chest": 1} and yellow["unsure"] == 1
    assert yellow["doubtful"] == {"rum": 1, "hook": 1, "chest": 1}
    hands = {passage.hand("yellow", world) for world in passage.worlds(0, 400)}
    assert all("rum" in hand.split() for hand in hands), "the card that Red gave is certain"
    for hand in hands:
        held = Counter(hand.split())
        assert sum((Counter(["rum", "rum", "hook", "chest"]) - held).values()) <= 1, f"only one has left: {hand}"
    assert {"hook", "chest"} & {card for hand in hands for card in hand.split()}


@pytest.mark.rule("CA-52")
def test_another_unseen_departure_puts_all_known_cards_in_doubt() -> None:
    passage = after_an_unseen_departure()
    passage.state.turn, passage.state.left = 0, 3
    passage.play("magic rum", "keep hook", "keep lantern", "give pistol", "give rum")
    passage.state.turn, passage.state.left = 1, 3
    passage.play("magic pistol", "look yellow", "take chest")
    yellow = passage.match.view(0)["seats"][2]
    assert yellow["known"] == yellow["doubtful"] == {"rum": 2, "hook": 1, "chest": 1} and yellow["unsure"] == 2


@pytest.mark.rule("CA-52")
def test_when_all_in_doubt_may_be_gone_what_is_certain_stays() -> None:
    passage = after_an_unseen_departure()
    passage.state.turn, passage.state.left = 0, 3
    passage.play("magic rum", "keep hook", "keep lantern", "give pistol", "give rum")
    passage.state.turn, passage.state.left = 2, 3
    passage.play("play chest prison", "play hook prison")
    yellow = passage.match.view(0)["seats"][2]
    assert yellow["known"] == {"rum": 1} and yellow["unsure"] == 0 and yellow["doubtful"] == {}
    assert all("rum" in hand.split() for hand in passage.hands("yellow", 0))
