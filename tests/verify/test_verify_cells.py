"""Matching released rows with private rows where levels differ from cell to cell."""

import datetime

import pandas as pd
import pyarrow as pa
import pytest

import lookalike as la
from lookalike.hierarchy import Listed
from lookalike.hierarchy.released_values import read_attribute
from lookalike.tables.connection import Connection
from lookalike.tables.engines import as_relation
from lookalike.tables.read import read_frame
from lookalike.verify import cell_matching
from lookalike.verify.both_tables import TruthClaim
from lookalike.verify.cell_matching import count_unmatched
from lookalike.verify.truth import count_untruthful

from ..small_tables import table_of

RULES = {
    "race": la.Taxonomy({"person": ["asian", "black", "white"]}),
    "zip": la.Mask(length=5),
}
COLUMNS = ("race", "zip", "problem")
PRIVATE = [
    ("asian", "94138", "flu"),
    ("asian", "94138", "flu"),
    ("asian", "94139", "cold"),
    ("black", "94141", "cold"),
    ("white", None, None),
]


@pytest.fixture(scope="module")
def engine():
    return Connection()


@pytest.fixture
def count_false(engine):
    """Counts the released rows without a private row of their own."""

    def count(private, release, rules=RULES, levels=None, suppressed_label="*"):
        rows = as_relation(read_frame(release), engine)
        claim = TruthClaim(
            hierarchies=rules,
            levels=dict.fromkeys(rules) | (levels or {}),
            unchanged=[name for name in rows.columns if name not in rules],
            blank=False,
            suppressed_label=suppressed_label,
            cells=True,
        )
        return count_untruthful(read_frame(private), rows, claim, engine)

    return count


@pytest.fixture
def count_false_rows(count_false):
    """Counts them in a release of the table above."""

    def count(*rows, columns=COLUMNS, **options):
        return count_false(table_of(COLUMNS, PRIVATE), table_of(columns, rows), **options)

    return count


@pytest.mark.parametrize(
    "rows",
    [
        pytest.param(PRIVATE, id="the table itself"),
        pytest.param(PRIVATE[::-1], id="in another order"),
        pytest.param(
            [("person", "94138", "flu"), ("asian", "941**", "flu"), ("white", None, None)],
            id="equal rows become different ones",
        ),
        pytest.param(
            [("*", "9413*", "cold"), ("person", "9414*", "cold"), ("*", "*", None)],
            id="each cell at a level of its own",
        ),
        pytest.param([("*", "*", problem) for *_, problem in PRIVATE], id="all suppressed"),
        pytest.param([("white", "*", None)], id="missing is hidden by suppression"),
        pytest.param([], id="no row at all"),
    ],
)
def test_generalizations_of_different_private_rows_are_true(count_false_rows, rows):
    assert count_false_rows(*rows) == 0


@pytest.mark.parametrize(
    ("rows", "expected"),
    [
        pytest.param([("black", "94138", "flu")], 1, id="no row has these values together"),
        pytest.param([("asian", "9414*", "cold")], 1, id="a wrong ancestor"),
        pytest.param([("martian", "*", "flu"), ("*", "*", "flu")], 1, id="nobody's value"),
        pytest.param([("asian", "94138", "cold")], 1, id="an unchanged value is swapped"),
        pytest.param([("*", "*", "rash")] * 2, 2, id="nobody's unchanged value"),
        pytest.param([("*", "*", "")], 1, id="empty is not missing"),
        pytest.param([("asian", "94138", "flu")] * 3, 1, id="a row serves once"),
        pytest.param([("*", "*", "flu")] * 5, 3, id="suppressed rows need rows too"),
        pytest.param(
            [("asian", "*", "flu"), ("*", "94138", "flu"), ("*", "*", "flu")],
            1,
            id="three rows for two",
        ),
        pytest.param([("white", "94***", None)], 1, id="missing is generalized only to the top"),
        pytest.param([("asian", None, "flu")], 1, id="missing where nothing was"),
    ],
)
def test_rows_without_a_private_row_of_their_own_are_counted(count_false_rows, rows, expected):
    assert count_false_rows(*rows) == expected


def test_a_row_gives_way_to_one_with_fewer_choices(count_false_rows):
    wide, narrow = ("*", "941**", "cold"), ("asian", "*", "cold")
    assert count_false_rows(wide, narrow) == 0
    assert count_false_rows(wide, wide) == 0
    assert count_false_rows(narrow, narrow) == 1


def test_without_unchanged_columns_any_row_will_do(count_false_rows):
    rows = [("person", "9413*")] * 3 + [("*", "*")] * 2
    assert count_false_rows(*rows, columns=COLUMNS[:2]) == 0
    assert count_false_rows(*rows, ("*", "*"), columns=COLUMNS[:2]) == 1


