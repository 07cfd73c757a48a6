"""The bots: obviously right actions, independence of hidden information, and playing strength."""

from __future__ import annotations

import pytest

import skerry
from skerry import bots
from skerry.bots.interrupts import interrupting_of
from skerry.engine.kernel import INTERPRETED
from skerry.engine.loop import TurnOrder
from skerry.engine.match import Match
from skerry.games.forbidden_desert import GAME
from skerry.games.forbidden_desert.bot.policies import choose_action
from skerry.games.forbidden_desert.bot.weights import MIN_PLAYERS, SKILLED
from skerry.lab.simulate import Series, simulate
from skerry.lab.statistics import wilson_interval
from tests.modes import only_compiled

from ..hidden_information import check_choices_ignore_hidden_information, simulated_positions
from .positions import Desert, desert

PAD = {"A1": "launch-pad"}


def interrupters(match: Match) -> tuple[int, ...]:
    """The seats that are asked whether they interrupt."""
    return TurnOrder(interrupting_of(GAME)).interrupters(match.state)


def choice(table: Desert, bot: str = "skilled") -> str:
    """The bot's choice at the seat whose turn it is."""
    found = bots.find(GAME, bot)
    return GAME.actions.action(found.choose(table.match, table.state.turn, seed=7), table.match.names).text


def turn(table: Desert) -> list[str]:
    """The bot's choices until it ends its actions, or the game ends."""
    done: list[str] = []
    while table.match.result is None and (not done or done[-1] != "end"):
        done.append(choice(table))
        table.play(table.turn, done[-1])
    return done


def test_picks_up_a_part() -> None:
    table = desert(tiles={"A1": "gear"}, excavated="A1", parts={"engine": "A1"})
    assert choice(table) == "take engine"


def test_walks_to_a_near_part() -> None:
    """It excavates tiles on the way, as the part does not go away."""
    table = desert(tiles={"B2": "gear"}, excavated="B2", parts={"engine": "B2"})
    turn(table)
    assert table.at("archeologist") == "B2"


def test_excavates_its_own_tile() -> None:
    assert choice(desert()) == "excavate"


def test_digs_itself_out() -> None:
    assert choice(desert(sand={"A1": 3})) == "clear two A1"
    assert choice(desert("explorer,climber", at={"climber": "C1"}, sand={"A1": 2})) == "clear A1"


def test_plays_a_dune_blaster_on_a_deeply_buried_pawn() -> None:
    table = desert(
        "explorer,meteorologist", at={"meteorologist": "A1"}, sand={"A1": 5}, gear={"explorer": "dune-blaster"}
    )
    assert choice(table) == "blast A1"


def test_wins_with_the_last_step() -> None:
    table = desert(at={"archeologist": "B1"}, tiles=PAD, excavated="A1", taken="all")
    assert turn(table)[-1] == "move A1" and table.match.result


def test_clears_the_launch_pad() -> None:
    table = desert(at={"archeologist": "B1"}, tiles=PAD, excavated="A1", taken="all", sand={"A1": 3})
    done = turn(table)
    assert "clear two A1" in done and done[-1] == "move A1" and table.match.result


def test_flies_home_with_a_jet_pack() -> None:
    gear = {"archeologist": "jet-pack"}
    table = desert(at={"archeologist": "E4"}, tiles=PAD, excavated="A1", taken="all", gear=gear)
    assert choice(table) == "jet A1"


def test_the_navigator_guides_the_last_pawn_home() -> None:
    table = desert("navigator,explorer", at={"explorer": "C1"}, tiles=PAD, excavated="A1", taken="all")
    assert turn(table)[-2:] == ["guide explorer B1", "guide explorer A1"] and table.match.result


def test_the_climber_carries_a_buried_pawn_home() -> None:
    table = desert("climber,explorer", at="B1", tiles=PAD, excavated="A1", taken="all", sand={"B1": 2})
    assert turn(table)[-1] == "carry explorer A1" and table.match.result


def test_gives_water_to_a_seat_without_any() -> None:
    table = desert("archeologist,explorer", water={"archeologist": 3, "explorer": 0})
    assert choice(table) == "water explorer 1"


def test_does_not_give_its_last_water_to_a_seat_with_more() -> None:
    table = desert("archeologist,explorer", water={"archeologist": 1, "explorer": 2})
    assert not choice(table).startswith("water")


def test_the_water_carrier_fills_up_for_a_thirsty_team() -> None:
    table = desert(
        "water-carrier,explorer", tiles={"A1": "well"}, excavated="A1", water={"water-carrier": 0, "explorer": 0}
    )
    assert choice(table) == "fill"


