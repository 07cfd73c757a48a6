"""Bots in another's turn: they play a card that cannot wait, leave people's pawns alone, and say no once."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from typing import Any

import pytest

from skerry.bots.interrupts import interrupting_of
from skerry.engine.loop import MAX_INTERRUPTS, TurnOrder
from skerry.games import all_games, find_game
from skerry.games.forbidden_island.rules.components import FOOLS_LANDING, HAND_CARD_KINDS, HELICOPTER
from skerry.server.app import make_app, services_in
from skerry.server.match_session import MatchSession
from skerry.server.services import Services
from skerry.server.settings import Settings
from tests.server.conftest import Guest, client_of

pytestmark = pytest.mark.anyio
OPTIONS = {"players": 2, "first": 0, "roles": "engineer,diver"}
STONE = 0


class Evening:
    """A person at seat 0, whose turn it is, and a bot at seat 1; what lies on the table is arranged."""

    def __init__(self, ana: Guest, services: Services, session: MatchSession) -> None:
        self.ana, self.services, self.session = ana, services, session
        self.state = session.match.state

    async def arrange(self, bot: dict[int, int], person: dict[int, int]) -> None:
        """Hands by number of card, whatever was dealt and thought about that."""
        await self.refresh()
        self.session.turn_order.undone()
        for seat, hand in enumerate((person, bot)):
            for card in range(HAND_CARD_KINDS):
                self.state.hands[seat, card] = hand.get(card, 0)
        self.state.flooded = 0

    async def refresh(self) -> None:
        """Until the bot has thought about it."""
        self.services.bot_runner.match_changed(self.session)
        for _ in range(600):
            if not self.services.bot_runner.is_playing(self.session.id):
                return
            await asyncio.sleep(0.1)
        raise AssertionError("the bot still thinks")

    async def said(self) -> list[str]:
        steps = (await self.ana.ask("GET", f"/matches/{self.session.id}/steps", params={"seat": 0})).json()
        return [f"{step['seat']} {step['action']}" for step in steps]


@pytest.fixture(params=["skilled", "expert"])
async def evening(settings: Settings, request: Any) -> AsyncIterator[Evening]:
    app = make_app(settings, all_games, find_game)
    async with client_of(app) as client:
        ana = await Guest.come(client, "Ana")
        match = (await ana.open("forbidden-island", ["me", request.param], options=OPTIONS))["id"]
        services = services_in(app)
        yield Evening(ana, services, await services.sessions.get(match))


async def test_the_bot_flies_all_home_when_it_is_a_persons_turn(evening: Evening) -> None:
    await evening.arrange({HELICOPTER: 1}, {})
    for treasure in range(4):
        evening.state.captor[treasure] = 0
    for seat in range(2):
        evening.state.pawn[seat] = evening.state.place_of[FOOLS_LANDING]
    await evening.refresh()
    assert evening.session.ended == "escaped" and await evening.said() == ["1 lift off"]


async def test_the_bot_does_not_fly_a_person_about(evening: Evening) -> None:
    """However well that person would stand elsewhere: four cards for a treasure that is far away."""
    await evening.arrange({HELICOPTER: 3}, {STONE: 4})
    await evening.refresh()
    assert not [step for step in await evening.said() if "engineer" in step]


@pytest.mark.parametrize("evening", ["skilled"], indirect=True)
async def test_who_has_passed_is_not_asked_again_before_the_next_step(evening: Evening) -> None:
    """A last Helicopter Lift is kept."""
    await evening.arrange({HELICOPTER: 1}, {})
    assert list(evening.session.bots_to_ask) == [1]
    await evening.refresh()
    assert evening.session.turn_order.interrupters(evening.state) == () and not await evening.said()
    assert (
        TurnOrder(interrupting_of(evening.session.game)).interrupters(evening.state) == (1,)
        and not evening.session.bots_to_ask
    )


@pytest.mark.parametrize("evening", ["skilled"], indirect=True)
async def test_who_has_interrupted_often_is_not_asked_again_in_this_turn(evening: Evening) -> None:
    await evening.arrange({HELICOPTER: 1}, {})
    order = evening.session.turn_order
    for times in range(MAX_INTERRUPTS + 1):
        assert list(evening.session.bots_to_ask) == ([1] if times < MAX_INTERRUPTS else [])
        order.stepped(1, interrupted=True, same_turn=True)
    order.stepped(0, interrupted=False, same_turn=False)
    assert list(evening.session.bots_to_ask) == [1]
