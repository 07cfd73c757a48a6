"""The number of seats that all games have in common."""

from __future__ import annotations

MAX_SEATS = 8  # of any game: it bounds bit sets of seats, and arrays of scores that several games share
