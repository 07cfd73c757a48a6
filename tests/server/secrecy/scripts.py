"""Scripts: what somebody asks of two worlds while a match goes on in both, as far as they can tell in the same way."""

from __future__ import annotations

import random
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from skerry import bots
from skerry.engine.conformance import variants
from skerry.engine.game import Game
from skerry.engine.match import Match, Step
from skerry.games import find_game
from skerry.server.identity import Guest, GuestService
from skerry.server.match_session import MatchSession, SeatHolder
from tests.server.secrecy import route_requests, twin
from tests.server.secrecy.requests import Request, send_form, send_json
from tests.server.secrecy.route_requests import (
    ABOUT_THE_MATCH,
    QUESTIONS,
    WITH_MANY_QUESTIONS,
    Asker,
    questions_to,
    wrong_methods,
)
from tests.server.secrecy.twin import Ask, Listen, Read
from tests.server.secrecy.worlds import Resampler, StoredMatch, StoredWorld, cut_at, played_match, visible_position

PLAYERS_SHARE = 0.65  # of the askers who hold a seat; the others only watch
AGAIN = 14  # of the many questions about a match, after each change of it
TRIED = 12  # actions of another seat, in search of one that looks the same in both worlds
LANGUAGES = ("en", "es", "pt")
SIGNER = GuestService(None, twin.SECRET)  # type: ignore[arg-type]  # it only signs


@dataclass(frozen=True)
class Case:
    """A running match, and somebody who may know some of it."""

    name: str
    world: StoredWorld
    match: StoredMatch
    finished: StoredMatch
    asker: Guest | None
    seat: int | None

    @property
    def hidden_from(self) -> str:
        if self.seat is not None:
            return f"seat {self.seat}"
        return "a stranger" if self.asker is None else "a guest without a seat"


@dataclass(frozen=True)
class Comparison:
    """The two worlds of a case, and the scripts to carry out in them. ``asked`` says for each answer what it is to."""

    case: Case
    worlds: tuple[StoredWorld, StoredWorld]
    scripts: tuple[list[twin.Step], list[twin.Step]]
    asked: list[str]
    acted: int  # actions and undos that were played
    asker_acted: bool


def random_case(game: Game, number: int | str) -> Case:
    """A match of a game at a random depth, and a random asker."""
    name = f"{game.name} {number}"
    chance = random.Random(name)
    variant = chance.choice(list(variants(game)))
    whole = played_match(variant, "the-match", chance.getrandbits(64))
    last = len(whole.log) - (whole.header["ended"] is not None)
    match = cut_at(whole, chance.randint(0, last))
    seat = _random_seat(match, chance) if chance.random() < PLAYERS_SHARE else None
    guests = [  # who turn every card by hand, since a card that turns over by itself brings what is hidden to light
        Guest(f"guest-{number}", f"Guest {number}", chance.choice(LANGUAGES), by_hand=True)
        for number in range(variant.players)
    ]
    watcher = Guest("watcher", "Wanda", chance.choice(LANGUAGES))
    asker = guests[seat] if seat is not None else chance.choice([watcher, None])
    holders = [_holder(game, guests[place], place == seat, chance) for place in range(variant.players)]
    owner = chance.choice([*guests, *([asker] if asker else [])]).id
    match = replace(
        match, seats=tuple(holders), header=match.header | {"owner": owner, "clock": chance.choice([None, 86400])}
    )
    finished = _finished_match(asker or watcher)
    world = StoredWorld((*guests, watcher), (match, finished))
    return Case(name, world, match, finished, asker, seat)


def _random_seat(match: StoredMatch, chance: random.Random) -> int:
    """A seat, preferably one that has to decide."""
    waiting = match.session().match.waiting
    return chance.choice(waiting if chance.random() < 0.5 else range(match.variant.players))


def _holder(game: Game, guest: Guest, is_asker: bool, chance: random.Random) -> dict[str, str | None]:
    kind = "guest" if is_asker else chance.choice(["guest", "guest", "guest", "open", "bot"])
    return {
        "guest": guest.id if kind == "guest" else None,
        "bot": chance.choice(["random", bots.default_bot(game)]) if kind == "bot" else None,
    }


def _finished_match(guest: Guest) -> StoredMatch:
    """A match that is over, about which there are no secrets, so that its pages are seen, too."""
    finished = played_match(find_game("forbidden-island").configure({"players": 2}), "finished-match", 1, 1000, 0)
    assert finished.header["ended"] is not None
    holders = ({"guest": guest.id, "bot": None}, {"guest": None, "bot": "random"})
    return replace(finished, seats=holders, header=finished.header | {"owner": guest.id})


def compared(case: Case, number: int = 0) -> Comparison:
    """The comparison of a case with its resampling of this number."""
    chance = random.Random(f"{case.name} {number}")
    other = Resampler(case.match, case.seat, chance).resampled()
    author = Author(case, other, chance)
    author.write()
    worlds = case.world, case.world.replacing(other)
    return Comparison(case, worlds, author.scripts, author.asked, author.acted, author.asker_acted)


