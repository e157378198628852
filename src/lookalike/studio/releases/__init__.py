"""What the screens *Compare*, *Publish* and *Releases* are made of: releases, made and past.

- ``release_summary.py``: the tasks that publish, verify and compare, and what a page shows of them.
- ``past_releases.py``: the releases in the folder, and those that the ledger remembers.
- ``release_attacks.py``: the tasks that verify, attack and link past releases.
"""
