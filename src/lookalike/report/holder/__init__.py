"""The holder's report: what a release did to the private table, and what risk remains.

The page goes into the dossier, a private folder of the data holder, because it shows values of
the private table. It is drawn from a :class:`~lookalike.describe.description.Description`.

- ``write_report.py``: draws what the page shows, and fills the template ``holder.html``.
- ``linked.py``: the same of linked tables, by the template ``holder_linked.html``.
- ``draw.py``: the charts.

Start reading at :func:`lookalike.report.holder.write_report.draw_holder_report`.
"""
