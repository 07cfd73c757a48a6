"""The Dockerfile and compose.yaml name only what exists. ``image_proof.py`` carries out the steps of the Dockerfile."""

from __future__ import annotations

import re
import subprocess
import sys
from typing import Any

import pytest
import yaml

from tests.packaging.dockerfile import ROOT, Stage, ignored_patterns, read_copy, read_stages
from tests.test_docs import code_blocks

PROJECT = (ROOT / "pyproject.toml").read_text()
COMPOSE_TEXT = (ROOT / "compose.yaml").read_text()
COMPOSE: dict[str, Any] = yaml.safe_load(COMPOSE_TEXT)
HOSTING = (ROOT / "docs/hosting.md").read_text()
SERVERS = {name: service for name, service in COMPOSE["services"].items() if service["image"] == "skerry"}


@pytest.fixture(scope="module")
def stages() -> dict[str, Stage]:
    return read_stages()


@pytest.fixture(scope="module")
def image(stages: dict[str, Stage]) -> Stage:
    return list(stages.values())[-1]


@pytest.fixture(scope="module")
def serve_options() -> set[str]:
    command = [sys.executable, "-m", "skerry.cli", "serve", "--help"]
    return set(re.findall(r"--[a-z]+", subprocess.run(command, capture_output=True, text=True, check=True).stdout))


# The Dockerfile


def test_what_is_copied_exists_and_is_not_ignored(stages: dict[str, Stage]) -> None:
    ignored, kept = ignored_patterns()
    assert ignored == ["*", "**/__pycache__"]
    copies = [read_copy(step.value) for stage in stages.values() for step in stage.steps if step.instruction == "COPY"]
    from_context = {source for copy in copies if not copy.source_stage for source in copy.sources}
    assert from_context == set(kept)
    assert all((ROOT / source).exists() for source in from_context)
    assert all(copy.source_stage in stages for copy in copies if copy.source_stage)


def test_the_wheel_finds_all_files_that_its_metadata_names(stages: dict[str, Stage]) -> None:
    named = {"pyproject.toml", *re.findall(r'^readme = "(.*)"', PROJECT, re.MULTILINE), "LICENSE", "src"}
    assert named == set(ignored_patterns()[1])


def test_the_extra_that_is_installed_exists(stages: dict[str, Stage]) -> None:
    (install,) = [step.value for step in stages["build"].steps if "pip install" in step.value]
    (extra,) = re.findall(r"\[([\w-]+)\]\"$", install)
    assert re.search(rf"^{extra} = \[", PROJECT, re.MULTILINE)


def test_the_python_of_the_image_is_supported(stages: dict[str, Stage]) -> None:
    version = re.fullmatch(r"python:3\.(\d+)-slim-\w+", stages["base"].base)
    oldest = re.search(r'requires-python = ">=3\.(\d+)"', PROJECT)
    assert version and oldest and int(version[1]) >= int(oldest[1])


def test_build_and_run_use_the_same_compiler_settings(stages: dict[str, Stage], image: Stage) -> None:
    """The names of cached kernels contain the processor and its features."""
    build = stages["build"]
    assert image.base == build.base == "base"
    for name in ("NUMBA_CPU_NAME", "NUMBA_CPU_FEATURES", "SKERRY_CACHE"):
        assert name in stages["base"].environment
        assert build.environment[name] == image.environment[name]
    assert image.environment["NUMBA_CPU_NAME"] == "generic", "not the machine that builds the image"
    assert image.environment["NUMBA_CPU_FEATURES"] == ""
    assert [step.value for step in build.steps][-1].endswith("python -m skerry.cli.warm_up")


def test_the_image_contains_the_program_and_the_compiled_kernels(image: Stage) -> None:
    (copy,) = [read_copy(step.value) for step in image.steps if step.instruction == "COPY"]
    assert copy.sources == [copy.target], "a virtual environment cannot be moved"
    assert image.environment["SKERRY_CACHE"].startswith(f"{copy.target}/")
    assert image.environment["PATH"].startswith(f"{copy.target}/bin:")


def test_the_server_does_not_run_as_root_and_owns_its_volume(image: Stage) -> None:
    assert image.user == "skerry"
    setup = image.steps[0].value
    assert re.search(r"useradd .*\bskerry\b", setup)
    (volume,) = image.volumes
    assert image.environment["SKERRY_DATA"] == volume
    assert re.search(rf"--owner skerry .*{volume}\b", setup)


