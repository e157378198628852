"""Attacks on a set of releases: what they reveal together that no single release reveals.

Start with :func:`~lookalike.risk.releases.attack.attack`. An attack goes from releases to a verdict
in five steps:

1. **Read**: each release becomes a ``SeenRelease``, its classes of equal rows and the statements of
   its certificate.
2. **Compare**: the labels of a column in all releases are numbered, so that two labels can be
   compared at the higher of their levels. Equal rows become one node.
3. **Link**: compatible rows of two releases form blocks. A flow of people through the blocks finds
   which rows can belong to the same person in some possible world.
4. **Count**: for every pair of classes, count the rows that remain possible for a person in both.
   Row order and known totals are attacks of their own.
5. **Judge**: ``Attacked`` states the number of rows that remain possible, proved and attacked, for
   every quasi-identifier.

The ledger calls step 2 onwards directly, by
:func:`~lookalike.risk.releases.attack_classes.attack_classes`. This room may know tables, published
folders and hierarchies; it contains no SQL.

Read:

- ``attack.py``: the public function, for folders, files and frames.
- ``seen_release.py``: a release as an attacker sees it, read with its certificate.
- ``seen_records.py``: the persons of linked tables, with a column for each table of records.

Compare:

- ``label_levels.py``: the labels of one column in all releases.
- ``comparable_releases.py``: all releases as nodes with counts; which nodes are compatible.

Link and count:

- ``possible_worlds.py``: which rows belong to the same person in some world, or in every world.
- ``link_classes.py``: the linked table of two releases.
- ``row_order_attack.py``: linking by the position of rows (unsorted matching).
- ``known_totals.py``: inferring suppressed cells from known totals (summary data).

Judge:

- ``assumptions.py``: the assumptions of the attack, and which the releases contradict.
- ``attack_classes.py``: runs every attack.
- ``attacked.py``: the result; ``attack_sentences.py``: the result in words.
"""
