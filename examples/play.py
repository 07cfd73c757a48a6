"""A bot from outside: sits down at a table and plays legal actions to the end, through the JSON API alone.

    python examples/play.py --game cartagena --seats me,random      # open a match
    python examples/play.py --match LINK                            # join one that waits for somebody

It needs nothing but Python. Make ``choose`` clever and it is your bot; docs/api.md tells the rest of the API.
"""

from __future__ import annotations

import argparse
import json
import random
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from typing import Any

Json = dict[str, Any]


class Refused(Exception):
    def __init__(self, problem: Json, wait: float) -> None:
        super().__init__(f"{problem['message']} ({problem['rule'] or problem['code']})")
        self.code: str = problem["code"]
        self.wait = wait  # seconds; 0 if asking again will not help


class Table:
    """A guest at a table."""

    def __init__(self, url: str, name: str) -> None:
        self.api = f"{url.rstrip('/')}/api/v1"
        self.headers = {"Content-Type": "application/json"}
        self.headers["Authorization"] = f"Bearer {self.ask('POST', '/guests', {'name': name})['token']}"

    def ask(self, method: str, path: str, body: Json | None = None) -> Any:
        while True:
            try:
                with self._send(method, path, body, 30) as answer:
                    return json.load(answer)
            except Refused as refused:
                if not refused.wait:
                    raise
                time.sleep(refused.wait)

    def _send(self, method: str, path: str, body: Json | None, patience: float) -> Any:
        sent = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self.api + path, sent, self.headers, method=method)
        try:
            return urllib.request.urlopen(request, timeout=patience)
        except urllib.error.HTTPError as error:
            wait = float(error.headers.get("Retry-After", error.code == 503))
            raise Refused(json.load(error)["error"], wait) from None

    def events(self, match: str, seat: int) -> Iterator[Json]:
        """What happens at a match, from its start to its end; a line that breaks is taken up where it was."""
        seen = 0
        while True:
            try:
                with self._send("GET", f"/matches/{match}/stream?seat={seat}&since={seen}", None, 60) as lines:
                    for line in lines:
                        if line.startswith(b"data: "):
                            event = json.loads(line[6:])
                            seen = event["seq"]
                            yield event
            except (OSError, Refused) as trouble:
                if isinstance(trouble, Refused) and not trouble.wait:
                    raise
                print(f"… {trouble}; trying again")
            time.sleep(1)


def choose(view: Json, chance: random.Random) -> str:
    """Any legal action. ``view["view"]`` is all that this seat may know of the game."""
    return str(chance.choice(view["legal"])["action"])


def take_seat(table: Table, given: argparse.Namespace) -> tuple[str, int]:
    if given.match:
        match = given.match.rstrip("/").rpartition("/")[2]
        free = [seat["seat"] for seat in table.ask("GET", f"/matches/{match}")["seats"] if seat["open"]]
        if not free:
            raise SystemExit("every seat of that match is taken")
        table.ask("PUT", f"/matches/{match}/seats/{free[0]}", {"who": "me"})
        return match, free[0]
    seats = given.seats.split(",")
    body = {"game": given.game, "options": {"players": len(seats)}, "seats": seats}
    opened = table.ask("POST", "/matches", body)
    print(f"The match is at {opened['link']}")
    return opened["id"], seats.index("me")


def play(table: Table, match: str, seat: int, chance: random.Random) -> Json:
    """Act whenever the game waits for us, until it is over."""
    for event in table.events(match, seat):
        for step in event["steps"]:
            print(f"{step['seq']:>5}  {' '.join(step['words'])}")
        if event["result"] is not None:
            return dict(event["result"])
        if seat in event["waiting"]:
            act(table, match, seat, event["seq"], chance)
    raise AssertionError("events end with the match")


def act(table: Table, match: str, seat: int, told: int, chance: random.Random) -> None:
    view = table.ask("GET", f"/matches/{match}/view?seat={seat}")
    while view["seq"] < told:  # another process of the table answers, a moment behind
        time.sleep(0.05)
        view = table.ask("GET", f"/matches/{match}/view?seat={seat}")
    if seat not in view["waiting"]:
        return  # the event was old: there is more to hear
    body = {"seat": seat, "action": choose(view, chance), "seq": view["seq"]}
    try:
        table.ask("POST", f"/matches/{match}/actions", body)
    except Refused as refused:
        if refused.code != "stale":  # somebody was quicker: the next event tells
            raise


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--table", default="http://127.0.0.1:8000", help="where it is")
    parser.add_argument("--name", default="Bot from outside")
    parser.add_argument("--game", default="cartagena")
    parser.add_argument("--seats", default="me,random", help="for each seat me, open or a bot of the house")
    parser.add_argument("--match", help="the link (or the id) of a match with a free seat")
    parser.add_argument("--seed", type=int, help="to choose the same again")
    given = parser.parse_args()
    table = Table(given.table, given.name)
    match, seat = take_seat(table, given)
    result = play(table, match, seat, random.Random(given.seed))
    print(
        f"{result['ending']}: seats {result['winners']} won" if result["winners"] else f"{result['ending']}: nobody won"
    )


if __name__ == "__main__":
    main()
