"""CA-50 to CA-58: Black Magic Woman."""

from __future__ import annotations

from typing import Any

import pytest

import skerry
from skerry.games.cartagena.rules import components

from .positions import Passage


def magic(crews: str = "", **given: Any) -> Passage:
    return Passage(crews, magic="on", **given)


# CA-50


@pytest.mark.rule("CA-50")
def test_a_card_is_played_for_a_move_or_for_its_power() -> None:
    passage = magic(red="rum pistol", green="hook")
    assert passage.legal() == {"play rum prison", "play pistol prison", "magic rum", "magic pistol"}
    passage.play("play rum prison")
    assert passage.where("red") == ["6"] and passage.state.pooled == 0
    passage = magic(red="rum").play("magic rum")
    assert passage.where("red") == [] and passage.state.pooled == 4 and passage.discarded() == "rum"


def test_only_powers_that_draw_cards_reveal_something_hidden() -> None:
    match = magic(red="rum pistol", green="hook").match
    shows = {action.text: match.reveals(0, action.id) for action in match.legal(0)}
    assert shows == {"play rum prison": False, "play pistol prison": False, "magic rum": True, "magic pistol": False}


@pytest.mark.rule("CA-50")
def test_without_black_magic_no_card_has_a_power() -> None:
    passage = Passage(red="rum parrot parrot")
    assert passage.legal() == {"play rum prison", "play parrot prison"}
    passage.assert_refused("magic rum", "CA-50", "no powers")
    passage.assert_refused("parrots", "CA-50", "no powers")


@pytest.mark.rule("CA-50")
def test_a_power_without_effect_cannot_be_used() -> None:
    passage = magic(red="pistol hook chest parrot")
    assert passage.legal("magic") == set()
    passage.assert_refused("magic pistol", "CA-52", "nobody else has a card")
    passage.assert_refused("magic hook", "CA-56", "two pirates of yours on one space")
    passage.assert_refused("magic chest", "CA-57", "still has its token")
    passage.assert_refused("magic parrot", "CA-55", "lay down parrots")
    passage.assert_refused("magic rum", "CA-50", "no rum card")
    assert magic(red="rum lantern").legal("magic") == {"magic rum", "magic lantern"}


@pytest.mark.rule("CA-50")
def test_steps_of_a_power_are_legal_only_when_due() -> None:
    passage = magic(red="rum")
    for text, rule in (
        ("look green", "CA-52"),
        ("take rum", "CA-52"),
        ("keep rum", "CA-53"),
        ("give rum", "CA-53"),
        ("put rum", "CA-54"),
        ("open 5", "CA-57"),
        ("discard rum", "CA-40"),
    ):
        passage.assert_refused(text, rule)


@pytest.mark.rule("CA-50")
@pytest.mark.parametrize("choice", ["magic pistol", "magic hook", "magic chest", "parrots"])
def test_a_power_can_be_undone_until_something_hidden_is_revealed(choice: str) -> None:
    passage = magic("red 5 5", red="pistol hook chest parrot parrot", green="rum")
    before = passage.match.content
    passage.play(choice)
    assert passage.match.content != before
    passage.match.undo(0)
    assert passage.match.content == before


# CA-51


@pytest.mark.rule("CA-51")
@pytest.mark.parametrize(("parts", "laid"), [(4, 4), (6, 6), (8, 8)])
def test_each_chest_of_the_path_has_a_hidden_token(parts: int, laid: int) -> None:
    match = skerry.game("cartagena", magic="on", parts=parts).new(seed=4)
    spaces = [space for space in match.view(None)["path"] if space["chest"]]
    assert len(spaces) == laid and {space["symbol"] for space in spaces} == {"chest"}
    assert sorted(match.state.tokens) == sorted(components.CHEST_TOKENS)
    assert match.view(0)["opened"] == []


@pytest.mark.rule("CA-51")
def test_chest_tokens_are_shuffled() -> None:
    game = skerry.game("cartagena", magic="on", parts=4)
    under_the_first = {game.new(seed=seed).state.tokens[0] for seed in range(60)}
    assert under_the_first == {0, 1, 2, 3, components.SNAKE}
    assert not any(space["chest"] for space in skerry.game("cartagena").new(seed=1).view(None)["path"])


