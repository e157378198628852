"""The report for the recipient of a release, from the published folder alone.

It explains the release to somebody who has never heard of k-anonymity: what was done, how to read
the values, what is promised, on what that rests, and what is not promised. It is deterministic:
the same version makes the same bytes of the same folder, so a recipient can make it again and
compare. Nothing in it follows from the private table beyond what the certificate states.

- ``facts.py``: what the report shows: the certificate, the codebook, the sizes of classes.
- ``read_folder.py``: reads these facts from a published folder.
- ``column_words.py``: what was done to a column, in words.
- ``write_report.py``: fills the template with the facts.

Start reading at :func:`lookalike.report.recipient.write_report.write_recipient_report`.
"""
