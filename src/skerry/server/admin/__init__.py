"""Housekeeping of a server's database: what ``skerry admin`` does.

- ``connection``, ``revisions``: an existing database, of which version, and one moment of it
- ``archive``: the file format of backups and of exported matches
- ``backup``, ``restoration``: a whole database in an archive, and back
- ``stored_match``, ``log_check``, ``verification``: whether every stored match is what the rules say
- ``match_file``: one match from one server to another
- ``match_list``, ``pruning``, ``vacuum``: what there is, what can go, and the space it took
"""
