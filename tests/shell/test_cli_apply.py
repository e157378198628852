"""``lookalike apply`` recodes new rows as a release did, and says that this is no release."""

from pathlib import Path

import pyarrow.parquet
import pytest

from lookalike.errors import InvalidInput
from lookalike.flow.apply import apply_levels

SPEC = """
[source]
path = "april.csv"
person = "row"

[release]
k = 2
method = "mingen"
out = "released/april.csv"
report = false

[attributes.name]
role = "identifier"

[attributes.zip]
role = "quasi-identifier"
hierarchy = { kind = "mask" }

[attributes.ward]
role = "quasi-identifier"
hierarchy = { kind = "taxonomy", tree = { east = ["a", "b"], west = ["c", "d"] } }

[attributes.ill]
role = "sensitive"
"""
APRIL = "02138,a,flu 02139,b,cold 02141,c,flu 02142,d,cold"
MAY = "02137,b,flu 02131,a,cold 02145,d,flu 02149,c,cough"


def write_rows(path, rows):
    lines = [f"Secretname{number},{row}" for number, row in enumerate(rows.split())]
    Path(path).write_text("\n".join(["name,zip,ward,ill", *lines, ""]))


@pytest.fixture
def place(tmp_path, monkeypatch, answer):
    monkeypatch.chdir(tmp_path)
    write_rows("april.csv", APRIL)
    write_rows("may.csv", MAY)
    Path("april.toml").write_text(SPEC)
    assert answer("release april.toml")["levels"] == {"zip": 1, "ward": 1}
    return tmp_path


APPLY = "apply released may.csv --spec april.toml --out may-recoded.csv"


def join(complaint):
    """Return a message as one line."""
    return " ".join(complaint.split())


def change_spec(old, new):
    assert old in SPEC
    Path("april.toml").write_text(SPEC.replace(old, new))


def test_new_rows_get_the_labels_of_the_release(place, answer):
    applied = answer(APPLY)
    assert applied.pop("statement").startswith("This is a recode and not a release: ")
    assert applied == {
        "file": "may-recoded.csv",
        "rows": 4,
        "levels": {"zip": 1, "ward": 1},
        "k": 2,
        "k_reached": 2,
        "rows_below_k": 0,
    }
    header, *rows = Path("may-recoded.csv").read_text().splitlines()
    assert header == "zip,ward,ill"
    assert sorted(rows) == [
        "0213*,east,cold",
        "0213*,east,flu",
        "0214*,west,cough",
        "0214*,west,flu",
    ]


def test_it_is_no_release(place, type_in):
    before = {*place.iterdir()}
    code, shown, _ = type_in(APPLY)
    assert code == 0
    assert "This is a recode and not a release" in shown
    assert {*place.iterdir()} - before == {place / "may-recoded.csv"}
    assert (place / "may-recoded.csv").stat().st_mode & 0o777 == 0o600
    (place / "alone").mkdir()
    (place / "may-recoded.csv").rename(place / "alone" / "may-recoded.csv")
    assert type_in("verify alone")[0] == 2
    assert type_in("verify released --spec april.toml")[0] == 0


def test_other_formats_are_written(place, answer):
    answer("apply released may.csv --spec april.toml --out may.parquet")
    assert pyarrow.parquet.read_table("may.parquet").column_names == ["zip", "ward", "ill"]


def test_classes_below_k_are_refused_unless_it_only_recodes(place, type_in, answer):
    write_rows("may.csv", f"{MAY} 90210,a,cough")
    code, shown, complaint = type_in(APPLY)
    assert code == 1
    assert "1 of 5 rows are in classes that do not keep" in join(complaint)
    assert "90210" not in shown + complaint
    assert not Path("may-recoded.csv").exists()
    applied = answer(f"{APPLY} --recode-only")
    assert (applied["rows"], applied["k_reached"], applied["rows_below_k"]) == (5, 1, 1)
    Path("may-recoded.csv").unlink()
    assert "Keep the file private" in type_in(f"{APPLY} --recode-only")[1]


def test_one_row_can_be_recoded(place, answer, type_in):
    write_rows("may.csv", "02138,d,flu")
    assert answer(f"{APPLY} --recode-only")["rows_below_k"] == 1
    assert Path("may-recoded.csv").read_text() == "zip,ward,ill\n0213*,west,flu\n"
    assert type_in(APPLY.replace("may-recoded", "other"))[0] == 3


def test_the_k_of_the_certificate_counts_if_the_specification_has_a_lower_one(place, type_in):
    write_rows("april.csv", " ".join([APRIL, APRIL]))
    change_spec("k = 2", "k = 4")
    assert type_in("release april.toml --replace")[0] == 0
    change_spec("k = 2", "k = 2")
    code, _, complaint = type_in(APPLY)
    assert (code, "4 of 4 rows are in classes" in join(complaint)) == (1, True)
    assert not Path("may-recoded.csv").exists()


