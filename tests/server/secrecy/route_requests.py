"""What somebody asks of each route: valid, illegal, stale, malformed and foreign requests about one match."""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any
from unittest import mock

from skerry import bots
from skerry.engine.game import Game
from skerry.engine.i18n.languages import LANGUAGES
from skerry.games import all_games
from skerry.server.identity import COOKIE, Guest, GuestService
from skerry.server.match_session import MatchSession
from tests.server.secrecy.requests import HOST, JSON, Request, get, send_form, send_json
from tests.server.secrecy.worlds import StoredMatch, key_of
from tests.server.simulation.world import EPOCH

NO_MATCH = "no-such-match"
METHODS = ("GET", "HEAD", "OPTIONS", "POST", "PUT", "PATCH", "DELETE")
NO_SEATS = (-1, 15, 16, "abc", "", 10**12)
ILLEGAL = 14  # actions
TOUCHED = 14  # things, of which it is asked why they cannot be used
STREAMED = 4  # numbers since which a stream is asked for, besides the special ones
MALFORMED = (b"", b"{", b"[]", b"null", b'{"seat":0}', b'{"seat":"0","action":"end","seq":0}', b"\xff\xfe")


@dataclass
class Asker:
    """Somebody who asks, what they know of the match, and their chance."""

    signer: GuestService
    guest: Guest | None
    seat: int | None
    session: MatchSession  # of the true world; requests are the same in both
    finished: StoredMatch
    chance: random.Random

    @property
    def id(self) -> str:
        return self.session.id

    @property
    def game(self) -> Game:
        return self.session.game

    @property
    def seq(self) -> int:
        return self.session.seq

    @property
    def token(self) -> str:
        return "" if self.guest is None else self.signer.token(self.guest)

    @property
    def own_seat(self) -> int:
        """The seat that is named in forms: without a seat, somebody else's."""
        return 0 if self.seat is None else self.seat

    @property
    def other_seats(self) -> list[int]:
        return [seat for seat in range(len(self.session.seats)) if seat != self.seat]

    @property
    def seats_of_others(self) -> list[int]:
        """The seats that other guests hold."""
        return [seat for seat in self.other_seats if self.session.seats[seat].guest is not None]

    @property
    def takeable_seats(self) -> list[int]:
        """The seats that the asker can take: open ones and, as the host, those of bots."""
        is_host = self.guest is not None and self.session.header.owner == self.guest.id
        holders = self.session.seats
        return [seat for seat in self.other_seats if holders[seat].open or (is_host and holders[seat].bot)]

    @property
    def any_seat(self) -> list[object]:
        """What can be given as a seat, from right to nonsense."""
        return [self.seat, *self.other_seats, self.chance.choice(NO_SEATS)]

    def signed(self, request: Request) -> Request:
        """A request as this asker sends it: programs with a token, pages with a cookie."""
        language = ("accept-language", self.chance.choice(LANGUAGES))
        if self.guest is None:
            return request.having(language)
        if request.path.startswith("/api/"):
            return request.having(("authorization", f"Bearer {self.token}"), language)
        return request.having(("cookie", f"{COOKIE}={self.token}"), ("origin", f"http://{HOST}"))

    def illegal_actions(self) -> list[str]:
        """Actions that the seat cannot play now, also those that only another seat can."""
        match = self.session.match
        legal = set() if self.seat is None else set(match.legal_ids(self.seat))
        ids = [number for seat in self.other_seats for number in match.legal_ids(seat)]
        tried = self.chance.sample(ids, min(4, len(ids)))
        tried += self.chance.sample(range(self.game.actions.size), min(ILLEGAL, self.game.actions.size))
        return [match.action(number).text for number in tried if number not in legal][:ILLEGAL]

    def touched(self) -> list[str]:
        """Things on the page, alone or after others, as a page names what was touched."""
        match, chance = self.session.match, self.chance
        things = [f"{kind}:{name.slug}" for kind, names in match.names.items() for name in names]
        things += [f"verb:{verb.name}" for verb in self.game.actions.verbs]
        legal = [] if self.seat is None else match.legal(self.seat)
        chosen = [f"verb:{action.verb}" for action in legal] or things
        alone = chance.sample(things, min(TOUCHED, len(things)))
        return [*alone, *(f"{chance.choice(chosen)}|{thing}" for thing in alone), "", "nothing", "verb:", "|"]

    def numbers(self) -> list[int]:
        """Numbers of the log: all important ones, and some others."""
        some = self.chance.sample(range(self.seq + 1), min(STREAMED, self.seq + 1))
        return [*sorted({0, 1, self.seq, max(0, self.seq - 1), *some}), self.seq + 1, 2**31 - 1]


