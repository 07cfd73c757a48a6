"""Analysis of matches on a server: it computes in other processes, and keeps what it finds in the store.

- ``jobs``: the analyses that are asked for, one after another; ``job_store``: their table
- ``analyst``: the program of a process that analyses; ``analyst_process``: such a process, as the server sees it
- ``what_if``: trying actions from any step of a finished match
- ``presentation``: what pages and programs are told of an analysis
"""
