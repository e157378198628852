"""The values of a column, what a hierarchy makes of them, and whether it fits them."""

import pandas as pd
import pytest

from lookalike.draft.check_hierarchies import check_hierarchies
from lookalike.draft.column import count_column
from lookalike.draft.preview_hierarchy import preview_hierarchy
from lookalike.draft.propose_hierarchy import propose_hierarchy
from lookalike.draft.write_draft import write_proposed
from lookalike.errors import InvalidInput, LookalikeError
from lookalike.hierarchy import File, Intervals, Mask, Suppress, Taxonomy
from lookalike.spec.specification import Specification

from .columns import profile

TABLE = "age,zip,job\n" + "".join(f"{20 + n % 7},0213{n % 5},{'abc'[n % 3]}\n" for n in range(35))


def specify(tmp_path, hierarchy, column="age", table=TABLE, **release):
    """Write a table, and return a specification that gives one column a hierarchy."""
    (tmp_path / "t.csv").write_text(table, encoding="utf-8")
    fields = {
        "source": {"path": "t.csv"},
        "release": {"k": 2, **release},
        "attributes": {column: {"role": "quasi-identifier", "hierarchy": hierarchy}},
    }
    return Specification.build(fields).located(tmp_path)


def findings(tmp_path, hierarchy, **given):
    [checked] = check_hierarchies(specify(tmp_path, hierarchy, **given))
    return checked.holds, [(one.severity, one.message) for one in checked.findings]


# Counting


def test_values_are_counted_the_most_frequent_first_and_missing_apart(tmp_path):
    (tmp_path / "t.csv").write_text('x\nb\na\n\nb\n""\n', encoding="utf-8")
    found = count_column(tmp_path / "t.csv", "x")
    assert (found.values, found.counts) == (("b", "", "a"), (2, 1, 1))
    assert (found.rows, found.distinct, found.missing) == (5, 3, 1)


def test_a_frame_is_counted_as_its_release_would_label_it():
    found = count_column(pd.DataFrame({"age": [30.0, 41.0, None]}), "age")
    assert (found.values, found.missing) == (("30", "41"), 1)


def test_the_repr_shows_no_value():
    column = profile("TELLTALE a", "TELLTALE b", *map(str, range(20)))
    proposed = propose_hierarchy(column)
    preview = preview_hierarchy(column, proposed.hierarchy)
    assert "TELLTALE" not in f"{column!r}{proposed!r}{preview!r}"


# Previews


def test_every_level_has_its_groups_and_missing_is_one_of_them():
    column = profile(*["21", "22", "27", "63"], *["40"] * 6, missing=2)
    preview = preview_hierarchy(column, Intervals([10, 50]), k=3)
    figures = [(one.values, one.smallest, one.largest, one.rows_below_k) for one in preview.levels]
    assert figures == [(6, 1, 6, 6), (4, 1, 6, 3), (3, 1, 9, 3), (1, 12, 12, 0)]
    assert preview.reaches_k == 3


def test_examples_are_a_frequent_a_less_frequent_and_a_rare_value():
    preview = preview_hierarchy(profile(*"aaaabbc"), Suppress())
    assert preview.examples == (("a", "*"), ("b", "*"), ("c", "*"))
    assert preview_hierarchy(profile(missing=3), Suppress()).examples == ()


def test_an_empty_column_has_no_groups():
    preview = preview_hierarchy(profile(), Suppress())
    assert [(one.values, one.rows_below_k) for one in preview.levels] == [(0, 0), (0, 0)]


# Checks


def test_a_hierarchy_that_fits_has_no_findings(tmp_path):
    assert findings(tmp_path, Intervals([2, 4])) == (True, [])


def test_missing_markers_of_the_specification_are_no_values(tmp_path):
    asked = specify(tmp_path, Intervals([2, 4]), table="age\n20\nNA\n21\n30\n")
    assert not check_hierarchies(asked)[0].holds
    fields = asked.model_dump(exclude_unset=True)
    fields["attributes"]["age"]["missing"] = ["NA"]
    [checked] = check_hierarchies(Specification.build(fields).located(tmp_path))
    assert (checked.holds, checked.values) == (True, 3)


