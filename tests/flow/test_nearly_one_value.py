"""Classes in which one sensitive value has nearly all rows, or that all persons share."""

import random

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

import lookalike as la
from lookalike.flow.preflight.sensitive import NEARLY, judge_dominant
from lookalike.tables.dominant import list_dominant

from ..roles import IDENTIFIER, MASKED, SENSITIVE

ZIPS = [f"{number % 10:02}" for number in range(1000)]


def found(made):
    return [one for one in made.preflight if one.name == "one-sensitive-value"]


def make(ills, **fields):
    table = {"zip": ZIPS, "ill": ills}
    return la.release(
        pa.table(table),
        k=5,
        attributes={"zip": MASKED, "ill": SENSITIVE},
        method="mingen",
        **fields,
    )


def spread(others, classes, usual):
    """Return illnesses: some classes have 100 rows with flu but for a few, the rest as usual."""
    seen = dict.fromkeys(ZIPS, 0)
    ills = []
    for code in ZIPS:
        flu = 100 - others if int(code) < classes else usual
        ills.append("flu" if seen[code] < flu else f"ill {seen[code] % 3}")
        seen[code] += 1
    return ills


@pytest.mark.parametrize(
    ("others", "severity"), [(0, ["error"]), (1, ["warning"]), (10, ["warning"]), (11, [])]
)
def test_nearly_one_value_is_a_warning_with_the_worst_share(others, severity):
    made = make(spread(others, 3, 30))
    assert [one.severity for one in found(made)] == severity
    if severity == ["warning"]:
        [one] = found(made)
        assert "300 of 1,000 rows (30.0 %) are in 3 classes in which at least 90 %" in one.sentence
        assert f"{100 - others:.1f} % in the worst" in one.sentence
        assert "protect = { share = 0.8 }" in one.remedy


@pytest.mark.parametrize(("others", "is_found"), [(2, True), (3, False)])
def test_a_value_that_nearly_all_rows_have_is_no_news(others, is_found):
    """Outside of two classes 95 % have the flu, about 95.6 % of all rows."""
    assert bool(found(make(spread(others, 2, 95)))) == is_found


def test_the_share_that_the_remedy_bounds_satisfies_the_check():
    table = {"zip": ZIPS, "ill": spread(5, 3, 30)}
    roles = {"zip": MASKED, "ill": {"role": "sensitive", "protect": {"share": 0.8}}}
    made = la.release(pa.table(table), k=5, attributes=roles, secrecy="search")
    assert found(made) == []


def visits(values_of, persons=10):
    """Return four classes of persons with several visits each, shuffled."""
    rows = [
        (f"p{zip_}{number}", f"{zip_}", ill)
        for zip_ in range(4)
        for number in range(persons)
        for ill in values_of(zip_, number)
    ]
    random.Random(1).shuffle(rows)
    return dict(zip(("id", "zip", "ill"), zip(*rows, strict=True), strict=True))


def release_visits(columns, method="mingen", **fields):
    roles = {"id": IDENTIFIER, "zip": MASKED, "ill": SENSITIVE}
    return la.release(
        pa.table(columns),
        k=5,
        attributes=roles,
        source={"person": "id"},
        method=method,
        **fields,
    )


@pytest.mark.parametrize("method", ["mingen", "mingen-cells"])
def test_a_value_that_all_persons_of_a_class_have_is_disclosed(method):
    """Everybody in one class has had gout once, among other visits."""
    made = release_visits(
        visits(lambda zip_, n: ["gout" if zip_ == 0 else f"ache {n % 3}", f"flu {n % 4}"]), method
    )
    [one] = found(made)
    assert one.severity == "warning"
    assert "20 of 80 rows (25.0 %) are in a class whose persons share one value" in one.sentence


def test_the_rows_of_one_person_do_not_make_a_class_alike():
    """One of ten persons has 300 of the rows: their value is not that of the class."""
    made = release_visits(
        visits(lambda _, n: ["gout"] * 300 if n == 0 else [f"flu {n % 5}"], persons=10)
    )
    assert found(made) == []


