"""Pre-flight: what the certificate does not promise, and a data holder should know beforehand.

k-anonymity is a promise for the declared quasi-identifier and for rows. Before a release is
published, the checks of this room look at the rest: other columns, persons with several rows,
classes with one sensitive value. Each finding has a severity, one sentence, and a remedy. An error
stops publishing unless the specification accepts it by name.

Start with ``run.py``, which lists the checks; each check is a function of the facts.

==============  ================================================================================
file            what it holds
==============  ================================================================================
facts.py        what the checks know: the specification, the table, and the release if there is one
run.py          the list of checks; runs them, and refuses to publish what they stop
as_is.py        columns released as they are: rows that they single out, free text
derived.py      columns released as they are from which a finer value of an attribute follows
persons.py      persons with several rows
sensitive.py    classes that share one sensitive value, or nearly
columns.py      columns reduced to one value, values that a hierarchy does not know
kept.py         columns of which little is kept, and what would keep more of them
requested.py    what was asked for: small k at the cell level, earlier releases
==============  ================================================================================
"""
