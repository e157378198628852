"""Verifying a published folder finds every change, even with forged digests."""

import hashlib
import json
import shutil
from collections import Counter

import pyarrow as pa
import pytest

import lookalike as la

from ..roles import IDENTIFIER, LINKABLE, MASKED, SENSITIVE

ATTRIBUTES = {"name": IDENTIFIER, "zip": MASKED, "sex": LINKABLE, "ill": SENSITIVE}
COLUMNS = {
    "name": [f"person {number}" for number in range(13)],
    "zip": ["02138", "02139"] * 4 + ["02141", "02142"] * 2 + ["99999"],
    "sex": ["f"] * 4 + ["m"] * 9,
    "ill": [
        "flu",
        "flu",
        "ache",
        "flu",
        "ache",
        "ache",
        "ache",
        "rash",
        "rash",
        "rash",
        "pox",
        "pox",
        "gout",
    ],
}
PRIVATE = pa.table(COLUMNS)


class Published:
    """A release of CSV in the order of its source, and ways to tamper with it.

    It has the classes (0213*, f), (0213*, m) and (0214*, m) of four rows each, on the lines
    1-4, 5-8 and 9-12; 99999 is suppressed.
    """

    def __init__(self, folder, specification):
        self.folder, self.specification = folder, specification

    @classmethod
    def make(cls, parent, **fields):
        asked = {"k": 3, "method": "datafly", "keep_order": True} | fields
        made = la.release(PRIVATE, attributes=ATTRIBUTES, **asked)
        made.publish(parent / "released" / "table.csv")
        return cls(parent / "released", made.specification)

    def copy(self, parent):
        copied = shutil.copytree(self.folder, parent / "released")
        return Published(copied, self.specification)

    @property
    def lines(self):
        return (self.folder / "table.csv").read_text().splitlines()

    def write(self, lines):
        (self.folder / "table.csv").write_text("".join(line + "\n" for line in lines))
        content = (self.folder / "table.csv").read_bytes()
        digest = {"sha256": hashlib.sha256(content).hexdigest(), "bytes": len(content)}
        self.certify(files={"table.csv": digest})

    def edit(self, line, before, after):
        lines = self.lines
        assert before in lines[line]
        lines[line] = lines[line].replace(before, after)
        self.write(lines)

    def certify(self, quasi_identifier=None, **fields):
        path = self.folder / "certificate.json"
        changed = json.loads(path.read_text()) | fields
        changed["quasi_identifiers"][0] |= quasi_identifier or {}
        path.write_text(json.dumps(changed))

    def failures(self):
        """Verify as a recipient, and return the claims that do not hold."""
        return [finding.claim for finding in la.verify(self.folder).findings if not finding.holds]

    def untruths(self):
        """Verify as the data holder, and return the finding about rows that are not true."""
        proof = la.verify(self.folder, spec=self.specification, table=PRIVATE)
        *others, truth = proof.findings
        assert truth.claim == "every released row generalizes a private row of its own"
        assert [finding for finding in others if not finding.holds] == []
        assert proof.holds == truth.holds
        return truth.found


@pytest.fixture(scope="module")
def made_once(tmp_path_factory):
    return Published.make(tmp_path_factory.mktemp("made"))


@pytest.fixture
def published(made_once, tmp_path):
    return made_once.copy(tmp_path)


ROWS = "it has 12 rows, the input rows minus the dropped rows"
K = "every combination of zip, sex occurs at least 3 times"
CLASSES = "it has 3 classes, the smallest of 4 rows"
DIGEST = "table.csv has the digest of the certificate"
NAMES = "it has the columns of the certificate and no others"


def test_what_was_published_holds(published):
    assert [line.rpartition(",")[0] for line in published.lines] == [
        "zip,sex",
        *["0213*,f"] * 4,
        *["0213*,m"] * 4,
        *["0214*,m"] * 4,
    ]
    assert published.failures() == []
    assert published.untruths() == "all do"


@pytest.mark.parametrize("suffix", ["csv", "tsv", "jsonl", "parquet", "arrow"])
def test_a_changed_byte_is_found(suffix, tmp_path):
    made = la.release(PRIVATE, k=3, attributes=ATTRIBUTES)
    made.publish(tmp_path / "released" / f"table.{suffix}")
    path = tmp_path / "released" / f"table.{suffix}"
    content = path.read_bytes()
    for place in (0.0, 0.1, 0.3, 0.5, 0.7, 0.9, 1.0):
        changed = bytearray(content)
        changed[int(place * (len(content) - 1))] ^= 1
        path.write_bytes(changed)
        proof = la.verify(tmp_path / "released")
        failed = [finding.claim for finding in proof.findings if not finding.holds]
        assert f"table.{suffix} has the digest of the certificate" in failed, place
        assert not proof.holds


