"""The specification: exact decimals, relative paths, and all fields."""

from decimal import Decimal
from pathlib import Path

import pytest

from lookalike import Dates, File, Intervals, InvalidInput, Mask, Specification, Suppress, Taxonomy
from lookalike.hierarchy import Listed

DATA = Path(__file__).parents[2] / "src" / "lookalike" / "shell" / "data"
WHOLE = """\
[source]
path = "patients.csv"              # a glob for many files; or `query` over several
where = "consent = 'yes'"
delimiter = ";"
encoding = "latin-1"
memory = "1GB"

[release]
k = 5
max_suppressed = 0.01
method = "datafly"
suppressed_rows = "blank"
suppressed_label = "suppressed"
keep_order = true
out = "released/patients.csv"

[attributes.ssn]
role = "identifier"
[attributes.record_no]
role = "identifier"
pseudonym = { key_file = "keys/record.key" }
[attributes.zip]
role = "quasi-identifier"
hierarchy = { kind = "mask", steps = 3, suppression_level = true }
weight = 0.1
[attributes.birth]
role = "quasi-identifier"
hierarchy = { kind = "dates", steps = ["month", "year"], formats = ["%d.%m.%y"], century = 1900 }
[attributes.age]
role = "quasi-identifier"
hierarchy = { kind = "intervals", widths = [0.5, 5], decimals = 1, top = 90 }
[attributes.race]
role = "quasi-identifier"
hierarchy = { kind = "file", path = "race.csv" }
[attributes.sex]
role = "quasi-identifier"
hierarchy = { kind = "taxonomy", tree = { human = ["female", "male"] }, unknown = "suppress" }
[attributes.job]
role = "quasi-identifier"
hierarchy = { kind = "suppress" }
[attributes.diagnosis]
role = "sensitive"
[attributes.stay_no]
role = "other"
unique = true
"""
ZIP = {"role": "quasi-identifier", "hierarchy": {"kind": "mask"}}


@pytest.fixture
def load(tmp_path):
    """Return a function that writes a specification to a temporary folder and reads it."""

    def load_text(text, **release):
        path = tmp_path / "spec.toml"
        path.write_text(text, encoding="utf-8")
        return Specification.load(path, release)

    return load_text


def build(release, zip_code=ZIP):
    return Specification.build({"release": release, "attributes": {"zip": zip_code}})


def minimal(line):
    return f"[release]\nk = 2\n{line}\n[attributes.zip]\nrole = 'identifier'\n"


AMOUNTS = [
    ("0.29", 29),
    ("0.57", 57),
    ("0.999", 99),
    ("2.9e-1", 29),
    ("1.0", 100),
    ("0.0", 0),
    ("1", 1),
    ("0", 0),
    ("250", 250),
]


@pytest.mark.parametrize(("written", "rows"), AMOUNTS)
def test_max_suppressed_is_exactly_what_toml_says(load, written, rows):
    asked = load(minimal(f"max_suppressed = {written}"))
    assert asked.requirement(100).allowance(100) == rows


@pytest.mark.parametrize(("written", "rows"), AMOUNTS)
def test_max_suppressed_is_exactly_what_python_says(written, rows):
    number = int(written) if written.isdigit() else float(written)
    asked = build({"k": 2, "max_suppressed": number})
    assert asked.requirement(100).allowance(100) == rows


def test_max_suppressed_may_be_a_decimal():
    asked = build({"k": 2, "max_suppressed": Decimal("0.29")})
    assert asked.requirement(100).allowance(100) == 29


@pytest.mark.parametrize("amount", [True, "0.5", "5", [1], float("nan"), float("inf")])
def test_max_suppressed_is_nothing_but_a_number(amount):
    with pytest.raises(InvalidInput, match="max_suppressed: write a number of rows"):
        build({"k": 2, "max_suppressed": amount})


def test_max_suppressed_is_left_to_the_method_if_absent(load):
    assert load(minimal("")).requirement(100).allowance(100, default=7) == 7


def test_a_weight_is_exactly_what_was_written(load):
    assert load(WHOLE).attributes["zip"].weight == Decimal("0.1")
    assert build({"k": 2}, ZIP | {"weight": 0.1}).attributes["zip"].weight == Decimal("0.1")


def test_numbers_of_a_hierarchy_are_exactly_what_was_written(load):
    rule = load(WHOLE).hierarchies()["age"]
    assert rule == Intervals(widths=[Decimal("0.5"), 5], decimals=1, top=90)


@pytest.mark.parametrize("k", [True, 2.0, "2", None])
def test_k_is_nothing_but_an_integer(k):
    with pytest.raises(InvalidInput, match=r"release\.k"):
        build({"k": k})


