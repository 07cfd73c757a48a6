"""The configuration of an environment: a game, who sits where, what is paid, and when a game is cut off."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import skerry
from skerry.bots import Bot, find, names
from skerry.bots.dispatch import interrupts
from skerry.bots.expert import Expert
from skerry.bots.interrupts import interrupting_of
from skerry.engine.errors import BadOption
from skerry.engine.game import Game, Variant
from skerry.engine.loop import Interrupting, nobody
from skerry.engine.messages import say
from skerry.envs.rewards import default_reward, kind_of

ME = "me"  # a seat of the learner, as on the command line
LEARNER = -1  # in place of a policy's number
NO_PASS = -2  # no action is this one
LIMIT = 2_000  # decisions; random play of every game is done before


@dataclass(frozen=True)
class EnvConfig:
    variant: Variant
    seats: tuple[str, ...]  # ``me`` or a bot each
    reward: str
    limit: int = LIMIT  # decisions of the learner after which a game is cut off; 0: never
    forced: bool = False  # the learner is asked even where it has only one legal action
    interrupts: bool = True  # seats may interrupt in another's turn, as at a table

    @property
    def bots(self) -> list[Bot]:
        """Each bot once; ``policy_of`` points into this list. A blind one fills in where no bot plays."""
        chosen = dict.fromkeys(seat for seat in self.seats if seat != ME) or ["random"]
        return [find(self.variant.game, name) for name in chosen]

    @property
    def policy_of(self) -> list[int]:
        """The number of each seat's policy; ``LEARNER`` for the learner's seats."""
        order = [bot.name for bot in self.bots]
        return [LEARNER if seat == ME else order.index(seat) for seat in self.seats]

    @property
    def interrupting(self) -> Interrupting:
        """The kernel that tells which seats may want to interrupt."""
        return interrupting_of(self.variant.game) if self.interrupts else nobody

    @property
    def silent(self) -> int:
        """The seats that never interrupt, as a bit set: those of the random bot."""
        quiet = {bot.name for bot in self.bots if not interrupts(bot.policy)}
        return sum(1 << seat for seat, name in enumerate(self.seats) if name in quiet)

    @property
    def actions(self) -> int:
        """How many actions the learner chooses from: those of the game, and passing where seats may interrupt."""
        size = self.variant.game.actions.size
        return size if self.interrupting is nobody else size + 1

    @property
    def pass_action(self) -> int:
        """The last action, by which a seat that could interrupt does not; ``NO_PASS`` where nobody interrupts."""
        return NO_PASS if self.interrupting is nobody else self.actions - 1

    @property
    def reward_kind(self) -> int:
        return kind_of(self.variant, self.reward)


def prepare(
    game: str,
    seats: Sequence[str] | str | None = None,
    reward: str | None = None,
    limit: int = LIMIT,
    forced: bool = False,
    interrupts: bool = True,
    **options: Any,
) -> EnvConfig:
    """A configuration from what a person or ``gymnasium.make`` gives; a refusal names what is wrong."""
    if isinstance(seats, str):
        seats = [seat.strip() for seat in seats.split(",")]
    if seats is not None:
        options.setdefault("players", len(seats))
    variant = skerry.game(game, **options)
    config = EnvConfig(variant, _seated(variant, seats), reward or default_reward(variant), limit, forced, interrupts)
    if limit < 0:
        raise BadOption(say("limit takes a number of decisions, or 0 for none, not {limit!r}", limit=limit))
    kind_of(variant, config.reward)
    return config


def _seated(variant: Variant, seats: Sequence[str] | None) -> tuple[str, ...]:
    """By default one learner plays all seats of a team or its own puzzle, and meets the game's own bots elsewhere."""
    game, players = variant.game, variant.players
    if seats is None:
        other = ME if game.cooperative else names(game)[min(1, len(game.bots))]
        return (ME,) + (other,) * (players - 1)
    if len(seats) != players:
        raise BadOption(say("{given} seats for {wanted} players", given=len(seats), wanted=players))
    if ME not in seats:
        raise BadOption(say("one seat at least is {me!r}", me=ME))
    for seat in seats:
        if seat != ME:
            fast_bot(game, seat)
    return tuple(seats)


def fast_bot(game: Game, name: str) -> Bot:
    """A bot that a learner can meet or ask, or a refusal."""
    bot = find(game, name)
    if isinstance(bot, Expert):
        raise BadOption(say("{bot} thinks too long to learn against; choose another bot", bot=name))
    return bot