def test_unknown_values_are_an_error_that_names_at_most_five(tmp_path):
    holds, [(severity, message)] = findings(tmp_path, Taxonomy({"few": ["20"]}))
    assert (holds, severity) == (False, "error")
    assert "'21', '22', '23', '24', '25' and 1 more; add it to tree" in message


def test_unknown_values_that_would_be_suppressed_are_counted(tmp_path):
    rule = Taxonomy({"few": ["20", "21", "22"]}, unknown="suppress")
    holds, [(severity, message)] = findings(tmp_path, rule)
    assert (holds, severity) == (True, "warning")
    assert "4 values that the hierarchy does not know, in 20 of 35 rows" in message


@pytest.mark.parametrize(
    ("release", "severity"),
    [({"method": "datafly"}, "warning"), ({"method": "k-similar"}, "error"), ({}, "warning")],
)
def test_labels_that_mean_two_things_matter_to_methods_at_the_cell_level(
    tmp_path, release, severity
):
    rule = Taxonomy({"21": ["20", "21"], "x": ["22", "23", "24", "25", "26"]})
    holds, found = findings(tmp_path, rule, **release)
    assert holds == (severity == "warning")
    assert found[0][0] == severity
    assert "different meanings at different levels: '21'" in found[0][1]


def test_levels_that_merge_nothing_and_values_that_do_not_occur_are_noted(tmp_path):
    rule = Mask(length=5)
    assert findings(tmp_path, rule, column="zip") == (
        True,
        [("note", found) for _, found in findings(tmp_path, rule, column="zip")[1]],
    )
    assert "levels 2, 3, 4, 5 merge no values" in findings(tmp_path, rule, column="zip")[1][0][1]
    listed = Taxonomy({"letter": list("abcde")})
    [(severity, message)] = findings(tmp_path, listed, column="job")[1]
    assert (severity, message.endswith("not in this table: 2 values")) == ("note", True)


def test_a_file_that_cannot_be_read_is_an_error_of_its_column(tmp_path):
    holds, [(_, message)] = findings(tmp_path, File("none.csv"))
    assert not holds
    assert "none.csv" in message


def test_a_column_without_hierarchy_or_name_is_refused(tmp_path):
    asked = specify(tmp_path, Suppress())
    with pytest.raises(InvalidInput, match="no column 'aeg'; did you mean 'age'"):
        check_hierarchies(asked, "aeg")


# Files


def test_a_rule_is_written_as_the_labels_of_its_values(tmp_path):
    column = profile(*map(str, range(20, 60)), name="age")
    written = write_proposed(propose_hierarchy(column, "age"), column, tmp_path / "age.csv")
    assert File(tmp_path / "age.csv").ancestors("37")[1] == "35-39"
    assert (written.kind, len(written.lines)) == ("file", 40)


def test_unknown_values_of_a_rule_stay_suppressed(tmp_path):
    column = profile(*map(str, range(20, 60)), "?", name="age")
    written = write_proposed(propose_hierarchy(column, "age"), column, tmp_path / "age.csv")
    assert written.table.endswith('unknown = "suppress" }')
    assert len(written.lines) == 40


@pytest.mark.parametrize("name", ["there.csv", "none/there.csv", "there.csv/age.csv"])
def test_a_file_is_written_whole_and_anew_or_not_at_all(tmp_path, name):
    (tmp_path / "there.csv").write_text("mine")
    column = profile("a", "b")
    with pytest.raises(LookalikeError, match=r"exists already|cannot be written"):
        write_proposed(propose_hierarchy(column), column, tmp_path / name)
    assert [path.name for path in tmp_path.iterdir()] == ["there.csv"]
    assert (tmp_path / "there.csv").read_text() == "mine"
