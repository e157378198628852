"""Make classes of k rows satisfy persons and protections of sensitive values, too.

The searches of the cell level see the quasi-identifier alone. Their classes are the start: rows
with equal quasi-identifier values are dealt to the classes at random, so that the persons and the
sensitive values of every class are known. Then classes that fail are merged with others. This room
knows frequency lists with columns beside the quasi-identifier, and classes. It does not know how
the classes were found. Start with ``satisfy.py``.

``satisfy.py``
    Wrap a method: search by rows alone, deal, merge, and state the loss anew. Each class that
    fails is merged with a near one where that costs least, until none fails.
``rows_beside.py``
    The rows of a table with what stands beside them: joins, costs and failing classes.
``lottery.py``
    The lottery: a tree from the quasi-identifier alone, and merging along it partly at random.
"""
