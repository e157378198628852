"""What the screens *Compare*, *Publish* and *Releases* are made of: releases, made and past.

- ``release_summary.py``: the tasks that publish and verify, and what a page shows of a release.
- ``comparison.py``: the task that makes a release and compares it with the private table;
  ``row_sample.py``: some private rows beside what the release shows of them.
- ``publishing_fields.py``: where a release goes, and what remembers it.
- ``ledger_history.py``: the releases that the ledger remembers.
- ``past_releases.py``: the releases in the folder.
- ``release_attacks.py``: the tasks that verify a past release, and attack several.
- ``register_link.py``: the tasks that read a register, and link a release with it.
"""