Questions = Callable[[Asker], Sequence[Request]]
QUESTIONS: dict[tuple[str, str], Questions] = {}
"""The questions to each route, by its method and its path template."""


def asks(method: str, path: str) -> Callable[[Questions], Questions]:
    """Register the questions to a route."""

    def register(questions: Questions) -> Questions:
        assert (method, path) not in QUESTIONS, f"{method} {path} has questions already"
        QUESTIONS[method, path] = questions
        return questions

    return register


def questions_to(routes: Sequence[tuple[str, str]], asker: Asker) -> list[Request]:
    """All questions to some routes, as the asker sends them."""
    return [asker.signed(request) for route in routes for request in QUESTIONS[route](asker)]


# Where a change of the match shows: these are asked again after each change.
ABOUT_THE_MATCH = (
    ("GET", "/"),
    ("GET", "/api/v1/matches"),
    ("GET", "/api/v1/matches/{match}"),
    ("GET", "/api/v1/matches/{match}/view"),
    ("GET", "/m/{match}"),
    ("POST", "/api/v1/matches/{match}/undo"),
)
WITH_MANY_QUESTIONS = (
    ("GET", "/api/v1/matches/{match}/steps"),
    ("GET", "/api/v1/matches/{match}/stream"),
    ("POST", "/m/{match}/why"),
)


def wrong_methods(asker: Asker) -> list[Request]:
    """Methods that a route does not have."""
    known = {path: {method for method, other in QUESTIONS if other == path} for _, path in QUESTIONS}
    asked = [
        Request(method, filled(path, asker))
        for path in known
        for method in METHODS
        if method not in known[path] | {"HEAD"}
    ]
    return [asker.signed(request) for request in asker.chance.sample(asked, 12)]


def filled(path: str, asker: Asker) -> str:
    """A path template with the asker's match."""
    values = {"match": asker.id, "game": asker.game.name, "seat": str(asker.own_seat), "token": "no-token"}
    values["challenge"] = NO_MATCH
    for name, value in values.items():
        path = path.replace("{" + name + "}", value)
    return path.replace("{path}", "table.css")


# The JSON API: playing

MATCH = "/api/v1/matches/{match}"


@asks("GET", f"{MATCH}/view")
def view(asker: Asker) -> list[Request]:
    path = f"/api/v1/matches/{asker.id}/view"
    return [*(get(path, seat=seat) for seat in asker.any_seat), get(f"/api/v1/matches/{NO_MATCH}/view")]


@asks("GET", f"{MATCH}/steps")
def steps(asker: Asker) -> list[Request]:
    path = f"/api/v1/matches/{asker.id}/steps"
    asked = [get(path, seat=seat) for seat in asker.any_seat]
    asked += [get(path, seat=seat, since=since) for since in asker.numbers() for seat in {asker.seat, None}]
    return [*asked, get(path, since=-1), get(path, since="x"), get(path, since=2**40)]


@asks("GET", f"{MATCH}/stream")
def stream(asker: Asker) -> list[Request]:
    path = f"/api/v1/matches/{asker.id}/stream"
    asked = [get(path, seat=seat, page=page) for seat in asker.any_seat for page in (None, True)]
    for since in asker.numbers():
        seat = asker.chance.choice((asker.seat, None))
        asked += [get(path, seat=asker.seat, since=since, page=True), get(path, seat=seat, since=since)]
    again = get(path, seat=asker.seat, page=True).having(("last-event-id", str(max(0, asker.seq - 1))))
    return [*asked, again, again.having(("last-event-id", "x")), get(path, since=-1), get(path, page="maybe")]


