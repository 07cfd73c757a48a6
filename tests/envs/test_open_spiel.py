"""OpenSpiel's own suite, and what its chance nodes and samples promise."""

from __future__ import annotations

import random
from collections.abc import Iterator

import pyspiel
import pytest

import skerry
from skerry.envs.open_spiel import SEED_NODES, read_text, short_name, write_text
from skerry.games import find_game
from tests.envs.by_hand import ByHand


def begun(name: str, seed: int = 7) -> pyspiel.State:
    state = pyspiel.load_game(name).new_initial_state()
    for byte in seed.to_bytes(SEED_NODES, "little"):
        assert state.is_chance_node()
        state.apply_action(byte)
    return state


def test_random_simulations_at_every_number_of_players(game: skerry.Game) -> None:
    for players in game.seats:
        loaded = pyspiel.load_game(f"{short_name(game)}(players={players},limit=60)")
        pyspiel.random_sim_test(loaded, num_sims=2, serialize=True, verbose=False)


def test_a_seed_is_the_match_of_that_seed(game: skerry.Game) -> None:
    state, match, chance = begun(short_name(game)), game.configure({}).new(7), random.Random(1)
    by_hand = ByHand(match, ask_forced=True)
    while decision := by_hand.decision():
        assert state.current_player() == decision.seat and state.legal_actions() == decision.legal
        action = chance.choice(state.legal_actions())
        passes = action == by_hand.pass_action
        assert state.action_to_string(action) == ("pass" if passes else match.action(action).text)
        state.apply_action(action)
        by_hand.answer(decision.seat, action)
        assert state.content == match.content
    assert state.is_terminal()
    assert match.result is not None
    winners = {seat for seat, reward in enumerate(state.returns()) if reward > 0}
    assert winners == set(match.result.winners) or len(match.result.winners) == match.variant.players


def test_options_are_parameters() -> None:
    game = pyspiel.load_game("skerry_forbidden_island(players=2,difficulty=legendary)")
    assert game.variant.options["difficulty"] == "legendary" and game.num_players() == 2


def test_alone_the_score_is_the_utility() -> None:
    state, chance = begun("skerry_hashi(players=1)"), random.Random(3)
    while not state.is_terminal():
        state.apply_action(chance.choice(state.legal_actions()))
    assert state.get_game().min_utility() <= state.returns()[0] <= state.get_game().max_utility()


def test_a_resampled_state_looks_the_same_and_is_another(game: skerry.Game) -> None:
    state, chance = begun(short_name(game)), random.Random(2)
    for _ in range(12):
        state.apply_action(chance.choice(state.legal_actions()))
    player = state.current_player()
    other = state.resample_from_infostate(player, chance.random)
    assert other.content != state.content and other.history() == state.history()
    assert other.observation_string(player) == state.observation_string(player)
    assert other.observation_tensor(player) == state.observation_tensor(player)
    assert other.legal_actions() == state.legal_actions()


def test_a_game_over_the_limit_pays_nothing() -> None:
    state = begun("skerry_cartagena(limit=5)")
    for _ in range(5):
        assert not state.is_terminal()
        state.apply_action(state.legal_actions()[0])
    assert state.is_terminal() and state.returns() == [0.0] * find_game("cartagena").configure({}).players


def test_without_a_limit_a_game_goes_on() -> None:
    state = begun("skerry_cartagena(limit=0)")
    for _ in range(5):
        state.apply_action(state.legal_actions()[0])
    assert not state.is_terminal()
    with pytest.raises(skerry.Refusal, match="imit takes a number of decisions"):
        pyspiel.load_game("skerry_cartagena(limit=-1)")


def test_the_reward_scheme_is_a_parameter() -> None:
    state, chance = begun("skerry_hashi(players=2,reward=margin)"), random.Random(3)
    while not state.is_terminal():
        state.apply_action(chance.choice(state.legal_actions()))
    again = pyspiel.load_game("skerry_hashi(players=2,reward=score)").new_initial_state()
    for action in state.history():
        again.apply_action(action)
    points = again.returns()
    assert sum(points) > 0 and state.returns() == [points[0] - points[1], points[1] - points[0]]
    with pytest.raises(skerry.Refusal):
        pyspiel.load_game("skerry_hashi(reward=gold)")


