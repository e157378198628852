"""Roles of many columns: found, given to several at once, and what they tell together."""

import csv
import re
from collections import Counter
from itertools import combinations

import pytest

from .leveled_people import read_page


def read_rows(folk):
    """Return the names and the rows of the table."""
    with (folk.project.folder / "folk.csv").open(newline="") as lines:
        return list(csv.DictReader(lines))


def tell_apart(rows, names):
    """Return unique rows, distinction and separation by comparing every pair of rows."""
    keys = [tuple(row[name] for name in names) for row in rows]
    differ = sum(one != other for one, other in combinations(keys, 2))
    pairs = len(keys) * (len(keys) - 1) // 2
    unique = sum(count == 1 for count in Counter(keys).values())
    return unique, len(set(keys)) / len(keys), differ / pairs


def list_linkable(folk):
    """List the quasi-identifiers that the table has."""
    named = folk.project.attributes.items()
    return [n for n, one in named if one["role"] == "quasi-identifier" and n != "gone"]


def check_together(folk):
    """Compare what the page says of the quasi-identifiers with every pair of rows."""
    unique, distinction, separation = tell_apart(read_rows(folk), list_linkable(folk))
    page = read_page(folk.get("/roles").text)
    assert f": {unique:,} of " in page
    assert f"distinction {distinction:.4f}" in page
    assert f"separation {separation:.4f}" in page
    return unique


def test_rows_unique_with_the_quasi_identifiers_follow_the_roles(folk):
    before = check_together(folk)
    names = [*folk.project.attributes]
    dropped = names.index(list_linkable(folk)[0])
    folk.post("/roles/several", {"column": [str(dropped)], "role": "drop"})
    assert check_together(folk) <= before
    every = [str(place) for place in range(len(names))]
    folk.post("/roles/several", {"column": every, "role": "other"})
    page = read_page(folk.get("/roles").text)
    assert "No column is a quasi-identifier." in page
    assert "Rows unique" not in page


def test_each_column_has_its_own_figures(folk):
    page, rows = folk.get("/roles").text, read_rows(folk)
    for place, name in enumerate(folk.project.attributes):
        row = page.partition(f'id="pick-{place}"')[2].partition("</tr>")[0]
        if name == "gone":
            assert 'data-label="Distinction"></td>' in row
            assert "<path" not in row
            continue
        figures = re.findall(r'<td class="number" data-label="\w+">([\d.,]+)</td>', row)
        _, distinction, separation = tell_apart(rows, [name])
        assert figures[1:] == [f"{distinction:.4f}", f"{separation:.4f}"], name
        assert "<path d=" in row


def test_several_columns_get_one_role_as_one_change(folk):
    answer = folk.post("/roles/several?text=a", {"column": ["0", "2"], "role": "drop"})
    assert answer.headers["location"] == "/roles?text=a"
    roles = [one["role"] for one in folk.project.attributes.values()]
    assert [roles[0], roles[2]] == ["drop", "drop"]
    folk.post("/roles/undo")
    assert "drop" not in [one["role"] for one in folk.project.attributes.values()]


@pytest.mark.parametrize(
    "wrong",
    [{"role": "drop"}, {"column": ["99"], "role": "drop"}, {"column": ["0"], "role": "secret"}],
)
def test_what_does_not_exist_is_refused(folk, wrong):
    before = folk.project.text
    assert folk.post("/roles/several", wrong).status_code == 422
    assert folk.project.text == before


def test_columns_are_found_by_name_and_role(folk):
    every = {name: one["role"] for name, one in folk.project.attributes.items()}

    def find(query):
        page = folk.get(f"/roles?{query}").text
        return [int(place) for place in re.findall(r'<input type="checkbox" id="pick-(\d+)"', page)]

    for text in ("A", "zz"):
        named = [n for n, name in enumerate(every) if text.casefold() in name.casefold()]
        assert find(f"text={text}") == named
    for role in {*every.values()}:
        assert find(f"role={role}") == [n for n, one in enumerate(every.values()) if one == role]


def test_columns_that_are_not_in_view_keep_their_roles(folk):
    before = [one["role"] for one in folk.project.attributes.values()]
    folk.post("/roles/assign?text=z", {"role-0": "drop"})
    after = [one["role"] for one in folk.project.attributes.values()]
    assert after == ["drop", *before[1:]]
