"""Simulated players: they act, click twice, act out of turn, undo, sit down and leave, and repeat what was lost."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from typing import Any

from skerry.engine.match import Match
from skerry.server.schema import UNDO
from tests.server.simulation.ledger import Ledger, Ledgers
from tests.server.simulation.network import Answer, Lost, Network
from tests.server.simulation.process import ServerProcess
from tests.server.simulation.world import World

RETRY = 1.0  # seconds until a lost request is repeated, at most; each time twice as long
LONGEST_RETRY = 30.0
TEMPORARY = (429, 503)  # statuses after which a request is repeated
MOVED_ON = ("stale", "illegal")  # refusals that mean for ever that the action was not played


class Table:
    """What all players and readers of a history share."""

    def __init__(self, world: World, processes: Sequence[ServerProcess]) -> None:
        self.world = world
        self.processes = processes
        self.network = Network(world)
        self.ledgers = Ledgers(world)
        self.matches: list[str] = []
        self.acknowledged: dict[tuple[str, str], tuple[int, int, int]] = {}  # by match and key: number, seat, action
        self.moved_on: set[tuple[str, str]] = set()  # keys of which a client was told that they were not played


class Player:
    def __init__(self, table: Table, name: str, guest: str, token: str, home: ServerProcess, pace: float) -> None:
        self.table = table
        self.world = table.world
        self.name = name
        self.guest = guest
        self.token = token
        self.home = home
        self.pace = pace  # seconds between two actions
        self._keys = 0
        self._twins: set[asyncio.Task[None]] = set()

    async def live(self, until: float) -> None:
        chance = self.world.chance
        habits: list[tuple[Callable[[], Awaitable[None]], int]] = [
            (self.act, 60),
            (self.click_twice, 8),
            (self.undo, 10),
            (self.act_on_an_old_page, 4),
            (self.act_out_of_turn, 3),
            (self.ask_for_time, 8),
            (self.change_a_seat, 8),
            (self.look, 10),
            (self.rename, 1),
            (self.turn_cards_by_hand, 1),
            (self.ask_for_a_rematch, 2),
            (self.move_to_another_process, 5),
        ]
        names, weights = zip(*habits, strict=True)
        while self.world.loop.now < until:
            await self.world.sleep(self.world.draw(3 * self.pace))
            (habit,) = chance.choices(names, weights)
            await habit()
        if self._twins:
            await asyncio.wait(self._twins)

    # Habits

    async def act(self) -> None:
        found = self._choose()
        if found is not None:
            ledger, seat, action = found
            await self.submit(ledger.id, seat, action, ledger.seq, self._new_key())

    async def click_twice(self) -> None:
        """Send the same request twice at the same time, perhaps to two processes; or two actions of which one wins."""
        found = self._choose()
        if found is None:
            return
        ledger, seat, action = found
        key, seq = self._new_key(), ledger.seq
        self.world.counts["clients: double clicks"] += 1
        again = key if self.world.chance.random() < 0.6 else self._new_key()
        twin = asyncio.create_task(self.submit(ledger.id, seat, action, seq, again))
        self._twins.add(twin)
        await self.submit(ledger.id, seat, action, seq, key)

    async def undo(self) -> None:
        found = self._choose(to_move=False)
        if found is not None:
            ledger, seat, _ = found
            await self.submit(ledger.id, seat, UNDO, ledger.seq, self._new_key())

    async def act_on_an_old_page(self) -> None:
        found = self._choose()
        if found is not None and found[0].seq:
            ledger, seat, action = found
            await self.submit(ledger.id, seat, action, self.world.chance.randrange(ledger.seq), self._new_key())

    async def act_out_of_turn(self) -> None:
        found = self._choose(to_move=False)
        if found is not None:
            ledger, seat, _ = found
            action = self.world.chance.randrange(ledger.match.game.actions.size)
            await self.submit(ledger.id, seat, action, ledger.seq, self._new_key())

    async def change_a_seat(self) -> None:
        """Sit down, leave, or hand the seat to a bot."""
        ledger = self._ledger()
        seat = self.world.chance.randrange(ledger.match.variant.players)
        who = self.world.chance.choice(["me", "me", "open", "random"])
        await self.ask("PUT", f"/matches/{ledger.id}/seats/{seat}", {"who": who})

    async def look(self) -> None:
        """Look at a match as a program without a stream does."""
        ledger = self._ledger()
        seat = self.world.chance.choice([None, *self._seats(ledger)])
        answer = await self.ask("GET", f"/matches/{ledger.id}/view" + ("" if seat is None else f"?seat={seat}"))
        if answer is not None and answer.status == 200:
            self.table.ledgers.expect_committed(self.name, ledger.id, answer.json["seq"])

    async def rename(self) -> None:
        await self.ask("PATCH", "/me", {"name": f"{self.name} {self._new_key()}"})

    async def ask_for_time(self) -> None:
        """Ask the table to wait, or to go on, whether there is a reason or not."""
        ledger = self._ledger()
        seats = self._seats(ledger)
        if seats:
            chance = self.world.chance
            body = {"seat": chance.choice(seats), "wait": chance.random() < 0.6}
            answer = await self.ask("POST", f"/matches/{ledger.id}/time", body)
            if answer is not None and answer.status == 204:
                self.world.counts["clients: asked to wait" if body["wait"] else "clients: asked to go on"] += 1

    async def turn_cards_by_hand(self) -> None:
        await self.ask("PATCH", "/me", {"by_hand": self.world.chance.random() < 0.3})

    async def ask_for_a_rematch(self) -> None:
        ledger = self._ledger()
        if ledger.match.result is not None:
            answer = await self.ask("POST", f"/matches/{ledger.id}/rematch", {})
            if answer is not None and answer.status == 200 and answer.json["id"] not in self.table.matches:
                self.table.matches.append(answer.json["id"])

    async def move_to_another_process(self) -> None:
        self.home = self.world.chance.choice(self.table.processes)

    # Acting

    def _ledger(self) -> Ledger:
        return self.table.ledgers.of(self.world.chance.choice(self.table.matches))

    def _seats(self, ledger: Ledger) -> list[int]:
        rows = self.world.database.seats(ledger.id)
        return [row.seat for row in rows if row.guest == self.guest]

    def _choose(self, *, to_move: bool = True) -> tuple[Ledger, int, int] | None:
        """A match, one of the player's seats and a legal action there, if it is the player's turn."""
        ledger = self._ledger()
        match = ledger.match
        seats = self._seats(ledger)
        if to_move:
            seats = [seat for seat in seats if seat in match.waiting]
        if not seats or match.result is not None:
            return None
        seat = self.world.chance.choice(seats)
        legal = match.legal_ids(seat)
        if to_move and not legal:
            return None
        return ledger, seat, self.world.chance.choice(legal) if legal else UNDO

    def _new_key(self) -> str:
        self._keys += 1
        return f"{self.name}-{self._keys}"

    async def submit(self, match: str, seat: int, action: int, seq: int, key: str) -> None:
        """Send an action, and repeat it with its key until it is clear what became of it."""
        state = self.table.ledgers.of(match)
        legal = seq == state.seq and action != UNDO and action in state.match.legal_ids(seat)
        body: dict[str, Any] = {"seat": seat, "seq": seq, "key": key}
        if action != UNDO:
            body["action"] = state.match.action(action).text
        path = f"/matches/{match}/{'undo' if action == UNDO else 'actions'}"
        self.world.counts["actions sent"] += 1
        answer = await self.ask("POST", path, body)
        if answer is None:
            return
        if answer.status == 200:
            self._acknowledge(match, key, (int(answer.json["seq"]), seat, action))
        elif answer.code in MOVED_ON:
            self.table.moved_on.add((match, key))
            if legal and answer.code == "illegal":
                self.world.violate(f"{self.name} was refused {body} at {match}, which is legal: {answer.body!r}")

    def _acknowledge(self, match: str, key: str, what: tuple[int, int, int]) -> None:
        self.world.counts["actions acknowledged"] += 1
        self.table.ledgers.expect_committed(self.name, match, what[0])
        before = self.table.acknowledged.setdefault((match, key), what)
        self.world.expect(before == what, f"key {key} was acknowledged as {before} and as {what}")

    async def ask(self, method: str, path: str, body: Any = None) -> Answer | None:
        """Send a request until it is answered; None if the player gave up."""
        chance = self.world.chance
        pause = RETRY
        while True:
            process = self.home
            try:
                answer = await self.table.network.request(process, method, f"/api/v1{path}", self.token, body)
            except Lost:
                self.world.tell(self.name, f"{method} {path} {body or ''} at {process.name}: no answer")
            else:
                self.world.tell(self.name, f"{method} {path} {body or ''} at {process.name}: {_brief(answer)}")
                if answer.status == 500:
                    self.world.violate(f"{process.name} answered {answer.body!r}")
                if answer.status not in TEMPORARY:
                    return answer
            if self.world.faults.active and chance.random() < 0.05:
                self.world.tell(self.name, "gives up")
                return None
            self.world.counts["clients: requests repeated"] += 1
            if not process.answers or chance.random() < 0.3:
                self.home = chance.choice(self.table.processes)
            await self.world.sleep(chance.random() * pause)
            pause = min(2 * pause, LONGEST_RETRY)


def _brief(answer: Answer) -> str:
    return f"{answer.status} {answer.body[:120].decode()}"


def waits_for_a_bot(match: Match, seats: Sequence[Any]) -> bool:
    """Whether a bot has to decide."""
    return match.result is None and any(seats[seat].bot is not None for seat in match.waiting)
