"""Installed packages that offer games, written into a folder as an installer leaves them."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

ROOT = Path(__file__).parents[2]
EXAMPLES = ROOT / "examples/games/src"
TIC_TAC_TOE = (EXAMPLES / "skerry_example_games/tic_tac_toe.py").read_text()


def install(folder: Path, distribution: str, modules: Mapping[str, str], games: Mapping[str, str]) -> None:
    """A distribution with some modules and the entry points of its games."""
    for name, code in modules.items():
        (folder / f"{name}.py").write_text(code)
    metadata = folder / f"{distribution}-1.0.dist-info"
    metadata.mkdir()
    (metadata / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {distribution}\nVersion: 1.0\n")
    lines = [f"{name} = {place}" for name, place in games.items()]
    (metadata / "entry_points.txt").write_text("\n".join(["[skerry.games]", *lines, ""]))


def renamed(name: str, contract: int = 1) -> str:
    """The module of tic-tac-toe under another name, written for a version of the contract."""
    fact = f'name="{name}",\n    contract={contract},'
    return TIC_TAC_TOE.replace('name="tic-tac-toe",', fact)
