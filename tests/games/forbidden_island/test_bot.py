"""The bots: obviously right actions, independence of hidden information, and playing strength."""

from __future__ import annotations

import pytest

import skerry
from skerry import bots
from skerry.bots.interrupts import interrupting_of
from skerry.engine.kernel import INTERPRETED
from skerry.engine.loop import TurnOrder
from skerry.engine.match import Match
from skerry.games.forbidden_island import GAME
from skerry.games.forbidden_island.bot.policies import choose_action
from skerry.games.forbidden_island.bot.weights import MIN_PLAYERS, SKILLED
from skerry.lab.simulate import Series, simulate
from skerry.lab.statistics import wilson_interval
from tests.modes import only_compiled

from ..hidden_information import check_choices_ignore_hidden_information, simulated_positions
from .positions import Island

ALL = ("stone", "statue", "crystal", "chalice")
NOTHING_FLOODED = """
        . .
      . . . .
    . . . . . .
    . . . . . .
      . . . .
        . .
"""


def interrupters(match: Match) -> tuple[int, ...]:
    """The seats that are asked whether they interrupt."""
    return TurnOrder(interrupting_of(GAME)).interrupters(match.state)


def choice(island: Island, seat: int = 0, bot: str = "skilled") -> str:
    """The bot's choice at a seat."""
    found = bots.find(GAME, bot)
    return GAME.actions.action(found.choose(island.match, seat, seed=7), island.match.names).text


def turn(island: Island, seat: int = 0) -> list[str]:
    """The bot's choices until it ends its actions."""
    done: list[str] = []
    while not done or done[-1] != "end":
        done.append(choice(island, seat))
        island.play(f"{seat} {done[-1]}")
    return done


def test_captures_a_treasure_when_it_can() -> None:
    island = Island("engineer,diver", NOTHING_FLOODED).hand(0, stone=4).at(0, "E3")
    assert choice(island) == "capture earth-stone"


def test_walks_to_the_treasure_of_its_complete_set() -> None:
    island = Island("engineer,diver", NOTHING_FLOODED).hand(0, stone=4).at(0, "C3")
    assert turn(island) == ["move D3", "move E3", "capture earth-stone", "end"]


def test_the_pilot_flies_to_the_treasure_of_its_complete_set() -> None:
    island = Island("pilot,diver", NOTHING_FLOODED).hand(0, stone=4).at(0, "C6")
    assert turn(island)[:2] in (["move E3", "capture earth-stone"], ["move F3", "capture earth-stone"])


def test_gives_the_card_that_completes_a_set() -> None:
    island = Island("engineer,diver", NOTHING_FLOODED).hand(0, stone=1).hand(1, stone=3).at(0, "C3").at(1, "C3")
    assert choice(island) == "give earth-stone diver"


def test_gives_that_card_to_a_full_hand_with_a_useless_card() -> None:
    island = Island("engineer,diver", NOTHING_FLOODED).captured("crystal").at(0, "C3").at(1, "C3")
    island.hand(0, stone=1).hand(1, stone=3, crystal=1, lift=1)
    assert choice(island) == "give earth-stone diver"
    island.play("0 give earth-stone diver")
    assert choice(island, 1) == "discard crystal-of-fire"


def test_the_messenger_gives_that_card_from_afar() -> None:
    island = Island("messenger,diver", NOTHING_FLOODED).hand(0, stone=1).hand(1, stone=3).at(0, "C1").at(1, "D6")
    assert choice(island) == "give earth-stone diver"


def test_walks_to_the_collector_of_a_card_it_holds() -> None:
    island = Island("engineer,diver", NOTHING_FLOODED).hand(0, stone=1).hand(1, stone=3).at(0, "C3").at(1, "E3")
    assert turn(island) == ["move D3", "move E3", "give earth-stone diver", "end"]


def test_the_navigator_guides_the_last_pawn_home() -> None:
    island = Island("navigator,diver", NOTHING_FLOODED).captured(*ALL).hand(0, lift=1).at(0, "B5").at(1, "D5")
    assert choice(island) == "navigate diver B5"


