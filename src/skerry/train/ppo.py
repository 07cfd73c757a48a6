"""A team's instinct and judgement, learnt by playing: proximal policy optimisation (Schulman et al. 2017).

    python -m skerry.train.ppo forbidden-island --device cuda --seconds 900 --out runs/island
    python -m skerry.train.ppo forbidden-island --device cuda --seconds 900 --resume runs/island

First the policy imitates the game's own best player, then it learns from thousands of games side by side. The folder
``--out`` has a log and what replaces ``policy.npy`` and ``value.npy`` in the game's folder; ``--resume`` goes on
from these files in a folder. Made for an NVIDIA GPU and many cores; once nobody is imitated, the games are played
there, too. ``pip install 'skerry[train]'``.
"""

from __future__ import annotations

import argparse
import csv
import importlib
import os
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from skerry.botkit.deep_sets import Groups, Shape
from skerry.bots import policy_net, value_net
from skerry.bots.policy_net import FIRST, IMPRESSION, OTHER_PLACE, PAWNS, PLACE, SEATS, SECOND, THING, VERB, WIDTH
from skerry.engine.game import Game
from skerry.games import find
from skerry.train.rollout_env import GOES_ON, WON, Rehearsal, Sight
from skerry.train.supervised import Net
from skerry.train.variants import cells

SHOWN = 10  # updates a line


class Policy(nn.Module):  # type: ignore[misc]
    """The same network as ``skerry.bots.policy_net``, to be taught."""

    names: Tensor
    subsets: Tensor

    def __init__(self, groups: Groups, names: NDArray[np.int32], verbs: int, regarded: int) -> None:
        super().__init__()
        self.groups, self.verbs = groups, verbs
        self.layers = nn.ModuleList(nn.Linear(numbers, IMPRESSION) for _, numbers, _ in groups)
        self.first, self.second = nn.Linear(len(groups) * IMPRESSION, FIRST), nn.Linear(FIRST, SECOND)
        self.place, self.thing, self.pawn, self.seat = (nn.Linear(IMPRESSION, WIDTH, bias=False) for _ in range(4))
        self.regard, self.verb = nn.Linear(regarded, WIDTH, bias=False), nn.Linear(SECOND, verbs * WIDTH)
        self.out, self.bias = nn.Linear(WIDTH, 1, bias=False), nn.Parameter(torch.zeros(verbs))
        self.register_buffer("names", torch.from_numpy(names).long())
        seats = groups[SEATS][0]
        bits = [[pawns >> seat & 1 for seat in range(seats)] for pawns in range(1 << seats)]
        self.register_buffer("subsets", torch.tensor(bits).float())

    def forward(self, sight: Sight) -> Tensor:
        """How likely each action is, as a logarithm."""
        seen = self._impressions(sight.seen)
        whole = torch.relu(self.first(torch.cat([group.sum(1) for group in seen], 1)))
        places, things, pawns, *_ = seen
        choices = torch.arange(len(whole), device=whole.device)
        verbs = self.verb(torch.relu(self.second(whole))).view(-1, self.verbs, WIDTH)
        verbs = verbs + self.seat(pawns[choices, sight.seats])[:, None]
        subsets = torch.einsum("ms,bsw->bmw", self.subsets, self.pawn(pawns))
        names, owners = self.names[sight.actions], sight.owners
        total = _pick(verbs, owners, names[:, VERB]) + self.regard(sight.regards)
        total = total + _pick(subsets, owners, names[:, PAWNS]) + _pick(self.thing(things), owners, names[:, THING])
        meant = self.place(places)
        for column in (PLACE, OTHER_PLACE):
            total = total + _pick(meant, owners, names[:, column])
        rating = self.out(torch.relu(total)).squeeze(-1) + self.bias.index_select(0, names[:, VERB])
        return _normalized(rating, owners, len(whole))

    def _impressions(self, seen: Tensor) -> list[Tensor]:
        found, start = [], 0
        for layer, (things, numbers, _) in zip(self.layers, self.groups, strict=True):
            mine = seen[:, start : start + things * numbers].reshape(-1, things, numbers)
            found.append(torch.relu(layer(mine)) * (mine[:, :, :1] != 0))
            start += things * numbers
        return found

    def _parts(self) -> list[Tensor]:
        """All weights in the order of ``Form``."""
        layers = [*self.layers, self.first, self.second]
        parts = [part for layer in layers for part in (layer.weight.T, layer.bias)]
        parts += [layer.weight.T for layer in (self.place, self.thing, self.pawn, self.seat, self.regard)]
        verbs = zip(self.verb.weight.view(-1, WIDTH, SECOND), self.verb.bias.view(-1, WIDTH), strict=True)
        parts += [part for weight, bias in verbs for part in (weight.T, bias)]
        return [*parts, self.out.weight, self.bias]

    def flat(self) -> NDArray[np.float32]:
        return torch.cat([part.reshape(-1) for part in self._parts()]).detach().cpu().numpy()

    @torch.no_grad()  # type: ignore[untyped-decorator]
    def load(self, flat: NDArray[Any]) -> None:
        rest = torch.from_numpy(flat).float()
        for part in self._parts():
            mine, rest = rest.split([part.numel(), len(rest) - part.numel()])
            part.copy_(mine.view(part.shape))


