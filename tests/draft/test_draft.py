"""A drafted specification: the role of every column, what was found, and what is written."""

import tomllib
from pathlib import Path

import pyarrow as pa
import pytest

import lookalike
import lookalike as la
from lookalike.spec.specification import Specification

from ..hospital import PLACE, make_hospital
from .proposals import ADULT, HOSPITAL

DATA = Path(lookalike.__file__).parent / "shell" / "data"


@pytest.fixture(scope="module")
def adult():
    return la.draft(DATA / "adult" / "adult.csv")


@pytest.fixture(scope="module")
def hospital():
    return la.draft(DATA / "hospital" / "hospital.csv")


def proposals(draft):
    return {one.name: (one.role, one.meaning and one.meaning.name) for one in draft.columns}


def test_every_column_of_adult_has_the_expected_role(adult):
    assert proposals(adult) == ADULT


def test_every_column_of_the_hospital_has_the_expected_role(hospital):
    assert proposals(hospital) == HOSPITAL


def test_the_hospital_table_is_the_one_that_its_script_draws():
    assert PLACE.read_bytes() == make_hospital().encode("latin-1")


def test_the_flaws_of_the_hospital_table_are_found(hospital):
    fields = {name: value for name, value in hospital.source.items() if name != "path"}
    assert fields == {"encoding": "cp1252", "missing": ["", "NA"], "person": "record_no"}
    [zip_code] = [one for one in hospital.columns if one.name == "zip"]
    assert zip_code.zero_pad == 5
    assert "02138" in zip_code.profile.values
    assert "2138" not in zip_code.profile.values


def test_safe_harbor_identifiers_are_named(hospital):
    reasons = {one.name: one.reason for one in hospital.columns}
    assert "HIPAA Safe Harbor: medical record numbers" in reasons["record_no"]
    assert "HIPAA Safe Harbor: names" in reasons["last_name"]
    assert "HIPAA Safe Harbor: telephone numbers" in reasons["phone"]


def test_the_specification_shows_no_value_of_the_table(hospital):
    text = hospital.toml()
    own = set(text.replace('"', " ").split())
    for column in hospital.columns:
        private = {value for value in column.profile.values if len(value) > 4}
        assert private.isdisjoint(own), column.name
        assert not any(value in text for value in private if " " in value), column.name


def test_the_specification_is_valid_and_names_every_column(adult, hospital, tmp_path):
    for drafted in (adult, hospital):
        [path, *_] = drafted.write(tmp_path / f"{drafted.rows}.toml")
        loaded = Specification.load(path)
        assert {name: one.role for name, one in loaded.attributes.items()} == drafted.roles
        assert loaded.source is not None
        assert Path(loaded.source.path).resolve() == Path(drafted.source["path"]).resolve()


def test_a_sensitive_column_of_two_values_is_protected(adult):
    fields = tomllib.loads(adult.toml())
    assert fields["attributes"]["salary-class"]["protect"] == {"distinct": 2}
    assert fields["release"]["secrecy"] == "search"


def test_nothing_is_overwritten_unless_asked(adult, tmp_path):
    path = tmp_path / "adult.toml"
    path.write_text("mine")
    with pytest.raises(la.AlreadyExists, match="exists already"):
        adult.write(path)
    assert path.read_text() == "mine"
    assert [one.name for one in tmp_path.iterdir()] == ["adult.toml"]
    adult.write(path, replace=True)
    assert path.read_text() == adult.toml(tmp_path)


def test_only_their_owner_can_read_the_files(adult, tmp_path):
    written = adult.write(tmp_path / "adult.toml")
    assert len(written) > 1
    assert {path.stat().st_mode & 0o777 for path in written} == {0o600}


def test_a_draft_without_a_linkable_column_says_so():
    rooms = pa.table({"visits": ["1", "2"] * 40, "ill": ["flu", "cold", "gout", "flu"] * 20})
    drafted = la.draft(rooms)
    assert "quasi-identifier" not in drafted.roles.values()
    assert "No column is a quasi-identifier" in drafted.toml()


