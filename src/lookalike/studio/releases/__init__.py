"""What the screens *Compare*, *Publish* and *Releases* are made of: releases, made and past.

- ``release_summary.py``: the tasks that publish and verify, and what a page shows of a release.
- ``comparison.py``: the task that makes a release and compares it with the private table.
- ``past_releases.py``: the releases in the folder, and those that the ledger remembers.
- ``release_attacks.py``: the tasks that verify, attack and link past releases.
"""
