"""The rules of Forbidden Island."""
