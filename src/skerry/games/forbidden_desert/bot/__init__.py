"""The bots of Forbidden Desert."""