@asks("POST", f"{MATCH}/actions")
def actions(asker: Asker) -> list[Request]:
    path = f"/api/v1/matches/{asker.id}/actions"
    body = {"seat": asker.own_seat, "action": "nonsense", "seq": asker.seq}
    illegal = asker.illegal_actions()
    asked = [send_json("POST", path, body | {"action": action}) for action in [*illegal, "nonsense", "", "a" * 300]]
    asked += [
        send_json("POST", path, body | {"seq": asker.seq + late, "action": illegal[0]}) for late in (-1, 1, 10**6)
    ]
    asked += [
        send_json("POST", path, body | {"seat": seat, "action": action.text})
        for seat in asker.other_seats
        for action in asker.session.match.legal(seat)[:2]
    ]
    asked += [
        send_json("POST", path, body | {"seq": 0, "key": key_of(seq)})
        for seq in (asker.seq, asker.chance.randint(0, 99))
    ]
    asked += [Request("POST", path, headers=(JSON,), body=content) for content in MALFORMED]
    return [*asked, send_form(path, seat=0), send_json("POST", f"/api/v1/matches/{NO_MATCH}/actions", body)]


@asks("POST", f"{MATCH}/undo")
def undo(asker: Asker) -> list[Request]:
    """Undo at seats that are not the asker's, or where it is refused. Where it is not, the script does it."""
    path = f"/api/v1/matches/{asker.id}/undo"
    steps = asker.session.match.steps
    refused = not (steps and steps[-1].seat == asker.seat and not steps[-1].sealed)
    seats = [*asker.other_seats, 15, *([asker.own_seat] if refused else [])]
    asked = [send_json("POST", path, {"seat": seat, "seq": asker.seq}) for seat in seats]
    asked += [send_json("POST", path, {"seat": asker.own_seat, "seq": asker.seq - 1})]
    return [*asked, *(Request("POST", path, headers=(JSON,), body=content) for content in MALFORMED[:4])]


@asks("POST", f"{MATCH}/time")
def time_at_table(asker: Asker) -> list[Request]:
    """Ask for time, and go on without it, at any seat."""
    path = f"/api/v1/matches/{asker.id}/time"
    asked = [send_json("POST", path, {"seat": seat, "wait": wait}) for seat in asker.any_seat for wait in (True, False)]
    return [*asked, *(Request("POST", path, headers=(JSON,), body=content) for content in MALFORMED[:4])]


@asks("POST", f"{MATCH}/advice")
def advice(asker: Asker) -> list[Request]:
    path = f"/api/v1/matches/{asker.id}/advice"
    return [send_json("POST", path, {"seat": seat}) for seat in asker.any_seat]


# The JSON API: matches


@asks("POST", "/api/v1/matches")
def open_match(asker: Asker) -> list[Request]:
    body: dict[str, Any] = {
        "game": asker.game.name,
        "seats": ["me", "random"],
        "options": {"players": 2},
        "listed": True,
    }
    wrong: list[dict[str, Any]] = [
        {"game": "no-game"},
        {"seats": ["nobody"]},
        {"options": {"players": 99}},
        {"clock": 1},
        {"seed": 1},
    ]
    return [send_json("POST", "/api/v1/matches", body | more) for more in [{}, *wrong]]


@asks("GET", "/api/v1/matches")
def find_matches(asker: Asker) -> list[Request]:
    return [get("/api/v1/matches", mine=mine) for mine in (None, "true", "perhaps")]


@asks("GET", MATCH)
def one_match(asker: Asker) -> list[Request]:
    return [
        get(f"/api/v1/matches/{match}") for match in (asker.id, asker.finished.id, NO_MATCH, "not a match", "x" * 40)
    ]


