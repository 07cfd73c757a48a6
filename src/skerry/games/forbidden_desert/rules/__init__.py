"""The rules of Forbidden Desert."""
