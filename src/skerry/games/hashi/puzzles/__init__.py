"""Puzzles: a solver for solo games, and boards made and rated by it."""
