"""What stored matches depend on, for each version of each game's rules.

``tests/rules_versions.json`` has a digest of the layout of states, options, actions and events, and of games played at
random. ``python -m tests.rules_versions`` adds those of a new version; it never changes an earlier one.
"""

from __future__ import annotations

import hashlib
import itertools
import json
import random
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from skerry.engine.game import Game
from skerry.engine.struct import dtype_of
from skerry.games import own_games

FILE = Path(__file__).parent / "rules_versions.json"
MOST_STEPS = 150  # of a game that is played at random
SEEDS = 2

Fingerprint = dict[str, str]  # a digest for each thing that stored matches depend on


def fingerprint(game: Game) -> Fingerprint:
    """What stored matches of the installed version depend on."""
    return {
        "state": _digest(_layout(game.state_struct)),
        "options": _digest([*_layout(game.options_struct), *(repr(option.describe()) for option in game.options)]),
        "actions": _digest(
            f"{verb.name} {[(type(slot).__name__, slot.kind, slot.size) for slot in verb.slots]}"
            for verb in game.actions.verbs
        ),
        "events": _digest(f"{kind.name} {len(kind.arguments)}" for kind in game.events),
        "endings": _digest(f"{ending.name} {ending.won}" for ending in game.endings),
        "play": _digest(itertools.chain.from_iterable(_random_games(game))),
    }


def _digest(lines: Iterable[str]) -> str:
    return hashlib.sha256("\n".join(lines).encode()).hexdigest()[:16]


def _layout(cls: type[Any]) -> list[str]:
    fields: Mapping[str, Any] = dtype_of(cls).fields or {}
    return [f"{name} {dtype.str} {dtype.shape} {offset}" for name, (dtype, offset, *_) in fields.items()]


def _random_games(game: Game) -> Iterable[list[str]]:
    """The states of games with every number of players, in which any seat that may act does."""
    for players in game.seats:
        for seed in range(SEEDS):
            match = game.configure({"players": players}).new(seed)
            rng = random.Random(seed)
            states = [match.content.hex()]
            while match.result is None and len(states) <= MOST_STEPS:
                moves = [(seat, action) for seat in range(players) for action in match.legal_ids(seat)]
                match.play(*rng.choice(moves))
                states.append(match.content.hex())
            yield states


def stored_fingerprints() -> dict[str, dict[str, Fingerprint]]:
    """The fingerprints by game and version."""
    found: dict[str, dict[str, Fingerprint]] = json.loads(FILE.read_text())
    return found


def main() -> None:
    stored = stored_fingerprints() if FILE.exists() else {}
    for game in own_games():
        stored.setdefault(game.name, {}).setdefault(str(game.version), fingerprint(game))
    FILE.write_text(json.dumps(stored, indent=1) + "\n")


if __name__ == "__main__":
    main()
