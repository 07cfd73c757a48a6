"""Bots of other people play wherever ours do, and get what their seat knows."""

from __future__ import annotations

import itertools
import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import my_bots
import skerry
from skerry import bots
from skerry.bots.custom import VARIABLE, load_function
from skerry.bots.function_bot import Decision, Decisions
from skerry.bots.illegal_choice import IllegalChoice
from skerry.engine.loop import PASS
from skerry.engine.struct import StructBuffer
from skerry.envs.batch import Batch
from skerry.envs.config import prepare
from skerry.games import all_games
from skerry.lab import Series, simulate
from skerry.lab.series import play
from tests.bots.test_policy_net import decisions
from tests.cli.commands import run

every_game = pytest.mark.parametrize("game", all_games(), ids=lambda game: game.name)
MINE = ("careful", "greedy", "first")


@pytest.fixture(autouse=True)
def mine(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setenv(VARIABLE, "")
    for name in MINE:
        bots.register(getattr(my_bots, name))
    yield
    for name in MINE:
        bots.unregister(name)


@pytest.fixture
def registered() -> Iterator[list[str]]:
    names: list[str] = []
    yield names
    for name in names:
        bots.unregister(name)


@every_game
def test_they_are_listed_and_found_and_play_whole_games(game: skerry.Game) -> None:
    assert set(MINE) < set(bots.names(game)) and all(bots.is_bot(game, name) for name in MINE)
    for name in MINE:
        variant = game.configure({"players": 2})
        series = Series(variant, (name, "random"), 2, seed=5, limit=150)
        played, again = play(series, 0, 2), play(series, 1, 1)
        assert (played.states[1] == again.states[0]).all(), "a game depends on its number only"
        assert (played.steps > 3).all()


def test_a_kernel_is_as_good_as_one_of_ours(registered: list[str]) -> None:
    """The same policy under another name plays the same games."""
    game = skerry.game("hashi", players=2)
    ours = bots.find(game.game, "skilled").policy
    registered.append(bots.register(ours, "mine"))
    mine, skilled = (simulate(Series(game, (name, "random"), 40, seed=3)) for name in ("mine", "skilled"))
    assert mine == skilled


def test_a_function_plays_the_games_that_the_same_kernel_plays(registered: list[str]) -> None:
    """One decision at a time or in batches."""
    game = skerry.game("cartagena", players=2)
    registered += [
        bots.register(lambda decision: decision.legal[0], "plain"),
        bots.register(bots.bot_options(batched=True)(lambda many: many.action_masks.argmax(1)), "batched"),
    ]
    finals = [play(Series(game, (name, name), 3, seed=3, limit=60), 0, 3).states for name in ("first", *registered)]
    assert (finals[0] == finals[1]).all() and (finals[0] == finals[2]).all()


@every_game
def test_a_decision_is_what_the_seat_knows(game: skerry.Game, registered: list[str]) -> None:
    """It is made from a sample, and says the same in another sample; only the sampled world differs from the truth."""
    seen: list[Decision] = []

    def spy(decision: Decision) -> int:
        seen.append(decision)
        return decision.legal_ids[0]

    registered.append(bots.register(spy))
    bot, hidden = bots.find(game, "spy"), 0
    for match, seat in itertools.islice(decisions(game, game.seats[-1]), 6):
        other = match.copy()
        other.replace_content(match.determinized(seat, 99).content)
        for one in (match, other):
            bot.choose(one, seat, seed=4)
        first, second = seen[-2:]
        assert first.view == second.view == match.view(seat) and first.legal_ids == match.legal_ids(seat)
        assert (first.observation == second.observation).all() and first.seat == seat and not first.may_pass
        assert [action.text for action in first.legal] == [action.text for action in match.legal(seat)]
        assert first.seed == second.seed != 4 and first.rng.random() == second.rng.random()
        hidden += first.world.content != match.content
    assert hidden


@every_game
def test_arrays_are_those_of_environments(game: skerry.Game, registered: list[str]) -> None:
    seen: list[Decisions] = []

    @bots.bot_options(batched=True)
    def spy(many: Decisions) -> Any:
        seen.append(many)
        return many.action_masks.argmax(1)

    registered.append(bots.register(spy))
    batch = Batch(prepare(game.name, ("me", "me")), 5)
    batch.reset(np.arange(5, dtype=np.uint64))
    for _ in range(12):
        actions = batch.ask(bots.find(game, "spy"))
        assert (seen[-1].observations == batch.observations["observation"]).all()
        assert (seen[-1].action_masks == batch.observations["action_mask"]).all()
        assert (seen[-1].seats == batch.seats).all() and len(set(seen[-1].seeds.tolist())) == 5
        batch.step(actions)


@pytest.mark.parametrize(
    ("answer", "message"),
    [
        ("fly away", "'fly away', which is not legal now"),
        (9999, "9999, which is not legal now"),
        (None, "to pass, although the game waits for it"),
        ([1], r"\[1\], which is not legal now"),
    ],
)
def test_a_wrong_answer_is_an_error_or_is_reported(answer: Any, message: str, registered: list[str]) -> None:
    registered.append(bots.register(lambda decision: answer, "wrong"))
    game = skerry.game("hashi")
    match, bot = game.new(3), bots.find(game.game, "wrong")
    told: list[IllegalChoice] = []
    with pytest.raises(IllegalChoice, match=f"wrong of hashi, at seat 0, chose {message}"):
        bot.choose(match, 0, seed=1)
    assert bot.reporting(told.append).choose(match, 0, seed=1) == match.legal_ids(0)[0] and len(told) == 1
    with pytest.raises(IllegalChoice, match="which is not legal" if answer else "to pass"):
        simulate(Series(game, ("wrong", "random"), 4))


def test_too_few_answers_of_a_batch(registered: list[str]) -> None:
    registered.append(bots.register(bots.bot_options(batched=True)(lambda many: []), "lazy"))
    game = skerry.game("hashi")
    with pytest.raises(IllegalChoice, match="lazy gave 0 actions for 1 decisions"):
        bots.find(game.game, "lazy").choose(game.new(3), 0, seed=1)


def test_a_bot_may_interrupt_and_may_pass(registered: list[str]) -> None:
    """Where the game does not wait for its seat."""
    game = skerry.game("forbidden-island", players=2).game
    asked: list[bool] = []

    def eager(decision: Decision) -> skerry.Action | None:
        asked.append(decision.may_pass)
        return None if decision.may_pass else decision.legal[0]

    registered.append(bots.register(eager))
    simulate(Series(game.configure({"players": 4}), ("eager",) * 4, 6))
    assert set(asked) == {True, False}
    match = game.configure({"players": 2}).new(5)
    world = StructBuffer(game.state_struct, match.content)
    assert PASS not in match.legal_ids(match.waiting[0]) and world.content == match.content


def test_bots_for_some_games_only(registered: list[str]) -> None:
    registered.append(bots.register(bots.bot_options(games=("hashi",))(lambda decision: decision.legal[0]), "puzzler"))
    hashi, island = skerry.game("hashi").game, skerry.game("forbidden-island").game
    assert bots.is_bot(hashi, "puzzler") and "puzzler" not in bots.names(island)
    with pytest.raises(skerry.BadOption, match="has no bot 'puzzler'; it has random, skilled, novice, careful"):
        bots.find(island, "puzzler")


@pytest.mark.parametrize(
    ("place", "message"),
    [
        ("nowhere", "written MODULE:FUNCTION"),
        ("no_such_module:policy", "o_such_module cannot be imported"),
        ("json:no_such_function", "son has no function no_such_function"),
        ("bad name=json:loads", "cannot be called 'bad name'"),
        ("expert=json:loads", "cannot be called 'expert'"),
        ("pair=operator:add", "takes neither one decision nor the five arguments"),
        ("first=my_bots:careful", "two bots called first"),
    ],
)
def test_what_is_no_bot(place: str, message: str) -> None:
    with pytest.raises(skerry.BadOption, match=message):
        bots.register_place(place)


def test_no_name_of_a_bot_imports_a_module() -> None:
    """Servers look up names that come with requests."""
    game = skerry.game("hashi").game
    for name in ("os:system", "my_bots:careful", "mine=os:system"):
        with pytest.raises(skerry.BadOption, match="has no bot"):
            bots.find(game, name)
    assert load_function("my_bots:careful") is my_bots.careful


def test_child_processes_are_told() -> None:
    assert os.environ[VARIABLE].split(",") == [f"{name}=my_bots:{name}" for name in MINE]
    description = Series(skerry.game("hashi"), ("careful", "random"), 3).as_dict()
    assert description["bots"] == {"careful": "my_bots:careful"}
    bots.unregister("careful")
    assert simulate(Series.from_dict(description, 3)).games == 3
    assert "bots" not in Series(skerry.game("hashi"), ("skilled", "random"), 3).as_dict()


def test_kept_games_notice_that_a_bot_has_changed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from skerry.engine.source_digest import source_digest

    (tmp_path / "changing.py").write_text("def policy(decision):\n    return decision.legal[0]\n")
    monkeypatch.syspath_prepend(tmp_path)
    name = bots.register_place("changing=changing:policy")
    try:
        series = Series(skerry.game("hashi"), (name, "random"), 3)
        before = series.key
        (tmp_path / "changing.py").write_text("def policy(decision):\n    return decision.legal[-1]\n")
        source_digest.cache_clear()
        assert series.key != before
    finally:
        bots.unregister(name)


def test_the_command_line_plays_them(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(VARIABLE)
    mine = ("--bot", "examples.my_bots:careful", "--bot", "quick=examples.my_bots:first")
    summary = json.loads(run("simulate", "hashi", *mine, "--games", "4", "--json"))
    assert summary["seats"] == ["careful", "careful"] and summary["games"] == 4
    cup = json.loads(run("tournament", "hashi", *mine, "--bots", "quick,random", "--games", "4", "--json"))
    assert cup["tournaments"][0]["bots"] == ["quick", "random", "careful"]
    record = tmp_path / "game.txt"
    run("play", "hashi", *mine, "--seed", "3", "--record", str(record), typed="go\n")
    match = skerry.replay(record.read_text())
    assert match.seats == ("me", "careful")
    advice = json.loads(run("advise", str(record), *mine, "--rollouts", "1", "--json"))
    assert advice["bots"]["quick"] == match.legal(advice["seat"])[0].text and set(advice["bots"]) == {
        "careful",
        "quick",
    }
    assert "cannot be imported" in run("simulate", "hashi", "--bot", "nowhere.at_all:policy", status=2)
