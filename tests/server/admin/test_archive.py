"""Archives: what was written is read again, and nothing else is accepted."""

from __future__ import annotations

import gzip
import json
import random
import stat
from pathlib import Path
from typing import Any

import pytest

from skerry.engine.errors import Refusal
from skerry.server.admin.archive import BACKUP, MATCH, ArchiveReader, BadArchive, Section, new_archive

PEOPLE = Section("people", ("name", "age", "picture"), ("picture",))
ROWS: list[list[Any]] = [
    ["Ana", 0.1 + 0.2, bytes(range(256))],
    ['"Ünï\ud800\n', 2**53 + 1, b""],
    [None, True, None],
]


def write(path: Path, rows: list[list[Any]] = ROWS, overwrite: bool = False) -> Path:
    with new_archive(path, BACKUP, "0001", overwrite) as archive:
        archive.begin(Section("nobody", ("name",), ()))
        archive.begin(PEOPLE)
        for row in rows:
            archive.add(row)
    return path


def read(path: Path) -> list[Any]:
    return [row.values for row in ArchiveReader(path, BACKUP).rows()]


def test_rows_come_back_as_they_were(tmp_path: Path) -> None:
    path = write(tmp_path / "a")
    assert read(path) == ROWS
    reader = ArchiveReader(path, BACKUP)
    assert reader.check() == {"people": 3} and reader.manifest.schema == "0001"
    assert {row.section for row in reader.rows()} == {PEOPLE}


def test_only_its_owner_can_read_it(tmp_path: Path) -> None:
    assert stat.S_IMODE(write(tmp_path / "a").stat().st_mode) == 0o600


def test_a_file_is_not_overwritten_by_accident(tmp_path: Path) -> None:
    path = write(tmp_path / "a")
    with pytest.raises(Refusal, match="exists already"):
        write(path, [])
    assert read(path) == ROWS
    assert read(write(path, [], overwrite=True)) == []


def test_an_archive_that_could_not_be_finished_is_not_there(tmp_path: Path) -> None:
    path = write(tmp_path / "a")
    with pytest.raises(ValueError, match="longer than argument"):
        write(path, [["too", "short"]], overwrite=True)
    assert read(path) == ROWS and [file.name for file in tmp_path.iterdir()] == ["a"]


def test_a_cut_file_is_refused(tmp_path: Path) -> None:
    content = write(tmp_path / "a").read_bytes()
    for length in range(len(content)):
        (tmp_path / "cut").write_bytes(content[:length])
        with pytest.raises(BadArchive, match="damaged"):
            ArchiveReader(tmp_path / "cut", BACKUP).check()


HEADER_SIZE = 10  # of gzip


def test_a_changed_byte_is_refused_or_changes_nothing(tmp_path: Path) -> None:
    """Unnoticed may change only what has no meaning: the header of gzip, and the bits that fill up its last byte."""
    content = write(tmp_path / "a").read_bytes()
    chance, unnoticed = random.Random(1), list[int]()
    for place in range(len(content)):
        changed = bytearray(content)
        changed[place] ^= chance.randrange(1, 256)
        (tmp_path / "changed").write_bytes(changed)
        try:
            ArchiveReader(tmp_path / "changed", BACKUP).check()
            assert read(tmp_path / "changed") == ROWS
            unnoticed.append(place)
        except BadArchive:
            continue
    assert len([place for place in unnoticed if place >= HEADER_SIZE]) <= 1


def lines_of(path: Path) -> list[bytes]:
    return gzip.decompress(path.read_bytes()).splitlines(keepends=True)


@pytest.mark.parametrize("edit", ["drop a row", "repeat a row", "change a row", "drop the end", "go on after the end"])
def test_an_edited_file_is_refused(tmp_path: Path, edit: str) -> None:
    lines = lines_of(write(tmp_path / "a"))
    match edit:
        case "drop a row":
            del lines[4]
        case "repeat a row":
            lines.insert(4, lines[4])
        case "change a row":
            lines[3] = lines[3].replace(b"Ana", b"Eva")
        case "drop the end":
            del lines[-1]
        case _:
            lines.append(lines[4])
    (tmp_path / "edited").write_bytes(gzip.compress(b"".join(lines)))
    with pytest.raises(BadArchive, match="damaged"):
        ArchiveReader(tmp_path / "edited", BACKUP).check()


def test_a_file_of_a_later_format_is_refused_by_its_version(tmp_path: Path) -> None:
    manifest, *lines = lines_of(write(tmp_path / "a"))
    later = json.loads(manifest) | {"format": f"{BACKUP} 2", "skerry": "99.1"}
    (tmp_path / "later").write_bytes(gzip.compress(json.dumps(later).encode() + b"\n" + b"".join(lines)))
    with pytest.raises(BadArchive, match=r"later version of Skerry \(99\.1\)"):
        ArchiveReader(tmp_path / "later", BACKUP)


def test_a_file_of_another_kind_is_refused_by_its_kind(tmp_path: Path) -> None:
    with pytest.raises(BadArchive, match="is a skerry backup, not a skerry match"):
        ArchiveReader(write(tmp_path / "a"), MATCH)


@pytest.mark.parametrize(
    "content",
    [b"", b"hello", gzip.compress(b"hello\n"), gzip.compress(b"[" * 100_000 + b"\n")],
    ids=["nothing", "a text", "a packed text", "far too deep"],
)
def test_what_is_no_archive_is_refused(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "other").write_bytes(content)
    with pytest.raises(BadArchive, match="damaged, cut, or not one of Skerry"):
        ArchiveReader(tmp_path / "other", BACKUP).check()


def test_a_missing_file_is_refused_by_its_name(tmp_path: Path) -> None:
    with pytest.raises(BadArchive, match=r"nowhere.*No such file"):
        ArchiveReader(tmp_path / "nowhere", BACKUP)


def test_a_missing_folder_is_refused_by_its_name(tmp_path: Path) -> None:
    with pytest.raises(Refusal, match=r"no folder .*nowhere"):
        write(tmp_path / "nowhere" / "a")
