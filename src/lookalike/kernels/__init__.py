"""Compiled loops over integer codes, and the array types that the whole package shares.

This room is the lowest one: it knows numpy and numba, and nothing about tables, hierarchies or
methods. numba compiles each function on its first call, never at import, and keeps the machine
code for the next process. Start with ``compiled.py`` and ``grouping.py``; all other files are
inner loops of one step each and are explained where that step is.

What every file uses:

``types.py``
    Names of the array types: codes, counts, flags and so on.
``compiled.py``, ``cache.py``, ``stored_code.py``, ``compilation.py``
    The decorator that compiles a function, the folder that keeps the machine code, how it is
    stored and loaded, and who is called back when something is compiled.
``hash_table.py``
    The hash table of all loops that look up keys.

Counting (:mod:`lookalike.model.frequency`, :mod:`lookalike.tables`):

``grouping.py``
    Group equal sequences of codes and add up their counts, or their k largest values.
``small_classes.py``
    Add up the classes of sequences that are smaller than k.
``matching_entries.py``
    Count the entries of another list that equal each sequence (:mod:`lookalike.model.register`).
``numbering.py``
    Number equal keys of more than 64 bits, or equal columns of codes, alike.
``siphash.py``
    A keyed hash of row numbers, for the order of released rows.
``class_values.py``, ``class_distances.py``, ``class_bounds.py``
    Count the values of a sensitive column in each class, measure the classes by them, and bound
    how many rows of a class can be kept (:mod:`lookalike.model.protections`).

Cell-level search (:mod:`lookalike.search.cells`):

``joins.py``
    The join of two generalized tuples, and its cost.
``lower_bound.py``
    The lower bound: find the groups that limit the values of rows, and raise these values.
``fix_classes.py``, ``nearest_units.py``
    Construction: round a fractional solution, and group the nearest rows.
``annealing_state.py``, ``annealing.py``, ``swaps.py``
    Improvement: simulated annealing, and moves and swaps of rows.
``set_partitioning.py``
    The exact search: enumerate groups, and the classes within them.

Other rooms:

``break_combinations.py``
    µ-Argus: choose the cells to suppress.
``linked_records.py``, ``known_records.py``
    Linked tables: list what may be known of persons, and find who is rare; or count it unlisted.
``rare_answers.py``
    Answers of a survey: leave out what too few rows of a class share.
``singling_out.py``
    Columns released as they are: find the entries that a subset of columns singles out.
``exact_cover.py``
    Verification: look for a better release, independently of the search.
``compatible_blocks.py``
    Attacks on several releases: find the nodes of two releases that are compatible.
"""

from lookalike.kernels.grouping import group_sequences, sort_sequences, sum_largest
from lookalike.kernels.small_classes import cut_counts, sum_small_classes

__all__ = [
    "cut_counts",
    "group_sequences",
    "sort_sequences",
    "sum_largest",
    "sum_small_classes",
]
