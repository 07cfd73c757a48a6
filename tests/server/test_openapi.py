"""The OpenAPI description is true: valid requests are answered as described, invalid ones are refused."""

from __future__ import annotations

import itertools
import os
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import schemathesis
from hypothesis import HealthCheck, settings
from schemathesis.python.asgi import shutdown_lifespans

from skerry.games import all_games, find_game
from skerry.server.app import fastapi_of, make_app
from skerry.server.settings import Settings
from tests.server.event_streams import StreamCutoff
from tests.server.server_main import FREE

FOLDER = Path(tempfile.gettempdir()) / f"skerry-openapi-{os.getpid()}"  # created with the first guest
APP: Any = StreamCutoff(make_app(Settings(data=FOLDER, pace=0, moment=0, limits=FREE), all_games, find_game))
# Here rules decide what is accepted, not the schema: an action, a game's options, a readable name.
RULED = [
    {
        "include-path": f"/api/v1{path}",
        "checks": {"positive_data_acceptance": {"expected-statuses": ["2xx", 400, 403, 404, 409, 422]}},
    }
    for path in (
        "/matches",
        "/matches/{match}/actions",
        "/matches/{match}/advice",
        "/matches/{match}/analysis",
        "/matches/{match}/seats/{seat}",
        "/guests",
        "/me",
        "/challenges",
        "/challenges/{challenge}/matches",
    )
]
SCHEMA = schemathesis.openapi.from_dict(
    fastapi_of(APP.app).openapi(), config=schemathesis.Config.from_dict({"operations": RULED})
)
CALM = settings(deadline=None, suppress_health_check=list(HealthCheck))
turn = itertools.count()


class Guest:
    """A guest with a match. After the guest has been deleted, another one takes its place."""

    def __init__(self) -> None:
        self.register()

    def register(self) -> None:
        self.headers: dict[str, str] = {}
        guest = self._post("/api/v1/guests", {"name": "Ana"})
        self.headers = {"authorization": f"Bearer {guest['token']}"}
        self.match = self._post("/api/v1/matches", {"game": "cartagena", "seats": ["me", "open"]})["id"]

    def _post(self, path: str, body: dict[str, Any]) -> Any:
        case = SCHEMA[path]["POST"].Case(body=body, media_type="application/json")
        answer = case.call(app=APP, headers=self.headers)
        assert answer.status_code == 201, answer.text
        return answer.json()


@pytest.fixture(scope="module")
def guest() -> Iterator[Guest]:
    yield Guest()
    shutdown_lifespans()
    shutil.rmtree(FOLDER)


def check(case: Any, guest: Guest) -> None:
    valid = case.meta is None or case.meta.generation.mode.is_positive
    if valid and "match" in case.path_parameters and next(turn) % 2:  # half of the requests are about an existing match
        case.path_parameters["match"] = guest.match
    case.call_and_validate(app=APP, headers=guest.headers)
    if case.method.upper() == "DELETE":
        guest.register()


@SCHEMA.parametrize()
@settings(CALM, max_examples=15)
def test_the_description_is_true(case: Any, guest: Guest) -> None:
    check(case, guest)


@pytest.mark.slow
@SCHEMA.parametrize()
@settings(CALM, max_examples=500)
def test_the_description_is_true_for_many_requests(case: Any, guest: Guest) -> None:
    check(case, guest)
