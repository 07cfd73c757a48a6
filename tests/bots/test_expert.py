"""The expert: reproducible, ignorant of what its seat cannot know, and stronger than its rollout policy."""

from __future__ import annotations

import numpy as np
import pytest

import skerry
from skerry import bots
from skerry.bots import find, names
from skerry.bots.arms import Arms
from skerry.bots.asked import determinize_match
from skerry.bots.expert import Expert
from skerry.bots.halving import FIRST_BATCH, initial_arms
from skerry.bots.rollout import TURN_COST
from skerry.bots.rollout_pool import MAX_SLICE, SLICES_PER_THREAD, RolloutPool, slice_size
from skerry.bots.value_net import value_net_of
from skerry.engine.game import Game
from skerry.engine.kernel import kernel_array
from skerry.engine.match import Match
from skerry.engine.seats import MAX_SEATS
from skerry.games import all_games
from skerry.lab.simulate import Series, play, simulate

GAMES = pytest.mark.parametrize("game", all_games(), ids=lambda game: game.name)
ROLLOUTS = 60


def midgame(game: Game, steps: int = 12) -> Match:
    """A match after some steps of the default bot, in which a seat has a choice."""
    match, bot = game.configure({}).new(seed=4), find(game, game.bots[0])
    while len(match.steps) < steps or len(match.legal_ids(match.waiting[0])) < 2:
        seat = match.waiting[0]
        match.play(seat, bot.choose(match, seat, len(match.steps)))
    return match


def only_choice(game: Game) -> Match:
    """A match in which the seat to act has a single legal action."""
    match = midgame(game)
    while len(match.legal_ids(match.waiting[0])) > 1:
        match.play(match.waiting[0], match.legal_ids(match.waiting[0])[0])
    return match


def expert_of(game: Game, threads: int = 1) -> Expert:
    return Expert(f"expert:{ROLLOUTS}", Expert.of(game).policy, False, game, rollouts=ROLLOUTS, threads=threads)


def play_all_actions(match: Match, seat: int, worlds: int, seed: int) -> Arms:
    """All legal actions of a seat, each played in so many worlds."""
    expert = Expert.of(match.game)
    position = determinize_match(match, seat, seed)
    arms = initial_arms(position, expert.rollout_pool)
    jobs = arms.jobs(np.array([worlds]))
    arms.add(jobs, expert.rollout_pool.play(position, arms.actions, jobs))
    return arms


@GAMES
def test_every_game_has_an_expert(game: Game) -> None:
    assert names(game)[-1] == "expert"
    match = midgame(game)
    seat = match.waiting[0]
    assert expert_of(game).choose(match, seat, 1) in match.legal_ids(seat)


@GAMES
def test_a_search_is_the_same_on_any_number_of_threads(game: Game) -> None:
    match = midgame(game)
    position = determinize_match(match, match.waiting[0], 5)
    one, three = (expert_of(game, threads).search(position) for threads in (1, 3))
    assert one.sums.tolist() == three.sums.tolist() and one.pulls.tolist() == three.pulls.tolist()
    assert one.pulls.sum() <= 1.5 * ROLLOUTS + len(one.actions)


@GAMES
def test_choices_depend_only_on_what_the_seat_knows(game: Game) -> None:
    """For every bot; and all statistics of the expert's search."""
    match, bots_of = midgame(game), [find(game, name) for name in (*game.bots, f"expert:{ROLLOUTS}")]
    seat = match.waiting[0]
    for world in range(3):
        other = match.copy()
        game.rules.determinize(other.state, seat, np.uint64(world))
        assert other.content != match.content
        for bot in bots_of:
            assert bot.choose(match, seat, 7) == bot.choose(other, seat, 7), bot.name
        here, there = (expert_of(game).search(determinize_match(one, seat, 7)) for one in (match, other))
        assert here.sums.tolist() == there.sums.tolist()


@GAMES
def test_an_early_win_is_worth_slightly_more_than_a_late_one(game: Game) -> None:
    """So that two actions that win in all rollouts are not taken for duplicates."""
    match, pool = midgame(game), Expert.of(game).rollout_pool
    bot = find(game, game.bots[0])
    while match.result is None:
        seat = match.waiting[0]
        match.play(seat, bot.choose(match, seat, len(match.steps)))
    values = []
    for turns in (10, 11):
        match.state.turns = turns
        won, scores = kernel_array(pool.won), kernel_array(np.zeros(MAX_SEATS))
        seats = range(match.variant.players)
        values.append([pool.kernels.final_value(match.state, seat, won, scores)[0] for seat in seats])
    for early, late in zip(*values, strict=True):
        assert (0.2 < late < early <= 1) or 0 <= early < late < 0.02
        assert abs(late - early) == pytest.approx(TURN_COST)


@GAMES
def test_rollouts_are_cut_off_where_there_is_a_value_network_and_played_to_the_end_elsewhere(game: Game) -> None:
    for players in game.seats:
        match = game.configure({"players": players}).new(seed=5)
        arms = play_all_actions(match, match.waiting[0], 4, 1)
        cut_off = arms.endings[:, 0].sum() / arms.pulls.sum()
        value_net = value_net_of(game)
        assert cut_off > 0.9 if value_net and value_net.has_value(match.state) else cut_off == 0
        assert ((arms.means > 0) & (arms.means < (61 if players == 1 else 1))).all()