@asks("PUT", f"{MATCH}/seats/{{seat}}")
def sit(asker: Asker) -> list[Request]:
    """Only what is refused: who takes a seat may know more than before."""
    path = f"/api/v1/matches/{asker.id}/seats"
    held = asker.seats_of_others
    asked = [send_json("PUT", f"{path}/{seat}", {"who": who}) for seat in held[:2] for who in ("me", "nobody")]
    return [*asked, send_json("PUT", f"{path}/15", {"who": "me"}), send_json("PUT", f"{path}/{asker.own_seat}", {})]


@asks("POST", f"{MATCH}/rematch")
def rematch(asker: Asker) -> list[Request]:
    return [Request("POST", f"/api/v1/matches/{match}/rematch") for match in (asker.id, asker.finished.id, NO_MATCH)]


ANALYSIS = f"{MATCH}/analysis"
VIEWPOINTS = (None, "table", "open", "spectator", "seat-0", "seat-1", "seat-9", "nonsense")


@asks("GET", ANALYSIS)
def analysis(asker: Asker) -> list[Request]:
    path = f"/api/v1/matches/{asker.id}/analysis"
    finished = get(f"/api/v1/matches/{asker.finished.id}/analysis")
    return [*(get(path, viewpoint=viewpoint) for viewpoint in VIEWPOINTS), finished]


@asks("POST", ANALYSIS)
def ask_for_analysis(asker: Asker) -> list[Request]:
    """Of the running match only: that of the finished one would take its time."""
    path = f"/api/v1/matches/{asker.id}/analysis"
    asked = [send_json("POST", path, {"viewpoint": viewpoint}) for viewpoint in VIEWPOINTS]
    asked += [send_json("POST", path, {"effort": effort}) for effort in (0, 1, 10**9, "x")]
    return [*asked, send_json("POST", f"/api/v1/matches/{NO_MATCH}/analysis", {})]


@asks("DELETE", ANALYSIS)
def cancel_analysis(asker: Asker) -> list[Request]:
    return [Request("DELETE", f"/api/v1/matches/{match}/analysis") for match in (asker.id, asker.finished.id)]


@asks("GET", f"{MATCH}/record")
def record(asker: Asker) -> list[Request]:
    return [get(f"/api/v1/matches/{match}/record") for match in (asker.id, asker.finished.id)]


# The JSON API: guests and games


@asks("POST", "/api/v1/guests")
def become_a_guest(asker: Asker) -> list[Request]:
    bodies = ({"name": "Nina"}, {"name": ""}, {"name": "Nina", "language": "xx"}, {"name": 1})
    return [send_json("POST", "/api/v1/guests", body) for body in bodies]


@asks("GET", "/api/v1/me")
def who_am_i(asker: Asker) -> list[Request]:
    return [get("/api/v1/me"), get("/api/v1/me").having(("authorization", "Bearer nonsense"))]


@asks("PATCH", "/api/v1/me")
def change_me(asker: Asker) -> list[Request]:
    return [send_json("PATCH", "/api/v1/me", body) for body in ({"name": "Another"}, {"language": "xx"}, {"id": "x"})]


@asks("DELETE", "/api/v1/me")
def forget_me(asker: Asker) -> list[Request]:
    """Without a valid token. The script ends with a valid one."""
    return [Request("DELETE", "/api/v1/me", headers=(("authorization", "Bearer nonsense"),))]


@asks("POST", "/api/v1/me/link")
def personal_link(asker: Asker) -> list[Request]:
    return [Request("POST", "/api/v1/me/link")]


@asks("GET", "/api/v1/games")
def list_games(asker: Asker) -> list[Request]:
    return [get("/api/v1/games")]


@asks("GET", "/api/v1/games/{game}")
def one_game(asker: Asker) -> list[Request]:
    return [get(f"/api/v1/games/{game}") for game in (asker.game.name, "no-game")]


@asks("GET", "/api/v1/games/{game}/rules")
def rules_of(asker: Asker) -> list[Request]:
    return [get(f"/api/v1/games/{game}/rules") for game in (asker.game.name, "no-game")]


