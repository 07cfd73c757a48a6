"""``skerry train``: the training programs."""

from __future__ import annotations

import importlib
from pathlib import Path
from typing import Annotated, Any

import typer

from skerry.cli.options import GameName
from skerry.engine.errors import Refusal
from skerry.games import find_game
from skerry.train.settings import EvolutionSettings, PPOSettings, SelfPlaySettings, SupervisedSettings

app = typer.Typer(
    help="Train the networks and the weights that bots play by. Needs `pip install 'skerry[train]'`.",
    no_args_is_help=True,
)

Vary = Annotated[
    list[str] | None,
    typer.Option(
        metavar="NAME=VALUE,…",
        help="Train on these values of an option; can be given several times. A value may be named more than once to "
        "be trained on more often. Without it, every difficulty and number of players.",
    ),
]
Seed = Annotated[int, typer.Option(min=0, help="Seed of the games and of the training.")]
Threads = Annotated[int, typer.Option(min=1, help="CPU threads to use.")]
Device = Annotated[str, typer.Option(help="Where the networks are trained: `cpu`, or `cuda` for an NVIDIA GPU.")]
InitialWeights = Annotated[
    Path | None, typer.Option("--weights", metavar="FILE.npy", help="Begin with these weights.", exists=True)
]
ValueNetFile = Annotated[
    Path | None,
    typer.Option("--out", metavar="FILE.npy", help="Where to write the weights; the game's own value.npy by default."),
]
PeakRate = Annotated[float, typer.Option("--rate", help="Learning rate, at its highest.")]
InitialRate = Annotated[float, typer.Option("--rate", help="Initial learning rate; falls linearly to zero.")]
BatchSize = Annotated[int, typer.Option("--batch", min=1, help="Positions in a minibatch.")]
Seconds = Annotated[float, typer.Option(min=0, help="Stop after this time.")]


@app.command()
def ppo(
    game: GameName,
    vary: Vary = None,
    games: Annotated[int, typer.Option(min=1, help="Games played side by side.")] = PPOSettings.games,
    horizon: Annotated[
        int, typer.Option(min=1, help="Decisions of each game between two updates.")
    ] = PPOSettings.horizon,
    imitate: Annotated[
        int, typer.Option(min=0, help="Updates at the beginning that imitate the game's own best bot.")
    ] = PPOSettings.imitate,
    updates: Annotated[int, typer.Option(min=1, help="Stop after this many updates.")] = PPOSettings.updates,
    seconds: Seconds = PPOSettings.seconds,
    epochs: Annotated[int, typer.Option(min=1, help="Passes over the data in each update.")] = PPOSettings.epochs,
    minibatches: Annotated[int, typer.Option(min=1, help="Minibatches in each pass.")] = PPOSettings.minibatches,
    rate: Annotated[
        float, typer.Option(help="Initial learning rate; falls linearly to a tenth.")
    ] = PPOSettings.learning_rate,
    clip: Annotated[float, typer.Option(help="Clip ratio of the objective.")] = PPOSettings.clip_ratio,
    trace: Annotated[
        float, typer.Option(help="Lambda of the generalised advantage estimation.")
    ] = PPOSettings.gae_lambda,
    entropy: Annotated[
        float, typer.Option(help="Initial entropy bonus; falls linearly to zero.")
    ] = PPOSettings.entropy_bonus,
    seed: Seed = PPOSettings.seed,
    threads: Threads = PPOSettings.threads,
    device: Device = PPOSettings.device,
    resume: Annotated[
        Path | None,
        typer.Option(metavar="FOLDER", help="Go on from the weights in this folder, without imitation.", exists=True),
    ] = None,
    out: Annotated[
        Path, typer.Option(metavar="FOLDER", help="Where to write policy.npy, value.npy and log.csv.")
    ] = PPOSettings.out,
) -> None:
    """Train a team's policy and value networks with proximal policy optimisation.

    At first the policy network imitates the game's own best bot, then it learns from thousands of games side by side.
    Made for an NVIDIA GPU and many cores; after the imitation, the games are played on the GPU, too.

    Example: `skerry train ppo forbidden-island --device cuda --seconds 900 --out runs/island`
    """
    settings = PPOSettings(
        vary=tuple(vary or ()),
        games=games,
        horizon=horizon,
        imitate=imitate,
        updates=updates,
        seconds=seconds,
        epochs=epochs,
        minibatches=minibatches,
        learning_rate=rate,
        clip_ratio=clip,
        gae_lambda=trace,
        entropy_bonus=entropy,
        seed=seed,
        threads=threads,
        device=device,
        resume=resume,
        out=out,
    )
    _train("ppo", "torch", game, settings)


