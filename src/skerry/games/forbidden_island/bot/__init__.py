"""The bots of Forbidden Island."""
