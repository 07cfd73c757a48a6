"""Plans that compete: how often each was tried, what came of it, and which of them are still in the race.

Many positions are thought about at once; each plan belongs to one of them, its owner. Plans of one position are tried
in the same worlds, so that luck does not decide between them.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

CLEAR = 3.0  # standard errors by which a plan must lag behind the best to be dropped early
ALIKE = 16  # worlds after which two plans that have fared alike in all of them are taken for one
DOUBT = 4.0  # two worlds more than were tried, each with a difference of two independent outcomes
CAUTION = 1.0  # standard errors by which a plan must seem better than the policy's own to be preferred to it


@dataclass
class Arms:
    owners: NDArray[np.int32]
    plans: NDArray[np.int16]
    own: NDArray[np.bool_]  # what the policy itself would do: one plan of each position, always in the race
    tries: NDArray[np.int64]
    sums: NDArray[np.float64]
    squares: NDArray[np.float64]
    gains: NDArray[np.float64]  # sum of how much better than the policy's own plan it fared in the same world
    gain_squares: NDArray[np.float64]
    endings: NDArray[np.int64]  # how often each
    alive: NDArray[np.bool_]

    @classmethod
    def of(cls, owners: Any, plans: Any, own: Any, endings: int) -> Arms:
        n = len(plans)
        return cls(
            np.asarray(owners, np.int32),
            np.asarray(plans, np.int16),
            np.asarray(own, np.bool_),
            np.zeros(n, np.int64),
            np.zeros(n),
            np.zeros(n),
            np.zeros(n),
            np.zeros(n),
            np.zeros((n, endings), np.int64),
            np.ones(n, np.bool_),
        )

    def left_out(self) -> Arms:
        """The plans that were not tried, beside the policy's own ones."""
        rest = (self.tries == 0) | self.own
        return Arms.of(self.owners[rest], self.plans[rest], self.own[rest], self.endings.shape[1])

    def fill(self, left_out: Arms) -> None:
        """Take over what came of plans that were left out here."""
        here, there = self.tries == 0, ~left_out.own
        for name in ("tries", "sums", "squares", "gains", "gain_squares", "endings"):
            getattr(self, name)[here] = getattr(left_out, name)[there]

    @property
    def means(self) -> NDArray[np.float64]:
        return self.sums / np.maximum(self.tries, 1)

    def running(self, positions: int) -> NDArray[np.int64]:
        """How many plans of each position are in the race."""
        return np.bincount(self.owners[self.alive], minlength=positions)

    def most_tries(self, positions: int) -> NDArray[np.int64]:
        """In how many worlds the running plans of each position have been tried."""
        most = np.zeros(positions, np.int64)
        np.maximum.at(most, self.owners, np.where(self.alive, self.tries, 0))
        return most

    def jobs(self, worlds: NDArray[np.int64]) -> NDArray[np.int32]:
        """What is to be played so that every running plan has been tried in so many worlds of its owner."""
        plans = np.flatnonzero(self.alive)
        missing = np.maximum(0, worlds[self.owners[plans]] - self.tries[plans])
        plan = np.repeat(plans, missing)
        starts = np.cumsum(missing) - missing
        world = np.arange(len(plan)) - np.repeat(starts - self.tries[plans], missing)
        return np.stack((self.owners[plan], plan, world), axis=1).astype(np.int32)

    def add(self, jobs: NDArray[np.int32], values: NDArray[np.float64], endings: NDArray[np.int8]) -> None:
        plan, n = jobs[:, 1], len(self.plans)
        self.tries += np.bincount(plan, minlength=n)
        self.sums += np.bincount(plan, values, n)
        self.squares += np.bincount(plan, values * values, n)
        gains = values - self._own_values(jobs, values)
        self.gains += np.bincount(plan, gains, n)
        self.gain_squares += np.bincount(plan, gains * gains, n)
        kinds = self.endings.shape[1]
        self.endings += np.bincount(plan * kinds + endings, minlength=n * kinds).reshape(n, kinds)

    def _own_values(self, jobs: NDArray[np.int32], values: NDArray[np.float64]) -> NDArray[np.float64]:
        """For each job, what the policy's own plan brought in the same world. (All plans of a position are tried in the
        same worlds, each plan's jobs stand together, and world follows world.)"""
        own = np.flatnonzero(self.own[jobs[:, 1]])
        owners, starts = np.unique(jobs[own, 0], return_index=True)
        begin = own[starts]
        found = np.searchsorted(owners, jobs[:, 0])
        return values[begin[found] + jobs[:, 2] - jobs[begin[found], 2]]

    def ranks(self) -> NDArray[np.int64]:
        """The place of each running plan among those of its position; what the policy would do wins a tie."""
        order = np.lexsort((~self.own, -self.means, self.owners, ~self.alive))
        owners = self.owners[order]
        first = np.searchsorted(owners[: self.alive.sum()], owners, "left")
        ranks = np.empty(len(order), np.int64)
        ranks[order] = np.arange(len(order)) - first
        ranks[~self.alive] = len(order)
        return ranks

    def drop_alike(self) -> None:
        """Plans that have fared alike in many worlds come to the same (two actions in another order, say): keep one. In
        a few worlds most plans fare alike."""
        running = np.flatnonzero(self.alive & (self.tries >= ALIKE))
        counted = (self.owners, self.tries, self.sums, self.squares, self.gains, self.gain_squares)
        faring = np.stack([column[running] for column in counted], axis=1)
        order = np.argsort(~self.own[running], kind="stable")
        _, firsts = np.unique(faring[order], axis=0, return_index=True)
        self.alive[running] = False
        self.alive[running[order[firsts]]] = True

    def leaders(self, positions: int) -> NDArray[np.int64]:
        """The plan of each position that has the best mean."""
        return self._firsts(self.ranks() == 0, positions)

    def best(self, positions: int) -> NDArray[np.int64]:
        """The plan to follow in each position: the policy's own, unless another is better for all we can tell. (The
        best of many means is often only the luckiest.)"""
        mean = self.gains / np.maximum(self.tries, 1)
        doubt = np.sqrt(self._variances(mean, self.gain_squares))
        sure = np.where(self.own, 0, mean - CAUTION * doubt)
        order = np.lexsort((~self.own, -sure, self.owners, ~self.alive))
        _, firsts = np.unique(self.owners[order][: self.alive.sum()], return_index=True)
        chosen = np.zeros(len(order), np.bool_)
        chosen[order[firsts]] = True
        return self._firsts(chosen, positions)

    def _firsts(self, chosen: NDArray[np.bool_], positions: int) -> NDArray[np.int64]:
        plans, found = np.flatnonzero(chosen), np.full(positions, -1)
        found[self.owners[plans]] = plans
        return found

    def errors(self) -> NDArray[np.float64]:
        """The variance of each mean."""
        return self._variances(self.means, self.squares)

    def _variances(self, means: NDArray[np.float64], squares: NDArray[np.float64]) -> NDArray[np.float64]:
        """What has come to the same in a few worlds may not go on doing so: as if there had been some more, in which
        the position's plans differed as much as all that came of it does."""
        tries = np.maximum(self.tries, 1)
        return (np.maximum(squares / tries - means**2, 0) + DOUBT * self._spread() / tries) / tries

    def _spread(self) -> NDArray[np.float64]:
        """For each plan, the variance of all that came of its position."""
        sums, squares, tries = (np.bincount(self.owners, column) for column in (self.sums, self.squares, self.tries))
        tries = np.maximum(tries, 1)
        return np.asarray(np.maximum(squares / tries - (sums / tries) ** 2, 0)[self.owners])

    def keep(self, most: NDArray[np.int64]) -> None:
        """Drop all but so many of each position's best, those that lag clearly, and doubles. The policy's own stays, to
        compare with, until a single other one is clearly better."""
        self.drop_alike()
        ranks, positions = self.ranks(), len(most)
        best = self.leaders(positions)[self.owners]
        means, errors = self.means, self.errors()
        lags = means[best] - means > CLEAR * np.sqrt(errors[best] + errors)
        own = self.own & self.alive
        self.alive &= (ranks < most[self.owners]) & ~lags
        others = np.bincount(self.owners[self.alive & ~self.own], minlength=positions)
        self.alive |= own & ~(lags & (others[self.owners] == 1))
