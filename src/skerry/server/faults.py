"""Faults that are contained: one bad match, row, game or client must not fail a list, a start, or another match.

Each is logged with its cause and counted, so that a host sees it although nobody else does.
"""

from __future__ import annotations

import logging
from typing import Any

from prometheus_client import Counter

logger = logging.getLogger(__name__)

CONTAINED = Counter("skerry_contained_faults", "Faults that failed one match, card or reader only", ["part"])


def contain(part: str, error: Exception, **details: Any) -> None:
    """Log and count a fault of one part of the server, which goes on without it."""
    CONTAINED.labels(part).inc()
    logger.error("fault in %s", part, exc_info=error, extra=details)