def test_the_command_has_options_of_serve(image: Stage, serve_options: set[str]) -> None:
    assert image.entrypoint == ["skerry"]
    subcommand, *options = image.command
    assert subcommand == "serve"
    assert {option for option in options if option.startswith("--")} <= serve_options


def test_the_health_check_asks_the_port_that_is_exposed(image: Stage) -> None:
    assert image.ports == [8000]
    assert "'127.0.0.1', 8000" in image.healthcheck and "'/healthz'" in image.healthcheck
    assert "GET /healthz" in HOSTING


# compose.yaml


def test_the_processes_have_options_of_serve(serve_options: set[str]) -> None:
    assert len(SERVERS) >= 2
    for service in SERVERS.values():
        subcommand, *options = service["command"]
        assert subcommand == "serve" and options[:2] == ["--host", "0.0.0.0"]
        assert {option for option in options if option.startswith("--")} <= serve_options


def test_the_environment_is_documented() -> None:
    table = HOSTING[HOSTING.index("| option of") : HOSTING.index("## One machine")]
    for service in SERVERS.values():
        assert all(f"`{name}`" in table for name in service["environment"])


def test_the_variables_of_compose_are_those_of_the_example_file() -> None:
    example = (ROOT / "deploy/example.env").read_text()
    assert set(re.findall(r"\$\{(\w+)", COMPOSE_TEXT)) == set(re.findall(r"^(\w+)=", example, re.MULTILINE))


def test_services_wait_for_services_with_a_health_check(image: Stage) -> None:
    services = COMPOSE["services"]
    for service in services.values():
        for name, condition in service.get("depends_on", {}).items():
            assert condition == {"condition": "service_healthy"}
            assert "healthcheck" in services[name] or (name in SERVERS and image.healthcheck)
        assert service["restart"] == "unless-stopped"


def test_addresses_are_names_of_services() -> None:
    for service in SERVERS.values():
        urls = service["environment"]["SKERRY_DATABASE"], service["environment"]["SKERRY_REDIS"]
        hosts = [re.search(r"(?://|@)([a-z-]+)[:/]", re.sub(r"//.*@", "//", url)) for url in urls]
        assert [found[1] for found in hosts if found] == ["postgres", "redis"]
        assert set(service["depends_on"]) == {"postgres", "redis"}


def test_the_processes_share_one_database_and_their_user_may_write_to_it() -> None:
    postgres = COMPOSE["services"]["postgres"]["environment"]
    for service in SERVERS.values():
        url = service["environment"]["SKERRY_DATABASE"]
        assert url.startswith(f"postgresql://{postgres['POSTGRES_USER']}:")
        assert url.endswith(f"/{postgres['POSTGRES_DB']}")
        assert postgres["POSTGRES_PASSWORD"] in url


def test_named_volumes_are_declared_and_used(image: Stage) -> None:
    mounts = [mount for service in COMPOSE["services"].values() for mount in service.get("volumes", [])]
    named = {mount.split(":")[0] for mount in mounts if not mount.startswith(".")}
    assert named == set(COMPOSE["volumes"])
    assert all((ROOT / mount.split(":")[0]).exists() for mount in mounts if mount.startswith("."))
    for service in SERVERS.values():
        assert set(image.volumes) <= set(service["tmpfs"]), "no volume without a name"


def test_the_proxy_is_the_documented_one_and_knows_all_processes(image: Stage) -> None:
    (documented,) = code_blocks("docs/hosting.md", "caddyfile")
    upstreams = " ".join(f"{name}:{image.ports[0]}" for name in SERVERS)
    expected = documented.replace("127.0.0.1:8001 127.0.0.1:8002", upstreams)
    assert (ROOT / "deploy/Caddyfile").read_text() == expected.replace("play.example.org", "{$SKERRY_SITE}")


def test_a_process_has_time_to_finish_its_requests() -> None:
    assert all(service["stop_grace_period"] == "30s" for service in SERVERS.values())
    assert "TimeoutStopSec=30" in HOSTING


def test_secrets_are_neither_in_git_nor_in_the_image() -> None:
    assert ".env" in (ROOT / ".gitignore").read_text().split("\n")
    assert not any(".env" in kept for kept in ignored_patterns()[1])