# CA-52


@pytest.mark.rule("CA-52")
def test_a_pistol_looks_into_a_hand_and_takes_a_card_and_the_other_draws_one() -> None:
    passage = magic(red="pistol", green="rum hook", yellow="chest", top="parrot").play("magic pistol")
    assert passage.legal() == {"look green", "look yellow"}
    passage.assert_refused("play rum prison", "CA-52", "whose hand")
    passage.assert_refused("look red", "CA-52", "an opponent's hand")
    passage.play("look green")
    assert passage.match.view(0)["seats"][1]["known"] == {"rum": 1, "hook": 1}
    assert passage.match.view(2)["seats"][1]["known"] == {}
    assert passage.legal() == {"take rum", "take hook"}
    passage.assert_refused("take chest", "CA-52", "Green has no chest")
    passage.play("take hook")
    assert (passage.hand("red"), passage.hand("green")) == ("hook", "rum parrot")
    assert passage.state.left == 2 and passage.match.view(0)["seats"][1]["known"] == {"rum": 1}


@pytest.mark.rule("CA-52")
def test_a_player_without_cards_cannot_be_looked_at() -> None:
    passage = magic(red="pistol", yellow="chest").play("magic pistol")
    assert passage.legal() == {"look yellow"}
    passage.assert_refused("look green", "CA-52", "Green has no cards")


@pytest.mark.rule("CA-52")
def test_looking_into_a_hand_cannot_be_undone() -> None:
    passage = magic(red="pistol", green="rum").play("magic pistol", "look green")
    with pytest.raises(skerry.NoUndo):
        passage.match.undo(0)


@pytest.mark.rule("CA-52")
def test_only_the_two_players_learn_which_card_was_taken() -> None:
    passage = magic(red="pistol", green="rum hook", top="parrot").play("magic pistol", "look green", "take hook")
    assert passage.events(0) == ["Red takes hook from Green", "Green draws a card"]
    assert passage.events(1) == ["Red takes hook from Green", "Green draws parrot"]
    assert passage.events(2) == ["Red takes a card from Green", "Green draws a card"] == passage.events(None)
    assert passage.match.view(1)["seats"][0]["known"] == {"hook": 1}


# CA-53


@pytest.mark.rule("CA-53")
@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_rum_draws_one_more_than_players_keeps_two_and_gives_the_rest(players: int) -> None:
    top = ["hook", "hook", "chest", "lantern", "pistol", "parrot"][: players + 1]
    passage = magic(players=players, red="rum", top=" ".join(top)).play("magic rum")
    assert passage.state.pooled == players + 1
    passage.play("keep hook", "keep hook")
    assert passage.hand("red") == "hook hook"
    for colour, card in zip(components.COLOURS[1:], top[2:], strict=False):
        passage.play(f"give {card}")
        assert passage.hand(colour) == card
    assert passage.state.pooled == 0 and passage.seat == 0 and passage.state.left == 2


@pytest.mark.rule("CA-53")
def test_rum_keeps_two_cards_then_gives_from_the_left() -> None:
    passage = magic(green="rum hook", red="hook", top="hook chest lantern pistol")
    passage.play("play hook prison", "end", "magic rum")
    assert passage.legal() == {"keep hook", "keep chest", "keep lantern", "keep pistol"}
    passage.assert_refused("end", "CA-53", "keep two")
    passage.assert_refused("keep rum", "CA-53", "no rum among")
    passage.assert_refused("give hook", "CA-53")
    passage.play("keep chest", "keep pistol")
    assert passage.legal() == {"give hook", "give lantern"}
    assert str(passage.match.prompt(1)) == "Give Yellow one of the cards"
    passage.play("give lantern", "give hook")
    assert (passage.hand("yellow"), passage.hand("red"), passage.hand("green")) == (
        "lantern",
        "hook",
        "pistol hook chest",
    )