@app.command()
def supervised(
    game: GameName,
    vary: Vary = None,
    games: Annotated[int, typer.Option(min=1, help="Games in all, or in each round.")] = SupervisedSettings.games,
    rounds: Annotated[
        int, typer.Option(min=0, help="Rounds of expert games; 0 trains on games of the game's own best bot.")
    ] = SupervisedSettings.rounds,
    rollouts: Annotated[
        int, typer.Option(min=1, help="Rollouts of the expert for each decision.")
    ] = SupervisedSettings.rollouts,
    ahead: Annotated[
        int | None, typer.Option(min=1, help="Turns that the expert's rollouts last; by default as the game says.")
    ] = None,
    epochs: Annotated[int, typer.Option(min=1, help="Passes over all positions.")] = SupervisedSettings.epochs,
    rate: PeakRate = SupervisedSettings.learning_rate,
    batch: BatchSize = SupervisedSettings.batch_size,
    seed: Seed = SupervisedSettings.seed,
    threads: Threads = SupervisedSettings.threads,
    device: Device = SupervisedSettings.device,
    weights: InitialWeights = None,
    out: ValueNetFile = None,
) -> None:
    """Train a value network from finished games.

    Without `--rounds` it learns from games of the game's own best bot. With it, each round plays games of the expert
    with the network trained so far, whose estimates count beside the results.

    Example: `skerry train supervised forbidden-island --games 300000 --out value.npy`
    """
    settings = SupervisedSettings(
        vary=tuple(vary or ()),
        games=games,
        rounds=rounds,
        rollouts=rollouts,
        rollout_turns=ahead,
        epochs=epochs,
        learning_rate=rate,
        batch_size=batch,
        seed=seed,
        threads=threads,
        device=device,
        weights=weights,
        out=out,
    )
    _train("supervised", "torch", game, settings)


@app.command("self-play")
def self_play(
    game: GameName,
    vary: Vary = None,
    games: Annotated[int, typer.Option(min=1, help="Games in each round.")] = SelfPlaySettings.games,
    rounds: Annotated[int, typer.Option(min=1, help="Rounds of playing and learning.")] = SelfPlaySettings.rounds,
    share: Annotated[
        float, typer.Option(min=0, max=1, help="Share of the positions that is learnt from.")
    ] = SelfPlaySettings.share,
    noise: Annotated[
        float,
        typer.Option(min=0, help="Relative noise on the weights that play, at first; falls linearly to zero."),
    ] = SelfPlaySettings.noise,
    rate: InitialRate = SelfPlaySettings.learning_rate,
    batch: BatchSize = SelfPlaySettings.batch_size,
    seed: Seed = SelfPlaySettings.seed,
    threads: Threads = SelfPlaySettings.threads,
    device: Device = SelfPlaySettings.device,
    weights: InitialWeights = None,
    out: ValueNetFile = None,
) -> None:
    """Train a value network by self-play with temporal differences.

    For games whose players are greedy by their value network, such as Hashi.

    Example: `skerry train self-play hashi --vary players=1 --vary board=A,B --games 600 --rounds 175`
    """
    settings = SelfPlaySettings(
        vary=tuple(vary or ()),
        games=games,
        rounds=rounds,
        share=share,
        noise=noise,
        learning_rate=rate,
        batch_size=batch,
        seed=seed,
        threads=threads,
        device=device,
        weights=weights,
        out=out,
    )
    _train("self_play", "torch", game, settings)


@app.command()
def evolution(
    game: GameName,
    vary: Vary = None,
    games: Annotated[
        int, typer.Option(min=1, help="Games of each candidate in each variant.")
    ] = EvolutionSettings.games,
    trials: Annotated[int, typer.Option(min=2, help="Candidates in each generation.")] = EvolutionSettings.candidates,
    generations: Annotated[
        int, typer.Option(min=1, help="Stop after this many generations.")
    ] = EvolutionSettings.generations,
    step: Annotated[float, typer.Option(min=0, help="Initial step size of the search.")] = EvolutionSettings.step_size,
    seconds: Seconds = EvolutionSettings.seconds,
    check: Annotated[
        int, typer.Option(min=1, help="Games in each variant for the comparison at the end.")
    ] = EvolutionSettings.check_games,
    start: Annotated[
        Path | None, typer.Option("--from", metavar="FILE.json", help="Begin with these weights.", exists=True)
    ] = None,
    cores: Annotated[int, typer.Option(min=1, help="CPU cores to use.")] = EvolutionSettings.cores,
    cuda: Annotated[bool, typer.Option("--cuda", help="Play on an NVIDIA GPU.")] = False,
    json: Annotated[Path | None, typer.Option(metavar="FILE.json", help="Write the weights to this file.")] = None,
) -> None:
    """Find better weights for a game's hand-written bot by evolution (CMA-ES).

    For co-operative games and for games alone. At the end, the weights found are compared with those at the start in
    new games.

    Example: `skerry train evolution forbidden-island --vary players=3 --games 200 --seconds 1800`
    """
    settings = EvolutionSettings(
        vary=tuple(vary or ()),
        games=games,
        candidates=trials,
        generations=generations,
        step_size=step,
        seconds=seconds,
        check_games=check,
        start=start,
        cores=cores,
        cuda=cuda,
        json=json,
    )
    _train("evolution", "cma", game, settings)


def _train(program: str, package: str, game: str, settings: Any) -> None:
    """Run a training program, or refuse where the package it needs is not installed."""
    found = find_game(game)
    try:
        importlib.import_module(package)
        module = importlib.import_module(f"skerry.train.{program}")
    except ImportError as missing:
        raise Refusal(f"training needs more packages ({missing.name}): pip install 'skerry[train]'") from None
    module.train(found, settings, _report)


def _report(line: str) -> None:
    print(line, flush=True)