@asks("GET", "/api/v1/openapi.json")
def openapi(asker: Asker) -> list[Request]:
    """Now and then: to write the description takes as long as fifty other answers."""
    return [get("/api/v1/openapi.json")] if asker.chance.random() < 0.1 else []


# Pages of a match


@asks("GET", "/m/{match}")
def match_page(asker: Asker) -> list[Request]:
    asked = [get(f"/m/{asker.id}", seat=seat) for seat in asker.any_seat]
    return [*asked, get(f"/m/{asker.finished.id}"), get(f"/m/{NO_MATCH}")]


@asks("POST", "/m/{match}/act")
def act(asker: Asker) -> list[Request]:
    path, seat, seq = f"/m/{asker.id}/act", asker.own_seat, asker.seq
    asked = [send_form(path, seat=seat, seq=seq, action=action) for action in asker.illegal_actions()[:6]]
    asked += [send_form(path, seat=other, seq=seq, undo="1") for other in asker.other_seats]
    asked += [send_form(path, seat=seat, seq=seq - 1, undo="1"), send_form(path, seat=seat), send_form(path)]
    return [*asked, Request("POST", path, body=b"\xff&&&="), send_form(f"/m/{NO_MATCH}/act", seat=0, seq=0)]


@asks("POST", "/m/{match}/sit")
def sit_on_page(asker: Asker) -> list[Request]:
    asked = [send_form(f"/m/{asker.id}/sit", seat=seat, who="me") for seat in asker.seats_of_others[:2]]
    return [*asked, send_form(f"/m/{asker.id}/sit", seat=99), send_form(f"/m/{asker.id}/sit", seat="x")]


@asks("GET", "/m/{match}/analysis")
def analysis_on_page(asker: Asker) -> list[Request]:
    return [get(f"/m/{match}/analysis") for match in (asker.id, asker.finished.id, NO_MATCH)]


@asks("POST", "/m/{match}/analysis")
def ask_for_analysis_on_page(asker: Asker) -> list[Request]:
    return [Request("POST", f"/m/{asker.id}/analysis")]


@asks("POST", "/m/{match}/analysis/cancel")
def cancel_analysis_on_page(asker: Asker) -> list[Request]:
    return [Request("POST", f"/m/{match}/analysis/cancel") for match in (asker.id, asker.finished.id)]


@asks("GET", "/m/{match}/what-if")
def what_if(asker: Asker) -> list[Request]:
    running, over = f"/m/{asker.id}/what-if", f"/m/{asker.finished.id}/what-if"
    lines = ("", "0.0", "0.1-0.2", "1.5", "9.9", "nonsense", "0." + "9" * 9)
    return [*(get(running, at=at, line=line) for at in (0, 1, 99) for line in lines), get(over, at=0)]


@asks("GET", "/m/{match}/what-if/value")
def what_if_value(asker: Asker) -> list[Request]:
    """Of the running match only: that of the finished one would take its time."""
    return [get(f"/m/{asker.id}/what-if/value", at=at, line=line) for at in (0, 1) for line in ("", "0.0")]


@asks("GET", "/m/{match}/verdict")
def verdict(asker: Asker) -> list[Request]:
    asked = [get(f"/m/{asker.id}/verdict", seat=seat) for seat in asker.any_seat]
    return [*asked, get(f"/m/{asker.finished.id}/verdict")]


@asks("POST", "/m/{match}/rematch")
def rematch_on_page(asker: Asker) -> list[Request]:
    return [Request("POST", f"/m/{match}/rematch") for match in (asker.id, asker.finished.id)]


@asks("GET", "/m/{match}/invite")
def invite(asker: Asker) -> list[Request]:
    return [get(f"/m/{asker.id}/invite"), get(f"/m/{NO_MATCH}/invite")]


@asks("GET", "/m/{match}/qr.svg")
def qr_code(asker: Asker) -> list[Request]:
    return [get(f"/m/{asker.id}/qr.svg", seat=seat) for seat in asker.any_seat]