@pytest.mark.rule("CA-53")
def test_only_giver_and_receiver_know_a_card_given_with_rum() -> None:
    passage = magic(red="rum", top="hook chest lantern pistol").play("magic rum", "keep hook", "keep chest")
    passage.play("give lantern")
    assert passage.events(0) == passage.events(1) == ["Red gives lantern to Green"]
    assert passage.events(2) == passage.events(None) == ["Red gives Green a card"]
    assert passage.match.view(0)["seats"][1]["known"] == {"lantern": 1}
    assert passage.match.view(2)["seats"][1]["known"] == {}


@pytest.mark.rule("CA-53", "CA-04")
@pytest.mark.parametrize(
    ("deck", "steps", "hands"),
    [
        ("hook chest", ["keep hook", "keep chest", "give rum"], ["hook chest", "rum", ""]),
        ("hook", ["keep rum", "keep hook"], ["rum hook", "", ""]),
        ("", ["keep rum"], ["rum", "", ""]),
    ],
)
def test_rum_draws_as_many_cards_as_there_are(deck: str, steps: list[str], hands: list[str]) -> None:
    """The rum just played is shuffled into the new deck and drawn, too."""
    passage = magic(red="rum").deck(deck).play("magic rum", *steps)
    assert [passage.hand(colour) for colour in ("red", "green", "yellow")] == hands
    assert passage.seat == 0 and passage.state.left == 2


@pytest.mark.rule("CA-53")
def test_the_prompt_asks_to_keep_no_more_cards_than_were_drawn() -> None:
    passage = magic(red="rum").deck("").play("magic rum")
    assert passage.state.pooled == 1
    assert str(passage.match.prompt(0)) == "Rum for everybody: choose cards to keep, 1 more"


@pytest.mark.rule("CA-53")
def test_keeping_a_card_can_be_undone_giving_one_cannot() -> None:
    passage = magic(red="rum", top="hook chest lantern pistol").play("magic rum", "keep hook")
    passage.match.undo(0)
    passage.play("keep chest", "keep pistol", "give hook")
    with pytest.raises(skerry.NoUndo):
        passage.match.undo(0)


# CA-54


@pytest.mark.rule("CA-54")
def test_a_lantern_keeps_one_of_four_and_orders_the_rest_on_the_deck() -> None:
    passage = magic(red="lantern", top="hook chest rum pistol parrot").play("magic lantern")
    assert passage.legal() == {"keep hook", "keep chest", "keep rum", "keep pistol"}
    passage.assert_refused("put hook", "CA-54")
    passage.play("keep rum")
    assert passage.legal() == {"put hook", "put chest", "put pistol"}
    passage.assert_refused("keep hook", "CA-54")
    passage.assert_refused("put rum", "CA-54", "no rum among")
    passage.play("put pistol", "put hook", "put chest")
    assert passage.hand("red") == "rum" and passage.state.left == 2
    assert passage.match.view(0)["deck"]["top"] == ["chest", "hook", "pistol"]
    assert passage.match.view(1)["deck"]["top"] == passage.match.view(None)["deck"]["top"] == []


@pytest.mark.rule("CA-54")
def test_with_a_lantern_keeping_and_putting_back_can_be_undone_but_not_drawing() -> None:
    passage = magic(red="lantern", top="hook chest rum pistol").play("magic lantern", "keep rum", "put pistol")
    passage.match.undo(0)
    passage.match.undo(0)
    with pytest.raises(skerry.NoUndo):
        passage.match.undo(0)


@pytest.mark.rule("CA-54", "CA-04")
def test_a_lantern_draws_as_many_cards_as_there_are() -> None:
    passage = magic(red="lantern").deck("hook").play("magic lantern")  # and the lantern itself
    assert passage.legal() == {"keep hook", "keep lantern"}
    passage.play("keep hook", "put lantern")
    assert passage.hand("red") == "hook" and passage.match.view(0)["deck"] == {"cards": 1, "top": ["lantern"]}


# CA-55


@pytest.mark.rule("CA-55")
def test_two_parrots_count_as_any_other_card_for_one_action() -> None:
    passage = magic("red 2", red="parrot parrot hook").play("parrots")
    assert "play parrot 2" not in passage.legal() and "magic parrot" not in passage.legal()
    assert {"play rum 2", "play chest prison", "magic rum", "magic lantern"} <= passage.legal()
    passage.assert_refused("play parrot 2", "CA-55", "another symbol")
    passage.assert_refused("magic parrot", "CA-55")
    passage.assert_refused("back 2", "CA-55", "first play the two parrots")
    passage.play("play rum 2")
    assert passage.where("red") == ["6"] and passage.hand("red") == "hook" and passage.state.left == 2
    assert passage.discarded() == "parrot parrot"


