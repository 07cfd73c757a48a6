"""Carries out the Dockerfile's own steps without a container engine, and checks the image: ``make image-proof``.

Each stage is a folder. The base image is replaced by a minimal Debian of the same release (debootstrap) with its own
Python of the same version; RUN lines are run by its ``sh`` in a chroot, with the environment and as the user that the
Dockerfile gives them; COPY copies files. Then the image's command runs as its user without a network, all files but
those of the volume and of /tmp are read-only, and the image's own health check is run beside it.

It needs Linux, root, debootstrap, the network, and ten minutes. It proves neither what a container engine does (layers,
networks, volumes) nor the contents of the official Python image. Packages come from where this machine's apt and pip
get them.
"""

from __future__ import annotations

import argparse
import fcntl
import http.client
import json
import os
import re
import shlex
import shutil
import signal
import socket
import struct
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from tests.packaging.dockerfile import ROOT, Stage, Step, ignored_patterns, read_copy, read_stages

FILES_OF_THE_MACHINE = "etc/resolv.conf", "etc/hosts", "etc/ssl/certs/ca-certificates.crt"
MOUNTS = 'mount -t proc proc "$TREE/proc"; mount --rbind /dev "$TREE/dev"'
READ_ONLY_MOUNTS = (
    'mount --bind "$TREE" "$TREE"; mount --bind "$VOLUME" "$TREE/data"; mount -t tmpfs tmpfs "$TREE/tmp"; '
    f'mount -o remount,bind,ro "$TREE"; {MOUNTS}'
)
COUNT_COMPILED_KERNELS = """
from skerry import bots
from skerry.engine.kernel_progress import listening
from skerry.games import all_games
with listening(lambda function: print(function.__qualname__)):
    for game in all_games():
        match = game.configure({}).new(seed=1)
        for step in range(8):
            seat = match.waiting[0]
            for name in (bots.RANDOM, *game.bots, bots.EXPERT):
                action = bots.find(game, name).with_time_limit(0.1).choose(match, seat, step)
            match.play(seat, action)
"""
GAMES = "forbidden-island", "forbidden-desert", "cartagena", "hashi"


def say(text: str) -> None:
    print(f"{time.strftime('%H:%M:%S')} {text}", flush=True)


# Building


def build(folder: Path) -> None:
    stages = read_stages()
    for stage in stages.values():
        tree = folder / stage.name
        say(f"FROM {stage.base} AS {stage.name}")
        if stage.base in stages:
            run(["cp", "--archive", "--reflink=auto", str(folder / stage.base), str(tree)])
        else:
            make_base(stage.base, tree)
        for step in stage.steps:
            carry_out(step, tree, folder)
        (tree / stage.folder.lstrip("/")).mkdir(parents=True, exist_ok=True)
    say(f"the image has {megabytes(tree)} MB, {megabytes(folder / 'base')} of them from its base")


def make_base(image: str, tree: Path) -> None:
    """A stand-in for ``python:3.13-slim-trixie``."""
    found = re.fullmatch(r"python:([\d.]+)-slim-(\w+)", image)
    assert found, f"no stand-in for {image}"
    version, release = found.groups()
    packages = "ca-certificates,python3,python3-venv"
    run(["debootstrap", "--variant=minbase", f"--include={packages}", release, str(tree), debian_mirror()])
    (tree / "usr/local/bin/python").symlink_to("/usr/bin/python3")
    for name in FILES_OF_THE_MACHINE:
        shutil.copyfile(Path("/", name), tree / name)
    check = f"import sys; assert sys.version.startswith('{version}.'), sys.version"
    run(in_tree(tree, ["python", "-c", check]))


def debian_mirror() -> str:
    """Where this machine's apt gets Debian from."""
    listed = run(["apt-get", "indextargets", "--format", "$(REPO_URI)", "Created-By: Packages", "Component: main"])
    return listed.split()[0]


def carry_out(step: Step, tree: Path, folder: Path) -> None:
    began = time.monotonic()
    if step.instruction == "RUN":
        (tree / step.folder.lstrip("/")).mkdir(parents=True, exist_ok=True)
        run(in_tree(tree, ["sh", "-c", step.value], step.environment, step.user, step.folder))
    else:
        copy = read_copy(step.value)
        for source in copy.sources:
            origin = folder / copy.source_stage / source.lstrip("/") if copy.source_stage else ROOT / source
            copy_into(origin, tree / step.folder.lstrip("/") / copy.target.lstrip("/"), source)
    say(f"  {time.monotonic() - began:5.1f} s  {step.instruction} {step.value}")


def copy_into(origin: Path, target: Path, source: str) -> None:
    """Copy as a container engine does: the content of a folder, and no file that .dockerignore leaves out."""
    if origin.is_dir():
        in_context = origin.is_relative_to(ROOT) and source in ignored_patterns()[1]
        ignore = shutil.ignore_patterns("__pycache__") if in_context else None
        shutil.copytree(origin, target, symlinks=True, ignore=ignore, dirs_exist_ok=True)
    else:
        target.mkdir(parents=True, exist_ok=True)
        shutil.copy2(origin, target)


def in_tree(
    tree: Path,
    command: list[str],
    environment: Mapping[str, str] | None = None,
    user: str = "root",
    folder: str = "/",
    mounts: str = MOUNTS,
    volume: Path | None = None,
) -> list[str]:
    """A command line that runs a command in a tree, with processes and mounts that end with it."""
    variables = {"PATH": "/usr/local/bin:/usr/bin:/usr/sbin:/bin:/sbin", "HOME": "/root", **(environment or {})}
    settings = ["env", "-i", *(f"{name}={value}" for name, value in variables.items())]
    enter = ["sh", "-c", f'cd {shlex.quote(folder)} && exec "$@"', "sh"]
    switch = [] if user == "root" else ["setpriv", f"--reuid={user}", f"--regid={user}", "--clear-groups"]
    chroot = ["chroot", str(tree), *settings, *switch, *enter, *command]
    prepare = f'set -e; TREE={shlex.quote(str(tree))} VOLUME={shlex.quote(str(volume))}; {mounts}; exec "$@"'
    return ["unshare", "--mount", "--pid", "--fork", "--kill-child", "sh", "-c", prepare, "sh", *chroot]


