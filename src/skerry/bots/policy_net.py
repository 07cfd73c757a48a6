"""The policy network: a logit for each legal action of a seat.

A game with a policy network has ``policy_net=True`` on its fact sheet, the modules ``bot.action_features`` and
``bot.state_features`` (see ``skerry.botkit.protocols``), and weights in ``bot/policy.npy`` (see ``skerry.train``).

The network embeds all entities of the state; two dense layers make one vector of their sums. The hidden layer of an
action adds up linear layers of: that vector, with weights of the action's verb; the embeddings of the places, the thing
and the seats that the action names; the embedding of the acting seat; and the action's own features. What depends on
the state only is computed once for all actions, and what depends on a verb or a place once for all that share it.
"""

from __future__ import annotations

import functools
import itertools
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from skerry.botkit.deep_sets import EntityGroups, Floats, add_linear, dense, relu
from skerry.botkit.protocols import ActionFeaturesModule, StateFeaturesModule, WriteActionFeatures
from skerry.bots.feature_modules import action_features_of, state_features_of
from skerry.bots.net_weights import NetWeights, read_weights
from skerry.engine.bitset import as_int
from skerry.engine.blocks import Block, Blocks
from skerry.engine.game import Game
from skerry.engine.kernel import kernel, lookup_table

NAME = "policy"  # of its weight files
EMBEDDING_SIZE = 32  # of an entity
STATE_HIDDEN_SIZE, STATE_SIZE = 128, 64  # of the two dense layers
ACTION_SIZE = 64  # of the hidden layer of an action
PLACE_GROUP, THING_GROUP, SEAT_GROUP = range(3)  # the entity groups whose members actions name
GROUP_OF_KIND = {
    "place": PLACE_GROUP,
    "treasure": THING_GROUP,
    "part": THING_GROUP,
    "card": THING_GROUP,
    "pawn": SEAT_GROUP,
}
VERB, PLACE, SECOND_PLACE, THING, SEATS = range(5)  # columns of ``ActionParts.table``
NOT_NAMED = -1
LOWEST = -1e30  # less than any logit


class ActionParts(NamedTuple):
    """What every action names.

    A row of ``table`` has the number of the verb, up to two places and a thing, each by its number in its group or
    ``NOT_NAMED``, and the seats as a bit set.
    """

    table: NDArray[np.int32]
    verbs: int  # how many there are


def action_parts(game: Game, groups: EntityGroups) -> ActionParts:
    """Read the parts of all actions from their slots.

    The network has embeddings of entities only. A part that is not an entity, such as an amount, is therefore counted
    as part of the verb: "give 1" and "give 2" are two verbs.
    """
    verbs: dict[tuple[Any, ...], int] = {}
    parts = np.full((game.actions.size, 5), NOT_NAMED, np.int32)
    for action, row in enumerate(parts):
        verb, members_of_slots = game.actions.decode(action)
        row[SEATS] = 0
        others = []
        for slot, members in zip(verb.slots, members_of_slots, strict=True):
            group = GROUP_OF_KIND.get(slot.kind)
            if group is None or members[0] >= groups[group].entities:
                others.append(members)
            elif group == SEAT_GROUP:
                row[SEATS] = sum(1 << member for member in members)
            elif group == THING_GROUP:
                row[THING] = members[0]
            else:
                row[PLACE : PLACE + len(members)] = members
        row[VERB] = verbs.setdefault((game.actions.verbs.index(verb), *others), len(verbs))
    return ActionParts(parts, len(verbs))


