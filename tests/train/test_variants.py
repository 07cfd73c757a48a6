"""Which variants a training run plays."""

from __future__ import annotations

import pytest

from skerry.engine.errors import BadOption
from skerry.games import find_game
from skerry.train.variants import encode_variants, training_variants

ISLAND, HASHI = find_game("forbidden-island"), find_game("hashi")


def test_every_difficulty_and_number_of_players_by_default() -> None:
    variants = training_variants(ISLAND, [])
    assert len(variants) == 4 * 3
    assert {"difficulty": "elite", "players": "3"} in variants


def test_named_values_replace_the_defaults_and_may_be_repeated() -> None:
    variants = training_variants(ISLAND, ["players=2", "difficulty=elite,legendary,legendary"])
    assert [variant["difficulty"] for variant in variants] == ["elite", "legendary", "legendary"]
    assert {variant["players"] for variant in variants} == {"2"}


def test_a_name_without_values_stands_for_all_values() -> None:
    assert {variant["players"] for variant in training_variants(ISLAND, ["players"])} == {"2", "3", "4"}


def test_an_unknown_option_is_refused() -> None:
    with pytest.raises(BadOption):
        training_variants(ISLAND, ["colour"])
    with pytest.raises(BadOption):
        encode_variants(ISLAND, training_variants(ISLAND, ["players=9"]))


def test_variants_are_encoded_as_their_match_reads_them() -> None:
    variants = training_variants(HASHI, ["players=1", "board=A,B"])
    encoded = encode_variants(HASHI, variants)
    expected = [HASHI.configure(variant).encoded_options.content for variant in variants]
    assert [row.tobytes() for row in encoded] == expected
