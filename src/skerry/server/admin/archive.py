"""Archives: the file format of backups and of exported matches.

An archive is gzip-compressed text, one JSON value a line, so that ``zcat`` shows it:

- a manifest: an object with ``format``, the schema's revision, when it was written and by which version;
- for each section an object with its name and its columns, and then an array for each row;
- an end: an object with the number of rows of each section and the SHA-256 digest of all lines before it.

Bytes are written in base64; a section says which of its columns are bytes. An archive that was cut, or in which a byte
has changed, is refused: by gzip's checksum, by the digest, or because the end is missing.
"""

from __future__ import annotations

import base64
import contextlib
import gzip
import hashlib
import json
import os
import time
import zlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple, NoReturn, cast

from skerry.engine.errors import Refusal
from skerry.engine.messages import Message, say

BACKUP, MATCH = "skerry backup", "skerry match"
VERSION = 1  # of the format
LONGEST_LINE = 1 << 26  # bytes
DAMAGE = (EOFError, ValueError, KeyError, TypeError, RecursionError, zlib.error, gzip.BadGzipFile)

Values = Sequence[Any]  # of a row


class BadArchive(Refusal):
    """A file that is not an archive, is damaged, or was written by a later version."""


@dataclass(frozen=True)
class Manifest:
    """What an archive says about itself."""

    kind: str  # BACKUP or MATCH
    schema: str  # the revision of the tables that its rows come from
    skerry: str  # the version that wrote it
    created: float


@dataclass(frozen=True)
class Section:
    """The head of a section: the name of a table and the names of its columns, in the order of each row's values."""

    name: str
    columns: tuple[str, ...]
    binary: tuple[str, ...]  # the columns that hold bytes


class ArchiveWriter:
    """Writes an archive, one row after another. Use ``new_archive``."""

    def __init__(self, path: Path, file: BinaryIO, kind: str, schema: str) -> None:
        self.path = path
        self._file = file
        self._digest = hashlib.sha256()
        self.rows: dict[str, int] = {}  # of each section
        self._section = ""
        self._binary: list[bool] = []
        manifest = {"format": f"{kind} {VERSION}", "schema": schema, "skerry": version("skerry")}
        self._write({**manifest, "created": time.time()})

    def begin(self, section: Section) -> None:
        """Begin the next section."""
        self._section = section.name
        self.rows[section.name] = 0
        self._binary = [name in section.binary for name in section.columns]
        self._write({"section": section.name, "columns": section.columns, "binary": section.binary})

    def add(self, row: Values) -> None:
        """Add a row to the current section."""
        encoded = (_encoded(value) if binary else value for value, binary in zip(row, self._binary, strict=True))
        self._write(list(encoded))
        self.rows[self._section] += 1

    def end(self) -> None:
        self._write({"rows": self.rows, "sha256": self._digest.hexdigest()})

    def _write(self, value: Any) -> None:
        line = json.dumps(value, separators=(",", ":"), allow_nan=False).encode() + b"\n"
        self._digest.update(line)
        try:
            self._file.write(line)
        except OSError as error:
            reason = error.strerror or str(error)
            raise Refusal(say("cannot write {path}: {reason}", path=str(self.path), reason=reason)) from None


def check_target(path: Path, overwrite: bool) -> None:
    """Refuse a place where no archive can be written."""
    if path.exists() and not overwrite:
        raise Refusal(say("the file {path} exists already; choose another name or use --overwrite", path=str(path)))
    if not path.absolute().parent.is_dir():
        raise Refusal(say("there is no folder {path}", path=str(path.parent)))


@contextlib.contextmanager
def new_archive(path: Path, kind: str, schema: str, overwrite: bool) -> Iterator[ArchiveWriter]:
    """Write an archive that is there completely or not at all. Only its owner can read it: it holds all secrets."""
    check_target(path, overwrite)
    part = path.with_name(f".{path.name}.part")
    try:
        part.unlink(missing_ok=True)
        descriptor = os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(descriptor, "wb") as raw:
            with gzip.GzipFile(fileobj=raw, mode="wb", filename="", compresslevel=6) as file:
                writer = ArchiveWriter(path, cast(BinaryIO, file), kind, schema)
                yield writer
                writer.end()
            raw.flush()
            os.fsync(raw.fileno())
        part.replace(path)
    finally:
        part.unlink(missing_ok=True)


