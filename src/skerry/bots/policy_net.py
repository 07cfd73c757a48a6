"""The policy network: a logit for each legal action of a seat.

A game with a policy network has ``policy_net=True`` on its fact sheet, the modules ``bot.action_features`` and
``bot.state_features`` (see ``skerry.botkit.protocols``), and weights in ``bot/policy.npy`` (see ``skerry.train``).

The network encodes all entities of the state. The logit of an action is computed from the encodings of the entities
that it names (places, a treasure, seats), of the acting seat and of the whole state, and from the action's features.
"""

from __future__ import annotations

import functools
import importlib
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from skerry.botkit.deep_sets import EntityGroups, add, layer, rectify
from skerry.bots.weights import NetWeights, read
from skerry.engine.bitset import as_int
from skerry.engine.game import Game
from skerry.engine.kernel import kernel, lookup_table

NAME = "policy"  # of its files
IMPRESSION, FIRST, SECOND, WIDTH = 32, 128, 64, 64  # units of the layers
PLACES, THINGS, SEATS = range(3)  # the groups of a sketch whose members actions name
KINDS = {"place": PLACES, "treasure": THINGS, "part": THINGS, "card": THINGS, "pawn": SEATS}
VERB, PLACE, OTHER_PLACE, THING, PAWNS = range(5)  # columns of what actions name
LEAST = -1e30


def action_parts(game: Game, groups: EntityGroups) -> tuple[NDArray[np.int32], int]:
    """What each action names: its verb, one or two places, a thing, pawns as a bit set; -1 is none. And how many verbs
    there are: whatever is not in the sketch, such as an amount, makes another verb."""
    verbs: dict[tuple[Any, ...], int] = {}
    found = np.full((game.actions.size, 5), -1, np.int32)
    for action, row in enumerate(found):
        verb, parts = game.actions.decode(action)
        row[PAWNS], rest = 0, []
        for slot, members in zip(verb.slots, parts, strict=True):
            group = KINDS.get(slot.kind)
            if group is None or members[0] >= groups[group][0]:
                rest.append(members)
            elif group == SEATS:
                row[PAWNS] = sum(1 << member for member in members)
            elif group == THINGS:
                row[THING] = members[0]
            else:
                row[PLACE : PLACE + len(members)] = members
        row[VERB] = verbs.setdefault((game.actions.verbs.index(verb), *rest), len(verbs))
    return found, len(verbs)


def _stacked(sizes: dict[str, int], start: int = 0) -> dict[str, int]:
    """Where each of some blocks begins, one behind the other; ``end`` is where the last one ends."""
    starts = {}
    for name, size in sizes.items():
        starts[name] = start
        start += size
    return starts | {"end": start}


@dataclass(frozen=True)
class Form:
    """How large the network is, and where its parts stand: in the weights, and on a desk."""

    groups: EntityGroups
    verbs: int
    regarded: int
    room: int

    @property
    def weights(self) -> dict[str, int]:
        """Layers are rows of an input each, the biases last."""
        groups = {f"group {i}": (numbers + 1) * IMPRESSION for i, (_, numbers, _) in enumerate(self.groups)}
        layers = {"first": (len(groups) * IMPRESSION + 1) * FIRST, "second": (FIRST + 1) * SECOND}
        named = dict.fromkeys(("place", "thing", "pawn", "seat"), IMPRESSION * WIDTH)
        rest = {"regard": self.regarded * WIDTH, "verb": self.verbs * (SECOND + 1) * WIDTH, "out": WIDTH}
        return _stacked(groups | layers | named | rest | {"bias": self.verbs})

    @property
    def desk(self) -> dict[str, int]:
        """Behind the notes of a survey: impressions, layers, and what places and verbs add up to once they were asked
        for (``known``)."""
        groups = {f"group {i}": things * IMPRESSION for i, (things, _, _) in enumerate(self.groups)}
        layers = {"whole": len(groups) * IMPRESSION, "first": FIRST, "second": SECOND, "seat": WIDTH, "sum": WIDTH}
        places = self.groups[PLACES][0]
        known = {"place": places * WIDTH, "verb": self.verbs * WIDTH, "known": places + self.verbs}
        return _stacked(groups | layers | known | {"regard": self.regarded}, self.room)


