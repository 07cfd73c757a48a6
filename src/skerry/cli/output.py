"""What ``simulate`` and ``tournament`` ask for alike."""

from __future__ import annotations

import dataclasses
import functools
import inspect
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, get_type_hints

import typer

from skerry.cli.options import Json, Options, read_pairs
from skerry.engine.errors import BadOption

if TYPE_CHECKING:
    from skerry.lab.chunks import Backend

Sweep = Annotated[
    list[str] | None,
    typer.Option(
        "--sweep",
        "-s",
        metavar="NAME=VALUE,VALUE,…",
        help="Play every value of an option, or `NAME=all`; given several times, every combination. "
        "Roles: `roles=all` for all teams, `pairs`, or `roles=pilot+diver,…`. Also `bots=…`.",
    ),
]
Seed = Annotated[int, typer.Option(min=0, help="Another seed, other games; the same seed, the same games.")]
Limit = Annotated[int, typer.Option(min=1, help="Steps after which a game counts as unfinished.")]
Place = Annotated[
    str,
    typer.Option("--backend", help="Where games are played: `cores`, `cuda` (an NVIDIA GPU) or `ray` (a cluster)."),
]
Address = Annotated[
    str | None, typer.Option(metavar="HOST:PORT", help="The Ray cluster's; `local` starts one on this machine.")
]
CoresUsed = Annotated[int | None, typer.Option(min=1, help="Use so many cores; all by default.")]
KeepIn = Annotated[
    Path | None,
    typer.Option(
        metavar="FILE",
        help="Keep finished games in this file, and do not play again those that are in it. Without it they are kept "
        "until the run is finished, so that the same command goes on after an interruption.",
    ),
]
Csv = Annotated[bool, typer.Option("--csv", help="Print CSV, for spreadsheets.")]
Report = Annotated[
    Path | None,
    typer.Option(
        metavar="FILE.html", dir_okay=False, help="Write a report with plots: one page that needs no other file."
    ),
]


@dataclass(frozen=True)
class Study:
    """What is played besides the game itself, where, and what it leaves: a field an option of the command line."""

    option: Options = None
    sweep: Sweep = None
    seed: Seed = 0
    limit: Limit = 20_000
    backend: Place = "cores"
    address: Address = None
    cores: CoresUsed = None
    keep: KeepIn = None
    json: Json = False
    csv: Csv = False
    report: Report = None

    def __post_init__(self) -> None:
        if self.json and self.csv:
            raise BadOption("--json and --csv are two answers: choose one")
        if self.address is not None and self.backend != "ray":
            raise BadOption("--address is for --backend ray")
        if self.cores is not None and self.backend != "cores":
            raise BadOption("--cores is for --backend cores")
        if self.report is not None and not self.report.parent.is_dir():
            raise BadOption(f"--report: there is no folder {self.report.parent}")

    @functools.cached_property
    def options(self) -> dict[str, str]:
        return read_pairs(self.option)

    @functools.cached_property
    def vary(self) -> dict[str, str]:
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


def studying(command: Callable[..., None]) -> Callable[..., None]:
    """A command with the options of a study, which it is handed as ``study``. Typer reads options from a signature."""
    fields, kinds = dataclasses.fields(Study), get_type_hints(Study, include_extras=True)
    own = inspect.signature(command, eval_str=True)

    @functools.wraps(command)
    def run(**given: Any) -> None:
        study = Study(**{field.name: given.pop(field.name) for field in fields})
        command(**given, study=study)

    parameters = {name: one for name, one in own.parameters.items() if name != "study"} | {
        field.name: inspect.Parameter(
            field.name, inspect.Parameter.KEYWORD_ONLY, default=field.default, annotation=kinds[field.name]
        )
        for field in fields
    }
    run.__signature__ = own.replace(parameters=list(parameters.values()))  # type: ignore[attr-defined]
    return run
