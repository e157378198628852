"""Linked tables: from files or frames to a verified folder, and what is refused."""

import csv
import functools
import json
import re
from pathlib import Path

import pyarrow as pa
import pytest

import lookalike as la
from lookalike.flow import explain_records
from lookalike.flow.release_records import make_records, publish_records
from lookalike.model import combinations
from lookalike.model.combinations import KnownPart

from ..linked_hospital import HIDE, KEY, PEOPLE, TENS, VISITS, change, write


def read(path: Path) -> list[dict[str, str]]:
    with path.open(newline="") as file:
        return [*csv.DictReader(file)]


def test_the_release_is_one_folder_that_verifies(hospital, type_in):
    code, output, errors = type_in("release linked.toml")
    assert (code, errors) == (0, "")
    assert "any two of their visits is left with at least 4 people" in " ".join(output.split())
    released = hospital / "released"
    names = {"people.csv", "visits.csv", "certificate.json", "report.html"}
    assert {one.name for one in released.iterdir()} == names
    assert type_in("verify released")[0] == 0
    assert type_in("release linked.toml")[0] == la.AlreadyExists.exit_code
    assert type_in("release linked.toml --replace")[0] == 0
    assert {one.name for one in hospital.iterdir() if one.name.startswith(".")} == set()


def test_pseudonyms_are_equal_in_all_tables_and_others_each_time(hospital):
    drawn = []
    for _ in range(2):
        made = la.release_records(spec="linked.toml")
        made.publish(replace=True)
        people, visits = (read(hospital / f"released/{name}.csv") for name in ("people", "visits"))
        own = {one["no"] for one in people}
        assert len(own) == len(people) == made.persons_out
        assert {one["no"] for one in visits} <= own
        drawn.append(own)
    assert not drawn[0] & drawn[1]
    assert all(re.fullmatch("[0-9a-f]{16}", one) for one in drawn[0] | drawn[1])


def test_what_is_published_after_a_dry_run_is_what_was_shown(hospital):
    """Pseudonyms and the order of rows are drawn once, whatever is accepted afterwards."""
    asked = la.release_records(spec="linked.toml").specification
    shown = make_records(asked, dry_run=True).release
    tables = {name: rows.to_pylist() for name, rows in shown.tables.items()}
    accepted = asked.changed({"accept": ["record-numbers"]}, {}, {})
    publish_records(shown, accepted)
    names = {"persons": "people", "visits": "visits"}
    for name, rows in tables.items():
        assert read(hospital / f"released/{names[name]}.csv") == rows
    publish_records(shown, asked, replace=True)
    assert read(hospital / "released/people.csv") == tables["persons"]
    again = make_records(asked, replace=True).release
    assert again.tables["persons"].to_pylist() != tables["persons"]


def test_each_released_person_is_a_private_person_with_all_records(hospital):
    """The records of a pseudonym are those of one person, though numbers and order are gone."""
    change(hospital, "[release]\nk = 4", '[release]\nconstraints = ["visits.month = 0"]\nk = 4')
    la.release_records(spec="linked.toml").publish()
    visits = read(hospital / "released/visits.csv")
    shown = {}
    for one in visits:
        shown.setdefault(one["no"], []).append(one["month"])
    private = {}
    for number, month in VISITS:
        private.setdefault(number, []).append(month)
    patterns = sorted(sorted(months) for months in private.values())
    assert all(sorted(months) in patterns for months in shown.values())
    assert sum(len(months) == 2 for months in shown.values()) == 12


def test_the_order_of_rows_is_drawn(hospital):
    orders = set()
    for _ in range(3):
        made = la.release_records(spec="linked.toml")
        orders.add(tuple(one["sex"] for one in made.tables["persons"].to_pylist()))
    assert len(orders) > 1


def test_frames_come_back_verified_in_their_kind():
    frames = pytest.importorskip("pandas")
    people = frames.DataFrame(PEOPLE, columns=["no", "sex", "age"])
    visits = pa.table({"no": [n for n, _ in VISITS], "month": [m for _, m in VISITS]})
    made = la.release_records(
        people,
        records={
            "visits": {
                "table": visits,
                "person": "no",
                "knows": "all",
                "attributes": {"no": KEY, "month": HIDE},
            }
        },
        source={"person": "no"},
        k=3,
        attributes={"no": KEY, "sex": HIDE, "age": TENS},
    )
    assert isinstance(made.tables["persons"], frames.DataFrame)
    assert isinstance(made.tables["visits"], pa.Table)
    assert made.certificate.k_reached >= 3
    assert "all of their visits" in made.certificate.statement
    assert made.as_json()["levels"]["visits"].keys() == {"month"}