@dataclass(frozen=True, eq=False)
class PolicyNet:
    """``choose`` has the index of what suggests itself most, ``rate`` writes how much each action does."""

    choose: Callable[..., Any]
    rate: Callable[..., Any]
    form: Form
    weights: NetWeights


@functools.cache
def policy_net_of(game: Game) -> PolicyNet | None:
    """Read what a game has learnt, if it has."""
    return policy_net_with(game, read(game, NAME)) if game.policy_net else None


def policy_net_with(game: Game, weights: NetWeights) -> PolicyNet:
    sketching = importlib.import_module(f"{game.package}.bot.state_features")
    regarding = importlib.import_module(f"{game.package}.bot.action_features")
    names, verbs = action_parts(game, sketching.ENTITY_GROUPS)
    form = Form(sketching.ENTITY_GROUPS, verbs, regarding.N_ACTION_FEATURES, regarding.SCRATCH_SIZE)
    assert all(len(mine) == form.weights["end"] for mine in weights)
    ponder = _pondering(form, sketching.write_state_features, regarding.prepare_action_features)
    weigh = _weighing(form, lookup_table(names), regarding.write_action_features)
    return PolicyNet(*_rating(ponder, weigh), form, weights)


@kernel
def _clear(values: Any, numbers: int) -> None:
    for i in range(numbers):
        values[i] = 0.0


@kernel
def _impress(weights: Any, inputs: Any, things: int, numbers: int, out: Any, total: Any) -> None:
    """The impression of each thing of a group, and all of them together; of a thing without numbers there is none."""
    _clear(total, IMPRESSION)
    for thing in range(things):
        mine, seen = inputs[thing * numbers :], out[thing * IMPRESSION :]
        if mine[0] != 0.0:
            layer(weights, mine, numbers, seen, IMPRESSION)
            rectify(seen, IMPRESSION)
            for j in range(IMPRESSION):
                total[j] += seen[j]
        else:
            _clear(seen, IMPRESSION)


def _pondering(form: Form, sketch: Callable[..., Any], survey: Callable[..., Any]) -> Callable[..., Any]:
    """A kernel that does all that is the same for every action of a seat."""
    at, on, groups = form.weights, form.desk, len(form.groups)
    inputs = np.cumsum([0, *(things * numbers for things, numbers, _ in form.groups)])[:-1]
    things = [(things, numbers) for things, numbers, _ in form.groups]
    starts = [(at[f"group {i}"], on[f"group {i}"]) for i in range(groups)]
    shape = lookup_table(
        [(*thing, int(start), *start_of) for thing, start, start_of in zip(things, inputs, starts, strict=True)]
    )
    first, second, me = at["first"], at["second"], at["seat"]
    whole, inside, outcome, seats, seat_out = on["whole"], on["first"], on["second"], on[f"group {SEATS}"], on["seat"]
    known, asked = on["known"], form.groups[PLACES][0] + form.verbs

    @kernel
    def ponder(world: Any, seat: int, weights: Any, desk: Any) -> None:
        sketch(world, desk)
        survey(world, desk)
        for i in range(groups):
            total = desk[whole + i * IMPRESSION :]
            mine, start = desk[shape[i, 2] :], weights[shape[i, 3] :]
            _impress(start, mine, shape[i, 0], shape[i, 1], desk[shape[i, 4] :], total)
        layer(weights[first:], desk[whole:], groups * IMPRESSION, desk[inside:], FIRST)
        rectify(desk[inside:], FIRST)
        layer(weights[second:], desk[inside:], FIRST, desk[outcome:], SECOND)
        rectify(desk[outcome:], SECOND)
        _clear(desk[seat_out:], WIDTH)
        add(weights[me:], desk[seats + seat * IMPRESSION :], IMPRESSION, desk[seat_out:], WIDTH)
        _clear(desk[known:], asked)

    return ponder


