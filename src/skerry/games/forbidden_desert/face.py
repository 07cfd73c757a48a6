"""What people see of Forbidden Desert: names and the prompt. View, reasons and drawing have files of their own."""

from __future__ import annotations

from skerry.engine.notation import Name, Names
from skerry.engine.refusal import Message, Text, say
from skerry.games.forbidden_desert import facts
from skerry.games.forbidden_desert.drawing import board
from skerry.games.forbidden_desert.forecast import cards_in_sight
from skerry.games.forbidden_desert.reach import buried
from skerry.games.forbidden_desert.reasons import explain
from skerry.games.forbidden_desert.state import ESCAPED, FORECAST, STORM, State
from skerry.games.forbidden_desert.view import view

__all__ = ["board", "explain", "names", "prompt", "view"]


def names(state: State) -> Names:
    """Places are called by their chart position, since tiles move; pawns by their role, or typed by their seat."""
    pawns = [
        Name(facts.ROLES[role], say(facts.ROLE_TITLES[role]), (str(seat),))
        for seat, role in enumerate(list(state.role)[: state.players])
    ]
    return {
        "place": [Name(place, say("{place}", place=place)) for place in facts.PLACE_NAMES],
        "pawn": pawns,
        "part": _names(facts.PARTS, facts.PART_TITLES, facts.PART_ALIASES),
        "gear": _names(facts.GEARS, facts.GEAR_TITLES, facts.GEAR_ALIASES),
        "number": _numbers(facts.MOST_CARDS),
        "amount": _numbers(facts.MOST_WATER),
        "tile": _names(facts.TILE_NAMES, facts.TILE_TITLES, ((),) * facts.TILES),
        "card": [Name(slug, _card(card)) for card, slug in enumerate(facts.STORM_NAMES)],
    }


def _names(slugs: tuple[str, ...], titles: tuple[str, ...], aliases: tuple[tuple[str, ...], ...]) -> list[Name]:
    return [Name(slug, say(title), also) for slug, title, also in zip(slugs, titles, aliases, strict=True)]


def _numbers(last: int) -> list[Name]:
    return [Name(str(n), say("{number}", number=n)) for n in range(1, last + 1)]


def _card(card: int) -> Message:
    if card == facts.SUN:
        return say("Sun Beats Down")
    if card == facts.PICKS_UP:
        return say("Storm Picks Up")
    direction = say(facts.DIRECTIONS[card // facts.BLOWS])
    return say("wind {direction}, {tiles}", direction=direction, tiles=card % facts.BLOWS + 1)


def prompt(state: State, seat: int | None) -> Message:
    """One line that says what the game waits for."""
    if state.ending:
        won = state.ending == ESCAPED
        return say("The game is over: you win!") if won else say("The game is over: the desert has won.")
    if state.phase == FORECAST:
        return _said(
            seat,
            state,
            "You look at the next storm cards, {cards} of them: put one at the bottom, or keep them",
            "{pawn} is looking at the next storm cards, {cards} of them",
        )
    if state.phase == STORM:
        return _said(seat, state, "Draw storm cards: {left} to come", "{pawn} draws storm cards: {left} to come")
    if state.steps:
        return _said(
            seat,
            state,
            "Steps left to guide {guided}: {steps}; another action gives them up. Actions left: {left}",
            "{pawn} guides {guided}; steps left: {steps}",
        )
    if state.left and buried(state, state.turn):
        return _said(
            seat,
            state,
            "You are buried: clear the sand from your tile, or end. Actions left: {left}",
            "{pawn} is buried; actions left: {left}",
        )
    return _said(seat, state, "Your turn; actions left: {left}", "{pawn}'s turn; actions left: {left}")


def _said(seat: int | None, state: State, to_you: Text, of_other: Text) -> Message:
    guided = state.guided if state.guided >= 0 else state.turn
    arguments = {
        "pawn": say(facts.ROLE_TITLES[state.role[state.turn]]),
        "left": int(state.left),
        "cards": cards_in_sight(state),
        "guided": say(facts.ROLE_TITLES[state.role[guided]]),
        "steps": int(state.steps),
    }
    return Message(to_you if seat == state.turn else of_other, arguments)