@dataclass(frozen=True)
class PolicyNetShape:
    """The sizes of a network, and where its layers are in the array of weights and in the scratch buffer."""

    groups: EntityGroups
    verbs: int
    action_features: int
    notes_size: int  # of the state features and the game's notes behind them

    @functools.cached_property
    def weights(self) -> Blocks:
        """A layer has a row of weights for each input, then its biases if it has any."""
        pooled = len(self.groups) * EMBEDDING_SIZE
        linear = EMBEDDING_SIZE * ACTION_SIZE
        return Blocks(
            *(
                Block(_group_name(i), (group.features + 1) * EMBEDDING_SIZE, "encodes the entities of a group")
                for i, group in enumerate(self.groups)
            ),
            Block("state_hidden", (pooled + 1) * STATE_HIDDEN_SIZE, "from the summed embeddings"),
            Block("state", (STATE_HIDDEN_SIZE + 1) * STATE_SIZE, "the state vector"),
            Block("place", linear, "each place that is named"),
            Block("thing", linear, "the thing that is named"),
            Block("named_seat", linear, "each seat that is named"),
            Block("acting_seat", linear, "the seat that acts"),
            Block("action_features", self.action_features * ACTION_SIZE, "the features of the action"),
            Block("verb", self.verbs * (STATE_SIZE + 1) * ACTION_SIZE, "for each verb, from the state vector"),
            Block("output", ACTION_SIZE, "the logit from the hidden layer of the action"),
            Block("output_bias", self.verbs, "for each verb"),
        )

    @functools.cached_property
    def scratch(self) -> Blocks:
        places = self.groups[PLACE_GROUP].entities
        return Blocks(
            Block("notes", self.notes_size, "state features and the game's notes"),
            *(
                Block(_group_name(i), group.entities * EMBEDDING_SIZE, "embeddings of the entities of a group")
                for i, group in enumerate(self.groups)
            ),
            Block("pooled", len(self.groups) * EMBEDDING_SIZE, "the sum of the embeddings of each group"),
            Block("state_hidden", STATE_HIDDEN_SIZE, "first dense layer"),
            Block("state", STATE_SIZE, "second dense layer"),
            Block("acting_seat", ACTION_SIZE, "contribution of the acting seat"),
            Block("action", ACTION_SIZE, "hidden layer of an action"),
            Block("place", places * ACTION_SIZE, "contribution of each place, once computed"),
            Block("verb", self.verbs * ACTION_SIZE, "contribution of each verb, once computed"),
            Block("place_computed", places, "1 where the contribution of a place is computed"),
            Block("verb_computed", self.verbs, "1 where the contribution of a verb is computed"),
            Block("action_features", self.action_features, "features of an action"),
        )


def _group_name(number: int) -> str:
    return f"group_{number}"


class ChooseByLogit(Protocol):
    """The index of the legal action with the highest logit."""

    def __call__(
        self, world: Any, seat: int, legal: NDArray[Any], count: int, weights: Floats, scratch: Floats, /
    ) -> int: ...


class WriteLogits(Protocol):
    """Write the logit of each of the legal actions to ``out``."""

    def __call__(
        self, world: Any, seat: int, legal: NDArray[Any], count: int, weights: Floats, scratch: Floats, out: Floats, /
    ) -> None: ...


@dataclass(frozen=True, eq=False)
class PolicyNet:
    """The policy network of a game, as kernels. Both take one number of players' weights."""

    choose: ChooseByLogit
    write_logits: WriteLogits
    shape: PolicyNetShape
    weights: NetWeights


@functools.cache
def policy_net_of(game: Game) -> PolicyNet | None:
    """The policy network of a game with its trained weights, if it has one."""
    return policy_net_with(game, read_weights(game, NAME)) if game.policy_net else None


def policy_net_with(game: Game, weights: NetWeights) -> PolicyNet:
    """The policy network of a game with other weights."""
    state_features, action_features = state_features_of(game), action_features_of(game)
    parts = action_parts(game, state_features.ENTITY_GROUPS)
    shape = PolicyNetShape(
        groups=state_features.ENTITY_GROUPS,
        verbs=parts.verbs,
        action_features=action_features.N_ACTION_FEATURES,
        notes_size=action_features.SCRATCH_SIZE,
    )
    assert all(len(one) == shape.weights.size for one in weights)
    encode_state = _encode_state_kernel(shape, state_features, action_features)
    logit = _logit_kernel(shape, parts, action_features.write_action_features)
    return PolicyNet(_choose_kernel(encode_state, logit), _write_logits_kernel(encode_state, logit), shape, weights)


class _EncodeState(Protocol):
    """Compute everything that is the same for all actions of a seat."""

    def __call__(self, world: Any, seat: int, weights: Floats, scratch: Floats, /) -> None: ...


class _Logit(Protocol):
    """The logit of an action in the state that was encoded last."""

    def __call__(self, world: Any, seat: int, action: int, weights: Floats, scratch: Floats, /) -> float: ...


class _AddPart(Protocol):
    """Add what a part of an action contributes to its hidden layer."""

    def __call__(self, part: int, weights: Floats, scratch: Floats, hidden: Floats, /) -> None: ...


@kernel
def _clear(values: Any, size: int) -> None:
    for i in range(size):
        values[i] = 0.0


