"""All commands: their help, their refusals, and the small ones in full."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import skerry
from skerry.games import all_games
from tests.cli.commands import run

RECORD = sorted((Path(__file__).parents[1] / "records").glob("*.txt"))[0]
WON = RECORD.with_name("forbidden-island-won.txt")


@pytest.mark.parametrize(
    "command",
    [
        "",
        "games",
        "rules",
        "check-game",
        "new-game",
        "play",
        "serve",
        "simulate",
        "tournament",
        "replay",
        "advise",
        "bench",
        "train",
        "admin",
        *(f"admin {name}" for name in ("backup", "restore", "verify", "list", "prune", "vacuum", "export", "import")),
    ],
)
def test_every_command_has_help(command: str) -> None:
    assert "Usage" in run(*command.split(), "--help")


def test_games_lists_every_game_with_options_and_bots() -> None:
    text = run("games")
    assert all(game.title in text and game.name in text for game in all_games())
    facts = json.loads(run("games", "--json"))
    assert [game["name"] for game in facts] == [game.name for game in all_games()]
    assert facts[0]["options"][0]["help"] and "random" in facts[0]["bots"]


@pytest.mark.parametrize(
    ("language", "word"), [("en", "Fools' Landing"), ("es", "Aterrizaje del Loco"), ("pt", "Porto dos Tolos")]
)
def test_the_rulebook_is_printed_in_three_languages(language: str, word: str) -> None:
    text = run("rules", "forbidden-island", "--lang", language)
    assert word in " ".join(text.split()) and "FI-01" in text and "FI-66" in text
    assert "figure:" not in text


def test_rules_prints_one_rule_or_json() -> None:
    assert "FI-12" in run("rules", "forbidden-island", "fi-12")
    blocks = [
        block for section in json.loads(run("rules", "forbidden-island", "--json")) for block in section["blocks"]
    ]
    assert len([block for block in blocks if "rule" in block]) == 47
    assert {"moves", "meter"} <= {block["figure"] for block in blocks if "figure" in block}


def test_bench_measures_compiled_and_interpreted_play() -> None:
    rows = json.loads(run("bench", "forbidden-island", "--seconds", "0.2", "--json"))
    assert {row["mode"] for row in rows} == {"compiled", "interpreted"}
    assert all(row["actions_per_second"] > 0 for row in rows)


def test_replay_checks_a_record_prints_json_and_prints_the_steps() -> None:
    assert "replays to the same state" in run("replay", str(RECORD), "--verify")
    steps = json.loads(run("replay", str(RECORD), "--json"))["steps"]
    assert len(steps) == len(skerry.replay(RECORD.read_text()).steps)
    assert len(run("replay", str(RECORD)).splitlines()) == len(steps)


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        ("rules chess", "no game 'chess'"),
        ("rules forbidden-island --lang fr", "en, es, pt"),
        ("rules forbidden-island FI-99", "no rule FI-99"),
        ("play chess", "no game 'chess'"),
        ("play forbidden-island --option players=9", "a number from 2 to 4"),
        ("play forbidden-island --lang fr", "speaks en, es, pt"),
        ("play forbidden-island --option players", "NAME=VALUE"),
        ("play forbidden-island --option color=red", "no option color"),
        ("play forbidden-island --seats me,genius", "no bot 'genius'"),
        ("play forbidden-island --seats me,skilled,skilled,skilled,skilled", "a number from 2 to 4"),
        ("play forbidden-island --seed -1", "a seed is"),
        ("play forbidden-island --resume --record /nowhere/record.txt", "cannot read"),
        ("simulate forbidden-island --games 0", "greater than or equal to 1|range x>=1"),
        ("simulate forbidden-island --seats random,random --option players=3", "2 bots for 3 seats"),
        ("simulate forbidden-island --seats genius", "no bot|a number from"),
        ("replay /nowhere/record.txt", "cannot read"),
        ("replay pyproject.toml", "not a record"),
        ("bench chess", "no game"),
        ("dance", "dance"),
    ],
)
def test_a_refusal_is_printed_in_one_line_with_exit_status_2(arguments: str, reason: str) -> None:
    text = run(*arguments.split(), status=2)
    assert any(part in text.lower() for part in reason.lower().split("|")), text


def test_advise_ranks_the_actions_in_a_position() -> None:
    asked = ("advise", str(WON), "--move", "12", "--rollouts", "60")
    given = json.loads(run(*asked, "--json"))
    assert given["seq"] == 12 and given["unit"] == "chance"
    shown = " ".join(run(*asked).split())
    assert given["actions"][0]["why"][1:] in shown and "95 %" in shown


def test_advice_is_translated() -> None:
    shown = run("advise", str(WON), "--move", "12", "--rollouts", "60", "--lang", "es")
    assert "paso 12" in shown and "acción  victorias" in shown and "partidas" in shown and "azar" in shown
    assert " to " not in shown and "vitórias" in run("advise", str(WON), "--move", "12", "--lang", "pt")


def test_there_is_no_advice_after_the_end_of_a_game() -> None:
    assert "The game is over" in run("advise", str(WON), status=2)
    assert "there is no step 999" in run("advise", str(WON), "--move", "999", status=2)


@pytest.mark.parametrize("command", ["play hashi --record", "replay", "simulate hashi --keep"])
def test_messages_show_a_path_as_it_was_typed(command: str) -> None:
    assert " pyproject.toml" in run(*command.split(), "pyproject.toml", status=2)
