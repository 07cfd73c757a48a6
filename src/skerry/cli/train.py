"""``skerry train``: the training programs."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from typing import Annotated, Any, get_args, get_type_hints

import typer

from skerry.cli.options import GameName
from skerry.cli.settings_options import Command, with_fields
from skerry.engine.errors import Refusal
from skerry.games import find_game
from skerry.train.settings import EvolutionSettings, PPOSettings, SelfPlaySettings, Setting, SupervisedSettings

app = typer.Typer(
    help="Train the networks and the weights that bots play by. Needs `pip install 'skerry[train]'`.",
    no_args_is_help=True,
)


def with_settings(settings_type: type[Any]) -> Callable[[Command], Command]:
    """Give a command the settings of a training program as options."""
    hints = get_type_hints(settings_type, include_extras=True)
    return with_fields(settings_type, {name: _as_option(name, hint) for name, hint in hints.items()})


def _as_option(name: str, hint: Any) -> Any:
    """The type of a setting as Typer takes it."""
    kind, setting = get_args(hint)
    assert isinstance(setting, Setting)
    option = typer.Option(
        setting.flag or f"--{name.replace('_', '-')}",
        help=setting.help,
        min=setting.min,
        max=setting.max,
        metavar=setting.metavar,
        exists=setting.exists,
    )
    return Annotated[list[str] | None if kind == tuple[str, ...] else kind, option]


@app.command()
@with_settings(PPOSettings)
def ppo(game: GameName, settings: PPOSettings) -> None:
    """Train a team's policy and value networks with proximal policy optimisation.

    At first the policy network imitates the game's own best bot, then it learns from thousands of games side by side.
    Made for an NVIDIA GPU and many cores; after the imitation, the games are played on the GPU, too.

    Example: `skerry train ppo forbidden-island --device cuda --seconds 900 --out runs/island`
    """
    _train("ppo", "torch", game, settings)


@app.command()
@with_settings(SupervisedSettings)
def supervised(game: GameName, settings: SupervisedSettings) -> None:
    """Train a value network from finished games.

    Without `--rounds` it learns from games of the game's own best bot. With it, each round plays games of the expert
    with the network trained so far, whose estimates count beside the results.

    Example: `skerry train supervised forbidden-island --games 300000 --out value.npy`
    """
    _train("supervised", "torch", game, settings)


@app.command("self-play")
@with_settings(SelfPlaySettings)
def self_play(game: GameName, settings: SelfPlaySettings) -> None:
    """Train a value network by self-play with temporal differences.

    For games whose players are greedy by their value network, such as Hashi.

    Example: `skerry train self-play hashi --vary players=1 --vary board=A,B --games 600 --rounds 175`
    """
    _train("self_play", "torch", game, settings)


@app.command()
@with_settings(EvolutionSettings)
def evolution(game: GameName, settings: EvolutionSettings) -> None:
    """Find better weights for a game's hand-written bot by evolution (CMA-ES).

    For co-operative games and for solo games. At the end, the weights found are compared with those at the start in
    new games.

    Example: `skerry train evolution forbidden-island --vary players=3 --games 200 --seconds 1800`
    """
    _train("evolution", "cma", game, settings)


def _train(program: str, package: str, game: str, settings: Any) -> None:
    """Run a training program, or refuse where the package it needs is not installed."""
    from skerry.cli.compile_progress import compile_progress  # imports numba

    found = find_game(game)
    try:
        importlib.import_module(package)
        module = importlib.import_module(f"skerry.train.{program}")
    except ImportError as missing:
        raise Refusal(f"training needs more packages ({missing.name}): pip install 'skerry[train]'") from None
    with compile_progress(found.title) as progress:

        def report(line: str, /) -> None:
            progress.erase()
            print(line, flush=True)

        module.train(found, settings, report)
