"""The output of the commands: results as text for a terminal.

A view receives a result of the library and returns something to print. A class of a view, such as
``JudgedRelease``, is what ``--json`` prints where that is more than one result. A view computes no
figures; it only formats, and it never prints by itself. Start reading at ``check.py``.

- ``printing.py``: tables, folded lines, percentages and error messages, for all views.
- ``check.py``: the k of a table, the checks before publishing, and those of a published release.
- ``release.py``: the levels, suppression and cost of a release, its files, and the rules it meets.
- ``explore.py``: what is kept and lost at several k, limits and methods; methods side by side.
- ``minimal.py``: the k-minimal generalizations of a table, and whether a release is minimal.
- ``search_trace.py``: the steps of one of Samarati's searches.
- ``risk.py``: the risk of a table, proposed quasi-identifiers, and the exposure of a release.
- ``budget.py``: how many bits labels can carry, and what each column costs.
- ``attack.py``: the result of linking a release with an external table, and of attacks on several.
- ``ledger.py``: the releases that a ledger records.
- ``terminal.py``: which step is running, questions, and the result, as text or JSON.
"""
