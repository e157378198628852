"""Make the documents of a release from what was asked, decided and recounted.

Each function takes the specification, the plan and the results of earlier steps, and returns
one frozen value. Nothing is written here: :mod:`lookalike.publish` writes the certificate and
the private documents. Start reading at :func:`lookalike.flow.documents.gather.draft_documents`.

- ``gather.py``: reports and proof of the bound: what is made before the ledger's turn, and in it.
- ``certify.py``: the certificate, for the recipient.
- ``measure_for_rules.py``: the figures that rules ask for, for the data holder.
"""
