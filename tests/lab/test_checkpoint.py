"""Checkpoint files: an interrupted run is resumed, and no game is counted twice."""

from __future__ import annotations

import json
import signal
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

import skerry
from skerry.engine.source_digest import source_digest, sources_outside
from skerry.lab import Series, simulate
from skerry.lab import series as series_module
from skerry.lab.checkpoint import Checkpoint, merge_ranges
from skerry.lab.chunks import Chunk, ChunkResult, GameRange, missing_ranges, play_chunk
from skerry.lab.series import play, weights_digest
from skerry.lab.simulate import SimulationRun
from skerry.lab.threads import ThreadBackend


def series(games: int = 60, seed: int = 3) -> Series:
    return Series(skerry.game("cartagena", players=2), ("random", "random"), games, seed)


class RecordingBackend(ThreadBackend):
    """A backend that records which games it plays."""

    def __init__(self) -> None:
        super().__init__(1)
        self.played: list[GameRange] = []

    def run(self, chunks: Iterator[Chunk]) -> Iterator[ChunkResult]:
        for chunk in chunks:
            self.played.append((chunk.first, chunk.count))
            yield play_chunk(chunk)


def stopped_run(path: Path, chunks: int, of: Series) -> SimulationRun:
    """A run that is stopped after some chunks."""
    run = SimulationRun([of], RecordingBackend(), Checkpoint(path))
    steps = iter(run)
    for _ in range(chunks):
        next(steps)
    steps.close()
    return run


def test_a_resumed_run_gives_the_same_tally_as_an_uninterrupted_one(tmp_path: Path) -> None:
    path = tmp_path / "kept.jsonl"
    before = stopped_run(path, 1, series()).finished_games
    assert 0 < before < 60
    backend = RecordingBackend()
    whole = simulate(series(), backend=backend, checkpoint=path)
    assert sum(count for _, count in backend.played) == 60 - before
    assert whole == simulate(series())
    assert simulate(series(), backend=(idle := RecordingBackend()), checkpoint=path) == whole and not idle.played


def test_a_checkpoint_serves_for_more_games_and_for_fewer(tmp_path: Path) -> None:
    path = tmp_path / "kept.jsonl"
    simulate(series(20), checkpoint=path)
    assert simulate(series(50), checkpoint=path) == simulate(series(50))
    assert simulate(series(10), checkpoint=path) == simulate(series(10))


def test_one_file_holds_several_series(tmp_path: Path) -> None:
    path = tmp_path / "kept.jsonl"
    simulate(series(), checkpoint=path)
    assert simulate(series(seed=4), checkpoint=path) == simulate(series(seed=4)) != simulate(series())
    assert series().key == series(games=7).key != series(seed=4).key


def test_games_of_a_line_cut_off_by_a_crash_are_played_again(tmp_path: Path) -> None:
    path = tmp_path / "kept.jsonl"
    stopped_run(path, 2, series())
    path.write_bytes(path.read_bytes()[:-30])
    assert simulate(series(), checkpoint=path) == simulate(series())
    assert simulate(series(), checkpoint=path) == simulate(series())


@pytest.mark.parametrize(
    "damage",
    [
        lambda line: {},
        lambda line: {"tally": line["tally"]},
        lambda line: {"series": line["series"], "tally": line["tally"]},
        lambda line: line | {"games": [["some", 3]]},
        lambda line: line | {"games": [[0, 1]]},
        lambda line: line | {"tally": {"endings": [1]}},
        lambda line: line | {"tally": 7},
    ],
)
def test_games_of_a_damaged_line_are_played_again(tmp_path: Path, damage: Callable[[Any], Any]) -> None:
    path = tmp_path / "kept.jsonl"
    whole = simulate(series(), checkpoint=path)
    *before, last = path.read_text().splitlines(keepends=True)
    path.write_text("".join([*before, json.dumps(damage(json.loads(last))) + "\n"]))
    assert simulate(series(), checkpoint=path) == whole


def test_a_repeated_line_counts_once(tmp_path: Path) -> None:
    path = tmp_path / "kept.jsonl"
    whole = simulate(series(), checkpoint=path)
    last = path.read_text().splitlines(keepends=True)[-1]
    path.write_text(path.read_text() + last)
    assert simulate(series(), checkpoint=path) == whole and whole.games == 60


