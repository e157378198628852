"""The nouns of the papers, as frozen values over integer codes.

A :class:`~lookalike.model.frequency.FrequencyList` is the private table as a search sees it. A
:class:`~lookalike.model.requirement.Requirement` is what a release must satisfy. A
:class:`~lookalike.model.recoding.Recoding` is the answer of a search, and
:mod:`lookalike.model.measures` says what it costs. The room knows hierarchies and kernels; it
knows no table engine, no method and no file. Start reading at ``frequency.py``, then
``requirement.py`` and ``recoding.py``.

=================  ========================================================================
lattice.py         `Lattice`: vectors of levels and their order (Samarati's VL)
frequency.py       `FrequencyList`: the distinct sequences with their counts (*freq*)
beside.py          `Persons` and `Sensitive`: columns beside the quasi-identifier that are counted
register.py        `Register`: a register of the population, generalized as the table is
population.py      `KMap` and `PresenceBounds`: what the people who match a class must satisfy
stored_list.py     `StoredList`: a frequency list that is too long for memory
attribute_blocks.py
                   `AttributeBlocks`: several attributes in one code, to count outliers fast
requirement.py     `Requirement` and `QuasiIdentifier`: k, MaxSup, which rows are outliers
membership.py      `Membership`: the class of each sequence, and which classes fail
minimality.py      whether a vector is k-minimal (Samarati, Definition 4.3)
binsize.py         k from Datafly's anonymity levels and linking weights
complementary_suppression.py
                   further suppressed rows, so that blank rows number at least k
tuples.py          `Tuples`: the released tuples, cell by cell
recoding.py        `Recoding`, `Step`, `Optimality`, suppression at a vector, and what fails
linked.py          `LinkedTables`: persons and their records, and who can be released
coded_rows.py      `CodedRows`: what is known of persons anyway, and records that are combined
combinations.py    the records that may be known together, counted in cells, or listed in parts
proved_bound.py    `Duals`: the proof of a bound at the cell level, and its words
protections/       `Protection`: what each class must satisfy in a sensitive column
measures.py        precision and the other measures of a release
kept.py            what a release keeps of each attribute
clock.py           deadlines, for every loop that may run long
progress.py        `Announce`: the callback by which long steps report progress
=================  ========================================================================

``clock.py`` and ``progress.py`` are no nouns of the papers. They are here because this is the
lowest room that every search, ledger and flow imports.
"""
