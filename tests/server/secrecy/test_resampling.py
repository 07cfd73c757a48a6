"""Whatever is hidden from somebody can be replaced without a change in any answer that they get over HTTP."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from skerry.engine.game import Game
from skerry.games import all_games, find_game
from skerry.server.app import make_app
from skerry.server.settings import Settings
from tests.modes import only_compiled
from tests.server.secrecy.resampling import Twins, check, check_case, comparison_with_actions, differences_of_leak
from tests.server.secrecy.route_requests import ABOUT_THE_MATCH, QUESTIONS, WITH_MANY_QUESTIONS
from tests.server.secrecy.routes import routes_of

QUICK = 5  # cases a game
LONG = 250

UNNAMED = ("/static", "/api/v1/openapi.json")  # routes that do not leave their name in the scope of a request
ACTING = tuple(("POST", f"/api/v1/matches/{{match}}/{what}") for what in ("actions", "advice", "time"))

# By leak: a game in which it tells something, and the beginning of a request whose answer gives it away.
LEAKS = {
    "secret_arguments_told_to_all": ("cartagena", "GET /api/v1/matches/the-match/steps"),
    "reason_names_a_hidden_card": ("forbidden-island", "POST /m/the-match/why"),
    "undo_refusal_names_the_action": ("hashi", "POST /api/v1/matches/the-match/undo"),
    "choices_of_others_are_counted": ("cartagena", "stream "),
    "seed_in_a_page": ("forbidden-desert", "GET /m/the-match"),
    "page_as_long_as_a_secret": ("forbidden-island", "GET /m/the-match"),
    "advice_depends_on_the_state": ("cartagena", "POST /api/v1/matches/the-match/advice"),
    "stream_tells_actions_of_others": ("hashi", "stream "),
    "history_tells_actions_of_others": ("hashi", "GET /api/v1/matches/the-match/stream"),
    "preview_of_a_draw": ("forbidden-island", "GET /m/the-match"),
    "metrics_count_a_secret": ("forbidden-desert", "GET /metrics"),
}


@pytest.fixture(scope="module")
def twins() -> Iterator[Twins]:
    with Twins() as twins:
        yield twins


def test_every_route_is_asked(tmp_path: Path) -> None:
    """A new route has to be added to the questions."""
    routes = routes_of(make_app(Settings(data=tmp_path), all_games, find_game))
    assert routes - set(QUESTIONS) == set(), "routes without questions"
    assert set(QUESTIONS) - routes == set(), "questions to routes that do not exist"
    assert {*ABOUT_THE_MATCH, *WITH_MANY_QUESTIONS} <= routes


@only_compiled
@pytest.mark.parametrize("game", all_games(), ids=lambda game: game.name)
def test_what_is_hidden_changes_no_answer(twins: Twins, game: Game) -> None:
    before = twins.tally.resamples
    for number in range(QUICK):
        check_case(twins, game, number)
    assert twins.tally.resamples == before + QUICK


@only_compiled
def test_every_route_has_answered(twins: Twins) -> None:
    """The questions reach all routes, and the routes about a match answer them as well as refuse them."""
    check(twins, comparison_with_actions(find_game("cartagena")))
    expected = {path for _, path in QUESTIONS if not path.startswith(UNNAMED)}
    assert expected <= twins.tally.routes, f"no answer came from {expected - twins.tally.routes}"
    for path in {path for _, path in (*ABOUT_THE_MATCH, *WITH_MANY_QUESTIONS, *ACTING) if "{match}" in path}:
        statuses = {status for route, status in twins.tally.statuses if route == path}
        assert any(200 <= status < 400 for status in statuses) and statuses & {403, 404, 422}, (path, statuses)


@only_compiled
@pytest.mark.parametrize("leak", LEAKS)
def test_a_planted_leak_is_found(twins: Twins, leak: str) -> None:
    game, asked = LEAKS[leak]
    found = differences_of_leak(twins, find_game(game), leak)
    assert any(difference.asked.startswith(asked) for difference in found), [str(one) for one in found]


@only_compiled
@pytest.mark.slow
def test_what_is_hidden_changes_no_answer_in_many_games(twins: Twins, capsys: pytest.CaptureFixture[str]) -> None:
    for number in range(LONG):
        for game in all_games():
            check_case(twins, game, f"long {number}")
    with capsys.disabled():
        print(f"\n{twins.tally}")
