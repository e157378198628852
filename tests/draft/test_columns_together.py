"""Columns are considered together: copies, what they single out, persons, and too many of them."""

import pyarrow as pa

import lookalike as la
from lookalike.draft.choose_linkable import LEAST_CHOSEN
from lookalike.draft.make_draft import MOST_ALONE
from lookalike.tables.count import count_unique
from lookalike.tables.read import read_frame

ROWS = 240


def drafted(**columns):
    return la.draft(pa.table(columns))


def cycle(number, name="v"):
    return [f"{name}{one % number}" for one in range(ROWS)]


def test_a_column_that_repeats_another_is_dropped_and_the_recognized_one_stays():
    codes = [{"f": "1", "m": "2"}["fm"[one % 2]] for one in range(ROWS)]
    found = drafted(code=codes, sex=["fm"[one % 2] for one in range(ROWS)])
    assert found.roles == {"code": "drop", "sex": "quasi-identifier"}
    assert '"sex"' in found.columns[0].reason


def test_whole_numbers_of_their_own_in_the_first_column_are_numbers_of_rows():
    numbers = [str(7 * one + one % 3) for one in range(ROWS)]
    first = drafted(zz=numbers, sex=cycle(2))
    assert first.roles["zz"] == "identifier"
    assert drafted(sex=cycle(2), zz=numbers).roles["zz"] == "quasi-identifier"
    assert drafted(zz=[*numbers[1:], numbers[1]], sex=cycle(2)).roles["zz"] == "quasi-identifier"
    assert drafted(age=[str(20 + one % 60) for one in range(ROWS)]).roles["age"] != "identifier"


def test_columns_with_the_same_counts_that_differ_are_kept():
    found = drafted(sex=["f", "m"] * (ROWS // 2), smoker=["y", "y", "n", "n"] * (ROWS // 4))
    assert found.roles == {"sex": "quasi-identifier", "smoker": "sensitive"}


def test_columns_that_single_out_rows_together_are_not_released_as_they_are():
    things = {f"reason {number}": cycle(number) for number in (7, 8, 9, 11)}
    found = drafted(sex=cycle(2), **things)
    assert set(found.undecided) < set(things)
    kept = [name for name in things if found.roles[name] == "other"]
    alone = count_unique(read_frame(pa.table(things)), kept)
    assert len(kept) >= 2
    assert len(kept) == 2 or alone < MOST_ALONE * ROWS


def test_sensitive_columns_stay_where_the_others_can_give_way():
    found = drafted(sex=cycle(2), diagnosis=cycle(17), thing7=cycle(7), thing9=cycle(9))
    assert found.roles["diagnosis"] == "sensitive"
    assert found.undecided


def test_there_are_as_many_quasi_identifiers_as_the_budget_has_room_for():
    numbers = (3, 5, 7, 8, 9, 11, 13, 16, 17, 19, 23, 25, 27, 29)
    cities = {f"city {number}": cycle(number, "Town ") for number in numbers}
    found = drafted(sex=cycle(2), **cities)
    assert list(found.roles.values()).count("quasi-identifier") == LEAST_CHOSEN
    assert found.decide().roles["city 29"] == "drop"


def test_an_identifier_that_repeats_stands_for_persons():
    numbers = [one // 3 for one in range(ROWS)]
    sexes = ["fm"[one % 2] for one in numbers]
    found = drafted(patient_id=[f"P{one}" for one in numbers], sex=sexes)
    assert found.source["person"] == "patient_id"
    assert 'person = "patient_id"' in found.toml()


def test_without_persons_rows_are_persons_and_a_row_key_is_mentioned():
    names = [f"Name {one % 200}" for one in range(ROWS)]
    found = drafted(id=[str(one) for one in range(ROWS)], last_name=names, sex=cycle(2))
    assert found.source["person"] == "row"
    assert found.roles == {"id": "identifier", "last_name": "identifier", "sex": "quasi-identifier"}
    assert 'row_key = "id"' in found.toml()


def test_hierarchy_files_of_similar_names_do_not_meet(tmp_path):
    jobs = [f"job {one % 40}" for one in range(ROWS)]
    others = [f"job {one * 7 % 30}" for one in range(ROWS)]
    written = drafted(**{"job title": jobs, "Job-title": others}).write(tmp_path / "x.toml")
    assert len({str(path).lower() for path in written}) == len(written)