@pytest.mark.rule("CA-55")
def test_two_parrots_can_stand_for_a_power() -> None:
    passage = magic(red="parrot parrot", green="rum", top="hook").play("parrots", "magic pistol", "look green")
    passage.play("take rum")
    assert passage.hand("red") == "rum" and passage.hand("green") == "hook" and passage.state.left == 2


@pytest.mark.rule("CA-55")
def test_a_single_parrot_is_only_a_parrot() -> None:
    passage = magic(red="parrot")
    assert passage.legal() == {"play parrot prison"}
    passage.assert_refused("parrots", "CA-55", "two parrots")


@pytest.mark.rule("CA-55", "CA-23")
def test_two_parrots_can_always_stand_for_something() -> None:
    """Even if no symbol can move a pirate, the powers of rum and lantern work."""
    crews = "red sloop sloop sloop, green 1 2 3 4 5 6, yellow 7 8 9 10 11 12, blue 13 14 15 16 17 18"
    passage = Passage(crews, players=4, story="full", red="parrot parrot", magic="on").play("parrots")
    assert passage.legal() == {"magic rum", "magic lantern"}


# CA-56


@pytest.mark.rule("CA-56")
def test_a_hook_moves_two_pirates_of_one_space_with_a_second_card() -> None:
    passage = magic("red 2 2 3, green 8", red="hook chest rum").play("magic hook")
    assert passage.state.left == 2
    assert passage.legal() == {"play chest 2", "play rum 2"}
    passage.assert_refused("play chest 3", "CA-56", "there are not two")
    passage.assert_refused("play chest prison", "CA-56")
    passage.assert_refused("end", "CA-56", "second card")
    passage.assert_refused("play hook 2", "CA-11")
    passage.play("play chest 2")
    assert passage.where("red") == ["3", "5", "5"] and passage.state.left == 1
    assert passage.discarded() == "hook chest"


@pytest.mark.rule("CA-56")
def test_a_hook_can_bring_both_pirates_aboard_and_win() -> None:
    crews = "red 34 34 sloop sloop, green 1"
    assert magic(crews, red="hook rum", pirates=4).play("magic hook", "play rum 34").winner == "red"


@pytest.mark.rule("CA-56", "CA-23")
def test_a_hook_moves_both_pirates_or_neither() -> None:
    crews = "red 17 17 sloop sloop"
    passage = Passage(crews, story="full", tunnel="agf", island="bcd", red="hook rum", magic="on")
    passage.assert_refused("magic hook", "CA-56", "a second card that moves two")
    one_aboard = Passage(
        crews.removesuffix(" sloop"), story="full", tunnel="agf", island="bcd", red="hook rum", magic="on"
    )
    assert one_aboard.play("magic hook", "play rum 17").where("red") == ["sloop"] * 3


@pytest.mark.rule("CA-56")
def test_a_hook_needs_two_actions_and_a_second_card() -> None:
    magic("red 2 2", red="hook").assert_refused("magic hook", "CA-56", "a second card")
    passage = magic("red 2 2", red="hook rum rum rum").play("play rum prison", "play rum prison")
    passage.assert_refused("magic hook", "CA-56", "two actions")


@pytest.mark.rule("CA-56")
def test_the_second_card_may_be_a_hook() -> None:
    passage = magic("red 2 2", red="hook hook").play("magic hook", "play hook 2")
    assert passage.where("red") == ["9", "9"] and passage.hand("red") == ""


