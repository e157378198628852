"""A reviewed release is published only as it was reviewed, and the dossier keeps the answer."""

import json
import re
from dataclasses import asdict, replace

import pyarrow as pa
import pytest

import lookalike as la
from lookalike.flow.require_review import describe_subject, digest_source
from lookalike.publish.review import Decision
from lookalike.spec.settle_columns import settle_columns
from lookalike.spec.specification import Specification

ROWS = 120
SPECIFICATION = """
[source]
path = "stays.csv"
person = "row"
[release]
k = 3
method = "mingen"
out = "released/stays.csv"
dossier = "private"
purpose = "planning beds"
[attributes.zip]
role = "quasi-identifier"
hierarchy = { kind = "file", path = "zips.csv" }
[attributes.bed]
role = "other"
[attributes.day]
role = "other"
[attributes.bill]
role = "other"
"""


@pytest.fixture
def asked(tmp_path):
    """The specification of a table whose columns released as they are single out every row."""
    lines = [f"0213{one % 2},{one % 12},{one // 12},{one % 7}" for one in range(ROWS)]
    (tmp_path / "stays.csv").write_text("\n".join(["zip,bed,day,bill", *lines]) + "\n")
    (tmp_path / "zips.csv").write_text("02130;0213*\n02131;0213*\n")
    path = tmp_path / "stays.toml"
    path.write_text(SPECIFICATION)
    return path


def answer(asked, **changes):
    """Review a release: accept everything, but for what is changed."""
    page = la.review(asked)
    decisions = [Decision(one.name, one.sentence, "accept", "agreed") for one in page.findings]
    given = la.Review(page.subject, "accept", "fine", "Ann", "2026-11-18", tuple(decisions))
    path = asked.parent / "review.json"
    path.write_text(json.dumps(asdict(replace(given, **changes))), encoding="utf-8")
    return path


def release(asked, **changes):
    made = la.release(spec=asked, **changes)
    made.publish()
    return made


def test_without_a_review_the_errors_stop_the_release(asked):
    with pytest.raises(la.RequirementNotMet, match=r"as-is-unique(.|\n)*lookalike review"):
        release(asked)


def test_a_review_accepts_what_it_names_and_the_dossier_keeps_it(asked):
    path = answer(asked)
    made = release(asked, review=str(path))
    assert made.preflight
    assert all(one.accepted for one in made.preflight)
    kept = json.loads((asked.parent / "private" / "preflight.json").read_text())
    assert kept["review"] == json.loads(path.read_text())
    assert (kept["purpose"], kept["recipient"]) == ("planning beds", None)
    assert kept["source_sha256"] == digest_source(made.specification.source)
    assert made.certificate.accepted == ()  # of the table in memory
    published = json.loads((asked.parent / "released" / "certificate.json").read_text())
    assert "as-is-unique" in published["accepted"]
    assert "Ann" not in json.dumps(published)


def test_findings_that_it_does_not_name_are_not_accepted(asked):
    path = answer(asked, decisions=())
    with pytest.raises(la.RequirementNotMet, match="nothing was published"):
        release(asked, review=str(path))


def test_a_finding_with_another_sentence_is_not_the_one_that_was_reviewed(asked):
    page = la.review(asked)
    other = [Decision(one.name, f"{one.sentence} ", "accept", "x") for one in page.findings]
    path = answer(asked, decisions=tuple(other))
    with pytest.raises(la.RequirementNotMet, match="nothing was published"):
        release(asked, review=str(path))


def test_a_refusal_stops_also_what_the_specification_accepts(asked):
    path = answer(asked, decision="refuse")
    with pytest.raises(la.RequirementNotMet, match="Ann refused"):
        la.release(spec=asked, review=str(path), accept=["as-is-unique"])


def test_another_source_or_specification_needs_another_review(asked):
    path = answer(asked)
    with pytest.raises(la.RequirementNotMet, match="the specification changed"):
        la.release(spec=asked, review=str(path), k=4)
    source = asked.parent / "stays.csv"
    source.write_text(source.read_text().replace("\n02130,0,0,0\n", "\n02131,0,0,0\n"))
    with pytest.raises(la.RequirementNotMet, match="the source changed"):
        la.release(spec=asked, review=str(path))


def subject_of(asked, **changes):
    return describe_subject(settle_columns(Specification.load(asked, changes)))