class Author:
    """Writes the scripts for both worlds, following the match in both."""

    def __init__(self, case: Case, other: StoredMatch, chance: random.Random) -> None:
        self.case, self.chance = case, chance
        self.sessions = _session(case.world, case.match), _session(case.world, other)
        self.asker = Asker(SIGNER, case.asker, case.seat, self.sessions[0], case.finished, chance)
        self.scripts: tuple[list[twin.Step], list[twin.Step]] = [], []
        self.asked: list[str] = []
        self.acted = 0
        self.asker_acted = False
        self.streams: list[str] = []

    def write(self) -> None:
        for name, request in route_requests.streams_of(self.asker).items():
            self._both(Listen(name, request))
            self.streams.append(f"stream {name}: {request}")
        self._read()
        self._ask(questions_to(sorted(QUESTIONS), self.asker))
        self._ask(wrong_methods(self.asker))
        self._others_act()
        self._asker_acts()
        if self.case.seat is not None:
            for request in route_requests.changes_of_holder(self.asker):
                self._ask([request])
                self._read()
            self._look_again()
        self._ask(route_requests.last_requests(self.asker))

    # The steps of the scripts

    def _both(self, step: twin.Step) -> None:
        for script in self.scripts:
            script.append(step)

    def _ask(self, requests: Iterable[Request]) -> None:
        for request in requests:
            self._both(Ask(request))
            self.asked.append(str(request))

    def _read(self) -> None:
        self._both(Read())
        self.asked += self.streams

    def _look_again(self) -> None:
        self._read()
        self._ask(questions_to(ABOUT_THE_MATCH, self.asker))
        asked = questions_to(WITH_MANY_QUESTIONS, self.asker)
        self._ask(self.chance.sample(asked, min(AGAIN, len(asked))))

    # Others

    def _others_act(self) -> None:
        """Somebody else acts in both worlds, perhaps not in the same way, and takes it back."""
        found = self._indistinguishable_steps()
        if found is None:
            return
        path = f"/api/v1/matches/{self.asker.id}"
        seat = found[0].seat
        for session, script, step in zip(self.sessions, self.scripts, found, strict=True):
            body = {"seat": seat, "action": step.action.text, "seq": session.seq}
            script.append(Ask(self._signed_by(seat, send_json("POST", f"{path}/actions", body)), told=False))
            session.apply_row(session.row_for_action(seat, step.action.id, None))
        self.acted += 1
        self._look_again()
        for session, script in zip(self.sessions, self.scripts, strict=True):
            request = send_json("POST", f"{path}/undo", {"seat": seat, "seq": session.seq})
            script.append(Ask(self._signed_by(seat, request), told=False))
            session.apply_row(session.row_for_undo(seat, None))
        self.acted += 1
        self._look_again()

    def _signed_by(self, seat: int, request: Request) -> Request:
        guest = next(guest for guest in self.case.world.guests if guest.id == self.sessions[0].seats[seat].guest)
        return request.having(("authorization", f"Bearer {SIGNER.token(guest)}"))

    def _indistinguishable_steps(self) -> tuple[Step, Step] | None:
        """Steps of another seat in the two worlds that look the same to the asker, and are different if possible."""
        matches = [session.match for session in self.sessions]
        found = None
        for seat in self.asker.seats_of_others:
            first, second = (self._steps_that_can_be_undone(match, seat) for match in matches)
            looks = [self._look(step) for step in second]
            for step in first:
                for other, look in zip(second, looks, strict=True):
                    if look == self._look(step):
                        found = step, other
                        if step.action != other.action:
                            return found
        return found

    def _steps_that_can_be_undone(self, match: Match, seat: int) -> list[Step]:
        ids = match.legal_ids(seat)
        steps = [match.prepare(seat, action) for action in self.chance.sample(ids, min(TRIED, len(ids)))]
        return [step for step in steps if not step.sealed]

    def _look(self, step: Step) -> tuple[object, ...]:
        """All that the asker can see of a step."""
        match = self.sessions[0].match.copy()
        match.replace_content(step.after)
        events = [(event.as_dict(), str(event)) for event in match.step_events(step, self.case.seat)]
        return events, visible_position(match, self.case.seat)

    # The asker

    def _asker_acts(self) -> None:
        """The asker plays an action that reveals nothing, and takes it back; first as programs do, then on the page."""
        seat = self.case.seat
        if seat is None:
            return
        steps = self._steps_that_can_be_undone(self.sessions[0].match, seat)
        if not steps:
            return
        self.asker_acted = True
        for undo in (self._undo, self._undo_on_page):
            number, key = self.chance.choice(steps).action.id, f"of the asker, {self.acted}"
            self._ask([route_requests.played(self.asker, number, key)] * 2)  # the second is answered from the log
            for session in self.sessions:
                session.apply_row(session.row_for_action(seat, number, key))
            self.acted += 1
            self._look_again()
            self._ask([self.asker.signed(undo(seat))])
            for session in self.sessions:
                session.apply_row(session.row_for_undo(seat, None))
            self.acted += 1
            self._look_again()

    def _undo(self, seat: int) -> Request:
        return send_json("POST", f"/api/v1/matches/{self.asker.id}/undo", {"seat": seat, "seq": self.asker.seq})

    def _undo_on_page(self, seat: int) -> Request:
        return send_form(f"/m/{self.asker.id}/act", seat=seat, seq=self.asker.seq, undo="1")


def _session(world: StoredWorld, match: StoredMatch) -> MatchSession:
    session = match.session()
    names = {guest.id: guest.name for guest in world.guests}
    session.seats = tuple(
        SeatHolder(holder["guest"], holder["bot"], names.get(holder["guest"], "")) for holder in match.seats
    )
    return session


def scripts_of(comparison: Comparison, leak: str = "") -> Sequence[twin.Job]:
    """The jobs for the two twins."""
    return [twin.Job(world, script, leak) for world, script in zip(comparison.worlds, comparison.scripts, strict=True)]