def test_solo_rollouts_of_hashi_follow_the_value_network_and_others_the_policy() -> None:
    hashi = skerry.game("hashi", players=1).game
    pool, value_net = Expert.of(hashi).rollout_pool, value_net_of(hashi)
    assert value_net is not None and value_net.greedy is not None
    differs_from_policy = set()
    for players in (1, 2):
        match = hashi.configure({"players": players, "start": "A4:3"}).new(seed=5)
        while match.result is None:
            legal = kernel_array(np.zeros(hashi.actions.size + 1, np.int16))
            count = hashi.rules.legal(match.state, match.waiting[0], legal)
            chosen = pool.policy_actions(determinize_match(match, match.waiting[0], 3))[0]
            by_policy = find(hashi, "skilled").choose(match, match.waiting[0], 3)
            if players == 1:
                weights, scratch = value_net.weights[players], np.zeros(value_net.shape.scratch_size)
                index = value_net.greedy(
                    match.copy().state, 0, legal, count, kernel_array(weights), kernel_array(scratch)
                )
                assert chosen == legal[index]
            else:
                assert chosen == by_policy
            differs_from_policy.add(chosen != by_policy)
            match.play(match.waiting[0], chosen)
    assert differs_from_policy == {True, False}


def test_a_first_batch_by_the_clock_keeps_every_thread_busy() -> None:
    for threads in (1, 2, 16, 64):
        jobs = FIRST_BATCH * threads
        assert jobs // slice_size(jobs, threads) >= SLICES_PER_THREAD * threads
    assert slice_size(3, 4) == 1 and slice_size(10**6, 4) == MAX_SLICE


@pytest.mark.parametrize("top", [True, False])
def test_the_flood_card_that_sinks_the_landing_is_not_foreseen(top: bool) -> None:
    """Fools' Landing is flooded, and its card is the next one or the last one: a search that saw the deck would be sure
    to lose, or not to."""
    from skerry.games.forbidden_island.rules.components import FOOLS_LANDING

    match = skerry.game("forbidden-island", players=2).new(seed=8)
    state = match.state
    while state.phase == 0:
        match.play(match.waiting[0], "end")
    deck = [tile for tile in state.flood_deck[: state.flood_left] if tile != FOOLS_LANDING]
    shown = [tile for tile in state.flood_discard[: state.flood_shown] if tile != FOOLS_LANDING]
    deck = [*deck, FOOLS_LANDING] if top else [FOOLS_LANDING, *deck]
    state.flood_left, state.flood_shown = len(deck), len(shown)
    for i, tile in enumerate(deck):
        state.flood_deck[i] = tile
    for i, tile in enumerate(shown):
        state.flood_discard[i] = tile
    state.flooded |= 1 << state.place_of[FOOLS_LANDING]
    arms = play_all_actions(match, match.waiting[0], 300, 3)
    lost = arms.endings[:, 3].sum() / arms.pulls.sum()
    assert 0.02 < lost < 0.5


def test_the_only_legal_action_is_chosen_without_a_search() -> None:
    match = only_choice(all_games()[0])
    assert Expert.of(match.game).choose(match, match.waiting[0], 1) == match.legal_ids(match.waiting[0])[0]


@pytest.mark.parametrize("name", ["expert:0", "expert:", "expert:many", "experts"])
def test_malformed_names_of_experts_are_refused(name: str) -> None:
    with pytest.raises(skerry.BadOption, match="has no bot"):
        find(all_games()[0], name)
    assert not bots.is_bot(all_games()[0], name) and bots.is_bot(all_games()[0], "expert:9")


def test_a_game_is_the_same_alone_and_beside_others_of_its_series() -> None:
    series = Series(skerry.game("forbidden-island", players=2), ("expert:10", "skilled"), 4, seed=2)
    together, alone = play(series, 0, 4), play(series, 2, 1)
    assert together[0][2:3].tobytes() == alone[0].tobytes() and together[1][2] == alone[1][0]
    assert simulate(series).endings[0] == 0


@pytest.mark.slow
def test_the_expert_wins_more_than_its_rollout_policy() -> None:
    variant = skerry.game("forbidden-island", players=3, difficulty="normal")
    expert = simulate(Series(variant, ("expert:200",) * 3, 60, seed=1))
    skilled = simulate(Series(variant, ("skilled",) * 3, 20_000, seed=1))
    assert expert.wins[0] / expert.games > skilled.wins[0] / skilled.games + 0.1


def test_the_rollout_policy_chooses_a_legal_action() -> None:
    game = all_games()[0]
    match = midgame(game)
    seat = match.waiting[0]
    position = determinize_match(match, seat, 7)
    pool = RolloutPool(game, Expert.of(game).policy, 1)
    assert pool.policy_actions(position)[0] in match.legal_ids(seat)