def _pick(meant: Tensor, owners: Tensor, which: Tensor) -> Tensor:
    """What one of a choice's things means to each action; nothing where none is named."""
    meant = nn.functional.pad(meant, (0, 0, 0, 1))
    return meant.flatten(0, 1).index_select(0, owners * meant.shape[1] + which.remainder(meant.shape[1]))


def _most(values: Tensor, owners: Tensor, choices: int) -> Tensor:
    least = torch.full((choices,), -1e30, device=values.device)
    return least.scatter_reduce(0, owners, values, "amax")


def _normalized(rating: Tensor, owners: Tensor, choices: int) -> Tensor:
    rating = rating - _most(rating.detach(), owners, choices)[owners]
    total = torch.zeros(choices, device=rating.device).index_add(0, owners, rating.exp())
    return rating - total.log()[owners]


@dataclass
class Moment:
    """A step of many games: what was seen, hoped for and done, and which games it ended."""

    sight: Sight
    own: Tensor
    chosen: Tensor
    logs: Tensor
    hopes: Tensor
    over: Tensor | None = None


class Trainer:
    def __init__(self, game: Game, given: argparse.Namespace) -> None:
        self.given, self.device = given, given.device
        sketching = importlib.import_module(f"{game.package}.bot.state_features")
        regarding = importlib.import_module(f"{game.package}.bot.action_features")
        self.game = game
        self.options = np.concatenate([game.configure(cell).encoded.array for cell in cells(game, given.vary)])
        names, verbs = policy_net.named(game, sketching.GROUPS)
        self.policy = Policy(sketching.GROUPS, names, verbs, regarding.REGARDED).to(self.device)
        self.critic = Net(Shape(sketching.GROUPS)).to(self.device)
        self.critic.load(np.load(Path(str(sketching.__file__)).with_name(f"{value_net.NAME}.npy")))
        self.optimizer = torch.optim.Adam([*self.policy.parameters(), *self.critic.parameters()], eps=1e-5)

    def rehearse(self, imitated: bool) -> None:
        """Begin new games; on cores where the own best player is imitated, whom to compile for a GPU takes too long."""
        where = self.given.threads, "cpu" if imitated else self.device
        self.rehearsal = Rehearsal(self.game, self.options, self.given.games, self.given.seed, *where, imitated)

    @torch.no_grad()  # type: ignore[untyped-decorator]
    def play(self, steps: int, imitate: float) -> list[Moment]:
        """Some steps of all games. ``imitate`` is the share of choices that are the own best player's."""
        kept = []
        for _ in range(steps):
            kept.append(self.choose(imitate))
            self.rehearsal.play(kept[-1].chosen)
            kept[-1].over = self.rehearsal.over.clone().to(self.device)
        return kept

    def choose(self, imitate: float) -> Moment:
        games, sight = self.rehearsal.games, self.rehearsal.look().to(self.device)
        logs, owners, starts = self.policy(sight), sight.owners, sight.starts
        drawn = logs - torch.rand_like(logs).clamp(1e-10, 1 - 1e-7).log().neg().log()
        hit = torch.nonzero(drawn >= _most(drawn, owners, games)[owners]).squeeze(-1)
        chosen = torch.zeros(games, dtype=torch.long, device=self.device)
        chosen[owners[hit]] = hit - starts[owners[hit]]
        own = self.rehearsal.own.clone().to(self.device)
        chosen = torch.where(torch.rand(games, device=self.device) < imitate, own, chosen)
        return Moment(sight.small(), own, chosen, logs[starts + chosen], self.critic(sight.seen))

    @torch.no_grad()  # type: ignore[untyped-decorator]
    def gains(self, kept: list[Moment]) -> Tensor:
        """How much better things went than was hoped: generalised advantages (Schulman et al. 2016)."""
        ahead = self.critic(self.rehearsal.look().seen.to(self.device))
        gain, gains = torch.zeros_like(ahead), []
        for moment in reversed(kept):
            assert moment.over is not None
            ends = moment.over != GOES_ON
            came = torch.where(ends, (moment.over == WON).float(), ahead)
            gain = came - moment.hopes + self.given.trace * torch.where(ends, 0.0, gain)
            gains.append(gain)
            ahead = moment.hopes
        return torch.cat(gains[::-1])

    def learn(self, kept: list[Moment], imitate: bool, rate: float, entropy: float) -> dict[str, float]:
        """Some times through what happened; how likely the own best player's choice was, how far hopes were off, and
        how open choices were left."""
        gains = self.gains(kept)
        sight = Sight.join([moment.sight for moment in kept])
        own, chosen, logs, hopes = (
            torch.cat([getattr(moment, name) for moment in kept]) for name in ("own", "chosen", "logs", "hopes")
        )
        goals, gains = (gains + hopes).clamp(0, 1), (gains - gains.mean()) / (gains.std() + 1e-8)
        for group in self.optimizer.param_groups:
            group["lr"] = rate
        told = torch.zeros(3, device=self.device)
        for _ in range(self.given.epochs):
            for rows in torch.randperm(len(own), device=self.device).chunk(self.given.minibatches):
                part = sight.part(rows)
                found, starts = self.policy(part), part.starts
                off = nn.functional.binary_cross_entropy(self.critic(part.seen).clamp(1e-4, 1 - 1e-4), goals[rows])
                open_left = -(found.exp() * found).sum() / len(rows)
                alike = -found[starts + own[rows]].mean() if imitate else open_left.new_zeros(())
                if imitate:
                    loss = alike + off
                else:
                    better = self._surrogate(found[starts + chosen[rows]] - logs[rows], gains[rows])
                    loss = 0.5 * off - better - entropy * open_left
                self.optimizer.zero_grad()
                loss.backward()
                nn.utils.clip_grad_norm_(self.policy.parameters(), 0.5)
                nn.utils.clip_grad_norm_(self.critic.parameters(), 0.5)
                self.optimizer.step()
                told += torch.stack([alike, off, open_left]).detach()
        means = (told / (self.given.epochs * self.given.minibatches)).tolist()
        return dict(zip(("imitation", "error", "entropy"), means, strict=True))

    def _surrogate(self, change: Tensor, gain: Tensor) -> Tensor:
        ratio, clip = change.exp(), self.given.clip
        return torch.min(gain * ratio, gain * ratio.clamp(1 - clip, 1 + clip)).mean()

    def tally(self) -> NDArray[np.int64]:
        """Games and wins of each variant since it was asked last."""
        counted: NDArray[np.int64] = self.rehearsal.tally.cpu().numpy().copy()
        self.rehearsal.tally.zero_()
        return counted

    def save(self, out: Path) -> None:
        np.save(out / f"{policy_net.NAME}.npy", self.policy.flat())
        np.save(out / f"{value_net.NAME}.npy", self.critic.flat())

    def load(self, folder: Path) -> None:
        self.policy.load(np.load(folder / f"{policy_net.NAME}.npy"))
        self.critic.load(np.load(folder / f"{value_net.NAME}.npy"))


