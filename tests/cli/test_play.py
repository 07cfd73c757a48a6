"""``skerry play``: a game in the terminal, typed."""

from __future__ import annotations

import random
import re
from io import StringIO
from pathlib import Path

import pytest
from rich.console import Console

import skerry
from skerry.cli.terminal_screen import TerminalScreen
from skerry.engine.conformance import random_play
from skerry.engine.game import Game
from skerry.engine.i18n.languages import LANGUAGES
from skerry.engine.i18n.translations import translations
from skerry.games import all_games
from tests.cli.commands import run

HOT_SEAT = ("--seats", "me,me", "--option", "first=0", "--option", "roles=pilot,engineer", "--seed", "7")


def play(path: Path, *lines: str, options: tuple[str, ...] = HOT_SEAT) -> str:
    return run("play", "forbidden-island", *options, "--record", str(path), typed="\n".join(lines) + "\n")


def test_help_refusals_undo_and_rules(tmp_path: Path) -> None:
    path = tmp_path / "game.txt"
    text = play(
        path,
        "?",
        "? move",
        "move A1",
        "move [/bold] C3",
        "shore C1,D1",
        "? shore C1,D1",
        "move D4",
        "undo",
        "rules FI-12",
    )
    assert "Your turn, 3 actions left" in text
    assert "lift PAWN[,PAWN…] PLACE" in text
    assert "There is no place 'a1'" in text
    assert text.count("Only the Engineer shores up two tiles as one action (FI-18)") == 2
    assert "Undone: move D4" in text
    assert "One action takes your pawn" in text
    assert "The game is saved in" in text
    assert len(skerry.replay(path.read_text()).steps) == 0


def test_the_game_s_texts_are_translated(tmp_path: Path) -> None:
    options = (*HOT_SEAT, "--lang", "es")
    text = play(tmp_path / "game.txt", "?", "move A1", "shore C1,D1", "rules FI-12", "end", "draw", options=options)
    for sentence in (
        "Capturen juntos cuatro tesoros",
        "Tu turno, te quedan 3 acciones: mueve, drena, da, captura o termina",
        "No existe el lugar 'a1'",
        "Solo el Ingeniero drena dos losetas con una acción (FI-18)",
        "Una acción lleva el peón propio",
        "El Piloto roba",
        "Ingeniero (me)",
        "Escribe una de las acciones de la lista",
        "Piloto en D1",
        "Mazo de tesoros",
    ):
        assert sentence in text
    assert "Your turn" not in text and "Type one" not in text


def test_the_game_is_saved_and_resumed(tmp_path: Path) -> None:
    path = tmp_path / "deep" / "game.txt"
    play(path, "end", "draw", "quit")
    kept = skerry.replay(path.read_text())
    assert [step.action.text for step in kept.steps][:2] == ["end", "draw"] and kept.seats == ("me", "me")
    text = play(path, "log", "quit", options=("--resume",))
    assert "draws" in text
    assert skerry.replay(path.read_text()).content == kept.content


def test_a_bot_plays_the_other_seat(tmp_path: Path) -> None:
    path = tmp_path / "game.txt"
    play(path, *["go", "end", ""] * 30, options=("--seats", "me,skilled", "--seed", "5"))
    match = skerry.replay(path.read_text())
    assert {step.seat for step in match.steps} == {0, 1}
    assert match.seats == ("me", "skilled")


def test_bots_without_humans_play_to_the_end(tmp_path: Path) -> None:
    path = tmp_path / "game.txt"
    text = play(path, options=("--seats", "random,random", "--seed", "1"))
    assert re.search(r"You (lost|won): .* \(FI-6\d\)", " ".join(text.split()))
    assert skerry.replay(path.read_text()).result is not None


def test_a_human_can_act_for_another_seat_of_their_own(tmp_path: Path) -> None:
    path = tmp_path / "game.txt"
    text = play(path, "1: end", "9: end", "1: lift pilot C3", "quit")
    assert "It is the Pilot's turn (FI-10)" in text and "seat 9 is not yours" in text.lower()
    assert "no Helicopter Lift card (FI-40)" in text or "lifted" in text


def test_bots_interrupt_each_other(tmp_path: Path) -> None:
    path = tmp_path / "game.txt"
    play(path, options=("--seats", "skilled,skilled,skilled,skilled", "--seed", "3"))
    kept = skerry.replay(path.read_text())
    again, interruptions = kept.variant.new(seed=kept.seed), []
    for step in kept.steps:
        if step.seat not in again.waiting:
            interruptions.append(step.action.verb)
        again.play(step.seat, step.action)
    assert interruptions and set(interruptions) <= {"lift", "sandbags", "lift off"}


LINES, COLUMNS = 24, 80


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("game", all_games(), ids=lambda game: game.name)
def test_board_and_actions_stay_on_a_terminal_of_24_lines(game: Game, language: str) -> None:
    match = game.configure({"players": 2}).new(seed=4)
    for step, _ in enumerate(random_play(match, random.Random(4))):
        if step % 5 or step > 60 or not match.waiting or match.result is not None:
            continue
        screen = StringIO()
        console = Console(file=screen, width=COLUMNS, height=LINES, color_system=None)
        translate = translations(language, game.package, "skerry.engine.i18n")
        terminal = TerminalScreen(match, [match.waiting[0]], console, translate)
        terminal.draw_board()
        terminal.print_actions(match.waiting[0], None)
        lines = screen.getvalue().splitlines()
        assert max(map(len, lines)) <= COLUMNS
        assert len(lines) < LINES, "the last line is for typing"


def test_the_command_board_draws_all_there_is_to_see(tmp_path: Path) -> None:
    options = ("--seats", "me,me", "--option", "first=0", "--seed", "7")
    small, whole = play(tmp_path / "a.txt", "quit", options=options), play(tmp_path / "b.txt", "board", options=options)
    assert "discarded: " not in small and "discarded: " in whole