def test_another_file_is_refused_and_left_unchanged(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)
    path = Path("notes.txt")
    path.write_text("buy bread\n")
    with pytest.raises(skerry.Refusal, match=r"not a checkpoint file of simulated games: notes\.txt"):
        simulate(series(), checkpoint=path)
    assert path.read_text() == "buy bread\n"


def test_a_description_plays_the_same_series_with_the_same_code_only() -> None:
    data = series().as_dict()
    there = Series.from_dict(data, 60)
    assert there.key == series().key and simulate(there) == simulate(series())
    with pytest.raises(skerry.BadOption, match="another version of Skerry"):
        Series.from_dict({**data, "code": "0123456789abcdef"}, 60)


def test_a_result_is_written_though_no_other_follows(tmp_path: Path) -> None:
    path = tmp_path / "kept.jsonl"
    run = SimulationRun([series()], RecordingBackend(), Checkpoint(path))
    next(steps := iter(run))
    limit = time.monotonic() + 60
    while not (kept := Checkpoint(path).load(series())[0].games):
        assert time.monotonic() < limit, "the result is not on disk"
        time.sleep(0.1)
    assert kept == run.finished_games
    steps.close()
    assert Checkpoint(path).load(series())[0] == run.tallies[0], "it is written once"


def test_ranges_are_merged_and_missing_ones_found() -> None:
    assert list(merge_ranges([(5, 5), (0, 5), (20, 1)])) == [(0, 10), (20, 1)]
    assert list(missing_ranges([(5, 5), (20, 1)], 30)) == [(0, 5), (10, 10), (21, 9)]
    assert list(missing_ranges([], 3)) == [(0, 3)] and not list(missing_ranges([(0, 3)], 3))


def test_chunks_in_progress_at_ctrl_c_are_finished_and_kept(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    backend, calls = ThreadBackend(1), list[int]()

    def play_slowly(of: Series, first: int, count: int) -> Any:
        calls.append(first)
        if len(calls) == 3:  # the first call compiles
            time.sleep(0.3)  # until the chunk before is counted and the backend waits
            signal.pthread_kill(threading.main_thread().ident or 0, signal.SIGINT)
            time.sleep(0.1)
        return play(of, first, count)

    monkeypatch.setattr(backend, "_play", play_slowly)
    handler_before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        run = SimulationRun([series()], backend, Checkpoint(tmp_path / "kept.jsonl"))
        with pytest.raises(KeyboardInterrupt):
            list(run)
    finally:
        signal.signal(signal.SIGINT, handler_before)
    assert len(calls) == 3, "no other chunk was begun"
    assert (
        Checkpoint(tmp_path / "kept.jsonl").load(series())[0].games == run.finished_games == 2 * ThreadBackend.min_chunk
    )


def test_the_weights_digest_covers_every_weight_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(series_module, "PACKAGE", tmp_path)
    digests = set()
    for name in ("value.npy", "policy.npy", "policy-2.npy"):
        (tmp_path / name).write_bytes(b"weights")
        digests.add(weights_digest.__wrapped__())
    (tmp_path / "policy.npy").write_bytes(b"other weights")
    digests.add(weights_digest.__wrapped__())
    assert len(digests) == 4


def test_a_change_in_another_package_is_noticed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """In the rules of a game and in what they call beside them, but not in its page."""
    package = tmp_path / "elsewhere"
    for folder in ("", "mine", "mine/rules", "mine/ui", "dice"):
        (package / folder).mkdir()
        (package / folder / "__init__.py").write_text("SIDES = 6\n")
    monkeypatch.syspath_prepend(tmp_path)

    def digest() -> str:
        source_digest.cache_clear()
        return source_digest(*sources_outside(("elsewhere.mine",)))

    before = digest()
    (package / "mine/ui/__init__.py").write_text("SIDES = 7\n")
    assert digest() == before
    for changed in ("mine/rules", "dice"):
        (package / changed / "__init__.py").write_text("SIDES = 8\n")
        assert digest() != before
        before = digest()
