"""Without an extra, each thing that needs it says in one line how to install it."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.python_process import process_environment

SERVE = ("serve", "--port", "0")
SIMULATE = ("simulate", "cartagena", "--games", "1")
POSTGRESQL = "postgresql://skerry:secret@127.0.0.1:9/skerry"


def run_without(folder: Path, package: str, code: str) -> subprocess.CompletedProcess[str]:
    """Run some code as if a package were not installed."""
    (folder / "sitecustomize.py").write_text(
        "import sys\n"
        "class Missing:\n"
        "    def find_spec(self, name, path=None, target=None):\n"
        f"        if name.partition('.')[0] == {package!r}:\n"
        "            raise ModuleNotFoundError(f'No module named {name!r}', name=name)\n"
        "sys.meta_path.insert(0, Missing())\n"
    )
    environment = process_environment(folder, SKERRY_INTERPRET="1", SKERRY_DATA=str(folder))
    return subprocess.run(
        [sys.executable, "-c", code], env=environment, cwd=folder, capture_output=True, text=True, timeout=120
    )


@pytest.mark.parametrize(
    ("arguments", "package", "extra"),
    [
        (SERVE, "uvicorn", "server"),
        (SERVE, "fastapi", "server"),
        ((*SERVE, "--redis", "redis://127.0.0.1:9"), "redis", "hosted"),
        ((*SERVE, "--database", POSTGRESQL), "asyncpg", "hosted"),
        (("play", "cartagena", "--lang", "es"), "babel", "server"),
        ((*SIMULATE, "--backend", "ray"), "ray", "ray"),
        (("train", "ppo", "cartagena"), "torch", "train"),
        (("train", "evolution", "cartagena"), "cma", "train"),
        (("board", "orders", "A"), "ortools", "solver"),
    ],
)
def test_a_command_names_the_extra_it_needs(
    tmp_path: Path, arguments: tuple[str, ...], package: str, extra: str
) -> None:
    code = f"import sys; sys.argv = ['skerry', *{arguments!r}]\nfrom skerry.cli import main; main()"
    done = run_without(tmp_path, package, code)
    assert done.returncode == 2 and "Traceback" not in done.stderr
    assert done.stderr.endswith(f": pip install 'skerry[{extra}]'\n")


@pytest.mark.parametrize(
    ("module", "package", "extra"),
    [
        ("gymnasium", "gymnasium", "envs"),
        ("pettingzoo", "pettingzoo", "envs"),
        ("open_spiel", "pyspiel", "open-spiel"),
    ],
)
def test_an_environment_names_the_extra_it_needs(tmp_path: Path, module: str, package: str, extra: str) -> None:
    done = run_without(tmp_path, package, f"import skerry.envs.{module}")
    assert done.stderr.splitlines()[-1].endswith(f"is not installed: pip install 'skerry[{extra}]'")