def test_no_more_than_so_many_records_of_a_person_are_released(hospital):
    change(hospital, "knows = 2", "knows = 2\nat_most = 1")
    made = la.release_records(spec="linked.toml", max_suppressed=0)  # whichever visits are drawn
    assert made.rows_out == {"persons": 24, "visits": 24}
    assert "at most 1 of each person" in made.certificate.statement
    made.publish()
    assert la.verify("released").holds


@pytest.mark.parametrize(
    ("table", "out"), [("visits", "visits.csv"), ("certificate", "people.json")]
)
def test_two_files_of_a_release_are_never_named_alike(hospital, table, out):
    change(hospital, "[records.visits]", f"[records.{table}]")
    change(hospital, "[records.visits.attributes]", f"[records.{table}.attributes]")
    made = la.release_records(spec="linked.toml")
    with pytest.raises(la.InvalidInput, match="two files of the release would be named alike"):
        made.publish(out=f"released/{out}")
    assert not (hospital / "released").exists()


def test_suppressed_values_leave_no_trace_in_the_files(hospital):
    write(hospital / "people.csv", "no,sex,age", [*PEOPLE, (24, "unstated", 95)])
    visits = [(*one, "A") for one in VISITS]
    write(hospital / "visits.csv", "no,month,ward", [*visits, (24, "July", "isolation")])
    made = la.release_records(spec="linked.toml", max_suppressed=1)
    made.publish(out="released/people.parquet")
    assert made.persons_suppressed == 1
    for file in (hospital / "released").iterdir():
        assert not re.search(rb"July|isolation|unstated", file.read_bytes())


@pytest.mark.parametrize(
    ("file", "row", "message"),
    [
        ("people.csv", "3,m,20", "24 different values in 25 rows; the person table has one row"),
        ("people.csv", ",m,20", "column 'no' is missing in 1 rows"),
        ("visits.csv", "99,May,A", "1 of 37 records belong to no row of the person table"),
        ("visits.csv", ",May,A", "1 of 37 records belong to no row of the person table"),
    ],
)
def test_rows_that_belong_to_nobody_are_refused(hospital, file, row, message):
    with (hospital / file).open("a") as opened:
        opened.write(f"{row}\r\n")
    with pytest.raises(la.InvalidInput, match=message):
        la.release_records(spec="linked.toml")
    assert not (hospital / "released").exists()


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("k = 4", 'k = 4\nmethod = "mu-argus"', "release.method: linked tables take mingen, samar"),
        (
            "k = 4",
            'k = 4\nmethod = "datafly"\nconstraints = ["age <= 0"]',
            "release.constraints: datafly does not take it; use mingen or samarati",
        ),
        ("k = 4", "k = 4\ndecoys = 0.02", "release.decoys is not taken for linked tables"),
        ("k = 4", 'k = 4\nsuppressed_rows = "blank"', "release.suppressed_rows is not taken"),
        ("k = 4", 'k = 4\nconstraints = ["month <= 0"]', "must be one of the attributes sex, age,"),
        ("k = 4", 'k = 4\nledger = "l.db"', "release.ledger is not taken for linked tables"),
        ("k = 4", 'k = 4\nobjective = "entropy"', "release.objective: linked tables take"),
        ('person = "no"', 'person = "row"', "name the column of the person table"),
        ("knows = 2", "knows = 4", 'write 0, 1, 2, 3 or "all"'),
        ("knows = 2", "knows = 2\nknown = 1", "records.visits.known: not a field"),
        ("knows = 2", 'knows = 2\nengine = "spark"', "records.visits.engine: linked tables are"),
        ("[records.visits.att", "[records.'a/b'.att", "the name becomes that of a file"),
        (
            'month = { role = "quasi-identifier", hierarchy = { kind = "suppress" } }',
            'month = { role = "other" }',
            "no column of the table is a quasi-identifier, so nothing of a record can be known",
        ),
        (
            'ward = { role = "sensitive" }',
            'ward = { role = "sensitive", protect = { distinct = 2 } }',
            "records.visits.attributes.ward.protect is not taken for linked tables",
        ),
        (
            "[records.visits.attributes]\nno = { role = \"identifier\" }",
            "[records.visits.attributes]\nno = { role = \"other\" }",
            "give 'no' the role identifier",
        ),
    ],
)  # fmt: skip
def test_what_linked_tables_do_not_take_is_refused_by_name(hospital, old, new, message):
    change(hospital, old, new)
    if "a/b" in new:
        change(hospital, "[records.visits]", "[records.'a/b']")
    with pytest.raises(la.InvalidInput, match=re.escape(message)):
        la.release_records(spec="linked.toml")