def test_a_value_that_everybody_has_is_no_news():
    made = release_visits(visits(lambda _, n: ["checkup", f"flu {n % 5}"]))
    assert found(made) == []


def test_a_class_whose_persons_nearly_share_a_value():
    values = lambda zip_, n: ["gout" if zip_ == 0 and n else f"flu {n % 7}"] * (1 + n)  # noqa: E731
    [one] = found(release_visits(visits(values, persons=20)))
    assert one.severity == "warning"
    assert "at least 90 % of the persons share one value" in one.sentence
    assert "95.0 % in the worst, 23.8 % in the whole release" in one.sentence


def test_a_protection_that_counts_persons_and_values_is_not_contradicted():
    columns = visits(lambda zip_, n: [f"flu {n % 2 if zip_ else 0}"] * (1 + n % 3))
    roles = {
        "id": IDENTIFIER,
        "zip": MASKED,
        "ill": {"role": "sensitive", "protect": {"distinct": 2}},
    }
    made = la.release(
        pa.table(columns), k=5, attributes=roles, source={"person": "id"}, secrecy="search"
    )
    assert not any("whose persons share one value" in one.sentence for one in found(made))


@pytest.mark.reports
def test_the_report_of_the_holder_begins_with_it(tmp_path):
    make(spread(5, 3, 30)).publish(tmp_path / "released" / "t.csv", dossier=tmp_path / "private")
    page = (tmp_path / "private" / "report.html").read_text()
    begins = page.index("in which at least 90 % of the rows share one value")
    assert page.index('id="findings"') < begins < page.index('id="rules"')


def test_a_draft_says_that_two_values_are_best_effort():
    drawn = random.Random(4)
    table = {
        "age": [drawn.randrange(20, 90) for _ in range(500)],
        "diagnosis": [drawn.choice(["flu", "flu", "flu", "gout"]) for _ in range(500)],
    }
    text = " ".join(la.draft(pa.table(table)).toml().replace("#", " ").split())
    share = table["diagnosis"].count("flu") / 5
    assert "best effort: two values in every class, of which one may have nearly all" in text
    assert f"{share:.1f} % of the rows with a value have the most frequent one" in text


ENTRIES = st.lists(
    st.tuples(st.integers(0, 3), st.integers(0, 2), st.integers(1, 30), st.integers(0, 9)),
    min_size=1,
    max_size=25,
)


@given(entries=ENTRIES, by_person=st.booleans())
def test_the_figures_are_those_of_the_definition(entries, by_person):
    class_of, values, counts, person = (np.array(line) for line in zip(*entries, strict=True))
    codes = class_of.astype(np.int32), values.astype(np.int32)
    persons = person.astype(np.int32) if by_person else None
    rows = np.bincount(class_of, counts).astype(np.int64)
    got = judge_dominant(list_dominant(*codes, counts, NEARLY, persons), rows)

    def units(rows):
        return len({row[3] for row in rows}) if by_person else sum(row[2] for row in rows)

    alike, nearly = {}, {}
    for group in {row[0] for row in entries}:
        own = [row for row in entries if row[0] == group]
        for value in {row[1] for row in own}:
            share = units([row for row in own if row[1] == value]) / units(own)
            usual = units([row for row in entries if row[1] == value]) / units(entries)
            only = len({row[1] for row in own}) == 1
            if share == 1 and usual < (1 if only else 0.5):
                alike[group] = sum(row[2] for row in own)
            if 0.9 - 1e-9 <= share < 1 and 1 - share <= (1 - usual) / 2 + 1e-9:
                nearly.setdefault(group, []).append((share, sum(row[2] for row in own)))
    nearly = {group: one for group, one in nearly.items() if group not in alike}
    assert (got.rows, got.classes) == (sum(alike.values()), len(alike))
    assert got.nearly_rows == sum(one[0][1] for one in nearly.values())
    assert got.nearly_classes == len(nearly)
    shares = [share for one in nearly.values() for share, _ in one]
    assert got.worst == pytest.approx(max(shares, default=0.0))
