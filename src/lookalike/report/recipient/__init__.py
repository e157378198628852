"""The report for the recipient of a release, from the published folder alone.

It explains the release to somebody who has never heard of k-anonymity: what was done, how to read
the values, what is promised, on what that rests, and what is not promised. It is deterministic:
the same version makes the same bytes of the same folder, so a recipient can make it again and
compare. Nothing in it follows from the private table beyond what the certificate states.

- ``write_report.py``: counts and draws what the page shows, and fills its template.
- ``linked.py``: the same of a folder with linked tables.

Start reading at :func:`lookalike.report.recipient.write_report.report_on_folder`.
"""