@pytest.mark.parametrize("command", ["minimal --search matrix", "ledger forecast"])
def test_commands_that_take_one_table_say_so(hospital, type_in, command):
    code, _, errors = type_in(f"{command} linked.toml")
    assert code == la.InvalidInput.exit_code
    assert "linked tables are released by" in " ".join(errors.split())


def test_all_minimal_levels_of_all_tables_are_listed_and_preferred(hospital, type_in):
    code, output, _ = type_in("minimal linked.toml --prefer minimum-suppression --json")
    told = json.loads(output)
    assert (code, told["complete"], told["lattice"]) == (0, True, 2 * 3 * 2)
    assert {*told["minimal"][0]["levels"]} == {"sex", "age", "visits.month"}
    assert all(one["suppressed"] <= 2 for one in told["minimal"])
    [chosen, *_] = told["preferred"]
    assert chosen["suppressed"] == min(one["suppressed"] for one in told["minimal"])
    made = la.release_records(spec="linked.toml", method="samarati", prefer=["minimum-suppression"])
    levels = {name: level for own in made.levels.values() for name, level in own.items()}
    assert [*levels.values()] == [*chosen["levels"].values()]
    assert made.recoding.k_minimal
    assert made.persons_suppressed == chosen["suppressed"]
    assert made.overall_precision == pytest.approx(chosen["precision"])
    assert made.certificate.objective is None
    distinct = [{*map(tuple, rows)} for rows in _list_known_columns(made)]
    assert sum(map(len, distinct)) == chosen["distinct"]
    assert type_in("minimal linked.toml")[1].count("*") >= 2


def _list_known_columns(made):
    """Yield the rows of each released table, quasi-identifiers only."""
    for name, columns in (("persons", ["sex", "age"]), ("visits", ["month"])):
        yield zip(*made.tables[name].select(columns).to_pydict().values(), strict=True)


def write_long_stays(hospital):
    """Give each of 24 persons 60 records that differ, so 34,220 combinations of three."""
    rows = [(n, f"m{visit}", "A") for n in range(24) for visit in range(60)]
    write(hospital / "visits.csv", "no,month,ward", rows)
    change(hospital, "knows = 2", "knows = 3")