@pytest.mark.rule("CA-56", "CA-55")
def test_two_parrots_may_stand_for_the_hook_the_second_card_or_both() -> None:
    first = magic("red 2 2", red="parrot parrot rum").play("parrots", "magic hook")
    assert first.legal() == {"play rum 2"}
    assert first.play("play rum 2").where("red") == ["6", "6"]
    second = magic("red 2 2", red="hook parrot parrot").play("magic hook")
    assert second.legal() == {"play parrot 2", "parrots"}
    second.play("parrots")
    assert second.legal() == {f"play {symbol} 2" for symbol in ("pistol", "rum", "lantern", "hook", "chest")}
    second.assert_refused("play parrot 2", "CA-55")
    second.assert_refused("magic rum", "CA-56")
    assert second.play("play rum 2").where("red") == ["6", "6"] and second.state.left == 1
    both = magic("red 2 2", red="parrot parrot parrot parrot").play("parrots", "magic hook", "parrots", "play rum 2")
    assert both.where("red") == ["6", "6"] and both.hand("red") == "" and both.state.left == 1


@pytest.mark.rule("CA-56")
def test_a_hook_works_on_spaces_of_the_path_only() -> None:
    passage = magic(red="hook rum")  # six in prison are no pair
    passage.assert_refused("magic hook", "CA-56", "one space of the path")


# CA-57


@pytest.mark.rule("CA-57")
@pytest.mark.parametrize("cards", [0, 1, 2, 3])
def test_a_chest_is_opened_by_a_pirate_on_it(cards: int) -> None:
    passage = magic("red 5", red="chest").chest(5, cards).play("magic chest")
    assert passage.legal() == {"open 5"}
    passage.play("open 5")
    assert passage.held("red") == cards and passage.state.left == 2
    assert not passage.match.view(None)["path"][4]["chest"] and passage.match.view(None)["opened"] == [cards]
    assert passage.where("red") == ["5"]


@pytest.mark.rule("CA-57")
def test_the_player_chooses_among_several_chests_with_own_pirates() -> None:
    passage = magic("red 5 8 14, green 22", red="chest chest chest").chest(8, 1).play("magic chest")
    assert passage.legal() == {"open 5", "open 8"}
    passage.assert_refused("open 22", "CA-57", "no pirate of yours")
    passage.assert_refused("end", "CA-57")
    passage.play("open 8", "magic chest")
    assert passage.legal() == {"open 5"}
    passage.chest(5, 2).play("open 5")
    passage.assert_refused("magic chest", "CA-57", "still has its token")


# CA-58


@pytest.mark.rule("CA-58")
@pytest.mark.parametrize(
    ("others", "target"),
    [
        ("", "21"),
        ("green 21", "15"),
        ("green 21 15 11 6", "1"),  # no rum is free: the empty space nearest the start
        ("green 21 15 11 6 1, yellow 2 3 4", "5"),
    ],
)
def test_a_snake_sends_the_pirate_back_to_an_empty_rum_space(others: str, target: str) -> None:
    passage = magic(f"red 22, {others}", red="chest").chest(22, components.SNAKE).play("magic chest", "open 22")
    assert passage.where("red") == [target] and passage.held("red") == 0


@pytest.mark.rule("CA-58")
def test_a_pirate_that_cannot_flee_from_the_snake_stays() -> None:
    passage = magic("red 5, green 1 2 3 4", red="chest").chest(5, components.SNAKE).play("magic chest", "open 5")
    assert passage.where("red") == ["5"]


@pytest.mark.rule("CA-58")
def test_a_pirate_flees_from_the_snake_within_its_half() -> None:
    passage = Passage("red 23", story="full", tunnel="agf", island="bcd", red="chest", magic="on")
    passage.chest(23, components.SNAKE).play("magic chest", "open 23")
    assert passage.where("red") == ["20"]
    passage = Passage("red 23, green 20", story="full", tunnel="agf", island="bcd", red="chest", magic="on")
    passage.chest(23, components.SNAKE).play("magic chest", "open 23")
    assert passage.where("red") == ["19"]


@pytest.mark.rule("CA-58")
def test_after_a_snake_all_eight_tokens_are_laid_anew() -> None:
    passage = magic("red 5 8", red="chest chest").chest(5, 3).chest(8, components.SNAKE)
    passage.play("magic chest", "open 5", "magic chest", "open 8")
    view = passage.match.view(None)
    assert sum(space["chest"] for space in view["path"]) == 6 and view["opened"] == []
    assert sorted(passage.state.tokens) == sorted(components.CHEST_TOKENS)