def test_without_attributes_rows_must_be_equal(count_false):
    private = table_of(["problem"], [("flu",), ("flu",), ("cold",)])
    release = table_of(["problem"], [("cold",), ("flu",), ("cold",)])
    assert count_false(private, release, {}) == 1


def test_nothing_is_true_of_an_empty_table(count_false):
    empty = table_of(COLUMNS, [])
    assert count_false(empty, table_of(COLUMNS, [("*", "*", "flu"), ("asian", "*", "flu")])) == 2
    assert count_false(empty, empty) == 0


def test_an_attribute_may_be_bound_to_one_level_or_suppressed(count_false_rows):
    rows = [("asian", "9413*", "flu"), ("person", "*", "flu"), ("asian", "94139", "cold")]
    assert count_false_rows(*rows) == 0
    assert count_false_rows(*rows, levels={"zip": 1}) == 1
    assert count_false_rows(*rows, levels={"zip": 1, "race": 0}) == 2
    assert count_false_rows(*rows, levels={"zip": 9}) == 2


def test_the_suppressed_value_may_be_written_in_another_way(count_false_rows):
    rows = [("asian", "?", "flu"), ("?", "?", "flu")]
    assert count_false_rows(*rows, suppressed_label="?") == 0
    assert count_false_rows(*rows) == 2


def test_unknown_values_are_true_only_as_suppressed_or_at_the_top(count_false):
    rules = {"race": la.Taxonomy({"person": ["asian", "black"]}, unknown="suppress")}
    private = table_of(["race"], [("martian",), ("asian",)])
    for shown, expected in (("*", 0), ("person", 0), ("martian", 1), ("asian", 0), ("black", 1)):
        assert count_false(private, table_of(["race"], [(shown,)]), rules) == expected


def test_text_of_any_script_is_matched_to_the_letter(count_false):
    composed, decomposed = "Zo\u00eb", "Zoe\u0308"
    rules = {"κόσμος": Listed({name: [name, "姓"] for name in (composed, decomposed, "😀")})}
    columns = ["κόσμος", "naïve"]
    private = table_of(columns, [(composed, "é"), (decomposed, "é"), ("😀", "é")])
    assert count_false(private, table_of(columns, [("姓", "é"), (composed, "é")]), rules) == 0
    assert count_false(private, table_of(columns, [(composed, "é")] * 2), rules) == 1
    assert count_false(private, table_of(columns, [("😀", "e\u0301")]), rules) == 1


@pytest.mark.parametrize("make", [pa.table, lambda columns: pd.DataFrame(columns)])
def test_numbers_and_dates_are_matched_with_the_text_that_stands_for_them(count_false, make):
    rules = {
        "age": la.Intervals(widths=[5, 10]),
        "dose": la.Suppress(),
        "born": la.Dates(),
        "seen": la.Dates(),
    }
    private = make(
        {
            "age": [39, 52, 52],
            "dose": [1.0, 2.5, float("nan")],
            "born": [datetime.date(1965, 9, 20), datetime.date(1965, 2, 14), None],
            "seen": [datetime.datetime(2001, 1, 2), datetime.datetime(2001, 1, 3), None],
            "sure": [True, False, True],
        }
    )
    true = [
        ("39", "1.0", "1965-09", "2001-01-02 00:00:00", "true"),
        ("50-54", "2.5", "1965", "2001-01-03", "false"),
        ("52", None, None, "*", "true"),
    ]
    columns = [*rules, "sure"]
    assert count_false(private, table_of(columns, true), rules) == 0
    assert count_false(private, private, rules) == 0
    assert count_false(private, table_of(columns, [true[0], true[0]]), rules) == 1
    assert count_false(private, table_of(columns, [("39", "2.5", "*", "*", "true")]), rules) == 1


def test_numbers_that_a_hierarchy_writes_stay_as_it_writes_them(count_false):
    rules = {"dose": la.Rounding(["0.01"])}
    private, release = pa.table({"dose": [0.7, 0.701]}), pa.table({"dose": ["0.70", "0.70"]})
    assert count_false(private, release, rules, {"dose": 1}) == 0
    assert count_false(private, release, rules, {"dose": 0}) == 2


