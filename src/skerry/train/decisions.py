"""Batches of decisions as PyTorch tensors."""

from __future__ import annotations

from dataclasses import dataclass, fields

import torch
from torch import Tensor

from skerry.train.rollout_env import MAX_ACTIONS, RolloutEnv


@dataclass
class DecisionBatch:
    """A ragged batch of decisions, each with as many legal actions as it has.

    The first three tensors have one row for each decision, the others one row for each action: those of the first
    decision, then those of the second, and so on.
    """

    state_features: Tensor
    seats: Tensor
    action_counts: Tensor
    actions: Tensor
    action_features: Tensor

    @classmethod
    def current(cls, env: RolloutEnv) -> DecisionBatch:
        """The decisions at which the games of an environment stand, on the environment's device."""
        buffers = env.buffers
        counts = torch.as_tensor(buffers.action_counts)
        is_legal = torch.arange(MAX_ACTIONS, device=counts.device) < counts[:, None]
        return cls(
            torch.as_tensor(buffers.state_features)[:, : env.state_feature_count].clone(),
            torch.as_tensor(buffers.seats).clone(),
            counts.clone(),
            torch.as_tensor(buffers.actions)[is_legal].long(),
            torch.as_tensor(buffers.action_features)[is_legal],
        )

    @classmethod
    def concatenate(cls, batches: list[DecisionBatch]) -> DecisionBatch:
        columns = [[getattr(batch, field.name) for batch in batches] for field in fields(cls)]
        return cls(*map(torch.cat, columns))

    def __len__(self) -> int:
        return len(self.action_counts)

    @property
    def decision_of_action(self) -> Tensor:
        """The index of the decision to which each action belongs."""
        decisions = torch.arange(len(self), device=self.action_counts.device)
        return torch.repeat_interleave(decisions, self.action_counts)

    @property
    def first_action(self) -> Tensor:
        """The row of each decision's first action."""
        return torch.cumsum(self.action_counts, 0) - self.action_counts

    def select(self, decisions: Tensor) -> DecisionBatch:
        """Some of the decisions, in single precision."""
        counts = self.action_counts[decisions]
        first_action_after = torch.cumsum(counts, 0) - counts
        shift = torch.repeat_interleave(self.first_action[decisions] - first_action_after, counts)
        rows = shift + torch.arange(len(shift), device=shift.device)
        return DecisionBatch(
            self.state_features[decisions].float(),
            self.seats[decisions],
            counts,
            self.actions[rows].long(),
            self.action_features[rows].float(),
        )

    def to(self, device: str) -> DecisionBatch:
        return DecisionBatch(*(getattr(self, field.name).to(device) for field in fields(self)))

    def compact(self) -> DecisionBatch:
        """The same batch in half the memory, for storing it until the update."""
        return DecisionBatch(
            self.state_features.half(),
            self.seats,
            self.action_counts,
            self.actions.short(),
            self.action_features.half(),
        )
