"""Reads the repository's Dockerfile: its stages, with what each inherits from the stage it is based on."""

from __future__ import annotations

import io
import json
import re
import shlex
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

from dockerfile_parse import DockerfileParser

ROOT = Path(__file__).parents[2]


class Step(NamedTuple):
    """An instruction that changes the files of an image, and the environment and user it runs with."""

    instruction: str  # RUN or COPY
    value: str
    environment: dict[str, str]
    user: str
    folder: str


@dataclass
class Stage:
    name: str
    base: str  # another stage, or an image
    environment: dict[str, str] = field(default_factory=dict)
    user: str = "root"
    folder: str = "/"
    steps: list[Step] = field(default_factory=list)
    volumes: list[str] = field(default_factory=list)
    ports: list[int] = field(default_factory=list)
    healthcheck: str = ""  # a shell command
    entrypoint: list[str] = field(default_factory=list)
    command: list[str] = field(default_factory=list)

    def add(self, instruction: str, value: str) -> None:
        match instruction:
            case "ENV":
                self.environment |= dict(_assignment(item) for item in shlex.split(self._substitute(value)))
            case "RUN" | "COPY":
                self.steps.append(Step(instruction, value, dict(self.environment), self.user, self.folder))
            case "WORKDIR":
                self.folder = self._substitute(value)
            case "USER":
                self.user = value
            case _:
                self._add_metadata(instruction, value)

    def _add_metadata(self, instruction: str, value: str) -> None:
        match instruction:
            case "VOLUME":
                self.volumes.append(value)
            case "EXPOSE":
                self.ports.append(int(value))
            case "HEALTHCHECK":
                self.healthcheck = value.split("CMD ", 1)[1]
            case "ENTRYPOINT":
                self.entrypoint = json.loads(value)
            case "CMD":
                self.command = json.loads(value)
            case _:
                raise ValueError(f"the reader does not know {instruction}")

    def _substitute(self, text: str) -> str:
        known = {"PATH": "/usr/local/bin:/usr/local/sbin:/usr/bin:/usr/sbin:/bin:/sbin"} | self.environment
        return re.sub(r"\$\{(\w+)\}", lambda found: known[found[1]], text)


def _assignment(item: str) -> tuple[str, str]:
    name, _, value = item.partition("=")
    return name, value


def read_stages(path: Path = ROOT / "Dockerfile") -> dict[str, Stage]:
    """The stages by name. The last one is the image, and is called ``image`` if it has no name."""
    stages: dict[str, Stage] = {}
    for parsed in DockerfileParser(fileobj=io.BytesIO(path.read_bytes())).structure:
        instruction, value = parsed["instruction"], parsed["value"]
        if instruction == "COMMENT":
            continue
        if instruction == "FROM":
            base, _, name = value.partition(" AS ")
            inherited = stages.get(base, Stage("", ""))
            stage = Stage(name or "image", base, dict(inherited.environment))
            stages[stage.name] = stage
        else:
            stage.add(instruction, value)
    return stages


class Copy(NamedTuple):
    source_stage: str  # empty: the build context
    sources: list[str]
    target: str


def read_copy(value: str) -> Copy:
    words = value.split()
    stage = ""
    if words[0].startswith("--"):
        option, _, stage = words.pop(0).partition("=")
        assert option == "--from", f"the reader does not know {option}"
    *sources, target = words
    return Copy(stage, sources, target)


def ignored_patterns() -> tuple[list[str], list[str]]:
    """What .dockerignore leaves out, and what of that it keeps."""
    lines = [line for line in (ROOT / ".dockerignore").read_text().split("\n") if line and not line.startswith("#")]
    return [line for line in lines if line[0] != "!"], [line[1:] for line in lines if line[0] == "!"]
