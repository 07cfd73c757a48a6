"""The bots' networks as PyTorch modules, so that their weights can be trained.

Each module computes what its compiled counterpart computes (``skerry.bots.policy_net`` and ``skerry.bots.value_net``)
and reads and writes the weights in the same flat order.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from skerry.botkit.deep_sets import DeepSetsShape, EntityGroups
from skerry.bots.policy_net import (
    ACTION_SIZE,
    EMBEDDING_SIZE,
    PLACE,
    SEAT_GROUP,
    SEATS,
    SECOND_PLACE,
    STATE_HIDDEN_SIZE,
    STATE_SIZE,
    THING,
    VERB,
    ActionParts,
)
from skerry.train.decisions import DecisionBatch


class ValueNetModule(nn.Module):  # type: ignore[misc]
    """The value network: state features to a value between 0 and 1."""

    def __init__(self, shape: DeepSetsShape) -> None:
        super().__init__()
        self.shape = shape
        self.layers = nn.ModuleList(nn.Linear(inputs, outputs) for inputs, outputs in shape.layers)

    def forward(self, state_features: Tensor) -> Tensor:
        encoders = self.layers[: len(self.shape.groups)]
        first, second, output = self.layers[len(self.shape.groups) :]
        embeddings = _embed_entities(encoders, self.shape.groups, state_features)
        hidden = torch.cat([group.sum(1) for group in embeddings], 1)
        hidden = torch.relu(first(hidden))
        hidden = torch.relu(second(hidden))
        logit = output(hidden).squeeze(-1)
        return 0.5 + 0.5 * logit / (1 + logit.abs())

    def flat_weights(self) -> NDArray[np.float32]:
        """All weights in the order of ``DeepSetsShape``."""
        return _flatten(self._parameters_in_order())

    @torch.no_grad()  # type: ignore[untyped-decorator]
    def load_flat_weights(self, flat: NDArray[Any]) -> None:
        _unflatten(flat, self._parameters_in_order())

    def _parameters_in_order(self) -> list[Tensor]:
        return [tensor for layer in self.layers for tensor in (layer.weight.T, layer.bias)]


class PolicyNetModule(nn.Module):  # type: ignore[misc]
    """The policy network: a log-probability for each legal action of each decision in a batch."""

    action_parts: Tensor
    pawn_sets: Tensor

    def __init__(self, groups: EntityGroups, parts: ActionParts, action_feature_count: int) -> None:
        super().__init__()
        self.groups, self.verbs = groups, parts.verbs
        self.encoders = nn.ModuleList(nn.Linear(group.features, EMBEDDING_SIZE) for group in groups)
        self.first = nn.Linear(len(groups) * EMBEDDING_SIZE, STATE_HIDDEN_SIZE)
        self.second = nn.Linear(STATE_HIDDEN_SIZE, STATE_SIZE)
        self.place = nn.Linear(EMBEDDING_SIZE, ACTION_SIZE, bias=False)
        self.thing = nn.Linear(EMBEDDING_SIZE, ACTION_SIZE, bias=False)
        self.pawn = nn.Linear(EMBEDDING_SIZE, ACTION_SIZE, bias=False)
        self.seat = nn.Linear(EMBEDDING_SIZE, ACTION_SIZE, bias=False)
        self.action_features = nn.Linear(action_feature_count, ACTION_SIZE, bias=False)
        self.verb = nn.Linear(STATE_SIZE, parts.verbs * ACTION_SIZE)
        self.output = nn.Linear(ACTION_SIZE, 1, bias=False)
        self.output_bias = nn.Parameter(torch.zeros(parts.verbs))
        self.register_buffer("action_parts", torch.from_numpy(parts.table).long())
        seats = groups[SEAT_GROUP].entities
        members = [[pawns >> seat & 1 for seat in range(seats)] for pawns in range(1 << seats)]
        self.register_buffer("pawn_sets", torch.tensor(members).float())

    def forward(self, batch: DecisionBatch) -> Tensor:
        """The log-probability of each action of the batch under its decision's policy."""
        embeddings = _embed_entities(self.encoders, self.groups, batch.state_features)
        places, things, pawns, *_ = embeddings
        verbs = self._verb_embeddings(embeddings) + self._seat_embeddings(pawns, batch.seats)[:, None]
        pawn_sets = torch.einsum("ms,bsw->bmw", self.pawn_sets, self.pawn(pawns))

        parts, decision = self.action_parts[batch.actions], batch.decision_of_action
        hidden = _gather(verbs, decision, parts[:, VERB]) + self.action_features(batch.action_features)
        hidden = hidden + _gather(pawn_sets, decision, parts[:, SEATS])
        hidden = hidden + _gather(self.thing(things), decision, parts[:, THING])
        place_embeddings = self.place(places)
        for column in (PLACE, SECOND_PLACE):
            hidden = hidden + _gather(place_embeddings, decision, parts[:, column])

        bias = self.output_bias.index_select(0, parts[:, VERB])
        logits = self.output(torch.relu(hidden)).squeeze(-1) + bias
        return segment_log_softmax(logits, decision, len(batch))

    def flat_weights(self) -> NDArray[np.float32]:
        """All weights in the order in which the compiled network reads them."""
        return _flatten(self._parameters_in_order())

    @torch.no_grad()  # type: ignore[untyped-decorator]
    def load_flat_weights(self, flat: NDArray[Any]) -> None:
        _unflatten(flat, self._parameters_in_order())

    def _verb_embeddings(self, embeddings: list[Tensor]) -> Tensor:
        """What each verb means in each position."""
        pooled = torch.cat([group.sum(1) for group in embeddings], 1)
        hidden = torch.relu(self.first(pooled))
        hidden = torch.relu(self.second(hidden))
        return self.verb(hidden).view(-1, self.verbs, ACTION_SIZE)

    def _seat_embeddings(self, pawns: Tensor, seats: Tensor) -> Tensor:
        """The acting seat of each decision."""
        decisions = torch.arange(len(seats), device=seats.device)
        return self.seat(pawns[decisions, seats])

    def _parameters_in_order(self) -> list[Tensor]:
        tensors: list[Tensor] = []
        for layer in (*self.encoders, self.first, self.second):
            tensors += [layer.weight.T, layer.bias]
        for layer in (self.place, self.thing, self.pawn, self.seat, self.action_features):
            tensors.append(layer.weight.T)
        verb_weights = self.verb.weight.view(-1, ACTION_SIZE, STATE_SIZE)
        verb_biases = self.verb.bias.view(-1, ACTION_SIZE)
        for weight, bias in zip(verb_weights, verb_biases, strict=True):
            tensors += [weight.T, bias]
        return [*tensors, self.output.weight, self.output_bias]


