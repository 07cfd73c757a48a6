"""The JSON API of games: their options, bots and rules."""

from __future__ import annotations

from typing import Any

from skerry import bots
from skerry.engine.game import Game
from skerry.engine.rulebook import read_rulebook
from skerry.server.dependencies import AppServices, CurrentVisitor
from skerry.server.routes.api.common import new_router

router = new_router("games")


def game_out(game: Game) -> dict[str, Any]:
    return {
        "name": game.name,
        "title": game.title,
        "summary": game.summary,
        "minutes": game.minutes,
        "players": [game.seats.start, game.seats.stop - 1],
        "cooperative": game.cooperative,
        "options": [
            {"name": option.name, "help": option.help, "default": option.default, **option.describe()}
            for option in game.options
        ],
        "bots": list(bots.names(game)),
    }


@router.get("/games")
async def list_games(services: AppServices) -> list[dict[str, Any]]:
    """The games, their options and their bots."""
    return [game_out(game) for game in services.games()]


@router.get("/games/{game}")
async def one_game(game: str, services: AppServices) -> dict[str, Any]:
    return game_out(services.find(game))


@router.get("/games/{game}/rules")
async def rules_of(game: str, visitor: CurrentVisitor, services: AppServices) -> list[dict[str, str]]:
    """The rules by their ids, in your language."""
    found = services.find(game)
    return [{"id": rule.id, "text": rule.text} for rule in read_rulebook(found, visitor.language).rules()]
