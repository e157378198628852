"""Tables: the only room that runs a table engine.

The steps of the flow that touch rows are here. Each is a verb that asks the registry for the
engine of the frame it was given (:mod:`lookalike.tables.engines`), so no other room knows whether
rows are in memory, in files or in a database. SQL is written here, in ``verify/`` and in
``ledger/store/`` only. Start with ``table.py``, then ``read.py``, ``count.py`` and ``recode.py``.

====================  =========================================================================
nouns
====================  =========================================================================
table.py              a frame and the role of each column
source.py             where rows come from, as a specification describes it
cleaning.py           which texts are missing values, and how values are repaired
counted.py            the entries of a table and their counts
stored_count.py       the same, kept by the engine because they are too many for memory
plan.py               how rows become released rows, and the possible fates of each
draw.py               the randomness of one release: row order and choice among equal rows
row_tags.py           numbers for rows, and earlier values that some of them show
connection.py         a DuckDB connection of our own
storage_url.py        the address of a file or folder that Spark writes
resources.py          the memory that DuckDB may use, and the folder for what exceeds it
private_folders.py    locked folders for private rows, staging and spill
====================  =========================================================================

====================  =========================================================================
verbs
====================  =========================================================================
read.py               from a source, a path or a frame to rows; files/ and databases/ have a
                      module for each kind
clean.py              markers become missing values, blanks go, lost zeros return
coarsen.py            numbers are rounded and cut, as `coarsening.py` describes it
sequence_memory.py    how many distinct sequences may come to memory
count.py, labels.py   from rows to distinct sequences, labelled as text
count_most_frequent.py
                      the most frequent values of one column
count_released_values.py, count_class_sizes.py
                      the values of a released column, and the sizes of the classes
saved_count.py        the list of an interrupted release, in a private file
query_progress.py     how far the queries of a connection are
materialize.py        run a query once and keep its rows
tag_rows.py           add tags and earlier values to rows
recode.py             from a plan to released rows, and the fate of every private row
convert.py, write.py  to a file, to SQL, to Arrow, or to the user's kind of frame
pseudonyms.py         keyed hashes that replace identifiers
keyed_hash.py         random numbers of rows, for their order
plain.py              columns without dictionaries of values
sql.py                how SQL is written and run, and what DuckDB's errors mean
====================  =========================================================================
"""
