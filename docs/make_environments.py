"""Write the generated parts of docs/environments.md: ``python docs/make_environments.py``.

A test checks that the page is up to date.
"""

from __future__ import annotations

import re
from pathlib import Path

import skerry
from skerry.bots import RANDOM
from skerry.envs.batch import HIGHEST_OBSERVED, LOWEST_OBSERVED
from skerry.envs.config import LIMIT, prepare
from skerry.envs.rewards import ILLEGAL_ACTION_REWARD, REWARDS
from skerry.envs.stepping import MAX_BOT_STEPS
from skerry.games import own_games

PAGE = Path(__file__).parent / "environments.md"
START, END = "<!-- made by docs/make_environments.py -->", "<!-- end -->"


def markdown_table(*rows: tuple[object, ...]) -> str:
    head, *body = ["| " + " | ".join(str(cell) for cell in row) + " |" for row in rows]
    return "\n".join((head, "|---" * len(rows[0]) + "|", *body))


def overview() -> str:
    rows: list[tuple[object, ...]] = [("id", "players", "observation size", "actions", "bots", "defaults")]
    for game in own_games():
        config = prepare(game.name)
        ids = f"`skerry/{game.name}-v{game.version}`"
        defaults = f"seats `{','.join(config.seats)}`, reward `{config.reward}`"
        bots = ", ".join(f"`{name}`" for name in (RANDOM, *game.bots))
        size = game.observation_size
        rows.append((ids, f"{game.seats[0]}–{game.seats[-1]}", size, config.actions, bots, defaults))
    return f"{markdown_table(*rows)}\n\nAll observed numbers are between {LOWEST_OBSERVED} and {HIGHEST_OBSERVED}."


def rewards_table() -> str:
    return markdown_table(
        ("`reward`", "what each seat gets at the end of a game"),
        *((f"`{name}`", text) for name, text in REWARDS.items()),
    )


def limits_paragraph() -> str:
    return (
        f"An illegal action pays {ILLEGAL_ACTION_REWARD:g}. A game is truncated after {LIMIT} decisions (`limit`), or "
        f"when bots take more than {MAX_BOT_STEPS} steps between two decisions of the learner."
    )


def observation_table(game: skerry.Game) -> str:
    rows: list[tuple[object, ...]] = [("block", "offset", "size", "meaning")]
    rows.extend(
        (f"`{block.name}`", game.observation.offset(block.name), block.size, block.text) for block in game.observation
    )
    return markdown_table(*rows)


def action_table(game: skerry.Game) -> str:
    rows: list[tuple[object, ...]] = [("first id", "ids", "action", "what it does")]
    for start, verb in zip(game.actions.starts, game.actions.verbs, strict=True):
        rows.append((start, verb.size, f"`{verb.usage()}`", verb.help))
    return markdown_table(*rows)


def generated_parts() -> list[str]:
    """The generated parts of the page, in order."""
    games = [f"### {game.title}\n\n{observation_table(game)}\n\n{action_table(game)}" for game in own_games()]
    return [overview(), f"{rewards_table()}\n\n{limits_paragraph()}", "\n\n".join(games)]


def update_page(text: str) -> str:
    """Replace everything between a start and an end mark by what is generated now."""
    parts = iter(generated_parts())
    marked = f"{re.escape(START)}.*?{re.escape(END)}"
    return re.sub(marked, lambda match: f"{START}\n{next(parts)}\n{END}", text, flags=re.DOTALL)


if __name__ == "__main__":
    PAGE.write_text(update_page(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
