"""Examine whether a release keeps its certificate, before it is published and ever after.

Without the private table, the folder and the file are compared with the certificate, and the
fields of the certificate with each other. With the holder's specification, the certificate is
also compared with the specification, the ledger and the private table, and every released row
must generalize a private row of its own. Each check is a
:class:`~lookalike.verify.recount.Finding`. What counts and proves is in the room
:mod:`lookalike.verify`; these files say what must be compared with what. They may use the ledger
and the rooms below it. Start reading at :func:`lookalike.examine.verify.verify`.

- ``verify.py``: the verb, which runs all checks of a published folder from left to right.
- ``examined_release.py``: a published release, and what its holder has.
- ``released_file.py``: the folder and the file, recounted, against the certificate.
- ``consistency.py``: the fields of the certificate against each other.
- ``linked.py``: the same for a folder of linked tables; ``held_linked.py`` compares it with the
  specification and the private tables, which ``held_tables.py`` reads.
- ``specification.py``: the certificate against the holder's specification.
- ``levels.py``: levels of values, and what they give away, against the private table.
- ``people.py``: the persons of each class, and the people of registers who match it.
- ``promises.py``: what a specification promises, read a second time for verification.
- ``holder_inputs.py``: reads the holder's specification, private table and earlier values.
"""