class ArchivedRow(NamedTuple):
    """A row and the section that it belongs to."""

    section: Section
    values: list[Any]


class ArchiveReader:
    """Reads an archive. Only after its last row it is known to be whole: ``check`` reads all of it in advance."""

    def __init__(self, path: Path, kind: str) -> None:
        self.path = path
        with self._faults_as_refusals(), self._opened() as file:
            self.manifest = self._read_manifest(_read_line(file), kind)

    def check(self) -> dict[str, int]:
        """Refuse an archive that is not whole; the number of rows of each section."""
        counts: dict[str, int] = {}
        for row in self.rows():
            counts[row.section.name] = counts.get(row.section.name, 0) + 1
        return counts

    def rows(self) -> Iterator[ArchivedRow]:
        """All rows, in the order in which they were written."""
        with self._faults_as_refusals(), self._opened() as file:
            section = Section("", (), ())
            counts: dict[str, int] = {}
            digest = hashlib.sha256(_read_line(file))
            while isinstance(value := _parsed(line := _read_line(file)), list) or "section" in value:
                digest.update(line)
                if isinstance(value, list):
                    counts[section.name] += 1
                    yield ArchivedRow(section, _decoded(section, value))
                else:
                    section = Section(value["section"], tuple(value["columns"]), tuple(value["binary"]))
                    counts[section.name] = 0
            if value != {"rows": counts, "sha256": digest.hexdigest()} or file.read(1):
                raise ValueError("the end does not fit the rest")

    @contextlib.contextmanager
    def _opened(self) -> Iterator[BinaryIO]:
        with self.path.open("rb") as raw, gzip.GzipFile(fileobj=raw) as file:
            yield cast(BinaryIO, file)

    @contextlib.contextmanager
    def _faults_as_refusals(self) -> Iterator[None]:
        try:
            yield
        except DAMAGE:
            raise BadArchive(
                say("the file {path} is damaged, cut, or not one of Skerry", path=str(self.path))
            ) from None
        except OSError as error:
            raise BadArchive(
                say("cannot read {path}: {reason}", path=str(self.path), reason=error.strerror or str(error))
            ) from None

    def _read_manifest(self, line: bytes, kind: str) -> Manifest:
        value = _parsed(line)
        found, _, format_version = str(value["format"]).rpartition(" ")
        if found != kind:
            raise BadArchive(
                say("the file {path} is a {found}, not a {kind}", path=str(self.path), found=found, kind=kind)
            )
        if int(format_version) > VERSION:
            raise BadArchive(later_version(self.path, str(value["skerry"])))
        return Manifest(found, str(value["schema"]), str(value["skerry"]), float(value["created"]))


def later_version(path: Path, writer: str) -> Message:
    return say(
        "the file {path} was written by a later version of Skerry ({version}); use that version",
        path=str(path),
        version=writer,
    )


def _read_line(file: BinaryIO) -> bytes:
    line = file.readline(LONGEST_LINE)
    if not line.endswith(b"\n"):
        raise EOFError
    return line


def _parsed(line: bytes) -> Any:
    value = json.loads(line, parse_constant=_refuse_constant)
    if not isinstance(value, (list, dict)):
        raise ValueError("neither a row nor a head")
    return value


def _refuse_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is not a number")


def _encoded(value: bytes | None) -> str | None:
    return None if value is None else base64.b64encode(value).decode()


def _decoded(section: Section, row: list[Any]) -> list[Any]:
    return [
        base64.b64decode(value, validate=True) if value is not None and name in section.binary else value
        for name, value in zip(section.columns, row, strict=True)
    ]
