"""Reports: self-contained HTML pages about a release, for all who read about it.

This room draws. It receives what :mod:`lookalike.describe` knows and returns text; it searches
nothing and decides nothing. It may read a published folder, because the recipient's report is made
from that folder alone. A page loads nothing, runs no script, and escapes everything that comes from
data.

- ``page.py``: fills a template; every page has the same head, style and security policy.
- ``chart.py``: draws a Vega-Lite specification of ``charts/`` as an SVG drawing inside a page.
- ``class_sizes.py``: the sizes of the classes of a release, and their chart.
- ``recipient/``: the report for the recipient, from the published folder alone.
- ``holder/``: the report for the data holder, which shows private values.
- ``regulator.py``: the file for a regulator, with blanks for what people must answer.
- ``rules/``: rules of laws, agencies and standards, and what a release reaches of each.
- ``templates/``: the HTML of pages, and their style sheet.
- ``charts/``: one Vega-Lite specification a chart, without data.

Start reading at :func:`lookalike.report.page.fill_page`.
"""