def test_a_removed_file_is_found(published):
    (published.folder / "table.csv").unlink()
    assert published.failures() == ["the folder holds every file of the certificate"]


@pytest.mark.parametrize("name", ["more.csv", ".hidden", "table.csv.bak", "sub"])
def test_a_file_more_is_found(name, published):
    (published.folder / name).mkdir() if name == "sub" else (published.folder / name).touch()
    assert published.failures() == ["the folder holds nothing else"]


def test_a_folder_without_certificate_is_no_release(published, tmp_path):
    (published.folder / "certificate.json").unlink()
    with pytest.raises(la.InvalidInput, match=r"is not a release: it has no certificate\.json"):
        la.verify(published.folder)
    with pytest.raises(la.InvalidInput, match="is not a release"):
        la.verify(tmp_path / "nowhere")


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        ("", r"certificate\.json: the file: "),
        ("{}", r"certificate\.json: statement: "),
        ("[]", r"certificate\.json: the file: "),
    ],
)
def test_a_certificate_that_is_none_is_refused(content, problem, published):
    (published.folder / "certificate.json").write_text(content)
    with pytest.raises(la.InvalidInput, match=problem):
        la.verify(published.folder)


@pytest.mark.parametrize(
    ("quasi_identifier", "fields", "failed"),
    [
        ({"k": 5}, {}, ["every combination of zip, sex occurs at least 5 times", CLASSES]),
        ({"rows_below_k": 4}, {}, [f"{CLASSES}, 4 rows below k"]),
        ({"k_reached": 5}, {}, ["it has 3 classes, the smallest of 5 rows"]),
        ({"k_reached": 3}, {}, ["it has 3 classes, the smallest of 3 rows"]),
        ({"classes": 4}, {}, ["it has 4 classes, the smallest of 4 rows"]),
        ({}, {"rows_out": 13}, ["it has 13 rows, the input rows minus the dropped rows"]),
        ({}, {"rows_in": 14}, [ROWS]),
        ({}, {"rows_suppressed": 0}, [ROWS]),
        ({}, {"rows_complementary": 1}, [ROWS]),
        ({}, {"suppressed_rows": "blank"}, [ROWS]),
        ({}, {"columns": ["zip", "ill"]}, [NAMES]),
        ({}, {"columns": ["sex", "zip", "ill"]}, [NAMES]),
    ],
)
def test_a_changed_count_of_the_certificate_is_found(quasi_identifier, fields, failed, published):
    published.certify(quasi_identifier, **fields)
    assert set(failed) <= set(published.failures())


def test_a_doubled_row_is_found(published):
    published.write([*published.lines, published.lines[1]])
    assert published.failures() == [ROWS]


def test_a_removed_row_is_found(published):
    published.write(published.lines[:-1])
    assert published.failures() == [ROWS, CLASSES]


def test_a_class_below_k_is_found(published):
    for line in (1, 2):
        published.edit(line, "0213*,f", "0213*,m")
    assert published.failures() == [K, CLASSES]


def test_an_added_column_is_found(published):
    header, *rows = published.lines
    published.write([f"{header},name", *(f"{row},x" for row in rows)])
    assert published.failures() == [NAMES]


def test_a_value_under_a_wrong_ancestor_is_found(published):
    for line in range(9, 13):
        published.edit(line, "0214*", "0215*")
    assert published.failures() == []
    assert published.untruths() == "4 rows do not"


def test_a_value_that_is_less_general_than_claimed_is_found(published):
    for line in range(9, 13):
        published.edit(line, "0214*", "02141")
    assert published.failures() == []
    assert published.untruths() == "4 rows do not"


def test_a_changed_value_of_level_0_is_found(published):
    for line in range(1, 5):
        published.edit(line, ",f,", ",x,")
    assert published.failures() == []
    assert published.untruths() == "4 rows do not"


