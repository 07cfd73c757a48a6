"""The arms of best-arm bandits: the actions that sequential halving compares, and the statistics of their rollouts.

Several positions are searched at once; each arm is an action in one of them. All arms of a position are played in the
same determinized worlds (common random numbers), so that luck affects all of them alike. The action that
the rollout policy would choose is the position's baseline; the others are also measured by how much more they bring
than the baseline in the same world.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

ELIMINATION_ERRORS = 3.0  # standard errors by which an arm must lag behind the best to be eliminated early
DUPLICATE_WORLDS = 16  # worlds after which two arms with the same results in all of them count as one
PRIOR_WEIGHT = 4.0  # weight of the pooled variance in the variance of an arm, in samples
CONFIDENCE_ERRORS = 1.0  # standard errors by which an arm must beat the baseline to be preferred to it

POSITION, ARM, WORLD = range(3)  # columns of a table of jobs


class RolloutResults(NamedTuple):
    """For each job, the value of its rollout to the seat that decides, and the number of the ending (0: cut off)."""

    values: NDArray[np.float64]
    endings: NDArray[np.int8]


@dataclass
class Arms:
    """One row for each arm, the arms of a position in a row."""

    positions: NDArray[np.int32]  # the number of the position that the arm belongs to
    actions: NDArray[np.int16]
    baseline: NDArray[np.bool_]  # one arm of each position, which is never eliminated before the end
    pulls: NDArray[np.int64]  # in how many worlds the arm was played
    sums: NDArray[np.float64]  # of the values
    squares: NDArray[np.float64]  # sum of the squared values
    gains: NDArray[np.float64]  # sum of how much better it was than the baseline in the same world
    gain_squares: NDArray[np.float64]
    endings: NDArray[np.int64]  # how often each ending was reached
    active: NDArray[np.bool_]  # not eliminated

    @classmethod
    def of(cls, positions: Any, actions: Any, baseline: Any, endings: int) -> Arms:
        """Arms that were not played yet. ``endings`` is the number of endings, cut off included."""
        n = len(actions)
        return cls(
            positions=np.asarray(positions, np.int32),
            actions=np.asarray(actions, np.int16),
            baseline=np.asarray(baseline, np.bool_),
            pulls=np.zeros(n, np.int64),
            sums=np.zeros(n),
            squares=np.zeros(n),
            gains=np.zeros(n),
            gain_squares=np.zeros(n),
            endings=np.zeros((n, endings), np.int64),
            active=np.ones(n, np.bool_),
        )

    def unplayed(self) -> Arms:
        """The arms that were never played, with the baselines, to be searched on their own."""
        chosen = (self.pulls == 0) | self.baseline
        return Arms.of(
            self.positions[chosen],
            self.actions[chosen],
            self.baseline[chosen],
            self.endings.shape[1],
        )

    def merge(self, unplayed: Arms) -> None:
        """Take over the statistics of arms from ``unplayed``."""
        here = self.pulls == 0
        there = here[here | self.baseline]
        for name in ("pulls", "sums", "squares", "gains", "gain_squares", "endings"):
            getattr(self, name)[here] = getattr(unplayed, name)[there]

    @property
    def means(self) -> NDArray[np.float64]:
        return self.sums / np.maximum(self.pulls, 1)

    def active_counts(self, positions: int) -> NDArray[np.int64]:
        """How many arms of each position are active."""
        return np.bincount(self.positions[self.active], minlength=positions)

    def max_pulls(self, positions: int) -> NDArray[np.int64]:
        """In how many worlds the active arms of each position were played."""
        most = np.zeros(positions, np.int64)
        np.maximum.at(most, self.positions, np.where(self.active, self.pulls, 0))
        return most

    def jobs(self, worlds: NDArray[np.int64]) -> NDArray[np.int32]:
        """The rollouts still missing until every active arm was played in ``worlds[position]`` worlds.

        Rows are ``position, arm, world``; the rows of an arm are next to each other, in the order of the worlds.
        """
        active = np.flatnonzero(self.active)
        missing = np.maximum(0, worlds[self.positions[active]] - self.pulls[active])
        arm = np.repeat(active, missing)
        starts = np.cumsum(missing) - missing
        world = np.arange(len(arm)) - np.repeat(starts - self.pulls[active], missing)
        return np.stack((self.positions[arm], arm, world), axis=1).astype(np.int32)

    def add(self, jobs: NDArray[np.int32], results: RolloutResults) -> None:
        """Add the results of rollouts to the statistics."""
        arm, values, n = jobs[:, ARM], results.values, len(self.actions)
        self.pulls += np.bincount(arm, minlength=n)
        self.sums += np.bincount(arm, values, n)
        self.squares += np.bincount(arm, values * values, n)
        gains = values - self._baseline_values(jobs, values)
        self.gains += np.bincount(arm, gains, n)
        self.gain_squares += np.bincount(arm, gains * gains, n)
        kinds = self.endings.shape[1]
        self.endings += np.bincount(arm * kinds + results.endings, minlength=n * kinds).reshape(n, kinds)

    def _baseline_values(self, jobs: NDArray[np.int32], values: NDArray[np.float64]) -> NDArray[np.float64]:
        """For each job, the value of the baseline in the same world. (It was played there too: all arms of a position
        are played in the same worlds.)"""
        baseline_jobs = np.flatnonzero(self.baseline[jobs[:, ARM]])
        positions, firsts = np.unique(jobs[baseline_jobs, POSITION], return_index=True)
        starts = baseline_jobs[firsts]
        start = starts[np.searchsorted(positions, jobs[:, POSITION])]
        return values[start + jobs[:, WORLD] - jobs[start, WORLD]]

    def ranks(self) -> NDArray[np.int64]:
        """The rank of each active arm by its mean among those of its position, from 0; the baseline wins ties. An
        eliminated arm has a rank higher than all others."""
        order = np.lexsort((~self.baseline, -self.means, self.positions, ~self.active))
        positions = self.positions[order]
        first = np.searchsorted(positions[: self.active.sum()], positions, "left")
        ranks = np.empty(len(order), np.int64)
        ranks[order] = np.arange(len(order)) - first
        ranks[~self.active] = len(order)
        return ranks

    def leaders(self, positions: int) -> NDArray[np.int64]:
        """The arm of each position that has the best mean."""
        return self._one_each(self.ranks() == 0, positions)

    def best(self, positions: int) -> NDArray[np.int64]:
        """The arm to choose in each position: the one with the highest lower confidence bound on its gain over the
        baseline. (The arm with the highest mean is often only the luckiest.)"""
        gain = self.gains / np.maximum(self.pulls, 1)
        error = np.sqrt(self._variances(gain, self.gain_squares))
        bound = np.where(self.baseline, 0, gain - CONFIDENCE_ERRORS * error)
        order = np.lexsort((~self.baseline, -bound, self.positions, ~self.active))
        _, firsts = np.unique(self.positions[order][: self.active.sum()], return_index=True)
        chosen = np.zeros(len(order), np.bool_)
        chosen[order[firsts]] = True
        return self._one_each(chosen, positions)

    def _one_each(self, chosen: NDArray[np.bool_], positions: int) -> NDArray[np.int64]:
        """For each position, the number of its arm that is marked in ``chosen``."""
        arms, found = np.flatnonzero(chosen), np.full(positions, -1)
        found[self.positions[arms]] = arms
        return found

    def mean_variances(self) -> NDArray[np.float64]:
        """The variance of the mean of each arm."""
        return self._variances(self.means, self.squares)

    def _variances(self, means: NDArray[np.float64], squares: NDArray[np.float64]) -> NDArray[np.float64]:
        """Variance of each arm's mean, regularised by the pooled variance, so that an arm whose few samples agree by
        luck does not look certain."""
        pulls = np.maximum(self.pulls, 1)
        return (np.maximum(squares / pulls - means**2, 0) + PRIOR_WEIGHT * self._pooled_variances() / pulls) / pulls

    def _pooled_variances(self) -> NDArray[np.float64]:
        """For each arm, the variance of all values in its position."""
        sums, squares, pulls = (np.bincount(self.positions, column) for column in (self.sums, self.squares, self.pulls))
        pulls = np.maximum(pulls, 1)
        return np.asarray(np.maximum(squares / pulls - (sums / pulls) ** 2, 0)[self.positions])

    def drop_duplicates(self) -> None:
        """Keep one of several arms with the same results in all of many worlds, such as two actions in either order.
        The baseline is kept before others. (In only a few worlds most arms have the same results.)"""
        candidates = np.flatnonzero(self.active & (self.pulls >= DUPLICATE_WORLDS))
        compared = (self.positions, self.pulls, self.sums, self.squares, self.gains, self.gain_squares)
        statistics = np.stack([column[candidates] for column in compared], axis=1)
        order = np.argsort(~self.baseline[candidates], kind="stable")
        _, firsts = np.unique(statistics[order], axis=0, return_index=True)
        self.active[candidates] = False
        self.active[candidates[order[firsts]]] = True

    def eliminate(self, keep: NDArray[np.int64]) -> None:
        """Eliminate all but the ``keep[position]`` best arms, those that clearly lag behind, and duplicates.

        The baseline stays for comparison, until a single other arm is left that is clearly better.
        """
        self.drop_duplicates()
        ranks, positions = self.ranks(), len(keep)
        leader = self.leaders(positions)[self.positions]
        means, variances = self.means, self.mean_variances()
        lags = means[leader] - means > ELIMINATION_ERRORS * np.sqrt(variances[leader] + variances)
        baseline = self.baseline & self.active
        self.active &= (ranks < keep[self.positions]) & ~lags
        others = np.bincount(self.positions[self.active & ~self.baseline], minlength=positions)
        self.active |= baseline & ~(lags & (others[self.positions] == 1))
