"""Puzzles: a solver for solo games, and a generator of boards that uses it."""
