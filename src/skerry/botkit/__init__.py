"""What the bots of a game are built from.

- ``protocols``: what a game provides to bots
- ``policy``: building blocks of policies
- ``packed_array``: an array for kernels, which cannot allocate one
- ``deep_sets``: a small neural network over sets of entities

Games may import this package; it depends on the engine only.
"""
