"""The folder for a person's data."""

from __future__ import annotations

from pathlib import Path

import pytest

from skerry.cli.files import data_folder


def test_the_data_folder_is_the_system_s_unless_skerry_data_names_another(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "system"))
    monkeypatch.delenv("SKERRY_DATA", raising=False)
    assert data_folder() == tmp_path / "system" / "skerry"
    monkeypatch.setenv("SKERRY_DATA", str(tmp_path / "host"))
    assert data_folder() == tmp_path / "host"