def test_combinations_beyond_memory_are_counted_in_parts(hospital, type_in, monkeypatch):
    write_long_stays(hospital)
    whole = la.release_records(spec="linked.toml")
    monkeypatch.setattr(combinations, "COUNTED_CELLS", 0)  # they are listed, as many more would be
    change(hospital, '[source]\npath', '[source]\nmemory = "20MB"\npath')  # fmt: skip
    split, retry = [], KnownPart.retry
    monkeypatch.setattr(
        KnownPart, "retry", lambda part, most: split.append(most) or retry(part, most)
    )
    made = la.release_records(spec="linked.toml")
    assert split
    assert (made.levels, made.persons_out) == (whole.levels, whole.persons_out)
    told = json.loads(type_in("release linked.toml --explain --json")[1])
    assert (told["combinations"], told["refused"]) == (24 * 60 * 59 * 58 // 6, None)
    assert told["megabytes"] > told["available_megabytes"]
    assert "listed in parts" in type_in("release linked.toml --explain")[1]


def test_more_combinations_than_can_be_counted_are_refused(hospital, type_in, monkeypatch):
    write_long_stays(hospital)
    monkeypatch.setattr(explain_records, "COUNTABLE", 800_000)
    with pytest.raises(la.InvalidInput, match=r"one person has 60 records\. Keep fewer of each"):
        la.release_records(spec="linked.toml")
    code, output, _ = type_in("release linked.toml --explain")
    assert (code, "Refused: what may be known" in output) == (0, True)
    change(hospital, "knows = 3", "knows = 3\nat_most = 5")
    assert la.release_records(spec="linked.toml").persons_out
    code, output, _ = type_in("release linked.toml --explain")
    assert (code, "up to 240 combinations of the records of 24" in output) == (0, True)
    assert "Refused" not in output
    assert not (hospital / "released").exists()


def test_memory_that_does_not_hold_one_combination_of_everybody_is_refused(
    hospital, type_in, monkeypatch
):
    monkeypatch.setattr(explain_records, "ROOM_OF_PERSON", 10**9)
    told = json.loads(type_in("release linked.toml --explain --json")[1])
    assert "give more (memory)" in told["refused"]


def test_a_changed_file_or_certificate_does_not_verify(hospital, type_in):
    la.release_records(spec="linked.toml").publish()
    place = hospital / "released/certificate.json"
    fields, text = json.loads(place.read_text()), (hospital / "released/visits.csv").read_text()
    fields["k"] = 20
    place.write_text(json.dumps(fields))
    code, output, _ = type_in("verify released")
    assert code == 1
    assert "✗ at least 20 persons share whatever may be known" in output
    (hospital / "released/visits.csv").write_text(text.replace("\n", "\n0000000000000000,x,A\n", 1))
    code, output, _ = type_in("verify released")
    assert code == 1
    assert "✗ visits.csv has the digest of the certificate" in output


def test_what_stands_out_over_several_records_is_said_before_publishing():
    people = pa.table({"no": range(120), "sex": ["f"] * 120})
    numbers = [n for n in range(120) for _ in range(40 if n == 7 else 1)]
    visits = pa.table(
        {
            "no": numbers,
            "ward": ["A"] * len(numbers),
            "day": [f"2024-05-{1 + n % 28:02d}" for n in numbers],
            "code": [f"c{n // 2}" if n < 60 else "c" for n in numbers],
        }
    )
    as_is = {"role": "other"}
    asked = functools.partial(
        la.release_records,
        people,
        records={
            "visits": {
                "table": visits,
                "person": "no",
                "knows": 1,
                "attributes": {"no": KEY, "ward": HIDE, "day": as_is, "code": as_is},
            }
        },
        source={"person": "no"},
        k=5,
        attributes={"no": KEY, "sex": HIDE},
    )
    found = {one.name: one for one in asked().preflight}
    assert "1 of 120 persons" in found["record-numbers"].sentence
    assert "the most records of a person are 40" in found["record-numbers"].sentence
    assert "'day' is a date released as it is" in found["dates-as-they-are"].sentence
    assert "60 of 120 persons (50.0 %)" in found["as-is-unique"].sentence
    assert found["as-is-unique"].stops
    told = [one.sentence + one.remedy for one in asked(unit="family").preflight if one.stops]
    assert [len(re.findall("famil(?:y|ies)", one)) for one in told] == [3]
    assert not re.search("persons?|somebody", "".join(told))


def test_an_error_of_the_checks_stops_publishing(hospital):
    rows = [(n, month, f"ward {n}") for n, month in VISITS]
    people = [(n + 24 * extra, *own) for extra in range(5) for n, *own in PEOPLE]
    write(hospital / "people.csv", "no,sex,age", people)
    visits = [(n + 24 * e, m, w, f"room {e}") for e in range(5) for n, m, w in rows]
    write(hospital / "visits.csv", "no,month,ward,room", visits)
    change(hospital, 'ward = {', 'room = { role = "other" }\nward = {')  # fmt: skip
    made = la.release_records(spec="linked.toml")
    with pytest.raises(la.RequirementNotMet, match="as-is-unique: visits: 120 of 120 persons"):
        made.publish()
    assert not (hospital / "released").exists()
    la.release_records(spec="linked.toml", accept=["as-is-unique"]).publish()
    assert la.verify("released").holds


@pytest.mark.parametrize("changed", ["knows = 2\nat_most = 2", "knows = 1"])
def test_households_are_called_so_and_never_persons(hospital, type_in, changed):
    change(hospital, "knows = 2", changed)
    made = la.release_records(spec="linked.toml", unit="household", link=changed != "knows = 1")
    made.publish("released/table.csv")
    statement = made.certificate.statement
    assert ("a household's sex and age and any two of its" in statement) == ("at_most" in changed)
    assert "at least 4 households" in statement
    code, output, _ = type_in("verify released")
    assert (code, "at least 4 households share" in output) == (0, True)
    for text in (statement, output):
        assert not re.search(r"\b(persons?|people|somebody's)\b", text, re.I)
    assert "Released households" in la.report("released").html