@asks("GET", "/m/{match}/seat/{seat}/{token}")
def invitation(asker: Asker) -> list[Request]:
    seats = [seat for seat in range(len(asker.session.seats)) if asker.session.seats[seat].open]
    tokens = [(seat, asker.signer.invitation_token(asker.id, seat)) for seat in [*seats[:2], asker.own_seat]]
    return [get(f"/m/{asker.id}/seat/{seat}/{token}") for seat, token in [*tokens, (0, "nonsense")]]


@asks("POST", "/m/{match}/why")
def why(asker: Asker) -> list[Request]:
    path = f"/m/{asker.id}/why"
    asked = [send_form(path, seat=asker.own_seat, touches=touched) for touched in asker.touched()]
    asked += [send_form(path, seat=seat, touches="") for seat in asker.other_seats]
    return [*asked, send_form(path, touches="x"), send_form(path, seat=99)]


@asks("POST", "/m/{match}/advice")
def advice_on_page(asker: Asker) -> list[Request]:
    return [send_form(f"/m/{asker.id}/advice", seat=seat) for seat in [asker.own_seat, *asker.other_seats[:1], 99]]


@asks("GET", "/m/{match}/replay")
def replay(asker: Asker) -> list[Request]:
    asked = [get(f"/m/{asker.id}/replay", at=at, seat=seat) for at, seat in ((None, None), (1, asker.seat), (0, 0))]
    at = asker.chance.randint(0, len(asker.finished.log))
    return [*asked, get(f"/m/{asker.finished.id}/replay", at=at, seat=asker.chance.choice((0, 1, "")))]


@asks("GET", "/m/{match}/replay/frame")
def replay_frame(asker: Asker) -> list[Request]:
    running = [get(f"/m/{asker.id}/replay/frame", at=at, was=was, seat=asker.seat) for at, was in ((1, 0), (0, 1))]
    return [
        *running,
        get(f"/m/{asker.finished.id}/replay/frame", at=3, was=2, seat=1),
        get(f"/m/{asker.id}/replay/frame"),
    ]


@asks("POST", "/m/{match}/play-on")
def play_on(asker: Asker) -> list[Request]:
    running = [send_form(f"/m/{asker.id}/play-on", at=at, seat=asker.own_seat) for at in (0, 1, asker.seq)]
    return [*running, send_form(f"/m/{asker.finished.id}/play-on", at=2, seat=0), send_form(f"/m/{asker.id}/play-on")]


@asks("POST", "/m/{match}/guide")
def back_to_guide(asker: Asker) -> list[Request]:
    return [send_form(f"/m/{asker.id}/guide"), send_form("/m/no-match/guide")]


# Other pages


@asks("GET", "/")
def lobby(asker: Asker) -> list[Request]:
    return [get("/")]


@asks("GET", "/lobby/open-tables")
def open_tables(asker: Asker) -> list[Request]:
    return [get("/lobby/open-tables")]


@asks("GET", "/new/{game}")
def new_match_page(asker: Asker) -> list[Request]:
    return [get(f"/new/{game}") for game in (asker.game.name, "no-game")]


@asks("POST", "/new/{game}")
def new_match(asker: Asker) -> list[Request]:
    fields = {"option-players": 2, "seat-0": "me", "seat-1": "random"}
    return [
        send_form(f"/new/{asker.game.name}", **fields),
        send_form(f"/new/{asker.game.name}", **{"seat-0": "nobody"}),
    ]


@asks("POST", "/play/{game}")
def play_now(asker: Asker) -> list[Request]:
    return [send_form(f"/play/{game}") for game in (asker.game.name, "no-game")]


@asks("POST", "/daily/{game}")
def daily(asker: Asker) -> list[Request]:
    return [send_form(f"/daily/{asker.game.name}")]


@asks("GET", "/daily")
def days(asker: Asker) -> list[Request]:
    return [get("/daily"), get("/daily", day="2001-01-01"), get("/daily", day="x")]


