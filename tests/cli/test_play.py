"""``skerry play``: a game in the terminal, typed."""

from __future__ import annotations

from pathlib import Path

import skerry
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
        "Tu turno, quedan 3 acciones: mover, drenar, dar, capturar o terminar",
        "No existe el lugar 'a1'",
        "Solo el Ingeniero drena dos losetas con una acción (FI-18)",
        "Una acción lleva el peón propio",
        "El Piloto roba",
        "Ingeniero (me)",
    ):
        assert sentence in text
    assert "Your turn" not in text


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
    assert "Game over: " in text
    assert skerry.replay(path.read_text()).result is not None


def test_a_human_can_act_for_another_seat_of_their_own(tmp_path: Path) -> None:
    path = tmp_path / "game.txt"
    text = play(path, "1: end", "9: end", "1: lift pilot C3", "quit")
    assert "It is Pilot's turn (FI-10)" in text and "seat 9 is not yours" in text.lower()
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
