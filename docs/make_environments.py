"""Write the tables of docs/environments.md from the code: ``python docs/make_environments.py``. A test compares."""

from __future__ import annotations

import re
from pathlib import Path

import skerry
from skerry.bots import RANDOM
from skerry.envs.batch import HIGHEST, LOWEST
from skerry.envs.config import LIMIT, prepare
from skerry.envs.rewards import ILLEGAL, REWARDS
from skerry.envs.stepping import PATIENCE

PAGE = Path(__file__).parent / "environments.md"
START, END = "<!-- made by docs/make_environments.py -->", "<!-- end -->"


def table(*rows: tuple[object, ...]) -> str:
    head, *body = ["| " + " | ".join(str(cell) for cell in row) + " |" for row in rows]
    return "\n".join((head, "|---" * len(rows[0]) + "|", *body))


def overview() -> str:
    rows: list[tuple[object, ...]] = [("id", "players", "numbers observed", "actions", "bots", "by default")]
    for game in skerry.all_games():
        config = prepare(game.name)
        ids = f"`skerry/{game.name}-v{game.version}`"
        seated = f"seats `{','.join(config.seats)}`, reward `{config.reward}`"
        known = ", ".join(f"`{name}`" for name in (RANDOM, *game.bots))
        size = game.observation_size
        rows.append((ids, f"{game.seats[0]}–{game.seats[-1]}", size, config.actions, known, seated))
    return table(*rows)


def rewards() -> str:
    return table(("`reward`", "what a seat gets when the game ends"), *((f"`{k}`", v) for k, v in REWARDS.items()))


def facts() -> str:
    return (
        f"Every observed number lies between {LOWEST} and {HIGHEST}. The default `limit` is {LIMIT} decisions. "
        f"An illegal action costs {-ILLEGAL:g}. Bots that take more than {PATIENCE} steps between two decisions of the "
        "learner are cut off too."
    )


def blocks(game: skerry.Game) -> str:
    rows: list[tuple[object, ...]] = [("block", "from", "numbers", "what")]
    rows.extend((f"`{b.name}`", game.observation.offset(b.name), b.size, b.text) for b in game.observation)
    return table(*rows)


def verbs(game: skerry.Game) -> str:
    rows: list[tuple[object, ...]] = [("from", "ids", "action", "what it does")]
    for start, verb in zip(game.actions.starts, game.actions.verbs, strict=True):
        rows.append((start, verb.size, f"`{verb.usage()}`", verb.help))
    return table(*rows)


def made() -> list[str]:
    """The parts of the page in their order."""
    games = [f"### {game.title}\n\n{blocks(game)}\n\n{verbs(game)}" for game in skerry.all_games()]
    return [overview(), f"{rewards()}\n\n{facts()}", "\n\n".join(games)]


def page(text: str) -> str:
    """The page with its parts made anew."""
    parts = iter(made())
    whole = f"{re.escape(START)}.*?{re.escape(END)}"
    return re.sub(whole, lambda match: f"{START}\n{next(parts)}\n{END}", text, flags=re.DOTALL)


if __name__ == "__main__":
    PAGE.write_text(page(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