def test_every_field_is_read(load, tmp_path):
    specification = load(WHOLE)
    source, asked = specification.source, specification.release
    assert source.where == "consent = 'yes'"
    assert (source.delimiter, source.encoding, source.memory) == (";", "latin-1", "1GB")
    assert (asked.k, asked.max_suppressed, asked.method) == (5, Decimal("0.01"), "datafly")
    assert (asked.suppressed_rows, asked.suppressed_label) == ("blank", "suppressed")
    assert asked.keep_order
    assert specification.attributes["stay_no"].unique
    assert {name: a.role for name, a in specification.attributes.items() if not a.hierarchy} == {
        "ssn": "identifier",
        "record_no": "identifier",
        "diagnosis": "sensitive",
        "stay_no": "other",
    }


def test_hierarchies_are_in_the_order_of_the_attributes(load, tmp_path):
    assert list(load(WHOLE).hierarchies().items()) == [
        ("zip", Mask(steps=3, suppression_level=True)),
        ("birth", Dates(["month", "year"], formats=["%d.%m.%y"], century=1900)),
        ("age", Intervals(widths=[0.5, 5], decimals=1, top=90)),
        ("race", File(tmp_path / "race.csv")),
        ("sex", Taxonomy({"human": ["female", "male"]}, unknown="suppress")),
        ("job", Suppress()),
    ]


def test_what_is_not_given_has_a_safe_default(load):
    specification = load(minimal(""))
    asked = specification.release
    assert (asked.method, asked.effort) == ("mingen-cells", "quick")
    assert (asked.suppressed_rows, asked.suppressed_label) == ("drop", "*")
    assert not asked.keep_order
    assert asked.max_suppressed is None
    assert asked.out is None
    assert specification.source is None
    assert not specification.attributes["zip"].unique


def test_paths_are_relative_to_the_specification(load, tmp_path, monkeypatch):
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    monkeypatch.chdir(elsewhere)
    specification = load(WHOLE)
    assert specification.source.path == str(tmp_path / "patients.csv")
    assert specification.release.out == str(tmp_path / "released" / "patients.csv")
    assert specification.hierarchies()["race"].path == tmp_path / "race.csv"
    key_file = specification.attributes["record_no"].pseudonym.key_file
    assert key_file == tmp_path / "keys" / "record.key"


def test_the_tables_of_a_query_are_relative_to_the_specification(load, tmp_path):
    text = minimal("") + '[source]\nquery = "SELECT 1"\ntables = { a = "a.csv", b = "/b.csv" }\n'
    assert load(text).source.tables == {"a": str(tmp_path / "a.csv"), "b": "/b.csv"}


def test_absolute_paths_stay(load):
    text = WHOLE.replace('"patients.csv"', '"/data/visits-*.csv"').replace('"race', '"/rules/race')
    specification = load(text.replace('"released/', '"/shared/released/'))
    assert specification.source.path == "/data/visits-*.csv"
    assert specification.release.out == "/shared/released/patients.csv"
    assert specification.hierarchies()["race"].path == Path("/rules/race.csv")


def test_paths_of_a_library_call_are_relative_to_the_working_folder():
    specification = build({"k": 2, "out": "released/table.csv"})
    assert specification.release.out == "released/table.csv"


def test_fields_given_beside_the_file_take_the_place_of_its_own(load):
    asked = load(WHOLE, k=3, max_suppressed=2).release
    assert (asked.k, asked.max_suppressed, asked.suppressed_label) == (3, 2, "suppressed")


def test_a_hierarchy_may_be_an_object():
    rule = Listed({"1": ["1", "*"], "2": ["2", "*"]})
    attribute = build({"k": 2}, {"role": "quasi-identifier", "hierarchy": rule}).attributes["zip"]
    assert attribute.hierarchy is rule


def test_all_mistakes_are_told_at_once(load):
    text = WHOLE.replace("k = 5", "k = 'five'").replace('"sensitive"', '"secret"')
    with pytest.raises(InvalidInput) as refused:
        load(text.replace("weight = 0.1", "weihgt = 0.1"))
    message = str(refused.value)
    assert "spec.toml: " in message
    assert "release.k: " in message
    assert "attributes.diagnosis.role: " in message
    assert "attributes.zip.weihgt: not a field; did you mean 'weight'?" in message


def test_a_mistake_in_a_library_call_is_located_too():
    with pytest.raises(InvalidInput, match=r"attributes\.zip\.hierarchy: mask hierarchy: steps"):
        build({"k": 2}, {"role": "quasi-identifier", "hierarchy": {"kind": "mask", "steps": 0}})


@pytest.mark.parametrize("name", ["patients", "adult"])
def test_the_examples_are_specifications(name):
    specification = Specification.load(DATA / name / f"{name}.toml")
    assert Path(specification.source.path).is_file()
    assert specification.hierarchies()


def test_a_specification_cannot_be_changed():
    specification = build({"k": 2})
    with pytest.raises(ValueError, match="frozen"):
        specification.release.k = 1
