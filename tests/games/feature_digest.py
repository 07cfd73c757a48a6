"""Fingerprints of the observations of a game, and of the features that it gives to the networks.

The weights of networks are only valid for inputs with exactly these values in this order. A test compares the
fingerprint with a known one, so that a change of the numbers cannot pass unnoticed.
"""

from __future__ import annotations

import hashlib
import importlib
import itertools
import random
from collections.abc import Iterator
from typing import Any

import numpy as np

import skerry
from skerry.engine.conformance import random_play
from skerry.engine.game import Game
from skerry.engine.kernel import kernel_array
from skerry.engine.match import Match

EVERY = 9  # steps from one position to the next


def random_positions(game: Game, **options: Any) -> Iterator[Match]:
    """Positions of one random game for each number of players."""
    for players in game.seats:
        match = skerry.game(game.name, players=players, **options).new(seed=players)
        for _ in itertools.islice(random_play(match, random.Random(players)), 0, None, EVERY):
            yield match


def feature_digest(game: Game, **options: Any) -> str:
    """A hash of the state features, and of the action features of all legal actions, in some random positions."""
    state_features = importlib.import_module(f"{game.package}.bot.state_features")
    action_features = importlib.import_module(f"{game.package}.bot.action_features")
    inputs = sum(group.entities * group.features for group in state_features.ENTITY_GROUPS)
    scratch = np.zeros(action_features.SCRATCH_SIZE)
    out = np.zeros(action_features.N_ACTION_FEATURES)
    digest = hashlib.sha256()
    for match in random_positions(game, **options):
        state_features.write_state_features(match.state, kernel_array(scratch))
        digest.update(scratch[:inputs].tobytes())
        action_features.prepare_action_features(match.state, kernel_array(scratch))
        for seat in range(match.variant.players):
            for action in match.legal_ids(seat):
                action_features.write_action_features(
                    match.state, seat, action, kernel_array(scratch), kernel_array(out)
                )
                digest.update(out.tobytes())
    return digest.hexdigest()[:16]


def observation_digest(game: Game, **options: Any) -> str:
    """A hash of what every seat observes in some random positions."""
    out = np.zeros(game.observation_size, np.int32)
    digest = hashlib.sha256()
    for match in random_positions(game, **options):
        for seat in range(match.variant.players):
            game.rules.observe(match.state, seat, kernel_array(out))
            digest.update(out.tobytes())
    return digest.hexdigest()[:16]