@kernel
def _embed_group(weights: Any, inputs: Any, entities: int, features: int, embeddings: Any, pooled: Any) -> None:
    """The embedding of each entity of a group, and their sum. An entity whose first feature is 0 is absent."""
    _clear(pooled, EMBEDDING_SIZE)
    for entity in range(entities):
        row, embedding = inputs[entity * features :], embeddings[entity * EMBEDDING_SIZE :]
        if row[0] != 0.0:
            dense(weights, row, features, embedding, EMBEDDING_SIZE)
            relu(embedding, EMBEDDING_SIZE)
            for j in range(EMBEDDING_SIZE):
                pooled[j] += embedding[j]
        else:
            _clear(embedding, EMBEDDING_SIZE)


_ENTITIES, _FEATURES, _INPUTS, _WEIGHTS, _EMBEDDINGS = range(5)  # columns of ``_group_layout``


def _group_layout(shape: PolicyNetShape) -> NDArray[Any]:
    """A row for each group: its sizes, and where its inputs, weights and embeddings begin."""
    sizes = [group.entities * group.features for group in shape.groups]
    inputs = itertools.accumulate(sizes[:-1], initial=0)
    return lookup_table(
        [
            (
                group.entities,
                group.features,
                start,
                shape.weights.offset(_group_name(i)),
                shape.scratch.offset(_group_name(i)),
            )
            for i, (group, start) in enumerate(zip(shape.groups, inputs, strict=True))
        ]
    )


def _encode_state_kernel(
    shape: PolicyNetShape, state_features: StateFeaturesModule, action_features: ActionFeaturesModule
) -> _EncodeState:
    write_state_features = state_features.write_state_features
    prepare_action_features = action_features.prepare_action_features
    encode_entities = _encode_entities_kernel(shape)
    seat_weights = shape.weights.offset("acting_seat")
    seat_embeddings = shape.scratch.offset(_group_name(SEAT_GROUP))
    seat_out = shape.scratch.offset("acting_seat")
    computed, computed_size = shape.scratch.offset("place_computed"), shape.groups[PLACE_GROUP].entities + shape.verbs

    @kernel
    def encode_state(world: Any, seat: int, weights: Any, scratch: Any) -> None:
        write_state_features(world, scratch)
        prepare_action_features(world, scratch)
        encode_entities(weights, scratch)
        _clear(scratch[seat_out:], ACTION_SIZE)
        embedding = scratch[seat_embeddings + seat * EMBEDDING_SIZE :]
        add_linear(weights[seat_weights:], embedding, EMBEDDING_SIZE, scratch[seat_out:], ACTION_SIZE)
        _clear(scratch[computed:], computed_size)

    return encode_state


class _EncodeEntities(Protocol):
    """Compute the embeddings of all entities and the state vector."""

    def __call__(self, weights: Floats, scratch: Floats, /) -> None: ...


def _encode_entities_kernel(shape: PolicyNetShape) -> _EncodeEntities:
    layout, groups = _group_layout(shape), len(shape.groups)
    hidden_weights, state_weights = shape.weights.offset("state_hidden"), shape.weights.offset("state")
    pooled, hidden, state = (shape.scratch.offset(name) for name in ("pooled", "state_hidden", "state"))

    @kernel
    def encode_entities(weights: Any, scratch: Any) -> None:
        for i in range(groups):
            _embed_group(
                weights[layout[i, _WEIGHTS] :],
                scratch[layout[i, _INPUTS] :],
                layout[i, _ENTITIES],
                layout[i, _FEATURES],
                scratch[layout[i, _EMBEDDINGS] :],
                scratch[pooled + i * EMBEDDING_SIZE :],
            )
        dense(weights[hidden_weights:], scratch[pooled:], groups * EMBEDDING_SIZE, scratch[hidden:], STATE_HIDDEN_SIZE)
        relu(scratch[hidden:], STATE_HIDDEN_SIZE)
        dense(weights[state_weights:], scratch[hidden:], STATE_HIDDEN_SIZE, scratch[state:], STATE_SIZE)
        relu(scratch[state:], STATE_SIZE)

    return encode_entities


def _start_hidden_kernel(shape: PolicyNetShape) -> _AddPart:
    """A kernel that begins the hidden layer of an action: the contributions of its verb and of the acting seat."""
    verb_weights, verb_out = shape.weights.offset("verb"), shape.scratch.offset("verb")
    computed = shape.scratch.offset("verb_computed")
    state, seat = shape.scratch.offset("state"), shape.scratch.offset("acting_seat")

    @kernel
    def start_hidden(verb: int, weights: Any, scratch: Any, hidden: Any) -> None:
        contribution = scratch[verb_out + verb * ACTION_SIZE :]
        if scratch[computed + verb] == 0.0:
            scratch[computed + verb] = 1.0
            layer = weights[verb_weights + verb * (STATE_SIZE + 1) * ACTION_SIZE :]
            dense(layer, scratch[state:], STATE_SIZE, contribution, ACTION_SIZE)
        for j in range(ACTION_SIZE):
            hidden[j] = contribution[j] + scratch[seat + j]

    return start_hidden


