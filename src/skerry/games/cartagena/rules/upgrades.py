"""How matches of earlier versions of the rules are read."""

from __future__ import annotations

from skerry.engine.upgrades import Upgrade

UPGRADES = (
    # In states of version 1 no card is certain despite a doubt, which is what its knowledge meant, too.
    Upgrade(
        text=("With black magic, seeing a new card reach a hand no longer makes you forget the others you knew there."),
        continues=True,
        same_setup=True,
    ),
)
