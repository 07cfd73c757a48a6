"""Options that ``simulate`` and ``tournament`` share."""

from __future__ import annotations

import functools
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, get_type_hints

import typer

from skerry.cli.options import CustomBots, Json, Options, read_options, register_bots
from skerry.cli.settings_options import with_fields
from skerry.engine.errors import BadOption

if TYPE_CHECKING:
    from skerry.lab.chunks import Backend

Sweep = Annotated[
    list[str] | None,
    typer.Option(
        "--sweep",
        "-s",
        metavar="NAME=VALUE,VALUE,…",
        help="Play every given value of an option, or all of them with `NAME=all`. If repeated, every combination is "
        "played. Dealt roles: `roles=all` for all teams, `roles=singles`, `roles=pairs`, or `roles=pilot+diver,…`. "
        "Bots: `bots=…`.",
    ),
]
Seed = Annotated[int, typer.Option(min=0, help="Seed of the games. The same seed gives the same games.")]
StepLimit = Annotated[int, typer.Option(min=1, help="Number of actions after which a game counts as unfinished.")]
BackendName = Annotated[
    str,
    typer.Option("--backend", help="Where to play: `cores` (CPU), `cuda` (an NVIDIA GPU) or `ray` (a cluster)."),
]
Address = Annotated[
    str | None,
    typer.Option(metavar="HOST:PORT", help="Address of the Ray cluster; `local` starts one on this machine."),
]
Cores = Annotated[int | None, typer.Option(min=1, help="Number of CPU cores to use; all by default.")]
CheckpointFile = Annotated[
    Path | None,
    typer.Option(
        metavar="FILE",
        help="Keep finished games in this file, and do not play games again that are in it. Without this option, "
        "games are kept until the run is complete, so that the same command resumes an interrupted run.",
    ),
]
Csv = Annotated[bool, typer.Option("--csv", help="Print CSV.")]
Report = Annotated[
    Path | None,
    typer.Option(metavar="FILE.html", dir_okay=False, help="Write a report with plots, as one self-contained page."),
]


@dataclass(frozen=True)
class SimulationOptions:
    """The values of the shared options. Each field is an option of the command line, with its default."""

    option: Options = None
    bot: CustomBots = None
    sweep: Sweep = None
    seed: Seed = 0
    limit: StepLimit = 20_000
    backend: BackendName = "cores"
    address: Address = None
    cores: Cores = None
    keep: CheckpointFile = None
    json: Json = False
    csv: Csv = False
    report: Report = None

    def __post_init__(self) -> None:
        if self.json and self.csv:
            raise BadOption("--json and --csv cannot be combined")
        if self.address is not None and self.backend != "ray":
            raise BadOption("--address is for --backend ray")
        if self.cores is not None and self.backend != "cores":
            raise BadOption("--cores is for --backend cores")
        if self.report is not None and not self.report.parent.is_dir():
            raise BadOption(f"--report: there is no folder {self.report.parent}")

    @functools.cached_property
    def custom_bots(self) -> tuple[str, ...]:
        """The names of the bots that are registered by this command."""
        return register_bots(self.bot)

    @functools.cached_property
    def options(self) -> dict[str, str]:
        """The options of the game."""
        return read_options(self.option)

    @functools.cached_property
    def vary(self) -> dict[str, str]:
        """The options to sweep over."""
        from skerry.lab.sweep import read_vary

        return read_vary(self.sweep or [])

    def make_backend(self) -> Backend:
        if self.backend == "cores":
            from skerry.lab.threads import ThreadBackend

            return ThreadBackend(self.cores)
        if self.backend == "cuda":
            from skerry.lab.cuda import CudaBackend

            return CudaBackend()
        if self.backend == "ray":
            from skerry.lab.ray import RayBackend

            return RayBackend(self.address or "auto")
        raise BadOption(f"--backend is cores, cuda or ray, not {self.backend!r}")


with_simulation_options = with_fields(SimulationOptions, get_type_hints(SimulationOptions, include_extras=True))