def _add_place_kernel(shape: PolicyNetShape) -> _AddPart:
    place_weights, place_out = shape.weights.offset("place"), shape.scratch.offset("place")
    computed, embeddings = shape.scratch.offset("place_computed"), shape.scratch.offset(_group_name(PLACE_GROUP))

    @kernel
    def add_place(place: int, weights: Any, scratch: Any, hidden: Any) -> None:
        contribution = scratch[place_out + place * ACTION_SIZE :]
        if scratch[computed + place] == 0.0:
            scratch[computed + place] = 1.0
            _clear(contribution, ACTION_SIZE)
            embedding = scratch[embeddings + place * EMBEDDING_SIZE :]
            add_linear(weights[place_weights:], embedding, EMBEDDING_SIZE, contribution, ACTION_SIZE)
        for j in range(ACTION_SIZE):
            hidden[j] += contribution[j]

    return add_place


def _add_named_kernel(shape: PolicyNetShape, parts: NDArray[Any]) -> _AddPart:
    """A kernel that adds the contributions of the entities that an action names."""
    add_place, seats = _add_place_kernel(shape), shape.groups[SEAT_GROUP].entities
    thing_weights, thing_embeddings = shape.weights.offset("thing"), shape.scratch.offset(_group_name(THING_GROUP))
    seat_weights, seat_embeddings = shape.weights.offset("named_seat"), shape.scratch.offset(_group_name(SEAT_GROUP))

    @kernel
    def add_named(action: int, weights: Any, scratch: Any, hidden: Any) -> None:
        for column in range(PLACE, SECOND_PLACE + 1):
            if parts[action, column] >= 0:
                add_place(parts[action, column], weights, scratch, hidden)
        if parts[action, THING] >= 0:
            embedding = scratch[thing_embeddings + parts[action, THING] * EMBEDDING_SIZE :]
            add_linear(weights[thing_weights:], embedding, EMBEDDING_SIZE, hidden, ACTION_SIZE)
        for seat in range(seats):
            if parts[action, SEATS] >> seat & 1:
                embedding = scratch[seat_embeddings + seat * EMBEDDING_SIZE :]
                add_linear(weights[seat_weights:], embedding, EMBEDDING_SIZE, hidden, ACTION_SIZE)

    return add_named


def _logit_kernel(shape: PolicyNetShape, action_parts: ActionParts, write_features: WriteActionFeatures) -> _Logit:
    parts, n_features = lookup_table(action_parts.table), shape.action_features
    start_hidden, add_named = _start_hidden_kernel(shape), _add_named_kernel(shape, parts)
    feature_weights, output_weights = shape.weights.offset("action_features"), shape.weights.offset("output")
    output_bias = shape.weights.offset("output_bias")
    action_hidden, action_features = shape.scratch.offset("action"), shape.scratch.offset("action_features")

    @kernel
    def logit(world: Any, seat: int, action: int, weights: Any, scratch: Any) -> float:
        hidden, features, verb = scratch[action_hidden:], scratch[action_features:], parts[action, VERB]
        start_hidden(verb, weights, scratch, hidden)
        add_named(action, weights, scratch, hidden)
        write_features(world, seat, action, scratch, features)
        add_linear(weights[feature_weights:], features, n_features, hidden, ACTION_SIZE)
        relu(hidden, ACTION_SIZE)
        value = weights[output_bias + verb]
        for j in range(ACTION_SIZE):
            value += hidden[j] * weights[output_weights + j]
        return float(value)

    return logit


def _choose_kernel(encode_state: _EncodeState, logit: _Logit) -> ChooseByLogit:
    @kernel
    def choose(world: Any, seat: int, legal: Any, count: int, weights: Any, scratch: Any) -> int:
        encode_state(world, seat, weights, scratch)
        best, highest = 0, LOWEST
        for index in range(count):
            value = logit(world, seat, as_int(legal[index]), weights, scratch)
            if value > highest:
                best, highest = index, value
        return best

    return choose


def _write_logits_kernel(encode_state: _EncodeState, logit: _Logit) -> WriteLogits:
    @kernel
    def write_logits(world: Any, seat: int, legal: Any, count: int, weights: Any, scratch: Any, out: Any) -> None:
        encode_state(world, seat, weights, scratch)
        for index in range(count):
            out[index] = logit(world, seat, as_int(legal[index]), weights, scratch)

    return write_logits