@asks("POST", "/c")
def make_challenge_on_page(asker: Asker) -> list[Request]:
    """Not of the finished match: whoever makes it a challenge hides it from others who ask later."""
    return [send_form("/c", match=match) for match in (asker.id, NO_MATCH, "")]


@asks("GET", "/c/{challenge}")
def challenge_page(asker: Asker) -> list[Request]:
    return [get(f"/c/{challenge}") for challenge in (asker.id, NO_MATCH)]


@asks("POST", "/c/{challenge}/play")
def play_challenge_on_page(asker: Asker) -> list[Request]:
    return [send_form(f"/c/{challenge}/play") for challenge in (asker.id, NO_MATCH)]


@asks("GET", "/games/{game}/cover.svg")
def cover(asker: Asker) -> list[Request]:
    return [get(f"/games/{game}/cover.svg") for game in (asker.game.name, "no-game")]


@asks("GET", "/me/games")
def my_games(asker: Asker) -> list[Request]:
    return [get("/me/games"), get("/me/games", game=asker.game.name, result="running"), get("/me/games", page=0)]


@asks("GET", "/me/games/{match}/delete")
def delete_my_game(asker: Asker) -> list[Request]:
    return [get(f"/me/games/{match}/delete") for match in (asker.id, NO_MATCH)]


@asks("POST", "/me/games/{match}")
def change_my_game(asker: Asker) -> list[Request]:
    """Archived and taken out again; what deletes it is refused."""
    path = f"/me/games/{asker.id}"
    actions = [
        "archive",
        "unarchive",
        "nonsense",
        *(["delete"] if asker.seats_of_others and asker.seat is not None else []),
    ]
    return [*(send_form(path, do=action) for action in actions), send_form(f"/me/games/{NO_MATCH}", do="delete")]


@asks("GET", "/me/statistics")
def my_statistics(asker: Asker) -> list[Request]:
    return [get("/me/statistics")]


@asks("GET", "/me/export")
def export_on_page(asker: Asker) -> list[Request]:
    return [get("/me/export")]


@asks("GET", "/api/v1/me/export")
def export(asker: Asker) -> list[Request]:
    return [get("/api/v1/me/export")]


@asks("POST", "/api/v1/challenges")
def make_challenge(asker: Asker) -> list[Request]:
    game = asker.game.name
    bodies: list[dict[str, Any]] = [
        {"match": asker.id},
        {"game": game, "day": "2001-01-01"},
        {"game": game, "options": {"players": 99}},
        {},
    ]
    return [send_json("POST", "/api/v1/challenges", body) for body in bodies]


@asks("GET", "/api/v1/challenges/{challenge}")
def one_challenge(asker: Asker) -> list[Request]:
    return [get(f"/api/v1/challenges/{challenge}") for challenge in (asker.id, "not a challenge")]


@asks("POST", "/api/v1/challenges/{challenge}/matches")
def play_challenge(asker: Asker) -> list[Request]:
    return [send_json("POST", f"/api/v1/challenges/{asker.id}/matches", {"seats": ["me"]})]


@asks("POST", "/guide/{game}")
def guide(asker: Asker) -> list[Request]:
    return [send_form(f"/guide/{game}") for game in (asker.game.name, "no-game")]


@asks("GET", "/rules/{game}")
def rules(asker: Asker) -> list[Request]:
    return [get(f"/rules/{game}") for game in (asker.chance.choice(all_games()).name, "no-game")]


@asks("GET", "/games/{game}/style.css")
def style(asker: Asker) -> list[Request]:
    return [get(f"/games/{asker.game.name}/style.css")]


@asks("GET", "/me")
def my_page(asker: Asker) -> list[Request]:
    return [get("/me"), get("/me", kept=1)]


@asks("POST", "/me")
def change_me_on_page(asker: Asker) -> list[Request]:
    back = {"back": f"/m/{asker.id}"}
    return [send_form("/me", name="Third", **back), send_form("/me", language="xx"), send_form("/me", name="")]


