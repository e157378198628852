"""Faults in counting, searching and releasing linked tables."""

_MODEL = ("tests/model/test_linked.py",)
_SEARCH = ("tests/search/test_linked.py",)
_FLOW = ("tests/flow/test_release_records.py",)
_FORMS = ("tests/flow/test_linked_forms.py",)
_REFERENCES = ("tests/flow/test_linked_references.py",)
_TRUTH = ("tests/verify/test_linked_truth.py",)

LINKED_FAULTS = (
    (
        "linked: persons are left out once, not until nobody is rare",
        "kernels/linked_records.py::drop_unsupported",
        "dropped != before",
        "before == -1 and dropped != before",
        _MODEL,
    ),
    (
        "linked: who is left out still supports others",
        "kernels/linked_records.py::drop_unsupported",
        "support[known[entry]] -= 1",
        "support[known[entry]] -= 0",
        _MODEL,
    ),
    (
        "linked: records that look alike are not combined",
        "kernels/linked_records.py::combine_records",
        "j > i + 1 and codes[j] == codes[j - 1]",
        "codes[j] == codes[j - 1]",
        _MODEL,
    ),
    (
        "linked: a person with two equal records counts as two who have it",
        "kernels/linked_records.py::list_records",
        "last[codes[record]] = person",
        "last[codes[record]] = -1",
        _MODEL,
    ),
    (
        "linked: only the number of records is compared, not what they are",
        "kernels/linked_records.py::number_multisets",
        "node * size + codes[record]",
        "node * size",
        _MODEL,
    ),
    (
        "linked: what is known of the person does not count beside their records",
        "model/linked.py::_choose",
        "known[person_of]",
        "0 * known[person_of]",
        _MODEL,
    ),
    (
        "linked: persons who are left out cost nothing",
        "search/linked_counts.py::_Part.cost",
        "gone * self.full",
        "0",
        _SEARCH,
    ),
    (
        "linked: datafly generalizes the attribute with the fewest values",
        "search/linked.py::_LinkedSearch.generalize",
        "distinct.index(max(distinct))",
        "distinct.index(min(one for one in distinct if one > 1))",
        _SEARCH,
    ),
    (
        "linked: different persons are counted instead of different rows",
        "search/linked_counts.py::LinkedCounts.count_distinct",
        "len(np.unique(rows))",
        "len(rows)",
        _FLOW,
    ),
    (
        "linked: the persons with the most records are taken for those who are left out",
        "search/linked_counts.py::_Part.__init__",
        "np.sort(table.sizes)",
        "-np.sort(-table.sizes)",
        _SEARCH,
    ),
    (
        "linked: every row gets a pseudonym of its own",
        "flow/recode_linked.py::_recode",
        "numbers[kept]",
        "np.arange(int(kept.sum()))",
        _FLOW,
    ),
    (
        "linked: records keep the order of the source",
        "flow/recode_linked.py::_recode",
        "recode(plan)",
        'object.__setattr__(plan, "keep_order", True) or recode(plan)',
        _FLOW,
    ),
    (
        "linked: without a link, records are counted by rows, not by persons",
        "verify/linked_truth.py",
        "count(DISTINCT link)",
        "sum(copies)",
        _TRUTH,
    ),
    (
        "linked: without a link, records of persons who are left out may be released",
        "verify/linked_truth.py",
        "        if false:\n            raise",
        "        if False:\n            raise",
        _TRUTH,
    ),
    (
        "linked: without a link, records are counted as if they were linked",
        "model/linked.py::LinkedTables._divide_linked",
        "one[0].within or not self.apart",
        "True",
        _MODEL,
    ),
    (
        "linked: equal items of a set become one",
        "flow/recode_linked.py::_join_set",
        "sorted(owned[link])",
        "sorted({*owned[link]})",
        _FORMS,
    ),
    (
        "linked: the condition on rows is ignored of a frame",
        "flow/read_linked.py::_open",
        "without_files(own)",
        "own",
        _FORMS,
    ),
    (
        "linked: a number that only one person has is released in all of their records",
        "flow/read_linked.py::read_linked",
        "_refuse_own_values(name, rows, own, owners[name])",
        "None",
        _FORMS,
    ),
    (
        "linked: the pseudonym is shown though no link was asked for",
        "flow/count_linked.py::LinkedSources.shows_link",
        "not self.apart",
        "True",
        _FORMS,
    ),
    (
        "linked: a diagnosis may belong to another admission of the person",
        "verify/linked_truth.py::_code_with_referring",
        "not referring",
        "True",
        _REFERENCES,
    ),
    (
        "linked: a reference to no record is taken for none",
        "flow/read_linked.py::_find_references",
        "number_of.get(key, -2)",
        "number_of.get(key, -1)",
        _REFERENCES,
    ),
    (
        "linked: what belongs together may be known of both sides of a reference",
        "spec/record_fields.py::_find_known_references",
        "known and not single",
        "False",
        _REFERENCES,
    ),
    (
        "linked: who is left out still shows a value",
        "kernels/linked_records.py::drop_unsupported",
        "with_value[column, pair] -= 1",
        "with_value[column, pair] -= 0",
        _MODEL,
    ),
    (
        "linked: a missing value is not counted as one in the file",
        "verify/records.py",
        "max(CAST({one} IS NULL AS INTEGER))",
        "0",
        ("tests/verify/test_records.py",),
    ),
)
