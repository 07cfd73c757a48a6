"""Training programs: weights of the bots' networks and of their hand-written policies. Needs the extra ``train``."""
