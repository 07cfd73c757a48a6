"""Parameter sweeps: one simulation for every combination of some options' values."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from skerry.bots import find, names
from skerry.engine.errors import BadOption
from skerry.engine.game import Game, Variant
from skerry.engine.messages import say
from skerry.engine.options import Option
from skerry.lab.chunks import Backend
from skerry.lab.series import STEP_LIMIT, Series
from skerry.lab.simulate import simulate_all
from skerry.lab.tally import Tally

OptionValues = dict[str, Any]
BOTS = "bots"  # swept over like an option
ALL = "all"
TEAM_SIZES = {"singles": 1, "pairs": 2}  # dealt options: how many cards are chosen; the others are random


@dataclass(frozen=True)
class Configuration:
    """One combination of a sweep: the values of the swept options, and the series that is played with them."""

    values: OptionValues
    series: Series


@dataclass
class SeriesResult:
    """A configuration and its tally."""

    configuration: Configuration
    tally: Tally

    @property
    def series(self) -> Series:
        return self.configuration.series

    @property
    def values(self) -> OptionValues:
        return self.configuration.values


def sweep(
    variant: Variant,
    vary: Mapping[str, Any],
    bots: Sequence[str] = ("random",),
    games: int = 10_000,
    seed: int = 0,
    limit: int = STEP_LIMIT,
    backend: Backend | None = None,
    checkpoint: str | Path | None = None,
) -> list[SeriesResult]:
    """Play ``games`` games of every combination.

    ``vary`` maps the name of an option, or ``"bots"``, to a list of values or to ``"all"``. Other options are as in
    ``variant``. ``bots`` are the bots at the seats; the last one takes the remaining seats.
    """
    planned = list(configurations(variant, vary, bots, games, seed, limit))
    tallies = simulate_all([one.series for one in planned], backend=backend, checkpoint=checkpoint)
    return [SeriesResult(one, tally) for one, tally in zip(planned, tallies, strict=True)]


def configurations(
    base: Variant, vary: Mapping[str, Any], bots: Sequence[str], games: int, seed: int = 0, limit: int = STEP_LIMIT
) -> Iterator[Configuration]:
    for values, variant in variants(base, vary):
        line_up = (values[BOTS],) if BOTS in values else tuple(bots)
        for name in line_up:
            find(base.game, name)
        seats = (line_up + line_up[-1:] * variant.players)[: variant.players]
        yield Configuration(values, Series(variant, seats, games, seed, limit))


def variants(base: Variant, vary: Mapping[str, Any]) -> Iterator[tuple[OptionValues, Variant]]:
    """The combinations that the rules allow, and their variants. If no combination is allowed, the last refusal."""
    last_refusal, any_allowed = None, False
    for values in _combinations(base, vary):
        options = {name: value for name, value in values.items() if name != BOTS}
        try:
            variant = base.game.configure({**base.options, **options})
        except BadOption as refusal:
            last_refusal = refusal
            continue
        any_allowed = True
        yield values, variant
    if last_refusal and not any_allowed:
        raise last_refusal


def _combinations(base: Variant, vary: Mapping[str, Any]) -> Iterator[OptionValues]:
    """Every combination of the swept values, allowed or not. The teams of a dealt option depend on the players."""
    options = {option.name: option for option in base.game.options}
    dealt = [name for name in vary if name in options and options[name].describe()["type"] == "dealt"]
    plain = {name: _requested_values(base.game, name, wanted) for name, wanted in vary.items() if name not in dealt}
    for combination in itertools.product(*plain.values()):
        chosen = dict(zip(plain, combination, strict=True))
        players = chosen.get("players", base.players)
        teams = [_teams(options[name], vary[name], players) for name in dealt]
        for team in itertools.product(*teams):
            both = chosen | dict(zip(dealt, team, strict=True))
            yield {name: both[name] for name in vary}


def _requested_values(game: Game, name: str, wanted: Any) -> list[Any]:
    """The values of an option to sweep over, as the game's option reads them."""
    options = {option.name: option for option in game.options}
    if name == BOTS:
        return list(names(game)) if wanted == ALL else _as_list(wanted)
    if name not in options:
        known = ", ".join((*options, BOTS))
        raise BadOption(say("there is no option {name} to sweep over; there are {options}", name=name, options=known))
    option = options[name]
    return all_values(option) if wanted == ALL else list(dict.fromkeys(map(option.read, _as_list(wanted))))


def all_values(option: Option) -> list[Any]:
    """All values of an option that has a fixed list of them."""
    facts = option.describe()
    if facts["type"] == "choice":
        return list(facts["choices"])
    if facts["type"] == "number":
        return list(range(facts["low"], facts["high"] + 1))
    if facts["type"] == "seat":
        return ["random", *range(facts["seats"])]
    raise BadOption(say("option {name} has no fixed list of values; name the ones to sweep over", name=option.name))


def _teams(option: Option, wanted: Any, players: int) -> list[Any]:
    """The teams of a dealt option: all full teams, all singles, all pairs, or the given ones (``a+b``). The order of
    the seats does not matter."""
    if wanted == ALL or wanted in TEAM_SIZES:
        size = TEAM_SIZES.get(wanted, players)
        return [option.read(team) for team in itertools.combinations(option.describe()["choices"], size)]
    return [option.read(team.replace("+", ",") if isinstance(team, str) else team) for team in _as_list(wanted)]


def _as_list(wanted: Any) -> list[Any]:
    """A comma-separated text or a sequence as a list."""
    if isinstance(wanted, str):
        wanted = [value.strip() for value in wanted.split(",") if value.strip()]
    if not isinstance(wanted, Sequence) or not wanted:
        raise BadOption("a sweep needs at least one value for each option")
    return list(wanted)


def read_vary(given: Sequence[str]) -> dict[str, str]:
    """The dictionary ``vary`` of texts such as ``players=2,3``."""
    vary: dict[str, str] = {}
    for text in given:
        name, _, values = (part.strip() for part in text.partition("="))
        if not name or not values:
            raise BadOption(say("a sweep is written NAME=VALUE,VALUE or NAME=all, not {text!r}", text=text))
        if name in vary:
            raise BadOption(say("the sweep names {name} twice", name=name))
        vary[name] = values
    return vary
