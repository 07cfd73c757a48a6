"""A bot that plays through the JSON API: it takes a seat in a match and plays legal actions to the end.

    python examples/api_bot.py --game cartagena --seats me,random      # open a match
    python examples/api_bot.py --match LINK                            # join one that has a free seat

It needs nothing but Python. Put your strategy into ``choose_action``; docs/api.md describes the whole API.
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
REQUEST_TIMEOUT, STREAM_TIMEOUT = 30, 60  # seconds


class Refused(Exception):
    """The server has refused a request."""

    def __init__(self, problem: Json, retry_after: float) -> None:
        super().__init__(f"{problem['message']} ({problem['rule'] or problem['code']})")
        self.code: str = problem["code"]
        self.retry_after = retry_after  # seconds; 0 if trying again will not help


class Client:
    """A guest of a server."""

    def __init__(self, url: str, name: str) -> None:
        self.api = f"{url.rstrip('/')}/api/v1"
        self.headers = {"Content-Type": "application/json"}
        self.headers["Authorization"] = f"Bearer {self.request('POST', '/guests', {'name': name})['token']}"

    def request(self, method: str, path: str, body: Json | None = None) -> Any:
        """Send a request, again if the server asks for that; the JSON of the response."""
        while True:
            try:
                with self._send(method, path, body, REQUEST_TIMEOUT) as response:
                    return json.load(response)
            except Refused as refused:
                if not refused.retry_after:
                    raise
                time.sleep(refused.retry_after)

    def events(self, match: str, seat: int) -> Iterator[Json]:
        """The events of a match from its start to its end; a lost connection is resumed where it broke."""
        last_seq = 0
        while True:
            try:
                path = f"/matches/{match}/stream?seat={seat}&since={last_seq}"
                with self._send("GET", path, None, STREAM_TIMEOUT) as lines:
                    for line in lines:
                        if line.startswith(b"data: "):
                            event = json.loads(line[6:])
                            last_seq = event["seq"]
                            yield event
            except (OSError, Refused) as problem:
                if isinstance(problem, Refused) and not problem.retry_after:
                    raise
                print(f"… {problem}; trying again")
            time.sleep(1)

    def _send(self, method: str, path: str, body: Json | None, timeout: float) -> Any:
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self.api + path, data, self.headers, method=method)
        try:
            return urllib.request.urlopen(request, timeout=timeout)
        except urllib.error.HTTPError as error:
            retry_after = float(error.headers.get("Retry-After", error.code == 503))
            raise Refused(json.load(error)["error"], retry_after) from None


def choose_action(view: Json, generator: random.Random) -> str:
    """A random legal action. ``view["view"]`` is all that this seat may know of the game."""
    return str(generator.choice(view["legal"])["action"])


def join_match(client: Client, link: str) -> tuple[str, int]:
    """Take the first free seat; the match's id and the seat."""
    match = link.rstrip("/").rpartition("/")[2]
    free = [seat["seat"] for seat in client.request("GET", f"/matches/{match}")["seats"] if seat["open"]]
    if not free:
        raise SystemExit("every seat of that match is taken")
    client.request("PUT", f"/matches/{match}/seats/{free[0]}", {"who": "me"})
    return match, free[0]


def open_match(client: Client, game: str, seats: list[str]) -> tuple[str, int]:
    """Open a match; its id and our seat."""
    body = {"game": game, "options": {"players": len(seats)}, "seats": seats}
    opened = client.request("POST", "/matches", body)
    print(f"The match is at {opened['link']}")
    return opened["id"], seats.index("me")


def play(client: Client, match: str, seat: int, generator: random.Random) -> Json:
    """Act whenever the game waits for our seat; the result of the match."""
    for event in client.events(match, seat):
        for step in event["steps"]:
            print(f"{step['seq']:>5}  {' '.join(step['words'])}")
        if event["result"] is not None:
            return dict(event["result"])
        if seat in event["waiting"]:
            act(client, match, seat, event["seq"], generator)
    raise AssertionError("events end with the match")


def act(client: Client, match: str, seat: int, seq: int, generator: random.Random) -> None:
    """Post an action after the event with number ``seq``."""
    view = client.request("GET", f"/matches/{match}/view?seat={seat}")
    while view["seq"] < seq:  # another process of the server has answered, which is a moment behind
        time.sleep(0.05)
        view = client.request("GET", f"/matches/{match}/view?seat={seat}")
    if seat not in view["waiting"]:
        return  # the event was outdated; another one follows
    body = {"seat": seat, "action": choose_action(view, generator), "seq": view["seq"]}
    try:
        client.request("POST", f"/matches/{match}/actions", body)
    except Refused as refused:
        if refused.code != "stale":  # another seat has acted first; another event follows
            raise


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--table", default="http://127.0.0.1:8000", help="the server's address")
    parser.add_argument("--name", default="Bot from outside")
    parser.add_argument("--game", default="cartagena")
    parser.add_argument("--seats", default="me,random", help="for each seat me, open or the name of a bot")
    parser.add_argument("--match", help="the link or the id of a match with a free seat")
    parser.add_argument("--seed", type=int, help="of the random choices")
    arguments = parser.parse_args()
    client = Client(arguments.table, arguments.name)
    if arguments.match:
        match, seat = join_match(client, arguments.match)
    else:
        match, seat = open_match(client, arguments.game, arguments.seats.split(","))
    result = play(client, match, seat, random.Random(arguments.seed))
    winners = f"seats {result['winners']} won" if result["winners"] else "nobody won"
    print(f"{result['ending']}: {winners}")


if __name__ == "__main__":
    main()
