"""The output of the commands: results as text for a terminal.

A view receives a result of the library and returns something to print. A class of a view, such as
``Judged``, is what ``--json`` prints where that is more than one result. A view computes no
figures; it only formats, and it never prints by itself. Start reading at ``check.py``.

- ``printing.py``: tables, folded lines, percentages and error messages, for all views.
- ``check.py``: the k of a table, and the checks before publishing.
- ``release.py``: the levels, suppression and cost of a release, its files, and the rules it meets.
- ``comparison.py``: the methods side by side.
- ``explore.py``: what is kept and lost at several k, limits and methods.
- ``minimal.py``: the k-minimal generalizations of a table, and whether a release is minimal.
- ``search_trace.py``: the steps of one of Samarati's searches.
- ``verification.py``: the checks of a published release, and a certificate in words.
- ``risk.py``: the re-identification risk of a table, and proposed quasi-identifiers.
- ``linking.py``: the result of linking a release with an external table.
- ``attack.py``: the result of attacks on several releases.
- ``ledger.py``: the releases that a ledger records.
- ``terminal.py``: which step is running, and questions.
"""
