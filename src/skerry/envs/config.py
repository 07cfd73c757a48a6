"""The configuration of an environment: the game, the learner's and the bots' seats, the rewards, the episode limit."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

import skerry
from skerry.botkit.protocols import Policy
from skerry.bots import EXPERT, RANDOM, default_bot, find
from skerry.bots.asked import AskedBot
from skerry.bots.bot import Bot
from skerry.bots.dispatch import may_interrupt
from skerry.bots.interrupts import interrupting_of
from skerry.engine.errors import BadOption
from skerry.engine.game import Game, Variant
from skerry.engine.loop import Interrupting, no_interrupts
from skerry.engine.messages import say
from skerry.envs.rewards import default_reward, reward_scheme_of

ME = "me"  # a seat of the learner, as on the command line
LEARNER = -1  # in place of a policy's number
NO_PASS = -2  # equals no action
LIMIT = 2_000  # decisions; games of random players end earlier


@dataclass(frozen=True)
class EnvConfig:
    variant: Variant
    seats: tuple[str, ...]  # ``me`` or a bot each
    reward: str
    limit: int = LIMIT  # decisions of the learner after which a game is truncated; 0: never
    forced: bool = False  # whether the learner decides even if it has only one legal action
    interrupts: bool = True  # whether seats may interrupt in another seat's turn

    @cached_property
    def bots(self) -> list[Bot]:
        """The bots that kernels ask, each once; if there is none, the random bot."""
        found = [bot for bot in self._all_bots if not isinstance(bot, AskedBot)]
        return found or [find(self.variant.game, RANDOM)]

    @cached_property
    def asked_bots(self) -> list[AskedBot]:
        """The bots that are asked outside of kernels, each once."""
        return [bot for bot in self._all_bots if isinstance(bot, AskedBot)]

    @cached_property
    def _all_bots(self) -> list[Bot]:
        return [find(self.variant.game, name) for name in dict.fromkeys(seat for seat in self.seats if seat != ME)]

    @cached_property
    def policies(self) -> tuple[Policy, ...]:
        """The policies that kernels ask; ``policy_of`` has indices into this tuple."""
        return tuple(bot.policy for bot in self.bots)

    @cached_property
    def policy_of(self) -> list[int]:
        """The number of each seat's policy; ``LEARNER`` for the learner's seats, and below that one of the bots that
        are asked outside of kernels (``asked_number``)."""
        numbers = {bot.name: number for number, bot in enumerate(self.bots)}
        numbers |= {bot.name: LEARNER - 1 - number for number, bot in enumerate(self.asked_bots)}
        return [LEARNER if seat == ME else numbers[seat] for seat in self.seats]

    def __getstate__(self) -> dict[str, Any]:
        """Without what follows from the rest, such as policies, which cannot be pickled."""
        return {field.name: getattr(self, field.name) for field in fields(self)}

    @property
    def interrupting(self) -> Interrupting:
        """The kernel that returns the seats that may want to interrupt."""
        return interrupting_of(self.variant.game) if self.interrupts else no_interrupts

    @property
    def silent(self) -> int:
        """The seats that never interrupt, as a bit set: those of the random bot."""
        quiet = {bot.name for bot in self.bots if not may_interrupt(bot.policy)}
        return sum(1 << seat for seat, name in enumerate(self.seats) if name in quiet)

    @property
    def actions(self) -> int:
        """The number of actions: those of the game, and pass if seats may interrupt."""
        size = self.variant.game.actions.size
        return size if self.interrupting is no_interrupts else size + 1

    @property
    def pass_action(self) -> int:
        """The id of pass, the last action: a seat that may interrupt declines. ``NO_PASS`` if nobody may interrupt."""
        return NO_PASS if self.interrupting is no_interrupts else self.actions - 1

    @property
    def reward_scheme(self) -> int:
        return reward_scheme_of(self.variant, self.reward)


def prepare(
    game: str,
    seats: Sequence[str] | str | None = None,
    reward: str | None = None,
    limit: int = LIMIT,
    forced: bool = False,
    interrupts: bool = True,
    **options: Any,
) -> EnvConfig:
    """Build and check a configuration from the arguments of an environment."""
    if isinstance(seats, str):
        seats = [seat.strip() for seat in seats.split(",")]
    if seats is not None:
        options.setdefault("players", len(seats))
    variant = skerry.game(game, **options)
    config = EnvConfig(variant, _seated(variant, seats), reward or default_reward(variant), limit, forced, interrupts)
    if limit < 0:
        raise BadOption(say("limit takes a number of decisions, or 0 for none, not {limit!r}", limit=limit))
    reward_scheme_of(variant, config.reward)
    return config


def _seated(variant: Variant, seats: Sequence[str] | None) -> tuple[str, ...]:
    """By default the learner plays all seats of a team, otherwise seat 0 against a bot of the game."""
    game, players = variant.game, variant.players
    if seats is None:
        other = ME if game.cooperative else default_bot(game)
        return (ME,) + (other,) * (players - 1)
    if len(seats) != players:
        raise BadOption(say("{given} seats for {wanted} players", given=len(seats), wanted=players))
    if ME not in seats:
        raise BadOption(say("one seat at least is {me!r}", me=ME))
    for seat in seats:
        if seat != ME:
            env_bot(game, seat)
    return tuple(seats)


def env_bot(game: Game, name: str) -> Bot:
    """A bot for environments, or a refusal: one that searches by the clock would play other games on other machines."""
    if name == EXPERT:
        raise BadOption(
            say(
                "say how many rollouts the expert plays for a decision, such as {name}:1, which is the networks alone",
                name=name,
            )
        )
    return find(game, name)


def asked_number(policy_of: NDArray[np.int8]) -> NDArray[np.int8]:
    """The numbers of the bots that are asked outside of kernels, from ``EnvConfig.policy_of``; below 0 for others."""
    return LEARNER - 1 - policy_of
