"""Faults in counting what may be known of linked persons in cells, without a list."""

_COUNTED = ("tests/model/test_counted.py",)

COUNTING_FAULTS = (
    (
        "linked: persons are counted once in cells, not until nobody is rare",
        "kernels/known_records.py::drop_counted",
        "staying > 0 and (staying < k or tally[1] < tally[0])",
        "staying > 0 and dropped == 0 and (staying < k or tally[1] < tally[0])",
        _COUNTED,
    ),
    (
        "linked: what a group left in a cell counts for the next one",
        "kernels/known_records.py::_visit",
        "max(support[cell], nobody)",
        "np.int64(support[cell])",
        _COUNTED,
    ),
    (
        "linked: persons are counted until k have one combination, not every one",
        "kernels/known_records.py::drop_counted",
        "tally[1] < cells",
        "tally[1] < 1",
        _COUNTED,
    ),
    (
        "linked: persons who have no records are released however few they are",
        "kernels/known_records.py::drop_counted",
        "staying < k or tally[1] < tally[0]",
        "staying >= k and tally[1] < tally[0]",
        _COUNTED,
    ),
    (
        "linked: of equal records, all but one are forgotten when they are counted",
        "kernels/known_records.py::_sort_codes",
        "times[code] < limit",
        "times[code] < 1",
        _COUNTED,
    ),
    (
        "linked: different combinations have one cell",
        "kernels/known_records.py::_list_paths",
        "range(1, left)",
        "range(2, left)",
        _COUNTED,
    ),
    (
        "linked: cells are counted though memory has no room for them",
        "model/combinations.py::CountedPart.list_kept",
        "self.cells <= most",
        "self.cells <= most + 1",
        _COUNTED,
    ),
    (
        "linked: what is not counted is not listed, either",
        "model/combinations.py::divide_counted",
        "many.append(sizes)",
        "pass",
        _COUNTED,
    ),
)
