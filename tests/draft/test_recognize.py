"""Columns are recognized by their names in several languages and by their values."""

import pytest

from lookalike.draft.column import ColumnProfile
from lookalike.draft.meaning import find_shape
from lookalike.draft.profile import choose_markers, find_doubtful, find_markers
from lookalike.draft.propose_role import propose_column, restore_zeros
from lookalike.draft.recognize import recognize_column


def column(name, values, times=1):
    """Return the profile of a column with each value so many times."""
    distinct = tuple(dict.fromkeys(values))
    return ColumnProfile(
        name, len(distinct) * times, distinct, (times,) * len(distinct), len(distinct)
    )


DAYS = [f"19{60 + one}-0{1 + one % 9}-1{one % 10}" for one in range(30)]
NUMBERS = [str(1000 + 7 * one) for one in range(40)]
PEOPLE = [f"Person {chr(65 + one)}" for one in range(26)]
WORDS = ["red", "green", "blue"]


@pytest.mark.parametrize(
    ("name", "values", "meaning"),
    [
        ("Geburtsdatum", DAYS, "birth date"),
        ("fecha_de_nacimiento", DAYS, "birth date"),
        ("DateOfBirth", DAYS, "birth date"),
        ("PatDOB", DAYS, "birth date"),
        ("Date de sortie", DAYS, "discharge date"),
        ("something", DAYS, "date"),
        ("born", ["1960", "1971", "1988"], "year of birth"),
        ("PLZ", ["79098", "79100"], "postal code"),
        ("Code postal", ["75001"], "postal code"),
        ("Geschlecht", ["m", "w"], "sex"),
        ("Familienstand", WORDS, "marital status"),
        ("Nachname", PEOPLE, "part of a name"),
        ("name", PEOPLE, "name of a person"),
        ("E-Mail", ["a@example.org"], "e-mail address"),
        ("contact", ["a@example.org", "b@example.org"], "e-mail address"),
        ("site", ["https://example.org/a"], "web address"),
        ("seen_from", ["192.0.2.1", "198.51.100.7"], "IP address"),
        ("number", ["078-05-1120", "219-09-9999"], "social security number"),
        ("call", ["(617) 555-0100", "+49 761 5550100"], "telephone number"),
        ("Patient-Nr", NUMBERS, "medical record number"),
        ("versichertennummer", NUMBERS, "health plan number"),
        ("VIN", NUMBERS, "vehicle identifier"),
        ("imei", NUMBERS, "device identifier"),
        ("iban", NUMBERS, "account number"),
        ("passport_number", NUMBERS, "certificate or license number"),
        ("fax", ["617-555-0101"], "fax number"),
        ("photo", ["a1.jpg", "a2.jpg"], "photograph"),
        ("fingerprint", NUMBERS, "biometric identifier"),
        ("remark", ["came in with a cold", "all is well at home"], "free text"),
        ("Diagnose", WORDS, "diagnosis"),
        ("ConvertedSalary", NUMBERS, "income"),
        ("income_class", WORDS, "income"),
    ],
)
def test_a_column_is_recognized(name, values, meaning):
    assert recognize_column(column(name, values)).name == meaning


@pytest.mark.parametrize(
    ("name", "values"),
    [
        ("trace", WORDS),
        ("estate", WORDS),
        ("average", NUMBERS),
        ("type_id", ["1", "2", "3"]),
        ("has_phone", ["yes", "no"]),
        ("first", ["yes", "no"]),
    ],
)
def test_a_word_inside_of_another_and_a_category_are_not_taken_for_a_meaning(name, values):
    assert recognize_column(column(name, values, times=100)) is None


@pytest.mark.parametrize("times", [1, 3, 50])
def test_names_are_identifiers_however_often_they_repeat(times):
    assert propose_column(column("last_name", PEOPLE, times), 5).role == "identifier"


