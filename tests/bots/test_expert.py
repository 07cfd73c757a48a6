"""The expert: the same for a seed, blind to what its seat cannot know, and better than the policy it imagines."""

from __future__ import annotations

import numpy as np
import pytest

import skerry
from skerry import bots
from skerry.bots import find, names
from skerry.bots.arms import Arms
from skerry.bots.expert import Expert, determinize_match
from skerry.bots.halving import HANDFUL, initial_arms
from skerry.bots.rollout import HASTE
from skerry.bots.rollout_pool import SHARES, SLICE, RolloutPool, slice_of
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
    """A match after some steps of the game's own best player, where a seat has a choice."""
    match, bot = game.configure({}).new(seed=4), find(game, game.bots[0])
    while len(match.steps) < steps or len(match.legal_ids(match.waiting[0])) < 2:
        seat = match.waiting[0]
        match.play(seat, bot.choose(match, seat, len(match.steps)))
    return match


def expert_of(game: Game, threads: int = 1) -> Expert:
    return Expert(f"expert:{ROLLOUTS}", Expert.of(game).policy, False, game, rollouts=ROLLOUTS, threads=threads)


@GAMES
def test_it_plays_every_game(game: Game) -> None:
    assert names(game)[-1] == "expert"
    match = midgame(game)
    seat = match.waiting[0]
    assert expert_of(game).choose(match, seat, 1) in match.legal_ids(seat)


@GAMES
def test_the_same_seed_and_rollouts_give_the_same_on_any_number_of_threads(game: Game) -> None:
    match = midgame(game)
    position = determinize_match(match, match.waiting[0], 5)
    one, three = (expert_of(game, threads).search(position) for threads in (1, 3))
    assert one.sums.tolist() == three.sums.tolist() and one.tries.tolist() == three.tries.tolist()
    assert one.tries.sum() <= 1.5 * ROLLOUTS + len(one.plans)


def tried(match: Match, seat: int, worlds: int, counter: int) -> Arms:
    """Everything a seat may do, each in so many worlds."""
    expert = Expert.of(match.game)
    position = determinize_match(match, seat, counter)
    field = initial_arms(position, expert.player)
    jobs = field.jobs(np.array([worlds]))
    field.add(jobs, *expert.player.play(position, field.plans, jobs))
    return field


@GAMES
def test_the_same_knowledge_gives_the_same_choice(game: Game) -> None:
    """Whatever else may be true: for every bot, and for all that the expert has thought of."""
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
def test_a_win_is_a_win_and_an_early_one_a_hair_better(game: Game) -> None:
    """So that two plans that win all their games are not taken for the same one."""
    match, player = midgame(game), Expert.of(game).player
    bot = find(game, game.bots[0])
    while match.result is None:
        seat = match.waiting[0]
        match.play(seat, bot.choose(match, seat, len(match.steps)))
    values = []
    for turns in (10, 11):
        match.state.turns = turns
        given = kernel_array(player.won), kernel_array(np.zeros(MAX_SEATS))
        values.append([player.kernels.value(match.state, seat, *given)[0] for seat in range(match.variant.players)])
    for early, late in zip(*values, strict=True):
        assert (0.2 < late < early <= 1) or 0 <= early < late < 0.02
        assert abs(late - early) == pytest.approx(HASTE)


@GAMES
def test_it_imagines_some_turns_where_positions_can_be_judged_and_whole_games_elsewhere(game: Game) -> None:
    for players in game.seats:
        match = game.configure({"players": players}).new(seed=5)
        field = tried(match, match.waiting[0], 4, 1)
        unfinished = field.endings[:, 0].sum() / field.tries.sum()
        judgement = value_net_of(game)
        assert unfinished > 0.9 if judgement and judgement.judged(match.state) else unfinished == 0
        assert ((field.means > 0) & (field.means < (61 if players == 1 else 1))).all()


def test_alone_at_hashi_imagined_players_go_by_the_judgement_and_among_others_by_the_policy() -> None:
    hashi = skerry.game("hashi", players=1).game
    player, judgement = Expert.of(hashi).player, value_net_of(hashi)
    assert judgement is not None and judgement.follow is not None
    other = set()
    for players in (1, 2):
        match = hashi.configure({"players": players, "start": "A4:3"}).new(seed=5)
        while match.result is None:
            legal = kernel_array(np.zeros(hashi.actions.size + 1, np.int16))
            count = hashi.rules.legal(match.state, match.waiting[0], legal)
            learnt = kernel_array(judgement.weights[players]), kernel_array(np.zeros(judgement.shape.desk))
            followed = (
                int(legal[judgement.follow(match.copy().state, 0, legal, count, *learnt)]) if players == 1 else -1
            )
            told = player.answer(determinize_match(match, match.waiting[0], 3), 0)
            policy = find(hashi, "skilled").choose(match, match.waiting[0], 3)
            assert told == (followed if players == 1 else policy)
            other.add(told != policy)
            match.play(match.waiting[0], told)
    assert other == {True, False}


def test_a_handful_of_games_keeps_every_thread_busy() -> None:
    for threads in (1, 2, 16, 64):
        jobs = HANDFUL * threads
        assert jobs // slice_of(jobs, threads) >= SHARES * threads
    assert slice_of(3, 4) == 1 and slice_of(10**6, 4) == SLICE


@pytest.mark.parametrize("top", [True, False])
def test_it_does_not_see_the_card_that_sinks_the_landing(top: bool) -> None:
    """Fools' Landing is flooded, and its card is the next one or the last one: who looked would think otherwise."""
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
    field = tried(match, match.waiting[0], 300, 3)
    lost = field.endings[:, 3].sum() / field.tries.sum()
    assert 0.02 < lost < 0.5


def test_a_choice_of_one_is_no_question() -> None:
    match = midgame(all_games()[0])
    while len(match.legal_ids(match.waiting[0])) > 1:
        match.play(match.waiting[0], match.legal_ids(match.waiting[0])[0])
    assert Expert.of(match.game).choose(match, match.waiting[0], 1) == match.legal_ids(match.waiting[0])[0]


@pytest.mark.parametrize("name", ["expert:0", "expert:", "expert:many", "experts"])
def test_there_is_no_such_expert(name: str) -> None:
    with pytest.raises(skerry.BadOption, match="has no bot"):
        find(all_games()[0], name)
    assert not bots.is_bot(all_games()[0], name) and bots.is_bot(all_games()[0], "expert:9")


def test_a_game_of_a_series_is_the_same_in_any_company() -> None:
    series = Series(skerry.game("forbidden-island", players=2), ("expert:10", "skilled"), 4, seed=2)
    together, alone = play(series, 0, 4), play(series, 2, 1)
    assert together[0][2:3].tobytes() == alone[0].tobytes() and together[1][2] == alone[1][0]
    assert simulate(series).endings[0] == 0


@pytest.mark.slow
def test_it_wins_more_than_the_policy_it_imagines() -> None:
    variant = skerry.game("forbidden-island", players=3, difficulty="normal")
    expert = simulate(Series(variant, ("expert:200",) * 3, 60, seed=1))
    skilled = simulate(Series(variant, ("skilled",) * 3, 20_000, seed=1))
    assert expert.wins[0] / expert.games > skilled.wins[0] / skilled.games + 0.1


def test_the_player_of_the_imagined_games_answers_as_itself() -> None:
    game = all_games()[0]
    match = midgame(game)
    seat = match.waiting[0]
    position = determinize_match(match, seat, 7)
    player = RolloutPool(game, Expert.of(game).policy, 1)
    assert player.answer(position, 0) in match.legal_ids(seat)
