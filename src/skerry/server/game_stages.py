"""What of a game has to be compiled before what can be done with it: its rules, its own bots, its expert."""

from __future__ import annotations

import contextlib
import random
from collections.abc import Iterator
from enum import IntEnum
from pathlib import Path
from types import FunctionType
from typing import Any

from skerry import bots
from skerry.bots.bot import Bot
from skerry.bots.custom import custom_bots
from skerry.bots.expert import Expert
from skerry.bots.illegal_choice import IllegalChoice
from skerry.bots.interrupts import interrupting_of
from skerry.engine import kernel_cache
from skerry.engine.errors import Refusal
from skerry.engine.game import Game
from skerry.engine.loop import TurnOrder
from skerry.engine.match import Match
from skerry.engine.source_digest import source_digest, sources_outside

GAMES = 6  # played by random actions: enough to meet what is rare, too
STEPS = 120  # of a game at most
BOT_STEPS = 12  # that each bot plays


class Stage(IntEnum):
    """The stages of compiling a game, in order. Each needs those before it."""

    RULES = 0  # the board can be shown and people can play
    BOTS = 1  # the game's own bots can play
    EXPERT = 2  # the bot that searches can play, and give hints


def stage_of_bot(game: Game, name: str) -> Stage:
    """The stage that a bot needs."""
    return Stage.EXPERT if name.partition(":")[0] == bots.EXPERT else Stage.BOTS


def exercise(game: Game, stage: Stage) -> None:
    """Do everything once that a server does with a game at a stage: what is not compiled yet is compiled by this."""
    if stage is Stage.RULES:
        for seed in range(GAMES):
            _play_some_steps(game.configure({}).new(seed), seed)
        return
    kernels = [one.name for one in custom_bots(game) if one.is_kernel]
    names = (*game.bots, *kernels, bots.RANDOM) if stage is Stage.BOTS else (bots.EXPERT,)
    for name in names:
        _let_play(bots.find(game, name).with_time_limit(0).reporting(_tolerate), game.configure({}).new(seed=1))


def _tolerate(choice: IllegalChoice) -> None:
    """A bot that is wrong now and then is compiled all the same; where it plays, its mistakes are counted."""


def _let_play(bot: Bot, match: Match) -> None:
    """Let a bot play some steps, and decide in between whether it interrupts."""
    for number in range(BOT_STEPS):
        if match.result is not None:
            return
        seat = match.waiting[0]
        for other in range(match.variant.players):
            if other not in match.waiting and match.legal_ids(other):
                bot.interrupt(match, other, number)
        match.play(seat, bot.choose(match, seat, number))


def _play_some_steps(match: Match, seed: int) -> None:
    chance = random.Random(seed)
    turn_order = TurnOrder(interrupting_of(match.game))
    for number in range(STEPS):
        is_over = match.result is not None
        for viewer in (0 if is_over else match.waiting[0], None):
            match.view(viewer)
            match.prompt(viewer)
        if is_over:
            return
        turn_order.interrupters(match.state)
        seat = match.waiting[0]
        legal = match.legal_ids(seat)
        for action in legal[:3]:
            match.reveals(seat, action)
        _ask_why_not(match, seat, number)
        match.forced_action()
        match.due_step()
        turn_order.passed(seat)
        with turn_order.step_of(seat, match):
            match.play(seat, chance.choice(legal))


def _ask_why_not(match: Match, seat: int, number: int) -> None:
    """Ask about an action of each verb. Most are not legal now, and the reasons look at the rules, too."""
    for start, verb in zip(match.game.actions.starts, match.game.actions.verbs, strict=True):
        with contextlib.suppress(Refusal):
            match.prepare(seat, start + number % verb.size)


def kernels_of_stage(game: Game, stage: Stage) -> set[FunctionType]:
    """The kernels that have to be compiled for a stage, beside those of the stages before it."""
    from skerry.engine.kernel_digest import reachable_kernels

    before = [entry for earlier in Stage if earlier < stage for entry in _entry_kernels(game, earlier)]
    return reachable_kernels(*_entry_kernels(game, stage)) - reachable_kernels(*before)


def _entry_kernels(game: Game, stage: Stage) -> Iterator[FunctionType]:
    entries: list[Any] = []
    if stage is Stage.RULES:
        rules = game.rules
        entries = [rules.setup, rules.waiting, rules.legal, rules.step, rules.result, interrupting_of(game)]
    elif stage is Stage.BOTS:
        entries = [game.rules.determinize, *(bots.find(game, name).policy for name in game.bots)]
    else:
        entries = [Expert.of(game).rollout_pool.kernels.play_jobs]
    for entry in entries:
        if isinstance(function := getattr(entry, "py_func", None), FunctionType):
            yield function


def ready_file(game: Game, stage: Stage) -> Path:
    """The file that exists once a stage of a game is compiled."""
    modules = [one.place.partition(":")[0] for one in custom_bots(game) if one.is_kernel and one.place]
    digest = source_digest(*sources_outside((*game.packages, *modules)))
    return kernel_cache.cache_folder() / "ready" / f"{game.name}-{stage.name.lower()}-{digest}"


def is_compiled(game: Game) -> bool:
    """Whether all stages of a game are compiled."""
    return all(ready_file(game, stage).exists() for stage in Stage)