def test_an_amount_that_singles_out_rows_is_a_quasi_identifier():
    amounts = [f"{number}.{number % 90 + 10}" for number in range(100)]
    assert propose_column(column("billed", amounts), 5).role == "quasi-identifier"
    assert propose_column(column("billed", ["10", "20", "30"], 40), 5).role == "sensitive"


def test_a_sensitive_column_with_one_value_nearly_always_is_left_to_the_holder():
    tests = ColumnProfile("hiv", 100, ("no", "yes"), (97, 3), 2)
    found = propose_column(tests, 5)
    assert (found.role, found.stricter) == ("?", "drop")


@pytest.mark.parametrize("values", [WORDS, ["0", "1"], ["yes", "no"], ["1", "2", "3"]])
def test_an_unknown_column_is_left_to_the_holder_however_common_its_values_are(values):
    found = propose_column(column("thing", values, 40), 5)
    assert (found.role, found.stricter) == ("?", "quasi-identifier")
    many = propose_column(column("thing", [f"t{number}" for number in range(40)], 2), 5)
    assert (many.role, many.stricter) == ("?", "quasi-identifier")
    assert "rare values in 80 rows" in many.reason


@pytest.mark.parametrize(
    ("name", "role"),
    [
        *[(name, "other") for name in ("reason_for_visit", "PaymentMethod", "num_of_attempts")],
        *[(name, "other") for name in ("Zahlungsart", "motif", "duracion", "calls_12m", "LOS")],
        *[(name, "quasi-identifier") for name in ("visit_city", "contract region", "birth_order")],
        *[(name, "quasi-identifier") for name in ("afam", "single", "selfemp", "south", "smsa")],
        *[(name, "quasi-identifier") for name in ("northcen", "medicaid", "numdep", "whitemom")],
        *[(name, "quasi-identifier") for name in ("STATEFIP", "METFIPS", "CLASSWKR", "guardian")],
        *[(name, "sensitive") for name in ("admission_type_id", "score_text", "A1Cresult")],
        *[(name, "?") for name in ("visit_xyz", "test_site", "drug_store", "services", "activity")],
    ],
)
def test_the_noun_of_a_name_shows_that_a_column_is_not_linkable(name, role):
    assert propose_column(column(name, WORDS, 40), 5).role == role


def test_answers_such_as_strongly_agree_are_released():
    answers = column("xq", ["strongly agree", "agree", "disagree", "strongly disagree"], 40)
    assert propose_column(answers, 5).role == "other"


def test_years_and_values_of_their_own_are_not_released_whatever_the_name_is():
    assert propose_column(column("dx", ["1994", "1995", "1996"], 40), 5).role == "?"
    waits = column("waiting time", [f"{number}.5" for number in range(100)])
    assert propose_column(waits, 5).role == "quasi-identifier"


@pytest.mark.parametrize("name", ["rownames", "row", "Unnamed: 0", "X", "index", "SERIAL"])
def test_numbers_of_rows_are_identifiers(name):
    gaps = column(name, [str(7 * number + number % 3) for number in range(100)])
    assert propose_column(gaps, 5).role == "identifier"


def test_constant_and_empty_columns_are_dropped():
    assert propose_column(ColumnProfile("x", 5, ("a",), (5,), 1), 5).role == "drop"
    assert propose_column(ColumnProfile("x", 5, (), (), 0, missing=5), 5).role == "drop"