def test_a_label_with_two_meanings_is_refused(count_false):
    rules = {"zip": Listed({"1": ["1", "one", "all"], "2": ["2", "1", "all"]})}
    private = table_of(["zip"], [("1",), ("2",)])
    assert count_false(private, table_of(["zip"], [("one",), ("2",)]), rules) == 0
    assert count_false(private, table_of(["zip"], [("1",)] * 2), rules, {"zip": 0}) == 1
    with pytest.raises(la.InvalidInput, match=r"'zip'.*'1' at level 0.*at level 1"):
        count_false(private, table_of(["zip"], [("1",)]), rules)


def test_a_label_at_several_levels_with_one_meaning_is_not(count_false):
    rules = {"place": la.Taxonomy({"north": {"east": ["a", "b"], "c": []}, "south": ["d"]})}
    private = table_of(["place"], [("a",), ("c",), ("d",)])
    assert count_false(private, table_of(["place"], [("c",), ("north",), ("south",)]), rules) == 0
    assert count_false(private, table_of(["place"], [("c",), ("c",)]), rules) == 1


def test_a_private_value_that_reads_as_suppressed_is_refused(count_false):
    private = table_of(["zip"], [("*",), ("2",)])
    with pytest.raises(la.InvalidInput, match=r"'zip': the suppressed label '\*'"):
        count_false(private, private, {"zip": la.Suppress()})


def test_a_column_named_like_another_of_ours_is_only_a_column(count_false):
    columns = ["count_star()", "after", "before", "t"]
    private = table_of(columns, [("a", "b", "c", "d"), ("a", "b", "c", "e")])
    release = table_of(columns, [("*", "b", "c", "e"), ("a", "*", "c", "d")])
    assert count_false(private, release, dict.fromkeys(columns[:2], la.Suppress())) == 0
    assert count_false(release, private, dict.fromkeys(columns[3:], la.Suppress())) == 2


def test_groups_can_be_matched_in_any_number_of_batches(count_false, monkeypatch):
    rows = [(letter, str(number // 3)) for number, letter in enumerate("abcabdabcbbc" * 5)]
    shown = [("*" if number % 2 else rows[number][0], rows[number][1]) for number in range(3, 60)]
    shown += [("*", "0"), ("d", "0"), ("*", "2"), ("a", "none"), ("*", "none")]
    tables = table_of(["a", "key"], rows), table_of(["a", "key"], shown)
    for batch in (1, 2, 7, 1000):
        monkeypatch.setattr(cell_matching, "BATCH", batch)
        assert count_false(*tables, {"a": la.Suppress()}) == 4


SEX = read_attribute("sex", [("f", "*"), ("m", "*")], ["f", "*"], "*")


def count_by_sex(private, release):
    """Count the unmatched rows, given how many are f and m, and f and suppressed."""
    tables = [
        pa.table({"sex": codes[: len(counts)], "rows": pa.array(counts, pa.int64())})
        for codes, counts in ((SEX.private, private), (SEX.released, release))
    ]
    return count_unmatched(*tables, [SEX])


def test_counts_may_be_large_on_one_side():
    assert count_by_sex([2**40, 2**40], [3, 4]) == 0
    assert count_by_sex([3, 4], [2**40, 2**40]) == 2**41 - 7
    assert count_by_sex([3, 4], [2**40]) == 2**40 - 3
    assert count_by_sex([2**40, 4], [3]) == 0
    assert count_by_sex([2**31 - 2, 1], [2**31 - 2, 1]) == 0


def test_more_rows_than_a_flow_can_count_are_refused():
    with pytest.raises(la.InvalidInput, match="2,147,483,648 rows must be matched at once"):
        count_by_sex([2**31 - 1, 1], [2**31 - 1, 1])


def test_a_claim_without_levels_is_one_of_the_cell_level(engine):
    table = read_frame(table_of(["race"], [("asian",)]))
    claim = TruthClaim({"race": RULES["race"]}, {"race": None}, (), False, "*")
    with pytest.raises(la.InvalidInput, match="'race': no level is given"):
        count_untruthful(table, as_relation(table, engine), claim, engine)


def test_a_table_is_a_generalization_by_cells_only_if_so_asked():
    private = table_of(COLUMNS, PRIVATE)
    mixed = table_of(COLUMNS, [("person", "94138", "flu"), ("asian", "9413*", "cold")])
    assert la.is_generalization(private, mixed, RULES, cells=True)
    assert not la.is_generalization(private, mixed, RULES)
    assert not la.is_generalization(private, pa.concat_tables([mixed] * 3), RULES, cells=True)


@pytest.mark.parametrize("cells", [False, True])
def test_a_release_that_lacks_an_attribute_is_refused(cells):
    private = table_of(COLUMNS, PRIVATE)
    with pytest.raises(la.InvalidInput, match="no column 'race'"):
        la.is_generalization(private, private.drop_columns("race"), RULES, cells=cells)
