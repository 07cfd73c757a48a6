"""The languages that Skerry speaks. A game may speak fewer: then its own words are English."""

from __future__ import annotations

LANGUAGES = ("en", "es", "pt")
ENGLISH = LANGUAGES[0]
