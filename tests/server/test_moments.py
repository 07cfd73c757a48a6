"""What goes by itself, and the time that people have before it: to play a card, to undo, to ask for more."""

from __future__ import annotations

import asyncio
import contextlib
import dataclasses
from collections.abc import AsyncIterator
from typing import Any

import pytest

from skerry.games import all_games, find_game
from skerry.games.forbidden_island.rules.components import HAND_CARD_KINDS, HELICOPTER, SANDBAGS
from skerry.server.app import make_app, services_in
from skerry.server.match_session import MatchSession
from skerry.server.moments import MOST_MOMENTS, held_until
from skerry.server.services import Services
from skerry.server.settings import Settings
from skerry.server.stances import MOST_WAITS, WAIT
from tests.server.conftest import Guest, client_of
from tests.server.waiting import until

pytestmark = pytest.mark.anyio
LONG = 600.0  # seconds: a moment that does not end during a test
OPTIONS = {"players": 2, "first": 0, "roles": "engineer,diver"}


class Table:
    """Ana at seat 0 of a match of Forbidden Island, whose turn it is, and Ben or a bot at seat 1."""

    def __init__(self, services: Services, session: MatchSession, ana: Guest, ben: Guest) -> None:
        self.services, self.session, self.ana, self.ben = services, session, ana, ben

    @property
    def match(self) -> str:
        return self.session.id

    def deal(self, *hands: dict[int, int]) -> None:
        """Give the seats other cards. Some tiles are flooded, so that Sandbags can be played."""
        for seat, hand in enumerate(hands):
            for card in range(HAND_CARD_KINDS):
                self.session.match.state.hands[seat, card] = hand.get(card, 0)
        state = self.session.match.state
        state.flooded = sum(1 << int(state.place_of[tile]) for tile in range(18, 24))

    async def steps(self) -> list[str]:
        answer = await self.ana.ask("GET", f"/matches/{self.match}/steps", params={"seat": 0})
        return [f"{step['seat']} {step['action'] or 'something'}" for step in answer.json()]

    async def act(self, guest: Guest, seat: int, verb: str) -> Any:
        """Play the first action of a verb."""
        view = await guest.view(self.match, seat)
        action = next(one["action"] for one in view["legal"] if one["action"].startswith(verb))
        return await guest.act(self.match, seat, action, view["seq"])

    async def ask_for_time(self, guest: Guest, seat: int, wait: bool) -> Any:
        return await guest.ask("POST", f"/matches/{self.match}/time", json={"seat": seat, "wait": wait})

    async def rests(self) -> list[str]:
        """The steps once nothing happens any more for a little while."""
        before: list[str] = []
        while (steps := await self.steps()) != before:
            before = steps
            await asyncio.sleep(0.2)
        return steps


@contextlib.asynccontextmanager
async def table(settings: Settings, other: str = "open", moment: float = LONG) -> AsyncIterator[Table]:
    app = make_app(dataclasses.replace(settings, moment=moment), all_games, find_game)
    async with client_of(app) as client:
        ana, ben = await Guest.register(client, "Ana"), await Guest.register(client, "Ben")
        match = (await ana.open("forbidden-island", ["me", other], options=OPTIONS))["id"]
        if other == "open":
            await ben.sit(match, 1)
        services = services_in(app)
        yield Table(services, await services.sessions.get(match), ana, ben)


async def test_cards_turn_over_by_themselves_once_the_actions_are_ended(settings: Settings) -> None:
    async with table(settings, moment=0) as at:
        at.deal({}, {})
        await at.act(at.ana, 0, "end")
        steps = await at.rests()
        assert steps[:3] == ["0 end", "0 draw", "0 draw"] and "0 flood" in steps
        assert 0 not in at.session.match.waiting or at.session.match.state.swimming


async def test_who_turns_cards_by_hand_is_left_to_do_it(settings: Settings) -> None:
    async with table(settings, moment=0) as at:
        at.deal({}, {})
        await at.ana.turn_cards_by_hand()
        await at.act(at.ana, 0, "end")
        assert await at.rests() == ["0 end"]
        await at.act(at.ana, 0, "draw")
        assert await at.rests() == ["0 end", "0 draw"]


