"""Features of the lines that can take a bridge."""

from __future__ import annotations

from typing import Any

from skerry.engine.bitset import popcount
from skerry.engine.kernel import kernel
from skerry.games.hashi.bot.feature_blocks import EXISTS, FIRST_LINE, LINE_FEATURES, N_LINE_FEATURES
from skerry.games.hashi.bot.island_features import write_adjacent_group, write_neighbour
from skerry.games.hashi.bot.progress import Progress, need_class
from skerry.games.hashi.rules.components import BLUE, RED, ROUNDS
from skerry.games.hashi.rules.state import State

HAS_BRIDGE = LINE_FEATURES.offset("has_bridge")
OPEN_CROSSINGS = LINE_FEATURES.offset("open_crossings")
END_NEEDS = LINE_FEATURES.offset("end_needs")
END_FLAGS = LINE_FEATURES.offset("end_flags")
ROUNDS_LEFT = LINE_FEATURES.offset("rounds_left")


@kernel
def write_line_features(state: State, line: int, out: Any, progress: Progress) -> None:
    """A line, and what it means for the islands at its ends."""
    a, b = state.end[line, 0], state.end[line, 1]
    ends, built = 1 << a | 1 << b, state.built[0] >> line & 1
    if ends & progress.finished:
        if built and ends & ~progress.finished:
            write_adjacent_group(out, a, b, progress.finished)
        return
    closed = state.blocked[0] | state.double[0]
    if closed >> line & 1:
        return
    write_neighbour(state, a, b, built, out)
    write_neighbour(state, b, a, built, out)
    features = out[FIRST_LINE + line * N_LINE_FEATURES :]
    features[EXISTS] = 1.0
    features[HAS_BRIDGE] = built
    features[OPEN_CROSSINGS] = popcount(state.cross[line] & ~closed) / 2
    features[END_NEEDS + _need_pair(state, a, b)] = 1.0
    features[END_FLAGS] = 0.0 if progress.earned >> RED & 1 else popcount(state.red & ends)
    features[END_FLAGS + 1] = 0.0 if progress.earned >> BLUE & 1 else popcount(state.blue & ends)
    features[ROUNDS_LEFT] = (ROUNDS - progress.played) / ROUNDS


@kernel
def _need_pair(state: State, a: int, b: int) -> int:
    """The index of an unordered pair of needs."""
    low, high = need_class(state, a), need_class(state, b)
    if low > high:
        low, high = high, low
    return high * (high + 1) // 2 + low
