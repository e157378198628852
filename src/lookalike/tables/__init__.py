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
source_options.py     the same as keyword arguments of the library
cleaning.py           which texts are missing values, how values are repaired and made coarser
counted.py            the entries of a table and their counts
plan.py               how rows become released rows, and the possible fates of each
draw.py               the randomness of one release: row order and choice among equal rows
row_tags.py           numbers for rows, and earlier values that some of them show
connection.py         a DuckDB connection of our own: progress of queries, random numbers
storage_url.py        the address of a file or folder that Spark writes
resources.py          the memory that DuckDB and sequences may use, the folder for what exceeds it
private_folders.py    locked folders for private rows, staging and spill
====================  =========================================================================

====================  =========================================================================
verbs
====================  =========================================================================
read.py               from a source, a path or a frame to rows; files/ and databases/ have a
                      module for each kind; and run a query once to keep its rows
clean.py              markers become missing values, blanks go, lost zeros return
coarsen.py            numbers are rounded and cut
count.py, labels.py   from rows to distinct sequences, labelled as text
released_file.py      reads the file of a release, counts the values of its columns and its classes
saved_count.py        the list of an interrupted release, in a private file
sample.py             some rows, and all rows of some groups
recode.py             from a plan to released rows, and the fate of every private row; tags of rows
known_answers.py      leaves answers out of the released rows that too few rows of a class share
write.py              to a file, with apostrophes before formulas where asked
pseudonyms.py         keyed hashes that replace identifiers
plain.py              columns without dictionaries of values
sql.py                how SQL is written and run, and what DuckDB's errors mean
====================  =========================================================================
"""