def test_the_subject_depends_on_what_decides_the_release(asked):
    before = subject_of(asked)
    places = {"out": "other/a.csv", "dossier": "other", "accept": ["free-text"], "report": False}
    assert subject_of(asked, **places) == before
    for changes in ({"k": 4}, {"max_suppressed": 1}, {"state_exposure": False}):
        assert subject_of(asked, **changes).specification_sha256 != before.specification_sha256
    (asked.parent / "zips.csv").write_text("02130;0213?\n02131;0213?\n")
    after = subject_of(asked)
    assert after.specification_sha256 != before.specification_sha256
    assert after.source_sha256 == before.source_sha256


@pytest.mark.parametrize("field", ["withdrawn", "k_map"])
def test_the_subject_depends_on_files_beside_the_source(asked, field):
    beside = asked.parent / "beside.csv"
    given = {
        "k_map": {"k_map": {"k": 3, "population": str(beside)}},
        "withdrawn": {"withdrawn": str(beside), "leavers": "keep", "ledger": "a.db"},
    }[field]
    keyed = SPECIFICATION.replace('"row"\n', '"row"\nrow_key = "bed"\n')
    asked.write_text(keyed.replace('bed]\nrole = "other"', 'bed]\nrole = "identifier"'))
    beside.write_text("zip\n02130\n")
    before = subject_of(asked, **given)
    assert subject_of(asked, **given) == before
    beside.write_text("zip\n02131\n")
    after = subject_of(asked, **given)
    assert after.specification_sha256 != before.specification_sha256


def test_the_subject_depends_on_which_file_a_name_of_a_query_stands_for(asked):
    """Whoever is withdrawn must not change places with who is released."""
    (asked.parent / "gone.csv").write_text("zip,bed,day,bill\n02130,1,1,1\n")
    query = 'query = "FROM stays EXCEPT FROM gone"\ntables = { stays = "%s", gone = "%s" }'

    def subject_with(*files):
        asked.write_text(SPECIFICATION.replace('path = "stays.csv"', query % files))
        return subject_of(asked)

    before = subject_with("stays.csv", "gone.csv")
    assert subject_with("gone.csv", "stays.csv") != before
    query = 'query = "FROM stays EXCEPT FROM gone"\ntables = { gone = "%s", stays = "%s" }'
    assert subject_with("stays.csv", "gone.csv") != before


def test_a_file_that_moves_from_one_table_to_another_needs_another_review(asked):
    query = 'query = "FROM a UNION ALL FROM b"\ntables = { a = "%s", b = "%s" }'
    for name in ("part-1.csv", "part-2.csv", "part-3.csv"):
        (asked.parent / name).write_text(f"zip,bed,day,bill\n02130,{name[5]},1,1\n")
    found = []
    for globs in (("part-[12].csv", "part-3.csv"), ("part-1.csv", "part-[23].csv")):
        asked.write_text(SPECIFICATION.replace('path = "stays.csv"', query % globs))
        found.append(subject_of(asked))
    assert found[0] != found[1]


def test_a_frame_has_no_review(asked):
    table = pa.table({"zip": ["02130", "02131"] * 5})
    roles = {"zip": {"role": "quasi-identifier", "hierarchy": {"kind": "mask"}}}
    with pytest.raises(la.InvalidInput, match="the source must be a file of this machine"):
        la.release(table, attributes=roles, k=2, review=str(answer(asked)))


def test_the_page_is_private_and_new_and_shows_every_finding(asked):
    file = asked.parent / "page.html"
    page = la.review(asked, page=file)
    assert file.stat().st_mode & 0o777 == 0o600
    assert file.read_text(encoding="utf-8") == page.html
    assert page.html.count("data-finding=") == len(page.findings) > 0
    assert re.search("script-src 'sha256-[A-Za-z0-9+/]{43}='; base-uri", page.html)
    assert not (asked.parent / "released").exists()
    assert not (asked.parent / "private").exists()
    with pytest.raises(la.AlreadyExists, match=r"page: .*page.html exists already"):
        la.review(asked, page=file)


@pytest.mark.parametrize(
    "place",
    ['path = "stays.csv"', 'query = "FROM stays"\ntables = { stays = "stays.csv" }'],
)
def test_a_source_that_is_nothing_but_its_place_is_reviewed(asked, place):
    text = SPECIFICATION.replace('path = "stays.csv"\nperson = "row"', place)
    assert text != SPECIFICATION
    asked.write_text(text)
    given = answer(asked)
    assert release(asked, review=str(given)).certificate.rows_out
