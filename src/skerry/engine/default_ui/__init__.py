"""The user interface of a game that does not bring its own: names, view, prompt, refusals, page and terminal board."""