async def test_an_end_pressed_too_early_can_be_undone(settings: Settings) -> None:
    async with table(settings) as at:
        at.deal({}, {})
        await at.act(at.ana, 0, "end")
        assert await at.rests() == ["0 end"], "the first card is turned over before the end could be undone"
        answer = await at.ana.ask("POST", f"/matches/{at.match}/undo", json={"seat": 0, "seq": 1})
        assert answer.status_code == 200
        legal = [one["action"] for one in (await at.ana.view(at.match, 0))["legal"]]
        assert "end" in legal and "draw" not in legal


async def test_an_end_without_actions_left_is_no_matter_of_regret(settings: Settings) -> None:
    async with table(settings) as at:
        at.deal({}, {})
        at.session.match.state.left = 0
        await at.act(at.ana, 0, "end")
        assert (await at.rests())[:2] == ["0 end", "0 draw"]


async def test_actions_end_by_themselves_once_none_is_left(settings: Settings) -> None:
    async with table(settings, moment=0.1) as at:
        at.deal({}, {})
        at.session.match.state.left = 1
        await at.act(at.ana, 0, "move")
        await until(lambda: _played(at, "0 flood"))
        moved, *rest = await at.steps()
        assert moved.startswith("0 move") and rest[:3] == ["0 end", "0 draw", "0 draw"]


async def test_the_last_action_can_be_undone_before_actions_end_by_themselves(settings: Settings) -> None:
    async with table(settings) as at:
        at.deal({}, {})
        at.session.match.state.left = 1
        await at.act(at.ana, 0, "move")
        assert len(await at.rests()) == 1
        answer = await at.ana.ask("POST", f"/matches/{at.match}/undo", json={"seat": 0, "seq": 1})
        assert answer.status_code == 200
        assert len((await at.ana.view(at.match, 0))["legal"]) > 1


async def test_actions_end_by_themselves_beside_a_card_that_can_be_played_later(settings: Settings) -> None:
    async with table(settings, moment=0.1) as at:
        at.deal({SANDBAGS: 1}, {})
        at.session.match.state.left = 1
        await at.act(at.ana, 0, "move")
        await until(lambda: _played(at, "0 end"))


async def test_actions_do_not_end_by_themselves_while_some_are_left(settings: Settings) -> None:
    async with table(settings, moment=0.01) as at:
        at.deal({}, {})
        at.session.match.state.left = 2
        await at.act(at.ana, 0, "move")
        assert len(await at.rests()) == 1


async def test_actions_do_not_end_by_themselves_without_a_moment_to_undo(settings: Settings) -> None:
    async with table(settings, moment=0) as at:
        at.deal({}, {})
        at.session.match.state.left = 1
        await at.act(at.ana, 0, "move")
        assert len(await at.rests()) == 1


async def test_nobody_can_stall_by_playing_a_card_and_taking_it_back(settings: Settings) -> None:
    async with table(settings) as at:
        at.deal({}, {HELICOPTER: 1})
        await at.act(at.ana, 0, "end")
        for _ in range(1, MOST_MOMENTS - 2, 2):
            await _play_and_take_back(at)
            assert not await _played(at, "0 draw")
        await _play_and_take_back(at)
        await until(lambda: _played(at, "0 draw"))


async def _play_and_take_back(at: Table) -> None:
    assert (await at.act(at.ben, 1, "lift")).status_code == 200
    body = {"seat": 1, "seq": at.session.seq}
    assert (await at.ben.ask("POST", f"/matches/{at.match}/undo", json=body)).status_code == 200


async def test_the_own_player_may_turn_over_the_card_at_once(settings: Settings) -> None:
    async with table(settings) as at:
        at.deal({SANDBAGS: 1}, {})
        await at.act(at.ana, 0, "end")
        assert (await at.act(at.ana, 0, "draw")).status_code == 200


async def test_others_have_time_to_play_a_card_before_the_draw(settings: Settings) -> None:
    async with table(settings) as at:
        at.deal({}, {SANDBAGS: 1})
        await at.act(at.ana, 0, "end")
        answer = await at.act(at.ana, 0, "draw")
        assert answer.status_code == 409 and answer.json()["error"]["code"] == "too-early"
        assert int(answer.headers["retry-after"]) > LONG / 2
        assert (await at.act(at.ben, 1, "sandbags")).status_code == 200
        assert (await at.steps())[1].startswith("1 ")