def test_an_illegal_action_is_refused(game: skerry.Game) -> None:
    state = begun(short_name(game))
    illegal = min(set(range(game.actions.size)) - set(state.legal_actions()))
    before = str(state)
    with pytest.raises(ValueError, match="not legal"):
        state.apply_action(illegal)
    assert str(state) == before


def test_a_wrong_parameter() -> None:
    with pytest.raises(skerry.BadOption, match="difficulty"):
        pyspiel.load_game("skerry_forbidden_island(difficulty=easy)")


def test_a_game_comes_back_from_its_text() -> None:
    """OpenSpiel separates parameters by commas, and so does the value of an option."""
    given = {"players": 2, "roles": "pilot,engineer", "interrupts": False, "limit": 90}
    game = pyspiel.load_game("skerry_forbidden_island", given)
    again = pyspiel.load_game(str(game))
    assert str(again) == str(game) and again.config == game.config
    assert again.variant.options["roles"] == "pilot,engineer" and not again.config.interrupts
    state, chance = game.new_initial_state(), random.Random(1)
    for _ in range(20):
        state.apply_action(chance.choice(state.legal_actions()))
    loaded_game, loaded = pyspiel.deserialize_game_and_state(pyspiel.serialize_game_and_state(game, state))
    assert (
        str(loaded_game) == str(game) and str(loaded) == str(state) and loaded.legal_actions() == state.legal_actions()
    )
    player = state.current_player()
    assert loaded.information_state_string(player) == state.information_state_string(player)


@pytest.mark.parametrize("value", ["pilot,engineer", "a=b(c)", "1+1", "50 %", "Fools' Landing", ""])
def test_texts_of_parameters(value: str) -> None:
    assert read_text(write_text(value)) == value and not set(",=()") & set(write_text(value))


def steps_of(game: skerry.Game, count: int, seed: int = 7) -> Iterator[pyspiel.State]:
    """A random game, with the state before each step."""
    state, chance = begun(short_name(game), seed), random.Random(2)
    for _ in range(count):
        if state.is_terminal():
            return
        yield state
        state.apply_action(chance.choice(state.legal_actions()))


def test_an_information_state_is_what_a_player_can_know(game: skerry.Game) -> None:
    """It does not change with what is hidden, not even in the past; and it ends with the view."""
    for state in steps_of(game, 12):
        player = state.current_player()
        known = state.information_state_string(player)
        assert known.endswith(state.observation_string(player))
        other = state.resample_from_infostate(player, random.Random(5).random)
        assert other.information_state_string(player) == known == state.clone().information_state_string(player)


def test_an_information_state_remembers(game: skerry.Game) -> None:
    """It is another after every step, also where the board is the same again."""
    seen = [state.information_state_string(0) for state in steps_of(game, 25)]
    assert len(set(seen)) == len(seen)


def test_players_who_cannot_know_what_another_does_do_not() -> None:
    """In Hashi all draft at the same time, and see the papers of the others when all are done."""
    first, second = (begun("skerry_hashi(players=2)") for _ in range(2))
    first.apply_action(first.legal_actions()[0])
    second.apply_action(second.legal_actions()[1])
    assert first.information_state_string(1) == second.information_state_string(1)
    assert first.information_state_string(0) != second.information_state_string(0)


def test_a_resampled_state_does_not_tell_what_the_others_have_seen(game: skerry.Game) -> None:
    for state in steps_of(game, 8):
        player = state.current_player()
        other = (player + 1) % state.num_players()
        resampled = state.resample_from_infostate(player, random.Random(5).random)
        assert resampled.information_state_string(other) != state.information_state_string(other)


def test_an_information_state_is_no_tensor() -> None:
    assert not pyspiel.load_game("skerry_hashi").get_type().provides_information_state_tensor
    with pytest.raises(ValueError, match="information_state_string"):
        begun("skerry_hashi").information_state_tensor(0)
