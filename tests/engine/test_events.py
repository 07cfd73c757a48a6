"""Events as programs and people read them: values of one type each, sentences that agree with one and with several."""

from __future__ import annotations

import pytest

from skerry.engine.events import EVERYBODY, LOG_WIDTH, Event, read_events
from skerry.engine.game import Game
from skerry.engine.i18n.translations import translations
from skerry.engine.notation import One
from skerry.games import all_games, find_game

PILOT, DIVER = 1, 2  # bits of the first two seats


def event_of(game: Game, name: str, *arguments: int) -> Event:
    """An event in a match of two, read by a spectator."""
    roles = {"forbidden-island": "pilot,diver", "forbidden-desert": "meteorologist,climber"}
    match = game.configure({"players": 2, "roles": roles[game.name]}).new(seed=1)
    kind = next(number for number, kind in enumerate(game.events) if kind.name == name)
    row = (kind, EVERYBODY, *arguments, *[0] * (LOG_WIDTH - 2 - len(arguments)))
    (event,) = read_events(game.events, [row], match.names, None)
    return event


@pytest.mark.parametrize("game", all_games(), ids=lambda game: game.name)
def test_only_values_that_can_name_several_things_are_lists(game: Game) -> None:
    names = game.configure({}).new(seed=1).names
    for number, kind in enumerate(game.events):
        for place, argument in enumerate(kind.arguments):
            if argument.slot is None or argument.slot.kind not in names:
                continue
            for index in range(argument.slot.size):
                if max(argument.slot.members(index)) >= len(names[argument.slot.kind]):
                    continue  # a seat that this match does not have
                row = [number, EVERYBODY, *(index if place == p else 0 for p in range(LOG_WIDTH - 2))]
                (event,) = read_events((*game.events,), [row], names, None)
                is_list = isinstance(event.values[argument.name], list)
                assert is_list != isinstance(argument.slot, One), f"{kind.name}: {argument.name}"


@pytest.mark.parametrize(
    ("game", "name"), [("forbidden-island", "drowned"), ("forbidden-island", "lifted"), ("forbidden-desert", "died")]
)
def test_one_pawn_is_a_list_of_one(game: str, name: str) -> None:
    place = () if name != "lifted" else (0, 0)
    before = (0,) if name == "lifted" else ()
    alone = event_of(find_game(game), name, *before, PILOT - 1, *place[1:])
    both = event_of(find_game(game), name, *before, (PILOT | DIVER) - 1, *place[1:])
    first, second = {"forbidden-island": ("pilot", "diver"), "forbidden-desert": ("meteorologist", "climber")}[game]
    assert alone.as_dict()["pawns"] == [first]
    assert both.as_dict()["pawns"] == [first, second]


SENTENCES = {
    ("forbidden-island", "en"): (
        "The Pilot cannot reach land: you lose",
        "The Pilot and Diver cannot reach land: you lose",
    ),
    ("forbidden-island", "es"): (
        "No puede llegar a tierra: Piloto. Han perdido",
        "No pueden llegar a tierra: Piloto, Submarinista. Han perdido",
    ),
    ("forbidden-island", "pt"): (
        "Não consegue chegar a terra: Piloto. Vocês perderam",
        "Não conseguem chegar a terra: Piloto e Mergulhador. Vocês perderam",
    ),
    ("forbidden-desert", "en"): (
        "The Meteorologist died of thirst: you lose",
        "The Meteorologist and Climber died of thirst: you lose",
    ),
    ("forbidden-desert", "es"): (
        "Muere de sed: Meteoróloga. Han perdido",
        "Mueren de sed: Meteoróloga, Escalador. Han perdido",
    ),
    ("forbidden-desert", "pt"): (
        "Morre de sede: Meteorologista. Vocês perderam",
        "Morrem de sede: Meteorologista e Alpinista. Vocês perderam",
    ),
}


@pytest.mark.parametrize(("name", "language"), SENTENCES)
def test_sentences_agree_with_one_pawn_and_with_several(name: str, language: str) -> None:
    game = find_game(name)
    event = {"forbidden-island": "drowned", "forbidden-desert": "died"}[name]
    translate = translations(language, game.package, "skerry.engine.i18n")
    pawns = (PILOT - 1, (PILOT | DIVER) - 1)
    assert tuple(event_of(game, event, one).message.render(translate) for one in pawns) == SENTENCES[name, language]