async def test_nobody_is_waited_for_who_needs_no_time(settings: Settings) -> None:
    async with table(settings) as at:
        at.deal({}, {SANDBAGS: 1})
        at.session.match.state.left = 0
        await at.act(at.ana, 0, "end")
        assert await at.rests() == ["0 end"]
        assert (await at.ask_for_time(at.ben, 1, wait=False)).status_code == 204
        await until(lambda: _played(at, "0 draw"))


async def _played(at: Table, step: str) -> bool:
    return step in await at.steps()


async def test_the_table_waits_for_whoever_asks_but_not_for_ever(settings: Settings) -> None:
    async with table(settings) as at:
        at.deal({}, {SANDBAGS: 1})
        at.session.match.state.left = 0
        await at.act(at.ana, 0, "end")
        assert (await at.ask_for_time(at.ben, 1, wait=True)).status_code == 204
        at.session.moment_seconds = 0.001  # the moment is over, but not the time that Ben has asked for
        at.services.bot_runner.match_changed(at.session)
        left = held_until(at.session) - at.session.last_activity
        assert left >= WAIT
        assert await at.rests() == ["0 end"], "the card is turned over although Ben has asked to wait"
        assert (await at.act(at.ana, 0, "draw")).status_code == 409
        at.session.moment_seconds = LONG
        for waits in range(2, MOST_WAITS + 1):
            await _end_the_wait(at)
            assert (await at.ask_for_time(at.ben, 1, wait=True)).status_code == 204, waits
        await _end_the_wait(at)
        assert (await at.ask_for_time(at.ben, 1, wait=True)).status_code == 409


async def _end_the_wait(at: Table) -> None:
    """Let the time be over that Ben has asked for, while the card is still not turned over."""
    holder = at.session.seats[1]
    assert holder.stance is not None and holder.guest is not None
    over = holder.stance._replace(until=0.0)
    assert await at.services.store.set_stance(at.match, 1, holder.guest, holder.stance.encode(), over.encode())
    await at.services.sessions.reload_seats(at.session)


async def test_who_could_do_nothing_is_not_waited_for(settings: Settings) -> None:
    async with table(settings) as at:
        at.deal({}, {})
        answer = await at.ask_for_time(at.ben, 1, wait=True)
        assert answer.json()["error"]["code"] == "no-wait"
        assert (await at.ask_for_time(at.ana, 1, wait=True)).status_code == 403


async def test_a_bot_waits_before_it_turns_over_a_card(settings: Settings) -> None:
    async with table(settings, other="random") as at:
        at.deal({SANDBAGS: 1}, {})
        at.session.match.state.turn = 1
        at.services.bot_runner.match_changed(at.session)
        await until(lambda: _played(at, "1 something"))
        steps = await at.rests()
        assert int(at.session.match.state.phase) == 1, "the bot has drawn, or does not come to it"
        assert (await at.ask_for_time(at.ana, 0, wait=False)).status_code == 204
        await until(lambda: _longer(at, len(steps)))


async def _longer(at: Table, length: int) -> bool:
    return len(await at.steps()) > length


async def test_what_a_process_left_behind_goes_on_when_somebody_comes_back(settings: Settings) -> None:
    async with table(settings) as at:
        at.deal({}, {})
        await at.act(at.ana, 0, "end")
        assert await at.rests() == ["0 end"]
        match, ana = at.match, at.ana
    app = make_app(dataclasses.replace(settings, moment=0), all_games, find_game)
    async with client_of(app) as client:
        ana.client = client
        assert (await ana.view(match, 0))["seq"] >= 1

        async def drawn() -> bool:
            return (await ana.view(match, 0))["seq"] > 2

        await until(drawn)


async def test_in_a_guided_game_the_guest_turns_the_cards(settings: Settings) -> None:
    async with table(settings, moment=0) as at:
        session = await at.services.matches.open("ana", "forbidden-island", OPTIONS, ["me", "open"], seed=1, guide=True)
        await at.services.matches.act(session, 0, "end", 0)
        await asyncio.sleep(0.2)
        assert session.seq == 1


async def test_a_clock_does_not_run_out_while_the_table_waits(settings: Settings) -> None:
    async with table(settings) as at:
        at.session.header.clock = 5
        at.deal({}, {SANDBAGS: 1})
        at.session.match.state.left = 0
        await at.act(at.ana, 0, "end")
        timer = at.services.bot_runner.clocks._timers[at.match]
        assert timer.when() - asyncio.get_running_loop().time() > LONG / 2
