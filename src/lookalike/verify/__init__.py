"""Check a release with code that shares nothing with the code that made it.

Three questions are answered, from the released file and, where necessary, the private table:

1. Is it k-anonymous? ``recount.py`` counts the classes again with SQL, ``persons.py`` persons, and
   ``records.py`` the persons of linked tables; ``answers.py`` counts what answers leave of a class.
2. Is it truthful? ``truth.py`` proves that every released row generalizes a different private row,
   ``linked_truth.py`` the same of linked tables, and ``answers_truth.py`` that answers are true.
3. Is it as good as claimed? ``bound/`` checks the bound on precision.

This room may know SQL, hierarchies and how tables are read. It imports nothing of the search, of
recodings, of measures or of the step that recodes a table, so that a fault there cannot hide
itself. Start reading with ``recount.py``, then ``truth.py``.

- ``recount.py``: counts rows and classes; ``Finding`` and ``Verdict`` are the results of checks.
- ``persons.py``: counts the persons of classes, where k counts persons.
- ``linked_rows.py``: the released rows of linked tables, their sets and references.
- ``linked_truth.py``: proves that released persons, with their records, are private persons.
- ``match_persons.py``: matches persons of whose records some may have been left out.
- ``records.py``: counts the persons who share what may be known of linked tables.
- ``protections.py``: recounts the protections of sensitive values; refuses classes that fail one.
- ``truth.py``: proves the truth of a release.
- ``both_tables.py``: counts the private table and the release for ``truth.py``.
- ``register.py``: counts the people of a register who match each class.
- ``spark_tables.py``: counts in Spark, for ``recount.py`` and ``truth.py``, what Spark holds.
- ``released_values.py``: counts distinct values, formulas, and numbers that are too fine.
- ``values.py``: what private values may become, and what released values stand for.
- ``cell_matching.py``: matches rows where levels differ from cell to cell.
- ``is_generalization.py``: the public function that compares any two tables.
- ``bound/``: checks a proof of optimality.
"""
