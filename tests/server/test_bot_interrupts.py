"""Bots that may interrupt: they play urgent cards, leave people's pawns alone, and are asked once between two steps."""

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


class InterruptMatch:
    """A match with a person at seat 0, whose turn it is, and a bot at seat 1."""

    def __init__(self, ana: Guest, services: Services, session: MatchSession) -> None:
        self.ana, self.services, self.session = ana, services, session
        self.state = session.match.state

    async def arrange(self, bot: dict[int, int], person: dict[int, int]) -> None:
        """Replace the hands and the flooded tiles. Cards are counted by their kinds."""
        await self.let_bot_decide()
        self.session.turn_order.undone()
        for seat, hand in enumerate((person, bot)):
            for card in range(HAND_CARD_KINDS):
                self.state.hands[seat, card] = hand.get(card, 0)
        self.state.flooded = 0

    async def let_bot_decide(self) -> None:
        """Ask the bot, and wait until it has decided."""
        self.services.bot_runner.match_changed(self.session)
        for _ in range(600):
            if not self.services.bot_runner.is_playing(self.session.id):
                return
            await asyncio.sleep(0.1)
        raise AssertionError("the bot does not decide")

    async def steps(self) -> list[str]:
        steps = (await self.ana.ask("GET", f"/matches/{self.session.id}/steps", params={"seat": 0})).json()
        return [f"{step['seat']} {step['action']}" for step in steps]


@pytest.fixture(params=["skilled", "expert"])
async def match(settings: Settings, request: Any) -> AsyncIterator[InterruptMatch]:
    app = make_app(settings, all_games, find_game)
    async with client_of(app) as client:
        ana = await Guest.register(client, "Ana")
        match = (await ana.open("forbidden-island", ["me", request.param], options=OPTIONS))["id"]
        services = services_in(app)
        yield InterruptMatch(ana, services, await services.sessions.get(match))


async def test_the_bot_ends_a_won_game_in_a_persons_turn(match: InterruptMatch) -> None:
    await match.arrange({HELICOPTER: 1}, {})
    for treasure in range(4):
        match.state.captor[treasure] = 0
    for seat in range(2):
        match.state.pawn[seat] = match.state.place_of[FOOLS_LANDING]
    await match.let_bot_decide()
    assert match.session.ended == "escaped" and await match.steps() == ["1 lift off"]


async def test_the_bot_does_not_move_a_persons_pawn(match: InterruptMatch) -> None:
    """Not even where that would help: the person holds four cards of a treasure that is far away."""
    await match.arrange({HELICOPTER: 3}, {STONE: 4})
    await match.let_bot_decide()
    assert not [step for step in await match.steps() if "engineer" in step]


@pytest.mark.parametrize("match", ["skilled"], indirect=True)
async def test_a_bot_that_passed_is_not_asked_again_before_the_next_step(match: InterruptMatch) -> None:
    """The bot keeps its last Helicopter Lift."""
    await match.arrange({HELICOPTER: 1}, {})
    assert list(match.session.bots_to_ask) == [1]
    await match.let_bot_decide()
    assert match.session.turn_order.interrupters(match.state) == () and not await match.steps()
    assert (
        TurnOrder(interrupting_of(match.session.game)).interrupters(match.state) == (1,)
        and not match.session.bots_to_ask
    )


@pytest.mark.parametrize("match", ["skilled"], indirect=True)
async def test_a_bot_that_has_interrupted_often_is_not_asked_again_in_this_turn(match: InterruptMatch) -> None:
    await match.arrange({HELICOPTER: 1}, {})
    order = match.session.turn_order
    for times in range(MAX_INTERRUPTS + 1):
        assert list(match.session.bots_to_ask) == ([1] if times < MAX_INTERRUPTS else [])
        order.stepped(1, interrupted=True, same_turn=True)
    order.stepped(0, interrupted=False, same_turn=False)
    assert list(match.session.bots_to_ask) == [1]