LANDING_FLOODED = """
        . .
      ~ . . .
    . . . . . .
    . . . . . .
      ~ . . .
        . .
"""


def on_top(island: Island, *places: str) -> Island:
    """Put the cards of these places on top of the flood deck, as a pile of its own."""
    island.next_flood_cards(*places)
    island.state.layers = 1 << island.state.flood_left - len(places)
    return island


def test_shores_up_fools_landing_before_it_may_sink() -> None:
    """B5 is Fools' Landing, B2 a plain tile; both are flooded and their cards lie on top."""
    island = on_top(Island("engineer,diver", LANDING_FLOODED), "B2", "B5").at(0, "B4")
    assert choice(island) == "shore B5"
    assert "shore B5" in turn(on_top(Island("messenger,diver", LANDING_FLOODED), "B2", "B5").at(0, "B3"))


def test_flies_to_fools_landing_if_nobody_else_can_save_it() -> None:
    island = on_top(Island("messenger,diver", LANDING_FLOODED), "B2", "B5").hand(0, lift=2).at(0, "D1").at(1, "D1")
    assert choice(island) in {"lift messenger B5", "lift messenger B4", "lift messenger C5"}


def test_plays_sandbags_on_fools_landing_before_the_flood_cards() -> None:
    island = Island("engineer,diver", LANDING_FLOODED).at(0, "D1").hand(0, sandbags=1)
    island.go_to_flood_cards()
    on_top(island, "B2", "B5")
    assert choice(island) == "sandbags B5"


def test_keeps_sandbags_while_no_flooded_tile_is_at_risk() -> None:
    """C1 and B2 are plain, their cards are in the discard, and no treasure card comes before these floods."""
    board = NOTHING_FLOODED.replace(".", "~", 3)
    island = Island("engineer,diver", board).hand(0, sandbags=1).go_to_flood_cards()
    assert choice(island) == "flood"


@pytest.mark.parametrize("hand", [{"stone": 3, "lift": 1, "sandbags": 1}, {"stone": 3, "chalice": 2}])
def test_discards_a_card_that_the_team_does_not_need(hand: dict[str, int]) -> None:
    island = Island("engineer,diver", NOTHING_FLOODED).captured("crystal").hand(0, crystal=1, **hand)
    island.state.over = 1
    assert choice(island) == "discard crystal-of-fire"


def test_keeps_the_only_helicopter_lift() -> None:
    island = Island("engineer,diver", NOTHING_FLOODED).hand(0, lift=1, stone=2, statue=1, crystal=1, chalice=1)
    island.state.over = 1
    assert choice(island).startswith("discard") and choice(island) != "discard helicopter-lift"


def test_lifts_off_as_soon_as_it_can() -> None:
    island = Island("engineer,diver", NOTHING_FLOODED).captured(*ALL).hand(0, lift=1).at(0, "B5").at(1, "B5")
    assert choice(island) == "lift off"


def test_keeps_the_last_helicopter_lift_on_the_way_home() -> None:
    island = Island("engineer,diver", NOTHING_FLOODED).captured(*ALL).hand(0, lift=1).at(0, "E2").at(1, "B5")
    assert not any(action.startswith("lift") for action in turn(island))


def test_spends_a_spare_helicopter_lift_on_the_way_home() -> None:
    island = Island("engineer,diver", NOTHING_FLOODED).captured(*ALL).hand(0, lift=2).at(0, "E2").at(1, "B5")
    assert choice(island) == "lift engineer B5"


def interruption(island: Island, seat: int = 1, bot: str = "skilled") -> str | None:
    """What the bot plays at a seat in another seat's turn, or None."""
    if seat not in interrupters(island.match):
        return None
    action = bots.find(GAME, bot).interrupt(island.match, seat, seed=7)
    return None if action is None else GAME.actions.action(action, island.match.names).text


