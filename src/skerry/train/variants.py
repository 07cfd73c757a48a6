"""The variants of a game that a training run plays: one for each combination of the varied options' values.

Unlike a sweep, a value may be named several times: ``difficulty=elite,legendary,legendary`` trains twice as much on
Legendary as on Elite.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from skerry.engine.errors import BadOption
from skerry.engine.game import Game
from skerry.engine.messages import say
from skerry.engine.struct import struct_array
from skerry.lab.sweep import all_values

VARIED_BY_DEFAULT = ("difficulty", "players")  # in games that have these options
VariantOptions = dict[str, str]


def training_variants(game: Game, vary: Sequence[str]) -> list[VariantOptions]:
    """Every combination of the varied options' values.

    ``vary`` holds texts such as ``players=2,3``; a name without values stands for all values of that option.
    """
    varied = {name: _all_values(game, name) for name in VARIED_BY_DEFAULT if _has_option(game, name)}
    for text in vary:
        name, _, values = text.partition("=")
        varied[name] = values.split(",") if values else _all_values(game, name)
    return [dict(zip(varied, combination, strict=True)) for combination in itertools.product(*varied.values())]


def encode_variants(game: Game, variants: Sequence[VariantOptions]) -> NDArray[np.void]:
    """One options struct for each variant, as the game's ``setup`` kernel reads them."""
    encoded = struct_array(game.options_struct, len(variants))
    for i, variant in enumerate(variants):
        encoded[i] = game.configure(variant).encoded_options.array[0]
    return encoded


def describe(variant: VariantOptions) -> str:
    return " ".join(variant.values())


def _has_option(game: Game, name: str) -> bool:
    return any(option.name == name for option in game.options)


def _all_values(game: Game, name: str) -> list[str]:
    for option in game.options:
        if option.name == name:
            return [str(value) for value in all_values(option)]
    raise BadOption(say("there is no option {name} to vary", name=name))
