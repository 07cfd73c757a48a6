"""What a game's own bots are made of. Games may import this package; it knows the engine only."""