def test_plays_the_secret_water_reserve_for_thirsty_pawns() -> None:
    table = desert(water={"archeologist": 0, "meteorologist": 0}, gear={"archeologist": "water-reserve"}, tick=9)
    assert choice(table) == "reserve"


def test_plays_a_solar_shield_for_thirsty_pawns() -> None:
    table = desert(water={"archeologist": 0, "meteorologist": 0}, gear={"archeologist": "solar-shield"}, tick=9)
    table.play("archeologist", "end")
    assert choice(table) == "shield"


def interruption(table: Desert, role: str, bot: str = "skilled") -> str | None:
    """What the bot plays at a seat in another seat's turn, or None."""
    seat = table.seat(role)
    if seat not in interrupters(table.match):
        return None
    action = bots.find(GAME, bot).interrupt(table.match, seat, seed=7)
    return None if action is None else GAME.actions.action(action, table.match.names).text


@pytest.mark.parametrize("bot", GAME.bots)
def test_interrupts_to_give_water_before_another_seats_storm(bot: str) -> None:
    table = desert("archeologist,explorer", water={"archeologist": 0, "explorer": 4})
    assert interruption(table, "explorer", bot) is None, "there is time until the storm"
    table.play("archeologist", "end")
    assert interruption(table, "explorer", bot) == "water archeologist 1"


@pytest.mark.parametrize(("gear", "played"), [("solar-shield", "shield"), ("water-reserve", "reserve")])
def test_interrupts_with_gear_before_another_seats_storm(gear: str, played: str) -> None:
    table = desert(water={"archeologist": 0, "meteorologist": 0}, gear={"meteorologist": gear}, tick=9)
    table.play("archeologist", "end")
    assert interruption(table, "meteorologist") == played


def test_seats_that_cannot_help_do_not_interrupt() -> None:
    table = desert("archeologist,explorer", at={"explorer": "C3"}, water={"archeologist": 0, "explorer": 4})
    table.play("archeologist", "end")
    assert interrupters(table.match) == ()


def test_keeps_gear_while_nobody_is_thirsty() -> None:
    table = desert(gear={"archeologist": "solar-shield water-reserve"}, excavated="A1")
    assert choice(table) not in {"reserve", "shield"}
    table.play("archeologist", "end")
    assert choice(table) == "draw"


def test_the_meteorologist_puts_the_sun_at_the_bottom() -> None:
    table = desert("meteorologist,explorer", water={"meteorologist": 0, "explorer": 0}, tick=2)
    table.stack("north-1", "sun", "east-2")
    table.play("meteorologist", "forecast")
    assert choice(table) == "bottom 2"


def test_a_pawn_without_water_ends_its_turn_in_a_tunnel() -> None:
    """The tunnel is a step away, and not dying is worth more than anything else."""
    tiles = {"A1": "gear", "B1": "tunnel"}
    table = desert(tiles=tiles, excavated="A1 B1", water={"archeologist": 0}, tick=12)
    turn(table)
    assert table.at("archeologist") == "B1"


@pytest.mark.parametrize("bot", GAME.bots)
def test_choices_do_not_depend_on_hidden_information(bot: str) -> None:
    """Also, the policy's choices are legal."""
    variant, lengths = skerry.game("forbidden-desert", players=3), range(3, 70, 20) if INTERPRETED else range(0, 200, 7)
    truths = simulated_positions(variant, ("skilled", "random", "skilled"), 4 if INTERPRETED else 40, lengths)
    asked = 0
    for row, seat, legal in check_choices_ignore_hidden_information(bot, variant, truths):
        assert choose_action(row, seat, SKILLED[3 - MIN_PLAYERS]) in legal
        asked += 1
    assert asked > (5 if INTERPRETED else 400)


@only_compiled
def test_skilled_beats_novice_beats_random() -> None:
    variant = skerry.game("forbidden-desert", players=2)
    totals = {bot: simulate(Series(variant, (bot,) * 2, 1_000, seed=4), cores=1) for bot in (*GAME.bots, "random")}
    won = {bot: float(total.wins[0]) for bot, total in totals.items()}
    assert wilson_interval(won["skilled"], 1_000)[0] > wilson_interval(won["novice"], 1_000)[1]
    assert wilson_interval(won["novice"], 1_000)[0] > wilson_interval(won["random"], 1_000)[1]
    assert not any(total.endings[0] for total in totals.values())