def test_sensitive_values_swapped_between_classes_are_found(published):
    first, last = published.lines[1], published.lines[12]
    assert (first, last) == ("0213*,f,flu", "0214*,m,pox")
    published.edit(1, "flu", "pox")
    published.edit(12, "pox", "flu")
    assert published.failures() == []
    assert published.untruths() == "2 rows do not"


def test_sensitive_values_swapped_within_a_class_change_nothing(published):
    lines = published.lines
    assert (lines[1], lines[3]) == ("0213*,f,flu", "0213*,f,ache")
    lines[1], lines[3] = lines[3], lines[1]
    published.write(lines)
    assert published.untruths() == "all do"


def test_a_row_doubled_in_the_place_of_another_is_found(published):
    lines = published.lines
    assert (lines[3], lines[4]) == ("0213*,f,ache", "0213*,f,flu")
    lines[4] = lines[3]
    published.write(lines)
    assert published.failures() == []
    assert published.untruths() == "1 row does not"


def test_a_suppressed_row_that_was_put_back_is_found(published):
    published.write([*published.lines, *["0214*,m,gout"]])
    published.certify(rows_out=13, rows_suppressed=0, precision=0.9, completeness=1.0)
    assert published.failures() == []
    assert published.untruths() == "1 row does not"


@pytest.fixture
def blank(tmp_path):
    return Published.make(tmp_path, suppressed_rows="blank", max_suppressed=1)


def test_a_release_with_blank_rows_holds(blank):
    values = Counter(line.rpartition(",")[0] for line in blank.lines[1:])
    assert values["*,*"] == 3
    assert sum(values.values()) == 13
    assert blank.failures() == []
    assert blank.untruths() == "all do"


def test_sensitive_values_of_blank_rows_are_proved_too(blank):
    line = next(n for n, line in enumerate(blank.lines) if line == "*,*,gout")
    blank.edit(line, "gout", "cold")
    assert blank.failures() == []
    assert blank.untruths() == "1 row does not"


def test_sensitive_values_swapped_with_a_blank_row_are_found(blank):
    line = next(n for n, line in enumerate(blank.lines) if line == "*,*,gout")
    other = next(n for n, line in enumerate(blank.lines) if line.startswith("0213*,f"))
    value = blank.lines[other].rpartition(",")[2]
    blank.edit(line, "gout", value)
    blank.edit(other, value, "gout")
    assert blank.failures() == []
    assert blank.untruths() != "all do"


def test_another_specification_is_refused(published):
    attributes = {name: ATTRIBUTES[name] for name in ("name", "zip", "ill")}
    fields = {"release": {"k": 3}, "attributes": attributes | {"sex": {"role": "other"}}}
    other = la.Specification.build(fields)
    with pytest.raises(la.InvalidInput, match="is not that of this release"):
        la.verify(published.folder, spec=other, table=PRIVATE)


def test_the_private_table_needs_its_hierarchies(published):
    with pytest.raises(la.InvalidInput, match="give the specification"):
        la.verify(published.folder, table=PRIVATE)


def test_a_specification_without_a_source_needs_the_private_table(published):
    with pytest.raises(la.InvalidInput, match="names no source; give the private table"):
        la.verify(published.folder, spec=published.specification)


@pytest.fixture
def elsewhere(published, tmp_path):
    """The file of the release, moved out of its folder."""
    moved = tmp_path / "elsewhere.csv"
    (published.folder / "table.csv").rename(moved)
    return moved


def test_a_file_that_is_a_link_is_refused(published, elsewhere):
    (published.folder / "table.csv").symlink_to(elsewhere)
    assert published.failures() == ["the folder holds every file of the certificate"]
    refuse_to_follow(published, "is a symbolic link")


@pytest.mark.parametrize("absolute", [False, True])
def test_a_file_outside_of_the_folder_is_refused(absolute, published, elsewhere):
    content = elsewhere.read_bytes()
    digest = {"sha256": hashlib.sha256(content).hexdigest(), "bytes": len(content)}
    published.certify(files={str(elsewhere) if absolute else "../elsewhere.csv": digest})
    assert "the folder holds every file of the certificate" in published.failures()
    refuse_to_follow(published, "outside the folder of the release")


def refuse_to_follow(published, problem):
    with pytest.raises(la.InvalidInput, match=problem):
        la.link(published.folder, PRIVATE, ["zip"], spec=published.specification)
    with pytest.raises(la.InvalidInput, match=problem):
        la.attack(published.folder, published.folder, spec=published.specification)