@pytest.mark.parametrize("bot", GAME.bots)
def test_interrupts_to_lift_off_in_another_seats_turn(bot: str) -> None:
    """All pawns are ready on Fools' Landing, and the lift is in the hand of a seat that is not on turn."""
    island = Island("engineer,diver", NOTHING_FLOODED).captured(*ALL).at(0, "B5").at(1, "B5").hand(1, lift=1)
    assert interruption(island, 1, bot) == "lift off"
    island.at(0, "B4")
    assert interruption(island, 1, bot) is None


def test_interrupts_with_sandbags_before_a_flood_card() -> None:
    """Fools' Landing is flooded and its card may be next."""
    island = Island("engineer,diver", NOTHING_FLOODED).hand(1, sandbags=1)
    island.state.flooded |= 1 << island.place("B5")
    assert interruption(island) is None, "there is time until the flood"
    island.go_to_flood_cards()
    assert interruption(island) == "sandbags B5"


def test_interrupts_with_a_lift_for_the_pawn_whose_turn_begins() -> None:
    """The Engineer has a set far away from its treasure; the Diver has two Helicopter Lifts."""
    island = Island("engineer,diver", NOTHING_FLOODED).hand(0, stone=4).hand(1, lift=2).at(0, "C6").at(1, "C5")
    assert interruption(island) in {"lift engineer E3", "lift engineer F3"}
    island.at(0, "E3")
    assert interruption(island) is None, "it is there"


def test_seats_that_cannot_help_do_not_interrupt() -> None:
    island = Island("engineer,diver", NOTHING_FLOODED).hand(0, lift=1, sandbags=1).hand(1, stone=3)
    assert interrupters(island.match) == ()
    island.state.flooded |= 1 << island.place("C4")
    island.go_to_flood_cards()
    assert interrupters(island.match) == (), "the game waits for who has the Sandbags"
    assert bots.find(GAME, "random").interrupt(island.hand(1, sandbags=1).match, 1, 7) is None


def test_swims_towards_its_goal() -> None:
    island = Island("engineer,diver", NOTHING_FLOODED).captured(*ALL).at(0, "C4").at(1, "B5")
    island.state.flooded |= 1 << island.place("C4")
    island.go_to_flood_cards()
    island.next_flood_cards("C4").play("0 flood")
    assert choice(island) in {"swim B4", "swim C5"}


@pytest.mark.parametrize("bot", GAME.bots)
def test_choices_do_not_depend_on_hidden_information(bot: str) -> None:
    """Also, the policy's choices are legal."""
    variant, lengths = skerry.game("forbidden-island", players=3), range(3, 90, 20) if INTERPRETED else range(0, 200, 7)
    truths = simulated_positions(variant, ("skilled", "random", "skilled"), 6 if INTERPRETED else 40, lengths)
    asked = 0
    for row, seat, legal in check_choices_ignore_hidden_information(bot, variant, truths):
        assert choose_action(row, seat, SKILLED[3 - MIN_PLAYERS], legal[-1]) in legal
        asked += 1
    assert asked > (5 if INTERPRETED else 400)


@only_compiled
@pytest.mark.parametrize(
    ("players", "difficulty", "wins"), [(2, "novice", 0.68), (3, "normal", 0.56), (4, "elite", 0.23)]
)
def test_skilled_wins_as_often_as_documented(players: int, difficulty: str, wins: float) -> None:
    """The bounds are a little below the measured win rates; a simple rule-based player wins 20, 9 and 1 %."""
    variant = skerry.game("forbidden-island", players=players, difficulty=difficulty)
    total = simulate(Series(variant, ("skilled",) * players, 2_000, seed=21), cores=1)
    assert wilson_interval(float(total.wins[0]), total.games)[0] > wins
    assert not total.endings[0]


@only_compiled
def test_novice_wins_sometimes_but_less_than_skilled() -> None:
    variant = skerry.game("forbidden-island", players=3)
    novice, skilled = (simulate(Series(variant, (bot,) * 3, 1_000, seed=4), cores=1) for bot in ("novice", "skilled"))
    low, high = wilson_interval(float(novice.wins[0]), 1_000)
    assert low > 0.01 and high < wilson_interval(float(skilled.wins[0]), 1_000)[0]