def train(trainer: Trainer, given: argparse.Namespace) -> None:
    rows: list[dict[str, Any]] = []
    begin, number, counted = time.perf_counter(), 0, np.zeros((1, 2), np.int64)
    imitated = 0 if given.resume else given.imitate
    while (left := 1 - (time.perf_counter() - begin) / given.seconds) > 0 and number < given.updates:
        imitate = number < imitated
        if number in (0, imitated):
            trainer.rehearse(imitate)
        # The second half of what is imitated begins where the learner's own play leads.
        share = (1.0 if 2 * number < imitated else 0.5) if imitate else 0.0
        kept = trainer.play(given.horizon, share)
        rate = given.rate if imitate else given.rate * max(0.1, left)
        told = trainer.learn(kept, imitate, rate, given.entropy * left)
        number, counted = number + 1, counted + trainer.tally()
        if number % SHOWN == 0 or number == given.updates:
            shares = 100 * counted[:, 1] / np.maximum(1, counted[:, 0])
            row = {"update": number, "seconds": round(time.perf_counter() - begin), "games": int(counted[:, 0].sum())}
            rows.append(row | {"won": round(float(shares.mean()), 2)} | {k: round(v, 4) for k, v in told.items()})
            print(", ".join(f"{name} {value}" for name, value in rows[-1].items()), flush=True)
            print("  " + " ".join(f"{share:.1f}" for share in shares), flush=True)
            counted = np.zeros((1, 2), np.int64)
            trainer.save(given.out)
            with (given.out / "log.csv").open("w", newline="") as file:
                writer = csv.DictWriter(file, rows[0])
                writer.writeheader()
                writer.writerows(rows)
    trainer.save(given.out)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("game")
    parser.add_argument("--vary", action="append", default=[], metavar="NAME=VALUE,…")
    parser.add_argument("--games", type=int, default=16384, help="side by side")
    parser.add_argument("--horizon", type=int, default=32, help="steps an update")
    parser.add_argument("--imitate", type=int, default=30, help="updates, at first")
    parser.add_argument("--updates", type=int, default=1_000_000, help="at most")
    parser.add_argument("--seconds", type=float, default=600)
    parser.add_argument("--epochs", type=int, default=3)
    parser.add_argument("--minibatches", type=int, default=24)
    parser.add_argument("--rate", type=float, default=1e-3, help="of learning; it falls to a tenth")
    parser.add_argument("--clip", type=float, default=0.2)
    parser.add_argument("--trace", type=float, default=0.9)
    parser.add_argument("--entropy", type=float, default=0.003, help="what a choice left open is worth, at first")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--threads", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--device", default="cpu")
    parser.add_argument("--resume", type=Path, metavar="FOLDER")
    parser.add_argument("--out", type=Path, default=Path("runs/reinforced"))
    given = parser.parse_args()
    torch.manual_seed(given.seed)
    torch.set_num_threads(given.threads)
    torch.set_float32_matmul_precision("high")
    given.out.mkdir(parents=True, exist_ok=True)
    trainer = Trainer(find(given.game), given)
    if given.resume:
        trainer.load(given.resume)
    train(trainer, given)


if __name__ == "__main__":
    main()
