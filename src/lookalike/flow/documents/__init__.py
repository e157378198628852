"""Make the documents of a release from what was asked, decided and recounted.

Each function takes the specification, the plan and the results of earlier steps, and returns
one frozen value. Nothing is written here: :mod:`lookalike.publish` writes the certificate and
the private documents. Start reading at :func:`lookalike.flow.documents.gather.draft_documents`.

- ``gather.py``: what is made before the ledger's turn, and what is added in it.
- ``certify.py``: the certificate, for the recipient.
- ``report.py``: the reports, for the recipient and for the data holder.
- ``prove.py``: the proof of the bound on precision, for the data holder.
- ``measure_for_rules.py``: the figures that rules ask for, for the data holder.
- ``shown_identifiers.py``: what a released column shows of an identifier of HIPAA Safe Harbor.
"""