def test_a_frame_is_drafted_without_a_path():
    rows = 40
    people = pa.table(
        {
            "name": [f"Person {number}" for number in range(rows)],
            "sex": ["f", "m"] * (rows // 2),
            "lists": [[1]] * rows,
        }
    )
    drafted = la.draft(people)
    assert drafted.roles == {"name": "identifier", "sex": "quasi-identifier", "lists": "drop"}
    assert "path" not in drafted.source
    assert tomllib.loads(drafted.toml())["attributes"]["name"] == {"role": "identifier"}


def test_the_repr_of_a_draft_shows_figures_only(hospital):
    assert repr(hospital) == "Draft(rows=600, k=5, …)"


def test_an_undecided_column_gets_the_stricter_role_unless_the_holder_decides():
    grades = pa.table({"sex": ["f", "m"] * 50, "thing": [f"t{one % 40}" for one in range(100)]})
    drafted = la.draft(grades)
    assert drafted.undecided == ("thing",)
    assert drafted.decide().roles["thing"] == "quasi-identifier"
    decided = drafted.decide({"thing": "other"})
    assert decided.roles["thing"] == "other"
    assert "decided by the holder" in decided.toml()
    with pytest.raises(la.InvalidInput, match="things"):
        drafted.decide({"things": "other"})
    with pytest.raises(la.InvalidInput, match="role"):
        drafted.decide({"thing": "?"})


def test_an_empty_table_is_refused():
    with pytest.raises(la.InvalidInput, match="no rows"):
        la.draft(pa.table({"sex": pa.array([], pa.string())}))


def test_a_code_that_looks_like_a_missing_value_stays_one_in_its_column():
    lands = ["NA", "DE", "FR", "US", "IT", "ES"] * 10
    drafted = la.draft(pa.table({"age": ["NA", "30", "40"] * 20, "land": lands}))
    fields = tomllib.loads(drafted.toml())
    assert fields["source"]["missing"] == ["NA"]
    assert fields["attributes"]["land"]["missing"] == []
    assert [one.figures.distinct for one in drafted.columns] == [2, 6]


def test_values_are_trimmed_before_they_are_counted():
    drafted = la.draft(pa.table({"sex": ["f", " f", "m", "m "] * 10}))
    assert drafted.source == {"trim": True, "person": "row"}
    assert drafted.columns[0].figures.distinct == 2


def test_columns_of_the_same_name_are_numbered(tmp_path):
    path = tmp_path / "twice.csv"
    path.write_text("sex,score,score\n" + "f,1,2\nm,2,3\n" * 20)
    drafted = la.draft(path)
    assert drafted.source["duplicate_headers"] == "number"
    assert len(drafted.roles) == 3
    [written, *_] = drafted.write(tmp_path / "twice.toml")
    assert set(Specification.load(written).attributes) == set(drafted.roles)


def test_dates_whose_day_and_month_cannot_be_distinguished_are_left_to_the_holder():
    days = [f"{1 + one % 12:02}/{1 + one % 11:02}/19{60 + one % 30}" for one in range(60)]
    drafted = la.draft(pa.table({"birth_date": days, "sex": ["f", "m"] * 30}))
    assert drafted.undecided == ("birth_date",)
    assert drafted.decide().roles["birth_date"] == "drop"
    assert days[0] not in drafted.toml()


def test_numbers_with_separators_or_units_are_named():
    amounts = [f"1,{100 + one}.50" for one in range(60)]
    [column, _] = la.draft(pa.table({"billed": amounts, "sex": ["f", "m"] * 30})).columns
    assert column.role == "quasi-identifier"
    assert "text" in column.reason


def test_what_the_holder_says_of_the_source_is_kept(tmp_path):
    path = tmp_path / "ages.csv"
    path.write_text("no,age,sex\n" + "".join(f"{one // 2},{one % 40},f\n" for one in range(80)))
    path.write_text(path.read_text() + "90,-9,m\n91,NA,m\n")
    drafted = la.draft(path, missing=["-9"], person="no")
    assert drafted.source["missing"] == ["-9", "NA"]
    assert drafted.source["person"] == "no"


def test_dates_of_another_form_are_bound_to_the_form_of_general_dates():
    days = [f"{1 + number % 12}/{1 + number % 28}/{1950 + number % 40}" for number in range(300)]
    ages = [str(20 + number % 50) for number in range(300)]
    text = la.draft(pa.table({"birth date": days, "age": ages})).toml()
    assert 'constraints = ["birth date >= 1"]' in text
    assert 'steps = ["day", "month", "year", "5 years", "10 years"]' in text
    iso = la.draft(
        pa.table({"birth date": [f"1950-01-{1 + n % 28:02}" for n in range(300)]})
    ).toml()
    assert "constraints" not in iso
