"""The output of the commands: results as text for a terminal, and as JSON for a program.

A view receives a result of the library and returns something to print: ``show_…`` a text or a
table, ``…_as_json`` the JSON object that ``--json`` prints where it is more than the ``as_json()``
of one result. A view computes no figures; it only formats, and it never prints by itself. Start
reading at ``check.py``.

- ``printing.py``: tables, folded lines, percentages and error messages, for all views.
- ``check.py``: the k of a table.
- ``release.py``: the levels, suppression and cost of a release, and its files.
- ``suggestion.py``: a method that would keep much more.
- ``explained.py``: how a release would be made, before it is searched.
- ``comparison.py``: the methods side by side.
- ``explore.py``: what is kept and lost at several k, limits and methods.
- ``minimal.py``: the k-minimal generalizations of a table.
- ``search_trace.py``: the steps of one of Samarati's searches.
- ``minimality.py``: whether a published release is minimal.
- ``report.py``: whether a published report is the one that its folder gives.
- ``verification.py``: the checks of a published release, and a certificate in words.
- ``rules.py``: what a release reaches of laws and standards.
- ``risk.py``: the re-identification risk of a table.
- ``proposal.py``: proposed quasi-identifiers.
- ``linking.py``: the result of linking a release with an external table.
- ``attack.py``: the result of attacks on several releases.
- ``ledger.py``: the releases that a ledger records.
- ``ask.py``: questions at a terminal.
- ``progress.py``: which step is running.
"""
