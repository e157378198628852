"""Forecast: what each policy would release of a source over some months, simulated.

People of the private table leave, come and change each month; newcomers are drawn from the table.
Every policy makes the releases of every month with the steps that a real release takes, into a
private folder with a ledger of its own, which is removed at the end. Start with ``forecast.py``.

===================  =======================================================================
forecast.py          the verb and its result: figures by policy and month, notes, a chart
simulate.py          one policy: makes the release of a month, and measures it
simulated_people.py  draws the rows of each month from the private table
===================  =======================================================================
"""