def _embed_entities(encoders: Iterable[nn.Linear], groups: EntityGroups, features: Tensor) -> list[Tensor]:
    """For each group, the embedding of each of its entities; zero where an entity's first feature is zero."""
    embeddings, start = [], 0
    for encoder, group in zip(encoders, groups, strict=True):
        size = group.entities * group.features
        entities = features[:, start : start + size].reshape(-1, group.entities, group.features)
        exists = entities[:, :, :1] != 0
        embeddings.append(torch.relu(encoder(entities)) * exists)
        start += size
    return embeddings


def _gather(embeddings: Tensor, decision: Tensor, index: Tensor) -> Tensor:
    """For each action, the embedding with that index in its decision; zeros where the index is -1."""
    padded = nn.functional.pad(embeddings, (0, 0, 0, 1))
    size = padded.shape[1]
    return padded.flatten(0, 1).index_select(0, decision * size + index.remainder(size))


def segment_max(values: Tensor, segment: Tensor, segments: int) -> Tensor:
    """The largest value of each segment, such as of the actions of one decision."""
    lowest = torch.full((segments,), -1e30, device=values.device)
    return lowest.scatter_reduce(0, segment, values, "amax")


def segment_log_softmax(logits: Tensor, segment: Tensor, segments: int) -> Tensor:
    """Log-softmax within each segment."""
    logits = logits - segment_max(logits.detach(), segment, segments)[segment]
    total = torch.zeros(segments, device=logits.device).index_add(0, segment, logits.exp())
    return logits - total.log()[segment]


def _flatten(tensors: list[Tensor]) -> NDArray[np.float32]:
    flat: NDArray[np.float32] = torch.cat([tensor.reshape(-1) for tensor in tensors]).detach().cpu().numpy()
    return flat


def _unflatten(flat: NDArray[Any], tensors: list[Tensor]) -> None:
    """Copy a flat array into the tensors, one after another."""
    values, start = torch.from_numpy(flat).float(), 0
    for tensor in tensors:
        tensor.copy_(values[start : start + tensor.numel()].view(tensor.shape))
        start += tensor.numel()
    if start != len(flat):
        raise ValueError(f"{len(flat)} weights given for a network of {start}")
