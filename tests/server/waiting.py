"""Waiting for a condition."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable
from typing import Any


async def until(what: Callable[[], Awaitable[Any]], seconds: float = 60) -> Any:
    """Wait until a condition holds."""
    limit = time.monotonic() + seconds
    while not (found := await what()):
        assert time.monotonic() < limit, f"not within {seconds} seconds: {what.__name__}"
        await asyncio.sleep(0.05)
    return found