def run(command: list[str]) -> str:
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        raise SystemExit(f"{shlex.join(command)}\n{done.stdout[-3000:]}\n{done.stderr[-3000:]}")
    return done.stdout


def megabytes(tree: Path) -> int:
    return int(run(["du", "--summarize", "--block-size=1000000", "--one-file-system", str(tree)]).split()[0])


# Checking


def check(folder: Path) -> None:
    """Run the image's command. This process has a network of its own, with nothing in it but itself."""
    switch_on_loopback()
    stage = list(read_stages().values())[-1]
    tree, volume = folder / stage.name, folder / "volume"
    if not volume.exists():
        run(["cp", "--archive", str(tree / stage.volumes[0].lstrip("/")), str(volume)])
    environment = {**stage.environment, "HOME": stage.volumes[0]}
    command = in_tree(tree, [*stage.entrypoint, *stage.command], environment, stage.user, "/", READ_ONLY_MOUNTS, volume)
    began = time.monotonic()
    server = subprocess.Popen(command)
    try:
        wait_until_healthy(tree, stage, server)
        spent = processor_seconds(server.pid)
        say(f"healthy after {time.monotonic() - began:.1f} s and {spent:.1f} s of processor time")
        for game in GAMES:
            play_with_bots(game)
        say(f"bots have played all games after {time.monotonic() - began:.1f} s")
    finally:
        stop(server)
    assert (volume / "skerry.db").exists(), "the database is on the volume"
    code = ["python", "-c", COUNT_COMPILED_KERNELS]
    compiled = run(in_tree(tree, code, environment, stage.user, "/", READ_ONLY_MOUNTS, volume))
    assert not compiled, f"compiled in a container: {compiled}"
    say("all games and bots run from the cache of the image")


def switch_on_loopback() -> None:
    set_interface_flags, up_and_running = 0x8914, 0x41
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as any_socket:
        fcntl.ioctl(any_socket, set_interface_flags, struct.pack("16sh14x", b"lo", up_and_running))


def wait_until_healthy(tree: Path, stage: Stage, server: subprocess.Popen[bytes]) -> None:
    health = in_tree(tree, ["sh", "-c", stage.healthcheck], stage.environment, stage.user)
    limit = time.monotonic() + 300
    while subprocess.run(health, capture_output=True).returncode:
        assert server.poll() is None, "the server has ended"
        assert time.monotonic() < limit, "the server does not get healthy"
        time.sleep(0.2)


def stop(server: subprocess.Popen[bytes]) -> None:
    """Send SIGTERM to the first process in the tree, as a container engine does."""
    try:
        for child in children(server.pid):
            os.kill(child, signal.SIGTERM)
        assert server.wait(30) == 0, "the server does not stop by itself"
    finally:
        server.kill()  # ends all processes in the tree


def children(pid: int) -> list[int]:
    return [int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]


def play_with_bots(game: str) -> None:
    """Open a match of bots, and wait until they have played ten steps; one of them searches."""
    token = request("POST", "/guests", {"name": "Ana"})["token"]
    body = {"game": game, "options": {"players": 2}, "seats": ["expert", "skilled"]}
    match = request("POST", "/matches", body, token)["id"]
    limit = time.monotonic() + 120
    while request("GET", f"/matches/{match}", None, token)["seq"] < 10:
        assert time.monotonic() < limit, f"the bots do not play {game}"
        time.sleep(0.2)


def request(method: str, path: str, body: Any, token: str = "") -> Any:
    headers = {"content-type": "application/json", **({"authorization": f"Bearer {token}"} if token else {})}
    connection = http.client.HTTPConnection("127.0.0.1", 8000, timeout=60)
    connection.request(method, f"/api/v1{path}", json.dumps(body) if body is not None else None, headers)
    answer = connection.getresponse()
    content = answer.read()
    assert answer.status < 300, content
    return json.loads(content)


def processor_seconds(pid: int) -> float:
    """The processor time of a process and of all below it, in seconds."""
    status = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    ticks = sum(map(int, status[11:15]))  # its own, and that of its children that have ended
    return ticks / os.sysconf("SC_CLK_TCK") + sum(map(processor_seconds, children(pid)))


def main() -> None:
    parser = argparse.ArgumentParser(description="Carry out the Dockerfile's steps in a folder, and check the image.")
    parser.add_argument("command", choices=["build", "check", "all"], nargs="?", default="all")
    parser.add_argument("--folder", type=Path, help="where the stages are; by default a temporary folder")
    arguments = parser.parse_args()
    if os.geteuid():
        raise SystemExit("image_proof: only root may use chroot")
    if not shutil.which("debootstrap"):
        raise SystemExit("image_proof: no debootstrap: apt-get install debootstrap")
    folder = arguments.folder or Path(tempfile.mkdtemp(prefix="skerry-image-"))
    try:
        if arguments.command in ("build", "all"):
            build(folder)
        if arguments.command == "check":
            check(folder)
        elif arguments.command == "all":
            again = [sys.executable, "-m", "tests.packaging.image_proof", "check", "--folder", str(folder)]
            subprocess.run(["unshare", "--net", *again], cwd=ROOT, check=True)
    finally:
        if arguments.folder is None:
            shutil.rmtree(folder)


if __name__ == "__main__":
    main()