def _beginning(form: Form) -> Callable[..., Any]:
    """A kernel that begins the sum of an action: what its verb means now, to the acting seat."""
    at, out, known = form.weights["verb"], form.desk["verb"], form.desk["known"] + form.groups[PLACES][0]
    outcome, seat = form.desk["second"], form.desk["seat"]

    @kernel
    def begin(verb: int, weights: Any, desk: Any, total: Any) -> None:
        mine = desk[out + verb * WIDTH :]
        if desk[known + verb] == 0.0:
            desk[known + verb] = 1.0
            layer(weights[at + verb * (SECOND + 1) * WIDTH :], desk[outcome:], SECOND, mine, WIDTH)
        for j in range(WIDTH):
            total[j] = mine[j] + desk[seat + j]

    return begin


def _adding_places(form: Form) -> Callable[..., Any]:
    """A kernel that adds what a place means."""
    at, out, known, places = form.weights["place"], form.desk["place"], form.desk["known"], form.desk[f"group {PLACES}"]

    @kernel
    def add_place(place: int, weights: Any, desk: Any, total: Any) -> None:
        mine = desk[out + place * WIDTH :]
        if desk[known + place] == 0.0:
            desk[known + place] = 1.0
            _clear(mine, WIDTH)
            add(weights[at:], desk[places + place * IMPRESSION :], IMPRESSION, mine, WIDTH)
        for j in range(WIDTH):
            total[j] += mine[j]

    return add_place


def _weighing(form: Form, names: Any, regard: Callable[..., Any]) -> Callable[..., Any]:
    """A kernel that says how much an action suggests itself, once the position was pondered."""
    at, on, begin, add_place = form.weights, form.desk, _beginning(form), _adding_places(form)
    thing_at, pawn_at, regard_at, out_at, bias_at = (at[name] for name in ("thing", "pawn", "regard", "out", "bias"))
    things, pawns, summed, regards = on[f"group {THINGS}"], on[f"group {SEATS}"], on["sum"], on["regard"]
    seats, regarded = form.groups[SEATS][0], form.regarded

    @kernel
    def add_named(action: int, weights: Any, desk: Any, total: Any) -> None:
        for which in range(PLACE, OTHER_PLACE + 1):
            if names[action, which] >= 0:
                add_place(names[action, which], weights, desk, total)
        if names[action, THING] >= 0:
            add(weights[thing_at:], desk[things + names[action, THING] * IMPRESSION :], IMPRESSION, total, WIDTH)
        for other in range(seats):
            if names[action, PAWNS] >> other & 1:
                add(weights[pawn_at:], desk[pawns + other * IMPRESSION :], IMPRESSION, total, WIDTH)

    @kernel
    def weigh(world: Any, seat: int, action: int, weights: Any, desk: Any) -> float:
        total, verb = desk[summed:], names[action, VERB]
        begin(verb, weights, desk, total)
        add_named(action, weights, desk, total)
        regard(world, seat, action, desk, desk[regards:])
        add(weights[regard_at:], desk[regards:], regarded, total, WIDTH)
        rectify(total, WIDTH)
        value = weights[bias_at + verb]
        for j in range(WIDTH):
            value += total[j] * weights[out_at + j]
        return float(value)

    return weigh


def _rating(ponder: Callable[..., Any], weigh: Callable[..., Any]) -> tuple[Callable[..., Any], Callable[..., Any]]:
    @kernel
    def choose(world: Any, seat: int, legal: Any, count: int, weights: Any, desk: Any) -> int:
        ponder(world, seat, weights, desk)
        best, most = 0, LEAST
        for index in range(count):
            value = weigh(world, seat, as_int(legal[index]), weights, desk)
            if value > most:
                best, most = index, value
        return best

    @kernel
    def rate(world: Any, seat: int, legal: Any, count: int, weights: Any, desk: Any, out: Any) -> None:
        ponder(world, seat, weights, desk)
        for index in range(count):
            out[index] = weigh(world, seat, as_int(legal[index]), weights, desk)

    return choose, rate
