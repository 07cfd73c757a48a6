"""Questions before plays that are legal but have no effect (FD-60)."""

from __future__ import annotations

from skerry.engine.messages import Message, say
from skerry.games.forbidden_desert.rules import components
from skerry.games.forbidden_desert.rules.actions import VERBS
from skerry.games.forbidden_desert.rules.knowledge import knows_tile
from skerry.games.forbidden_desert.rules.state import State
from skerry.games.forbidden_desert.ui.phrases import place_name


def question(state: State, seat: int, action: int) -> Message | None:
    """What to ask before a play of gear that would be wasted, or None if it has an effect."""
    verb, parts = VERBS.decode(action)
    if verb.name == "blast" and not state.sand[parts[0][0]]:
        return say("There is no sand on {place}. Play the Dune Blaster anyway?", place=place_name(parts[0][0]))
    if verb.name == "scope" and knows_tile(state, seat, parts[0][0]):
        return say(
            "You know already what lies under {place}. Play the Terrascope anyway?", place=place_name(parts[0][0])
        )
    if verb.name == "shield" and state.shielded >> seat & 1:
        return say("You have a Solar Shield up already. Play another one anyway?")
    if verb.name == "reserve" and not _is_thirsty_tile(state, seat):
        return say("All canteens on your tile are full. Open the Secret Water Reserve anyway?")
    return None


def _is_thirsty_tile(state: State, seat: int) -> bool:
    """Whether a canteen on a seat's tile is not full."""
    return any(
        state.pawn[other] == state.pawn[seat] and state.water[other] < components.ROLES[state.role[other]].canteen
        for other in range(state.players)
    )
