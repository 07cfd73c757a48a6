"""A deterministic simulation of the server: its real code on a simulated event loop, database, Redis, and network.

Everything that happens in a history, faults included, is drawn from one seed, so that a failure can be repeated. Only
what lies outside the server's own code is simulated: time, threads, the connections between processes and to clients,
and which statement of the database succeeds. ``python -m tests.server.simulation --seed N`` runs one history and prints
its trace.
"""
