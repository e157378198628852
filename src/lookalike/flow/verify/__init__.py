"""Verify a published release: against its certificate, and against what its data holder has.

Without the private table, the folder and the file are compared with the certificate, and the
fields of the certificate with each other. With the holder's specification, the certificate is
also compared with the specification, the ledger and the private table, and every released row
must generalize a private row of its own. Each check is a
:class:`~lookalike.verify.recount.Finding`. What counts and proves is in the room
:mod:`lookalike.verify`; these files say what must be compared with what. Start reading at
:func:`lookalike.flow.verify.folder.verify`.

- ``folder.py``: the verb, which runs all checks from left to right.
- ``released_file.py``: the folder and the file, recounted, against the certificate.
- ``persons.py``: the persons of each class, from the private table.
- ``consistency.py``: the fields of the certificate against each other.
- ``protections.py``: the protections of sensitive values, recounted.
- ``specification.py``: the certificate against the holder's specification.
- ``levels.py``: hierarchy heights and levels of values against the private table.
- ``holder_inputs.py``: reads the holder's specification and private table.
"""
