"""Options declare which values would make them open a file."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any

import pytest

import skerry
from skerry.engine.options import Option
from skerry.games import all_games

PACKAGE = Path(skerry.__file__).parent
OPTIONS = [pytest.param(option, id=f"{game.name} {option.name}") for game in all_games() for option in game.options]


@pytest.fixture
def opened(monkeypatch: pytest.MonkeyPatch) -> list[Path]:
    """The files that a test opens or tries to open, except those of the package itself."""
    files: list[Path] = []
    real_open = io.open

    def recording_open(file: Any, *args: Any, **more: Any) -> Any:
        if isinstance(file, (str, Path)) and PACKAGE not in Path(file).parents:
            files.append(Path(file))
        return real_open(file, *args, **more)

    monkeypatch.setattr(io, "open", recording_open)
    return files


def values(folder: Path) -> list[Any]:
    drawn = (PACKAGE / "games/hashi/boards/B.board").read_text(encoding="utf-8")
    names = [folder / name for name in ("mine.board", "mine.txt", "A", "house", ".board", "a;b", "3")]
    for name in names:
        name.write_text("x", encoding="utf-8")
    texts = ["", " ", "A", "b ", "HOUSE", "x.board", "x.board ", "o-o/.board", "1", "random", "free", "a;b", drawn]
    return [*names, *map(str, names), *(f"{name}\n" for name in names), *texts, 0, 1, True, None, [], ("A",), b".board"]


@pytest.mark.parametrize("option", OPTIONS)
def test_a_file_is_opened_only_for_values_that_the_option_declares(
    option: Option, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, opened: list[Path]
) -> None:
    given = values(tmp_path)
    monkeypatch.chdir(tmp_path)
    for value in given:
        opened.clear()
        try:
            read = option.read(value)
        except skerry.BadOption:
            pass
        else:
            assert not option.opens_file(read), "the values in a game record are read without opening a file"
        assert option.opens_file(value) or not opened, value
    assert not option.opens_file(option.default)


def test_only_the_board_and_the_set_of_parts_can_be_read_from_files(tmp_path: Path, opened: list[Path]) -> None:
    found = {
        (game.name, option.name)
        for game in all_games()
        for option in game.options
        if any(option.opens_file(value) for value in values(tmp_path))
    }
    assert found == {("hashi", "board"), ("cartagena", "set")}
    for game, option in found:
        opened.clear()
        with pytest.raises(skerry.BadOption):
            skerry.game(game, **{option: str(tmp_path / "mine.board")})
        assert opened == [tmp_path / "mine.board"]
