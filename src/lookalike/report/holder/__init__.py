"""The holder's report: what a release did to the private table, and what risk remains.

The page goes into the dossier, a private folder of the data holder, because it shows values of
the private table. This room receives frozen facts, which
:mod:`lookalike.flow.documents.holder` gathers from a release, and returns the text of the page.

- ``facts.py``: everything that the page shows.
- ``attribute_facts.py``, ``class_facts.py``, ``lattice_facts.py``: its parts.
- ``draw.py``: the charts.
- ``write_report.py``: fills the template ``holder.html``.

Start reading at :func:`lookalike.report.holder.write_report.write_holder_report`.
"""
