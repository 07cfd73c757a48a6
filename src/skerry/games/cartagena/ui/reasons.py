"""Why an action is refused: the first reason in one sentence, with the id of its rule.

``legal`` decides which actions are legal; this module only explains.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from skerry.engine.errors import Illegal, NotYourTurn
from skerry.engine.messages import Message, say
from skerry.engine.notation import SlotMembers
from skerry.games.cartagena.rules import components
from skerry.games.cartagena.rules import state as phase
from skerry.games.cartagena.rules.actions import VERBS
from skerry.games.cartagena.rules.legal import openable_chests, pistol_targets, waiting
from skerry.games.cartagena.rules.path import backward_places, paired_spaces, pirates_aboard, spaces_behind
from skerry.games.cartagena.rules.state import State

Reason = Callable[[Any, int, list[SlotMembers]], Illegal]

# By phase: what must be done first, and its rule.
UNFINISHED_STEP = {
    phase.PARROTS_LAID: ("first play the two parrots you laid down as another card", "CA-55"),
    phase.HOOK_LAID: ("first play a second card with the hook", "CA-56"),
    phase.HOOK_PARROTS_LAID: ("first choose which card the two parrots with the hook stand for", "CA-56"),
    phase.PISTOL_LOOK: ("the pistol comes first: choose whose hand to look into", "CA-52"),
    phase.PISTOL_TAKE: ("the pistol comes first: take one of the cards you see", "CA-52"),
    phase.RUM_KEEP: ("the rum comes first: keep two of the drawn cards", "CA-53"),
    phase.RUM_GIVE: ("the rum comes first: give the drawn cards away", "CA-53"),
    phase.LANTERN_KEEP: ("the lantern comes first: keep one of the drawn cards", "CA-54"),
    phase.LANTERN_PUT: ("the lantern comes first: put the drawn cards on the deck", "CA-54"),
    phase.CHEST_OPEN: ("the chest comes first: choose which to open", "CA-57"),
    phase.DISCARDING: ("discard down to seven cards first", "CA-40"),
}
VERBS_OF = {
    phase.PARROTS_LAID: ("play", "magic"),
    phase.HOOK_LAID: ("play", "parrots", "parrots mixed", "parrots dark"),
    phase.HOOK_PARROTS_LAID: ("play",),
    phase.PISTOL_LOOK: ("look",),
    phase.PISTOL_TAKE: ("take",),
    phase.RUM_KEEP: ("keep",),
    phase.RUM_GIVE: ("give",),
    phase.LANTERN_KEEP: ("keep",),
    phase.LANTERN_PUT: ("put",),
    phase.CHEST_OPEN: ("open",),
    phase.DISCARDING: ("discard",),
}
# Steps of a power when none is due, and their rules.
OUT_OF_TIME = {
    "look": ("you look into a hand only after playing a pistol for its power", "CA-52"),
    "take": ("you take a card only after playing a pistol for its power", "CA-52"),
    "keep": ("you keep drawn cards only after playing a rum or a lantern for its power", "CA-53"),
    "give": ("you give cards only after playing a rum for its power", "CA-53"),
    "put": ("you put cards on the deck only after playing a lantern for its power", "CA-54"),
    "open": ("you open a chest only after playing a chest card for its power", "CA-57"),
    "discard": ("you discard only when a dark card catches you with more than seven cards", "CA-40"),
}

TEXTS = tuple(text for text, _ in (*UNFINISHED_STEP.values(), *OUT_OF_TIME.values()))


def explain(state: State, seat: int, action: int) -> Illegal:
    """The refusal of an action that is not legal for a seat now."""
    verb, parts = VERBS.decode(action)
    refusal = _not_in_this_game(state, [slot.kind for slot in verb.slots], parts)
    if refusal:
        return refusal
    if not waiting(state) >> seat & 1:
        return _not_yours(state)
    if state.phase != phase.ACTING:
        if verb.name not in VERBS_OF[state.phase]:
            return Illegal(*UNFINISHED_STEP[state.phase])
        return EXPLAIN_VERB[verb.name](state, seat, parts)
    if verb.name in OUT_OF_TIME:
        return _too_early(state, verb.name)
    if not state.left:
        return Illegal("you have used all three actions; end your turn", "CA-10")
    return EXPLAIN_VERB[verb.name](state, seat, parts)


def _too_early(state: State, verb: str) -> Illegal:
    """A step of a power, or a discard, that is not due."""
    if verb == "discard":
        return Illegal(*OUT_OF_TIME[verb]) if state.flibusters else Illegal("flibusters are not in this game", "CA-40")
    return Illegal(*OUT_OF_TIME[verb]) if state.magic else _no_magic()


def _not_in_this_game(state: State, kinds: list[str], parts: list[SlotMembers]) -> Illegal | None:
    """Why an action names a player, a place or a card that is not in this game, if it does."""
    for kind, (member,) in zip(kinds, parts, strict=True):
        if kind == "colour" and member >= state.players:
            return Illegal(say("there are only {count} players", count=int(state.players)), "CA-01")
        if kind == "place" and state.spaces < member <= components.SPACES:
            return Illegal(say("the path has {count} spaces", count=int(state.spaces)), "CA-20")
        if kind == "place" and member == components.SLOOP and state.story == components.TORTUGA:
            return Illegal("on Tortuga alone there is only the half-sunk sloop", "CA-21")
        if kind == "place" and member == components.HIDEOUT and state.story == components.ESCAPE:
            return Illegal("the escape ends on the sloop; there is no hideout", "CA-02")
        if kind == "card" and member >= components.N_SYMBOLS and not state.flibusters:
            return Illegal("dark cards are told apart only with flibusters", "CA-40")
    return None


def _not_yours(state: State) -> NotYourTurn:
    if state.phase == phase.DISCARDING:
        other = _colour(state.other)
        return NotYourTurn(say("{pirate} must discard down to seven cards first", pirate=other), "CA-40")
    return NotYourTurn(say("it is {pirate}'s turn", pirate=_colour(state.turn)), "CA-10")


# The turn and the sloop


def _end(state: State, seat: int, parts: list[SlotMembers]) -> Illegal:
    return Illegal("a turn has at least one action", "CA-10")


def _pass(state: State, seat: int, parts: list[SlotMembers]) -> Illegal:
    if state.left < components.ACTIONS_A_TURN:
        return Illegal("only a whole turn can be passed", "CA-16")
    return Illegal("you have cards; only who starts a turn without any may pass", "CA-16")


def _sail(state: State, seat: int, parts: list[SlotMembers]) -> Illegal:
    if state.story != components.FULL:
        return Illegal("the sloop sails only in the full story", "CA-22")
    if state.sloop == components.AT_CARTAGENA:
        return Illegal("you can sail to Tortuga only with a pirate of yours aboard", "CA-24")
    return Illegal("you can sail back to Cartagena only for a pirate of yours in the tunnel or the prison", "CA-24")


def _sail_free(state: State, seat: int, parts: list[SlotMembers]) -> Illegal:
    if state.story != components.FULL:
        return _sail(state, seat, parts)
    if state.left < components.ACTIONS_A_TURN:
        return Illegal("the captain sails free only before the actions", "CA-26")
    if not state.captain:
        text = "you can sail for free once, if you began the turn with a pirate aboard and nobody had more"
        return Illegal(text, "CA-26")
    return _sail(state, seat, parts)


# Moves


def _play(state: State, seat: int, parts: list[SlotMembers]) -> Illegal:
    (card,), (place,) = parts
    wild = state.phase in (phase.PARROTS_LAID, phase.HOOK_PARROTS_LAID)
    if wild and (card >= components.N_SYMBOLS or card == components.PARROT):
        return Illegal("two parrots stand for a light card with another symbol", "CA-55")
    if not wild and not state.hands[seat, card]:
        return _no_card(card, "CA-11")
    missing = _no_pirate(state, seat, place, "CA-11")
    if missing:
        return missing
    if state.phase in (phase.HOOK_LAID, phase.HOOK_PARROTS_LAID) and not paired_spaces(state, seat) >> place & 1:
        on_path = components.START < place <= components.SPACES
        text = (
            "the hook moves two of your pirates from one space of the path; there are not two on {place}"
            if on_path
            else "the hook moves two of your pirates from one space of the path; {place} is not such a space"
        )
        return Illegal(say(text, place=_place(state, place)), "CA-56")
    return _cannot_move_forward(state, seat, place, "CA-12")


def _cannot_move_forward(state: State, seat: int, place: int, at_the_end: str) -> Illegal:
    """Why a pirate cannot go forward from a place."""
    if place == components.HIDEOUT or (place == components.SLOOP and state.story == components.ESCAPE):
        return Illegal("that pirate has reached its goal already", at_the_end)
    if place == components.SLOOP:
        return Illegal("pirates leave the sloop only at Tortuga", "CA-25")
    if state.sloop == components.AT_TORTUGA:
        return Illegal("that pirate could only board, and the sloop is at Tortuga", "CA-23")
    text = "that pirate could only board, and no more than three of a colour may; {count} of the colour are aboard"
    return Illegal(say(text, count=pirates_aboard(state, seat)), "CA-23")


def _back(state: State, seat: int, parts: list[SlotMembers]) -> Illegal:
    ((place,),) = parts
    if state.drawing == components.DRAW_MORGAN:
        return Illegal("in this game you get cards by Morgan's move, not by moving back", "CA-30")
    missing = _no_pirate(state, seat, place, "CA-13")
    if missing:
        return missing
    if place == components.START:
        return Illegal("a pirate at the start cannot move back", "CA-15")
    if place == components.SLOOP and state.sloop == components.AT_TORTUGA:
        return Illegal("a pirate can move back from the sloop only at Cartagena", "CA-28")
    if state.drawing == components.DRAW_BACK_THEN_MORGAN and (place > state.shore and place != components.SLOOP):
        return Illegal("on the island you get cards by Morgan's move", "CA-28")
    assert not backward_places(state, seat) >> place & 1
    if spaces_behind(state, place) & state.occupied:
        return Illegal("all occupied spaces behind that pirate have three pirates", "CA-13")
    return Illegal("no other pirate stands behind that one to move back to", "CA-15")


def _morgan(state: State, seat: int, parts: list[SlotMembers]) -> Illegal:
    (other,), (place,) = parts
    if state.drawing == components.DRAW_BACK:
        return Illegal("in this game you get cards by moving back, not by Morgan's move", "CA-30")
    if other == seat:
        return Illegal("Morgan's move is for an opponent's pirate", "CA-30")
    missing = _no_pirate(state, other, place, "CA-30")
    if missing:
        return missing
    if place in (components.SLOOP, components.HIDEOUT):
        return Illegal("pirates in the hideout, or on the sloop at Cartagena, are not moved on", "CA-32")
    if state.drawing == components.DRAW_BACK_THEN_MORGAN and place <= state.shore:
        return Illegal("in the tunnel you get cards by moving back", "CA-28")
    return _cannot_move_forward(state, other, place, "CA-32")


# Black magic


def _parrots(state: State, seat: int, parts: list[SlotMembers]) -> Illegal:
    if not state.magic:
        return _no_magic()
    held = state.hands[seat, components.PARROT] + state.hands[seat, components.PARROT + components.N_SYMBOLS]
    if state.phase == phase.HOOK_LAID and held >= 2:
        text = "you do not have these two parrots, or no card they can stand for moves two of your pirates"
        return Illegal(text, "CA-56")
    return Illegal("you do not have two parrots with these backgrounds", "CA-55")


def _magic(state: State, seat: int, parts: list[SlotMembers]) -> Illegal:
    ((card,),) = parts
    symbol = card % components.N_SYMBOLS
    if not state.magic:
        return _no_magic()
    if state.phase == phase.PARROTS_LAID and (card >= components.N_SYMBOLS or card == components.PARROT):
        return Illegal("two parrots stand for a light card with another symbol", "CA-55")
    if symbol == components.PARROT:
        return Illegal("the parrot's power takes two of them: lay down parrots", "CA-55")
    if state.phase == phase.ACTING and not state.hands[seat, card]:
        return _no_card(card, "CA-50")
    if symbol == components.PISTOL:
        return Illegal("nobody else has a card", "CA-52")
    if symbol == components.CHEST:
        return Illegal("no pirate of yours is on a chest that still has its token", "CA-57")
    assert symbol == components.HOOK
    return _no_hook(state, seat)


def _no_hook(state: State, seat: int) -> Illegal:
    if state.left < 2:
        return Illegal("the hook's power takes two actions", "CA-56")
    if not paired_spaces(state, seat):
        return Illegal("the hook's power needs two pirates of yours on one space of the path", "CA-56")
    return Illegal("the hook's power needs a second card that moves two pirates of yours", "CA-56")


def _look(state: State, seat: int, parts: list[SlotMembers]) -> Illegal:
    ((other,),) = parts
    if other == seat:
        return Illegal("you can look only into an opponent's hand", "CA-52")
    assert not pistol_targets(state, seat) >> other & 1
    return Illegal(say("{pirate} has no cards", pirate=_colour(other)), "CA-52")


def _take(state: State, seat: int, parts: list[SlotMembers]) -> Illegal:
    text = "{pirate} has no {card}"
    return Illegal(say(text, pirate=_colour(state.other), card=_card(parts)), "CA-52")


def _no_such_card_in_pool(state: State, seat: int, parts: list[SlotMembers]) -> Illegal:
    rule = "CA-53" if state.phase in (phase.RUM_KEEP, phase.RUM_GIVE) else "CA-54"
    return Illegal(say("there is no {card} among the drawn cards", card=_card(parts)), rule)


def _open(state: State, seat: int, parts: list[SlotMembers]) -> Illegal:
    ((place,),) = parts
    assert not openable_chests(state, seat) >> place & 1
    text = "on {place} there is no chest token, or no pirate of yours"
    return Illegal(say(text, place=_place(state, place)), "CA-57")


def _discard(state: State, seat: int, parts: list[SlotMembers]) -> Illegal:
    return _no_card(parts[0][0], "CA-40")


# Shared


def _no_magic() -> Illegal:
    return Illegal("in this game cards have no powers", "CA-50")


def _colour(seat: int) -> Message:
    return say(components.COLOUR_TITLES[seat])


def _card(parts: list[SlotMembers]) -> Message:
    return say(components.CARD_TITLES[parts[0][0]])


def _no_card(card: int, rule: str) -> Illegal:
    return Illegal(say("you have no {card} card", card=say(components.CARD_TITLES[card])), rule)


def _place(state: State, place: int) -> Message:
    if place == components.START:
        return say("the half-sunk sloop") if state.story == components.TORTUGA else say("the prison")
    if place == components.SLOOP:
        return say("the sloop")
    return say("the hideout") if place == components.HIDEOUT else say("space {number}", number=place)


def _no_pirate(state: State, seat: int, place: int, rule: str) -> Illegal | None:
    if state.at[seat] >> place & 1:
        return None
    where = {"pirate": _colour(seat), "place": _place(state, place)}
    inside = place in (components.START, components.HIDEOUT)
    text = "{pirate} has no pirate in {place}" if inside else "{pirate} has no pirate on {place}"
    return Illegal(Message(text, where), rule)


EXPLAIN_VERB: dict[str, Reason] = {
    "end": _end,
    "pass": _pass,
    "sail": _sail,
    "sail free": _sail_free,
    "play": _play,
    "back": _back,
    "morgan": _morgan,
    "parrots": _parrots,
    "parrots mixed": _parrots,
    "parrots dark": _parrots,
    "magic": _magic,
    "look": _look,
    "take": _take,
    "keep": _no_such_card_in_pool,
    "give": _no_such_card_in_pool,
    "put": _no_such_card_in_pool,
    "open": _open,
    "discard": _discard,
}
