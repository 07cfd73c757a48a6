"""What is learnt: a game, who sits where, what is paid, and when it is enough."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import skerry
from skerry.bots import Bot, find, names
from skerry.bots.expert import Expert
from skerry.engine.errors import BadOption, say
from skerry.engine.game import Game, Variant
from skerry.envs.rewards import default_reward, kind_of

ME = "me"  # a seat of the learner, as on the command line
LEARNER = -1  # its mind
LIMIT = 2_000  # decisions; random play of every game is done before


@dataclass(frozen=True)
class Lesson:
    variant: Variant
    seats: tuple[str, ...]  # ``me`` or a bot each
    reward: str
    limit: int = LIMIT  # decisions of the learner after which a game is cut off; 0: never
    forced: bool = False  # the learner is asked even where it has only one choice

    @property
    def bots(self) -> list[Bot]:
        """Each bot once; a seat's mind is its place in this list. A blind one fills in where no bot plays."""
        chosen = dict.fromkeys(seat for seat in self.seats if seat != ME) or ["random"]
        return [find(self.variant.game, name) for name in chosen]

    @property
    def minds(self) -> list[int]:
        order = [bot.name for bot in self.bots]
        return [LEARNER if seat == ME else order.index(seat) for seat in self.seats]

    @property
    def kind(self) -> int:
        return kind_of(self.variant, self.reward)


def prepare(
    game: str,
    seats: Sequence[str] | str | None = None,
    reward: str | None = None,
    limit: int = LIMIT,
    forced: bool = False,
    **options: Any,
) -> Lesson:
    """A lesson from what a person or ``gymnasium.make`` gives; a refusal names what is wrong."""
    if isinstance(seats, str):
        seats = [seat.strip() for seat in seats.split(",")]
    if seats is not None:
        options.setdefault("players", len(seats))
    variant = skerry.game(game, **options)
    lesson = Lesson(variant, _seated(variant, seats), reward or default_reward(variant), limit, forced)
    if limit < 0:
        raise BadOption(say("limit takes a number of decisions, or 0 for none, not {limit!r}", limit=limit))
    kind_of(variant, lesson.reward)
    return lesson


def _seated(variant: Variant, seats: Sequence[str] | None) -> tuple[str, ...]:
    """By default one mind plays a team's seats or its own puzzle, and meets the game's own bots elsewhere."""
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
            quick(game, seat)
    return tuple(seats)


def quick(game: Game, name: str) -> Bot:
    """A bot that a learner can meet or ask, or a refusal."""
    bot = find(game, name)
    if isinstance(bot, Expert):
        raise BadOption(say("{bot} thinks too long to learn against; choose another bot", bot=name))
    return bot