def test_persons_and_protections_are_promises_too(place, type_in):
    assert type_in(APPLY)[0] == 0
    write_rows("may.csv", MAY.replace("cold", "flu"))
    change_spec('role = "sensitive"', 'role = "sensitive"\nprotect = { distinct = 2 }')
    assert type_in("release april.toml --replace")[0] == 0
    code, _, complaint = type_in(APPLY.replace("may-recoded", "other"))
    assert (code, "2 of 4 rows are in classes" in join(complaint)) == (1, True)
    change_spec('person = "row"', 'person = "name"')
    assert type_in("release april.toml --replace")[0] == 0
    Path("may.csv").write_text(Path("may.csv").read_text().replace("Secretname1", "Secretname0"))
    code, _, complaint = type_in(APPLY.replace("may-recoded", "other"))
    assert (code, "2 of 4 rows are in classes" in join(complaint)) == (1, True)
    assert not Path("other.csv").exists()


def test_a_specification_that_promises_less_is_refused(place, type_in):
    promised = 'role = "sensitive"\nprotect = { distinct = 2 }'
    change_spec('role = "sensitive"', promised)
    assert type_in("release april.toml --replace")[0] == 0
    write_rows("may.csv", MAY.replace("cold", "flu"))
    change_spec('role = "sensitive"', 'role = "sensitive"')
    code, _, complaint = type_in(APPLY)
    assert (code, "not that of the release: protections is" in join(complaint)) == (2, True)
    assert not Path("may-recoded.csv").exists()


def test_unknown_values_are_counted_and_not_shown(place, type_in):
    write_rows("may.csv", f"{MAY} 02138,hiddenward,flu")
    for option in ("", " --recode-only"):
        code, shown, complaint = type_in(APPLY + option)
        assert code == 2
        assert "column 'ward': 1 value that the hierarchy does not know" in complaint
        assert "hiddenward" not in shown + complaint
    with pytest.raises(InvalidInput) as refused:
        apply_levels("released", "may.csv", "april.toml", Path("other.csv"))
    assert "hiddenward" not in str(refused.value)


def test_other_columns_are_refused(place, type_in):
    Path("may.csv").write_text("zip,ward,ill,phone\n02138,a,flu,1\n")
    assert type_in(APPLY)[0] == 2


def test_a_release_at_the_cell_level_has_no_levels(place, type_in):
    change_spec('method = "mingen"', 'method = "mingen-cells"')
    assert type_in("release april.toml --replace")[0] == 0
    code, _, complaint = type_in(APPLY)
    assert (code, "the release is one at the cell level" in join(complaint)) == (
        2,
        True,
    )


def test_hierarchies_must_be_those_of_the_release(place, type_in):
    change_spec('{ kind = "mask" }', '{ kind = "mask", length = 6 }')
    code, _, complaint = type_in(APPLY)
    assert (code, "mask of height 6 here" in join(complaint)) == (2, True)
    change_spec('{ kind = "mask" }', '{ kind = "mask", steps = 2, suppression_level = true }')
    code, _, complaint = type_in(APPLY)
    assert (code, "its mask takes its length from" in join(complaint)) == (2, True)


def test_values_of_another_length_are_refused(place, type_in):
    write_rows("may.csv", "021,a,flu 021,a,cold 021,b,flu 021,b,cold")
    code, _, complaint = type_in(APPLY)
    assert (code, "mask of height 3 here" in join(complaint)) == (2, True)


def test_nothing_is_overwritten_and_no_release_is_touched(place, type_in):
    assert type_in(APPLY.replace("may-recoded.csv", "april.csv"))[0] == 6
    code, _, complaint = type_in(APPLY.replace("may-recoded.csv", "released/may.csv"))
    assert (code, "is inside the release" in join(complaint)) == (2, True)
    code, _, complaint = type_in(APPLY.replace("may-recoded.csv", "may.xlsx"))
    assert (code, "the suffix chooses the format" in complaint) == (2, True)


def test_pseudonyms_are_refused(place, type_in):
    Path("key").write_bytes(b"k" * 32)
    Path("key").chmod(0o600)
    old = '[attributes.name]\nrole = "identifier"'
    change_spec(old, f'{old}\npseudonym = {{ key_file = "key" }}')
    assert type_in("release april.toml --replace")[0] == 0
    code, _, complaint = type_in(APPLY)
    assert (code, "the release has pseudonyms (name)" in join(complaint)) == (2, True)
