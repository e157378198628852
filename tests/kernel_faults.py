"""Faults in the compiled kernels: name, place, piece, fault, and the tests that see it."""

_COVER = ("tests/kernels/test_exact_cover.py",)
_SMALL = ("tests/kernels/test_kernels.py::TestSumSmallClasses",)
_GROUPING = ("tests/kernels/test_kernels.py::TestGroupSequences",)
_ALONE = ("tests/kernels/test_singling_out.py",)

_BOUNDS = ("tests/model/test_protection_bounds.py",)

KERNEL_FAULTS = (
    (
        "kernel: a class keeps no more rows than the shares of its own values in the table",
        "kernels/class_bounds.py::keep_near_on_tree",
        "reached[1, place] * rows <= reached[0, place]",
        "False",
        _BOUNDS,
    ),
    (
        "kernel: rows are lacking on a line although the class has them above a value",
        "kernels/class_bounds.py::keep_near_on_line",
        "known += (steps[many] - steps[here]) * (whole - reached)",
        "pass",
        _BOUNDS,
    ),
    (
        "kernel: a value has no row where its greatest share is less than a row and a half",
        "kernels/class_bounds.py::keep_below_shares",
        "np.floor(most + LENIENCE)",
        "np.floor(most - 0.5)",
        _BOUNDS,
    ),
    (
        "kernel: every class that an array numbers begins with the first sequence",
        "kernels/grouping.py::_group_directly",
        "first[classes] = position",
        "first[classes] = 0",
        _GROUPING,
    ),
    (
        "kernel: the verifier lists no class of 2k - 1 rows",
        "kernels/exact_cover.py::list_classes",
        "fits and size < most",
        "fits and size < most - 1",
        _COVER,
    ),
    (
        "kernel: a class that just reaches the gap is not listed",
        "kernels/exact_cover.py::list_classes",
        "fits and size >= k and size * cost - worth[depth] <= gap",
        "fits and size >= k and size * cost - worth[depth] < gap",
        _COVER,
    ),
    (
        "kernel: a cover may suppress more rows than allowed",
        "kernels/exact_cover.py::find_cover",
        "spare[column] <= unused[depth]",
        "spare[column] <= 1",
        _COVER,
    ),
    (
        "kernel: unused suppressions cost nothing",
        "kernels/exact_cover.py::find_cover",
        "price * unused[depth] <= room[depth]",
        "0 <= room[depth]",
        _COVER,
    ),
    (
        "kernel: the least share of a row is rounded up",
        "kernels/exact_cover.py::_survey",
        "excess[column] // sizes[column]",
        "-(-excess[column] // sizes[column])",
        _COVER,
    ),
    (
        "kernel: classes of exactly k rows are too small",
        "kernels/small_classes.py::_sum_small_direct",
        "total < k",
        "total <= k",
        _SMALL,
    ),
    (
        "kernel: classes of k - 1 rows are large enough in the hash table",
        "kernels/small_classes.py::sum_small_classes",
        "hashed[hashed < k]",
        "hashed[hashed < k - 1]",
        _SMALL,
    ),
    (
        "kernel: counts up to 508 are held in a byte",
        "kernels/small_classes.py::cut_counts",
        "k <= BYTE_K",
        "k <= 4 * BYTE_K",
        _SMALL,
    ),
    (
        "kernel: keys of the second thousand sequences begin with those of the first",
        "kernels/small_classes.py::_sum_small_direct",
        "keys[:many] = 0",
        "keys[: many if start == 0 else 0] = 0",
        _SMALL,
    ),
    (
        "kernel: a value counts for all of its rows, more than k",
        "kernels/grouping.py::sum_largest",
        "min(counts[position], k - taken[one])",
        "counts[position]",
        ("tests/kernels/test_kernels.py::TestSumLargest",),
    ),
    (
        "kernel: a cell costs as little as at the ground",
        "kernels/joins.py::join_cost",
        "prices[ancestors[first, attribute, level]]",
        "prices[ancestors[first, attribute, 0]]",
        ("tests/kernels/test_joins.py",),
    ),
    (
        "kernel: a join forgets all members but two",
        "kernels/joins.py::join_members",
        "level = levels[attribute, one]",
        "level = 0",
        ("tests/kernels/test_joins.py",),
    ),
    (
        "kernel: keys are equal if their first words are",
        "kernels/numbering.py::_same",
        "place == words.shape[1]",
        "place >= 1",
        ("tests/kernels/test_numbering.py",),
    ),
    (
        "kernel: a missing value is a value of its own that singles out",
        "kernels/singling_out.py::mark_alone",
        "holder[MISSING], seen_in[MISSING] = -1, number",
        "holder[MISSING] = -1",
        _ALONE,
    ),
    (
        "kernel: missing values stay in a class together",
        "kernels/singling_out.py::refine",
        "count[MISSING] = 0",
        "pass",
        _ALONE,
    ),
    (
        "kernel: a row that equals itself is not alone",
        "kernels/singling_out.py::_matches",
        "column == len(codes) and other != entry",
        "column == len(codes)",
        _ALONE,
    ),
    (
        "kernel: a third row with the same value counts as alone again",
        "kernels/singling_out.py::mark_alone",
        "holder[code] = -1",
        "seen_in[code] = -1",
        _ALONE,
    ),
    (
        "kernel: groups of exactly k rows are not closed",
        "kernels/lower_bound.py::divide_tight",
        "taken[group] == k",
        "taken[group] > k",
        ("tests/search/test_exact_cells.py",),
    ),
    (
        "kernel: the second thousand entries are added to keys of the first",
        "kernels/matching_entries.py::_add_entries",
        "packed[:many] = 0",
        "packed[: many if start == 0 else 0] = 0",
        ("tests/kernels/test_matching_entries.py",),
    ),
)
