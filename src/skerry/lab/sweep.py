"""One study over many variants: every combination of some options' values."""

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

Values = dict[str, Any]
BOTS, ALL = "bots", "all"
TEAMS = {"singles": 1, "pairs": 2}  # of what is dealt to the seats: that many are chosen, the others random


@dataclass(frozen=True)
class Configuration:
    """One combination: the values of what is varied, and the series they make."""

    values: Values
    series: Series


@dataclass
class SeriesResult:
    cell: Configuration
    tally: Tally

    @property
    def series(self) -> Series:
        return self.cell.series

    @property
    def values(self) -> Values:
        return self.cell.values


def sweep(
    variant: Variant,
    vary: Mapping[str, Any],
    bots: Sequence[str] = ("random",),
    games: int = 10_000,
    seed: int = 0,
    limit: int = STEP_LIMIT,
    backend: Backend | None = None,
    keep: str | Path | None = None,
) -> list[SeriesResult]:
    """Play ``games`` games of every combination. ``vary`` has for each name of an option its values or "all"; also for
    ``bots``. What is not varied is as in ``variant``. A list of bots that is too short goes on with its last one."""
    found = list(configurations(variant, vary, bots, games, seed, limit))
    totals = simulate_all([cell.series for cell in found], backend=backend, keep=keep)
    return [SeriesResult(cell, total) for cell, total in zip(found, totals, strict=True)]


def configurations(
    base: Variant, vary: Mapping[str, Any], bots: Sequence[str], games: int, seed: int = 0, limit: int = STEP_LIMIT
) -> Iterator[Configuration]:
    for values, variant in variants(base, vary):
        company = (values[BOTS],) if BOTS in values else tuple(bots)
        for name in company:
            find(base.game, name)
        seats = (company + company[-1:] * variant.players)[: variant.players]
        yield Configuration(values, Series(variant, seats, games, seed, limit))


def variants(base: Variant, vary: Mapping[str, Any]) -> Iterator[tuple[Values, Variant]]:
    """The combinations that the rules allow; a refusal if there is none."""
    refused, allowed = None, 0
    for values in _combinations(base, vary):
        chosen = {name: value for name, value in values.items() if name != BOTS}
        try:
            variant = base.game.configure({**base.options, **chosen})
        except BadOption as refusal:
            refused = refusal
            continue
        allowed += 1
        yield values, variant
    if refused and not allowed:
        raise refused


def _combinations(base: Variant, vary: Mapping[str, Any]) -> Iterator[Values]:
    known = {option.name: option for option in base.game.options}
    dealt = [name for name in vary if name in known and known[name].describe()["type"] == "dealt"]
    plain = {name: _values(base.game, name, wanted) for name, wanted in vary.items() if name not in dealt}
    for combination in itertools.product(*plain.values()):
        chosen = dict(zip(plain, combination, strict=True))
        players = chosen.get("players", base.players)
        teams = [_teams(known[name], vary[name], players) for name in dealt]
        for team in itertools.product(*teams):
            both = chosen | dict(zip(dealt, team, strict=True))
            yield {name: both[name] for name in vary}


def _values(game: Game, name: str, wanted: Any) -> list[Any]:
    """The values of an option that are wanted, as the game reads them."""
    known = {option.name: option for option in game.options}
    if name == BOTS:
        return list(names(game)) if wanted == ALL else _listed(wanted)
    if name not in known:
        options = ", ".join((*known, BOTS))
        raise BadOption(say("there is no option {name} to vary; there are {options}", name=name, options=options))
    option = known[name]
    return _every(option) if wanted == ALL else list(dict.fromkeys(map(option.read, _listed(wanted))))


def _every(option: Option) -> list[Any]:
    facts = option.describe()
    if facts["type"] == "choice":
        return list(facts["choices"])
    if facts["type"] == "number":
        return list(range(facts["low"], facts["high"] + 1))
    if facts["type"] == "seat":
        return ["random", *range(facts["seats"])]
    raise BadOption(say("option {name} has no list of all its values; name those to vary", name=option.name))


def _teams(option: Option, wanted: Any, players: int) -> list[Any]:
    """Who is dealt, whatever the order of the seats: all teams, all pairs, or those that are named (``a+b``)."""
    if wanted == ALL or wanted in TEAMS:
        size = TEAMS.get(wanted, players)
        return [option.read(team) for team in itertools.combinations(option.describe()["choices"], size)]
    return [option.read(team.replace("+", ",") if isinstance(team, str) else team) for team in _listed(wanted)]


def _listed(wanted: Any) -> list[Any]:
    if isinstance(wanted, str):
        wanted = [value.strip() for value in wanted.split(",") if value.strip()]
    if not isinstance(wanted, Sequence) or not wanted:
        raise BadOption("what is varied needs at least one value")
    return list(wanted)


def read_vary(given: Sequence[str]) -> dict[str, str]:
    """``["players=2,3"]`` as a dictionary."""
    vary: dict[str, str] = {}
    for text in given:
        name, _, values = (part.strip() for part in text.partition("="))
        if not name or not values:
            raise BadOption(say("what is varied is written NAME=VALUE,VALUE or NAME=all, not {text!r}", text=text))
        if name in vary:
            raise BadOption(say("{name} is varied twice", name=name))
        vary[name] = values
    return vary