@pytest.mark.parametrize(
    ("values", "markers"),
    [
        (["12", "NA", "?", "-", ".", "none"], {"NA", "?", "-", ".", "none"}),
        (["red", "None", "unknown", "n/a", ""], {"n/a", ""}),
        (["DE", "FR", "NA", "US", "IT", "ES"], set()),
        (["+", "-"], set()),
        (["na", "k", "cl"], set()),
        (["K", "NA", "CL", "CA", "CRP"], set()),
        (["Na", "K", "Cl", "hba1c", "Mg"], set()),
        (["USA", "DEU", "FRA", "ITA", "NA"], {"NA"}),
        (["Smith", "None", "Null", "Jones", "Brown", "Lee", "Nan", "Okafor", "Na"], set()),
        (["Y", "N", "NA"], {"NA"}),
        (["male", "female", "NA", "nan", "null"], {"NA", "nan", "null"}),
        (["CARDIOLOGY", "SURGERY", "NULL", "PAEDIATRICS"], {"NULL"}),
        (["7.5", "8.1", "na", "nil", "6.6", "5.9"], {"na", "nil"}),
    ],
)
def test_markers_of_missing_values_depend_on_the_other_values(values, markers):
    assert set(find_markers(column("x", values))) == markers


@pytest.mark.parametrize(
    ("values", "asked"),
    [
        (["na", "k", "cl"], ("na",)),
        (["na", "k"], ()),
        (["A", "B", "C", "D", "E", "NA"], ("NA",)),
        (["A", "B", "C", "D", "NA"], ()),
        (["NA", "K", "CL"], ()),
        (["NA", "K", "CL", "CA"], ("NA",)),
        (["na", "2", "1"], ()),
    ],
)
def test_a_text_that_looks_like_the_values_is_asked_about(values, asked):
    assert find_doubtful(column("x", values)) == asked
    assert not set(find_markers(column("x", values))) & set(asked)


def test_a_marker_of_the_table_may_be_a_value_of_a_column():
    ages = column("age", ["31", "42", "NA", "?"])
    lands = column("land", ["DE", "FR", "NA", "US", "IT", "ES"])
    found = [find_markers(ages), find_markers(lands)]
    assert choose_markers(found, [ages, lands]) == (("?", "NA"), {"land": ("?",)})


def test_four_digit_postal_codes_of_other_countries_are_not_padded():
    swiss = column("plz", ["8001", "3000", "4051"])
    assert restore_zeros(swiss, recognize_column(swiss)) == (swiss, None)


@pytest.mark.parametrize(
    "value", ["", " ", "\x1b[2J", "\u202e", "x" * 10_000, "1" * 10_000, "0" * 300]
)
def test_odd_values_have_a_shape(value):
    assert find_shape(column("x", [value])) in ("text", "integer", "code", "phone")


def test_numbers_that_stand_for_categories_are_not_grouped_by_size():
    codes = column("admission_type_id", ["1", "2", "3"], 40)
    assert propose_column(codes, 5).kind == "category"
    assert propose_column(column("visits", ["1", "2", "3"], 40), 5).kind == "number"


@pytest.mark.parametrize(
    "name", ["said; a, b", "amount_paid", "medicaid", "thyroid", "steroid use"]
)
def test_a_word_that_ends_with_id_is_no_number(name):
    column = ColumnProfile(name, 400, tuple(f"a {n}" for n in range(40)), (10,) * 40, 40)
    found = recognize_column(column)
    assert found is None or found.name != "identifying number"


@pytest.mark.parametrize(
    ("name", "values", "counts", "markers"),
    [
        ("age", ("NA", "31", "none", "42"), (4, 2, 2, 1), ("NA", "none")),
        ("country", ("NA", "DE", "FR", "US", "IT", "ES"), (1,) * 6, ()),
        ("rhesus", ("+", "-", "None"), (5, 3, 1), ()),
    ],
)
def test_a_marker_is_a_text_that_the_other_values_do_not_look_like(name, values, counts, markers):
    assert find_markers(ColumnProfile(name, 9, values, counts, len(values))) == markers


def test_a_name_or_the_values_show_what_a_column_is_about():
    ages = recognize_column(ColumnProfile("Alter", 4, ("31", "42"), (2, 2), 2))
    assert (ages.name, ages.kind) == ("age", "age")
    contact = recognize_column(ColumnProfile("contact", 1, ("ann@example.org",), (1,), 1))
    assert contact.name == "e-mail address"
