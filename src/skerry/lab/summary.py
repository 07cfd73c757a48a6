"""Summaries of results as plain data: for JSON, for CSV and for reports."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from skerry.lab.series import Series, provenance
from skerry.lab.statistics import mean_interval, quantile, wilson_interval
from skerry.lab.sweep import SeriesResult
from skerry.lab.tally import Tally
from skerry.lab.tournament import Tournament

Row = dict[str, Any]


def series_summary(series: Series, tally: Tally) -> Row:
    game = series.variant.game
    return {
        "game": game.name,
        "title": game.title,
        "options": series.variant.options,
        "seats": list(series.seats),
        "seed": series.seed,
        **provenance(series),
        "games": tally.games,
        "requested": series.games,
        "actions": tally.steps,
        "cooperative": game.cooperative,
        "solo": is_solo(series),
        "wins": [_seat_summary(series, tally, seat) for seat in range(len(series.seats))],
        "endings": _endings_summary(series, tally),
        "turns": _distribution(tally.turns),
    }


def is_solo(series: Series) -> bool:
    """Whether a single player plays for points: there is nobody to win against."""
    return series.variant.players == 1 and not series.variant.game.cooperative


def _seat_summary(series: Series, tally: Tally, seat: int) -> Row:
    score, low, high = mean_interval(tally.points[seat]) if tally.points[seat] else (0.0, 0.0, 0.0)
    return {
        "seat": seat,
        "bot": series.seats[seat],
        **({} if is_solo(series) else _share(float(tally.wins[seat]), tally.games)),
        "score": score,
        "score_low": low,
        "score_high": high,
    }


def _endings_summary(series: Series, tally: Tally) -> list[Row]:
    unfinished = {"ending": "unfinished", "text": "the limit of steps was reached", "rule": "", "won": False}
    endings: list[Row] = [
        {"ending": ending.name, "text": ending.text, "rule": ending.rule, "won": ending.won}
        for ending in series.variant.game.endings
    ]
    return [
        {**ending, "games": int(games), **_share(float(games), tally.games)}
        for ending, games in zip([unfinished, *endings], tally.endings, strict=True)
    ]


def _distribution(counts: Mapping[int, int]) -> Row:
    mean, low, high = mean_interval(counts)
    return {
        "mean": mean,
        "low": low,
        "high": high,
        "median": quantile(counts, 0.5),
        "p90": quantile(counts, 0.9),
        "longest": max(counts),
    }


def _share(games: float, all_games: int) -> Row:
    low, high = wilson_interval(games, all_games)
    return {"share": games / all_games, "low": low, "high": high}


def sweep_summaries(results: Sequence[SeriesResult]) -> list[Row]:
    return [{"values": result.values, **series_summary(result.series, result.tally)} for result in results]


def tournament_summary(tournament: Tournament) -> Row:
    """The cross table, the ratings and every line-up."""
    return {
        "values": tournament.results[0].values,
        **provenance(tournament.results[0].series),
        "options": tournament.variant.options,
        "bots": list(tournament.bots),
        "even": tournament.even_share,
        "ratings": [vars(rating) for rating in tournament.ratings],
        "table": [
            {"one": one, "others": others, "games": wins.games, **_share(wins.wins, wins.games)}
            for (one, others), wins in tournament.cross_table.items()
        ],
        "line_ups": [series_summary(result.series, result.tally) for result in tournament.results],
    }


def csv_row(result: SeriesResult) -> Row:
    """A series as one row of a spreadsheet."""
    data = series_summary(result.series, result.tally)
    row = {**data["options"], "seats": "+".join(data["seats"]), "seed": data["seed"], "games": data["games"]}
    row |= {name: data[name] for name in ("skerry", "rules", "code")}
    for seat in data["wins"]:
        columns = {"wins": "share", "low": "low", "high": "high"} if not data["solo"] else {}
        columns |= {"score": "score"}
        row |= {f"{column}_{seat['seat']}": seat[name] for column, name in columns.items()}
    row |= {ending["ending"]: ending["games"] for ending in data["endings"]}
    return row | {f"turns_{name}": value for name, value in data["turns"].items()}


def csv_rows(tournament: Tournament) -> list[Row]:
    """The cross table of a tournament, a row for each of its cells."""
    data = tournament_summary(tournament)
    return [{**data["values"], **cell} for cell in data["table"]]
