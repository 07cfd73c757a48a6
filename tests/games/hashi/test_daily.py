"""The puzzle of the day."""

from __future__ import annotations

import datetime

import pytest

import skerry
from skerry.games.hashi.daily import daily_boards
from skerry.games.hashi.rules.options import board_of


def test_everybody_gets_the_same_board_start_and_cards() -> None:
    first, second = skerry.daily("2026-11-15"), skerry.daily(datetime.date(2026, 11, 15))
    assert first.record() == second.record() and first.content == second.content
    assert first.variant.players == 1 and first.view(0)["round"] == 1, "the start is written, the first card shown"


def test_the_puzzle_of_a_past_day_never_changes() -> None:
    match = skerry.daily("2026-11-15")
    assert match.seed == 15197347865544155131
    assert (match.variant.options["start"], match.view(0)["shown"]) == ("E5:4", ["3x2"])


def test_different_days_have_different_puzzles() -> None:
    days = [datetime.date(2026, 1, 1) + datetime.timedelta(days=n) for n in range(60)]
    matches = [skerry.daily(day) for day in days]
    assert len({match.seed for match in matches}) == 60
    assert len({match.variant.options["board"] for match in matches}) > len(daily_boards()) // 2
    assert len({tuple(match.state.deck) for match in matches}) == 60


def test_today_is_the_default_and_an_invalid_date_is_refused() -> None:
    today = datetime.datetime.now(datetime.UTC).date()
    assert skerry.daily().seed in (skerry.daily(today).seed, skerry.daily(today + datetime.timedelta(days=1)).seed)
    for nonsense in ("yesterday", "2026-02-30", "", 20261115):
        with pytest.raises(skerry.BadOption, match="2026-11-15"):
            skerry.daily(nonsense)  # type: ignore[arg-type]


def test_a_datetime_means_its_date() -> None:
    hours = [datetime.datetime(2026, 11, 15, hour) for hour in (0, 7, 23)]
    assert {skerry.daily(hour).seed for hour in hours} == {skerry.daily("2026-11-15").seed}


def test_the_daily_boards_are_valid_and_different() -> None:
    boards = daily_boards()
    assert boards[:2] == (board_of("A"), board_of("B")) and len(set(boards)) == len(boards)
    assert all(len(board.islands) == 18 and board.crossings for board in boards)


def test_a_daily_puzzle_replays_from_its_game_record() -> None:
    match = skerry.daily("2026-02-28")
    for _ in range(17):
        match.play(0, "confirm")
    assert match.result is not None
    assert skerry.replay(match.record()).content == match.content
