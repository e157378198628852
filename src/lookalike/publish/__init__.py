"""Publish a release: write it privately, recount it, add its documents, and move it into place.

A release is a folder that holds one table, its certificate and its report. It appears whole or
not at all, and nothing gets there that was not counted again. This room may use ``verify`` and the
rooms below it. It does not know how a release was searched for, and it does not import the ledger:
the flow passes in what is needed of it (:class:`~lookalike.publish.publish.LedgerTurn`).

The path of a release, with what a crash at each step leaves:

================================  ==================  =====================================
step                              function            after a crash here, the next start
================================  ==================  =====================================
1. write the rows into a private  ``write_staged``    removes the private folder; an
   folder beside the place                            earlier release is untouched
2. read the file back and count   ``recount_staged``  the same
   it again
3. write the report, the          ``publish``         the same, and removes the waiting
   certificate and the private                        documents
   documents
4. move the folder into place by  ``put_in_place``    finishes the move or restores the
   one rename                                         earlier release (see ``place.py``)
5. give each private document     ``keeping_records`` renames it; until then verification
   its final name by one rename                       finds it waiting (see ``dossier.py``)
================================  ==================  =====================================

Start reading at :func:`lookalike.publish.publish.publish`; its caller is
:meth:`lookalike.flow.result.Release.publish`.

- ``certified.py``: the parts of a certificate.
- ``certificate.py``: the fields of ``certificate.json``; ``linked_certificate.py``: the same of
  linked tables.
- ``written_certificate.py``: how either is read and written.
- ``digest.py``: digest and size of a file.
- ``certificate_sentences.py``: the statement of a certificate, and its summary in sentences.
- ``place.py``: the place of a release: checks, the rename, recovery after a crash.
- ``dossier.py``: the data holder's private folder, which holds the proof of the bound, the
  findings of the pre-flight, and the holder's report.
- ``open_published.py``: opens the table of a release as its certificate describes it.
- ``publish.py``: the verb, which writes a release into a private folder, counts it again there, and
  puts it and its documents in place.
- ``address.py``: the same for part files that Spark writes to a store without an atomic rename.
"""
