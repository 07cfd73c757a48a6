"""What is known of series and tournaments, as plain data: for JSON, for CSV, for reports."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from skerry.lab.series import Series
from skerry.lab.statistics import mean_interval, quantile, wilson_interval
from skerry.lab.sweep import SeriesResult
from skerry.lab.tally import Tally
from skerry.lab.tournament import Tournament

Row = dict[str, Any]


def series_summary(series: Series, total: Tally) -> Row:
    """All that is known of a series."""
    game = series.variant.game
    return {
        "game": game.name,
        "title": game.title,
        "options": series.variant.options,
        "seats": list(series.seats),
        "seed": series.seed,
        "games": total.games,
        "requested": series.games,
        "actions": total.steps,
        "cooperative": game.cooperative,
        "wins": [_seat(series, total, seat) for seat in range(len(series.seats))],
        "endings": endings(series, total),
        "turns": distribution(total.turns),
    }


def _seat(series: Series, total: Tally, seat: int) -> Row:
    score, low, high = mean_interval(total.points[seat]) if total.points[seat] else (0.0, 0.0, 0.0)
    return {
        "seat": seat,
        "bot": series.seats[seat],
        **share(float(total.wins[seat]), total.games),
        "score": score,
        "score_low": low,
        "score_high": high,
    }


def endings(series: Series, total: Tally) -> list[Row]:
    kinds = [("unfinished", "the limit of steps was reached", "", False)]
    kinds += [(ending.name, ending.text, ending.rule, ending.won) for ending in series.variant.game.endings]
    return [
        {
            "ending": name,
            "text": text,
            "rule": rule,
            "won": won,
            "games": int(games),
            **share(float(games), total.games),
        }
        for (name, text, rule, won), games in zip(kinds, total.endings, strict=True)
    ]


def distribution(counts: Mapping[int, int]) -> Row:
    mean, low, high = mean_interval(counts)
    return {
        "mean": mean,
        "low": low,
        "high": high,
        "median": quantile(counts, 0.5),
        "p90": quantile(counts, 0.9),
        "longest": max(counts),
    }


def share(hits: float, games: int) -> Row:
    low, high = wilson_interval(hits, games)
    return {"share": hits / games, "low": low, "high": high}


def sweep_summaries(outcomes: Sequence[SeriesResult]) -> list[Row]:
    return [{"values": outcome.values, **series_summary(outcome.series, outcome.tally)} for outcome in outcomes]


def tournament_summary(event: Tournament) -> Row:
    """A tournament: its cross table, its ratings, and every line-up."""
    return {
        "values": event.outcomes[0].values,
        "options": event.variant.options,
        "bots": list(event.bots),
        "even": event.even,
        "ratings": [vars(rating) for rating in event.ratings],
        "table": [
            {"one": one, "others": others, "games": found.trials, **share(found.hits, found.trials)}
            for (one, others), found in event.table.items()
        ],
        "line_ups": [series_summary(outcome.series, outcome.tally) for outcome in event.outcomes],
    }


def csv_row(outcome: SeriesResult) -> Row:
    """One line of a spreadsheet."""
    data = series_summary(outcome.series, outcome.tally)
    row = {**data["options"], "seats": "+".join(data["seats"]), "seed": data["seed"], "games": data["games"]}
    for seat in data["wins"]:
        numbers = {"wins": seat["share"], "low": seat["low"], "high": seat["high"], "score": seat["score"]}
        row |= {f"{name}_{seat['seat']}": number for name, number in numbers.items()}
    row |= {ending["ending"]: ending["games"] for ending in data["endings"]}
    return row | {f"turns_{name}": number for name, number in data["turns"].items()}


def csv_rows(event: Tournament) -> list[Row]:
    data = tournament_summary(event)
    return [{**data["values"], **cell} for cell in data["table"]]
