"""Every change of a game's rules has a version, and a way for the matches that were stored before it."""

from __future__ import annotations

import pytest

from skerry.engine.game import Game
from skerry.games import own_games
from tests.rules_versions import fingerprint, stored_fingerprints

games = pytest.mark.parametrize("game", own_games(), ids=lambda game: game.name)


@games
def test_rules_that_have_changed_have_a_new_version(game: Game) -> None:
    stored = stored_fingerprints()[game.name]
    assert str(game.version) in stored, "a new version: run python -m tests.rules_versions"
    expected, found = stored[str(game.version)], fingerprint(game)
    changed = [name for name in expected if expected[name] != found[name]]
    assert not changed, (
        f"{', '.join(changed)} of {game.name} changed, on which stored matches depend: raise its version, write an "
        "upgrade in rules/upgrades.py (docs/adding-a-game.md), then run python -m tests.rules_versions"
    )


@games
def test_every_version_has_a_way_to_the_installed_one(game: Game) -> None:
    assert sorted(map(int, stored_fingerprints()[game.name])) == list(range(1, game.version + 1))
    assert len(game.upgrades) == game.version - 1