@asks("POST", "/me/link")
def personal_link_on_page(asker: Asker) -> list[Request]:
    return [send_form("/me/link")]


@asks("POST", "/me/forget")
def forget_me_on_page(asker: Asker) -> list[Request]:
    """By nobody. The script ends with a valid one."""
    return [send_form("/me/forget").having(("authorization", "Bearer nonsense"))]


@asks("GET", "/enter/{token}")
def enter(asker: Asker) -> list[Request]:
    return [get(f"/enter/{token}") for token in _entrance_tokens(asker)]


@asks("POST", "/enter/{token}")
def entered(asker: Asker) -> list[Request]:
    return [send_form(f"/enter/{token}") for token in _entrance_tokens(asker)]


def _entrance_tokens(asker: Asker) -> list[str]:
    with mock.patch.object(time, "time", return_value=EPOCH):
        return ["nonsense", *([] if asker.guest is None else [asker.signer.personal_link_token(asker.guest)])]


@asks("GET", "/getting-ready/{game}")
def getting_ready(asker: Asker) -> list[Request]:
    return [get(f"/getting-ready/{game}") for game in (asker.game.name, "no-game")]


@asks("GET", "/healthz")
def healthz(asker: Asker) -> list[Request]:
    return [get("/healthz")]


@asks("GET", "/metrics")
def metrics(asker: Asker) -> list[Request]:
    return [get("/metrics")]


@asks("GET", "/static/{path}")
def static(asker: Asker) -> list[Request]:
    return [get("/static/table.css"), get("/static/match.js"), get("/static/nothing.js"), get("/static/../app.py")]


# The end of a script: afterwards the two worlds may look different


def last_requests(asker: Asker) -> list[Request]:
    """What may reveal something, and so changes what the asker may know: only the answer to it must be the same."""
    path = f"/api/v1/matches/{asker.id}"
    seats = asker.takeable_seats
    asked = [send_json("PUT", f"{path}/seats/{seat}", {"who": "me"}) for seat in seats[:1]]
    asked += [send_form(f"/m/{asker.id}/sit", seat=seat, who="me") for seat in seats[1:2]]
    if asker.seat is not None:
        revealing = [
            number
            for number in asker.session.match.legal_ids(asker.seat)
            if asker.session.match.reveals(asker.seat, number)
        ]
        for number in asker.chance.sample(revealing, min(1, len(revealing))):
            body = {
                "seat": asker.seat,
                "action": asker.session.match.action(number).text,
                "seq": asker.seq,
                "key": "last",
            }
            asked += [send_json("POST", f"{path}/actions", body)] * 2
    forget = asker.chance.choice([Request("DELETE", "/api/v1/me"), send_form("/me/forget")])
    return [asker.signed(request) for request in [*asked, forget]]


def changes_of_holder(asker: Asker) -> list[Request]:
    """The asker's own seat is left and taken again, then given to a bot and taken back."""
    path = f"/api/v1/matches/{asker.id}/seats/{asker.own_seat}"
    holders = ("open", "me", bots.default_bot(asker.game), "me")
    return [asker.signed(send_json("PUT", path, {"who": who})) for who in holders]


def played(asker: Asker, number: int, key: str | None = None) -> Request:
    """A legal action of the asker's seat."""
    assert asker.seat is not None
    body = {"seat": asker.seat, "action": asker.session.match.action(number).text, "seq": asker.seq, "key": key}
    return asker.signed(send_json("POST", f"/api/v1/matches/{asker.id}/actions", body))


def streams_of(asker: Asker) -> dict[str, Request]:
    """The event streams that an asker keeps open."""
    path = f"/api/v1/matches/{asker.id}/stream"
    kinds = {(seat, page) for seat in (asker.seat, None) for page in (True, None)}
    return {
        f"{seat} {page}": asker.signed(get(path, seat=seat, page=page))
        for seat, page in sorted(kinds, key=lambda kind: (str(kind[0]), str(kind[1])))
    }
