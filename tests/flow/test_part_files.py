"""A release of part files is read like one file: verified, attacked and linked."""

import json

import pyarrow as pa
import pyarrow.parquet
import pytest

import lookalike as la
from lookalike.publish.digest import describe_file
from lookalike.publish.place import is_release

from ..publish.nine_people import COLUMNS, make


@pytest.fixture
def released(tmp_path):
    """Publish one file, and divide it into part files as Spark writes them."""
    folder = tmp_path / "released"
    make().publish(folder / "table.parquet")
    rows = pa.parquet.read_table(folder / "table.parquet")
    (folder / "table.parquet").unlink()
    (folder / "table.parquet").mkdir()
    for number in range(3):
        part = folder / "table.parquet" / f"part-0000{number}.parquet"
        pa.parquet.write_table(rows.slice(number * 3, 3), part)
    certify(folder, {f"table.parquet/{path.name}": path for path in part.parent.iterdir()})
    return folder


def certify(folder, files):
    """Write other files into the certificate."""
    place = folder / "certificate.json"
    certificate = json.loads(place.read_text())
    certificate["files"] = {name: vars(describe_file(path)) for name, path in files.items()}
    place.write_text(json.dumps(certificate))


def failures(folder, **fields):
    return [finding for finding in la.verify(folder, **fields).findings if not finding.holds]


def test_a_release_of_part_files_is_verified(released):
    made = make()
    assert failures(released) == []
    assert failures(released, spec=made.specification, table=pa.table(COLUMNS)) == []
    assert is_release(released)


def test_a_release_of_part_files_is_attacked_and_linked_like_one_file(released, tmp_path):
    make().publish(tmp_path / "one" / "table.parquet")
    specification, voters = make().specification, pa.table(COLUMNS)
    found, expected = (
        la.link(folder, voters, on=["zip"], spec=specification)
        for folder in (released, tmp_path / "one")
    )
    assert found.persons.matches.number.tolist() == expected.persons.matches.number.tolist()
    assert la.attack(released, tmp_path / "one", spec=specification).pairs


@pytest.mark.parametrize(
    "name",
    [
        "table.parquet/part-00003.parquet",
        "table.parquet/.hidden",
        "table.parquet/more/part.parquet",
        "more.parquet",
    ],
)
def test_a_file_that_is_added_is_found(name, released):
    (released / name).parent.mkdir(exist_ok=True)
    (released / name).write_bytes((released / "table.parquet/part-00000.parquet").read_bytes())
    assert f"not of this release: {name}" in [one.found for one in failures(released)]
    assert not is_release(released)


def test_a_folder_that_is_added_is_found(released):
    (released / "table.parquet" / "empty").mkdir()
    assert [one.found for one in failures(released)] == ["not of this release: table.parquet/empty"]


def test_a_part_that_is_changed_is_found(released):
    part = released / "table.parquet" / "part-00001.parquet"
    rows = pa.parquet.read_table(part)
    pa.parquet.write_table(rows, part, compression="none")
    assert [one.found for one in failures(released)] == [
        "changed after they were published: 'table.parquet/part-00001.parquet'"
    ]


@pytest.mark.parametrize("name", ["table.parquet/part-00001.parquet", "table.parquet"])
def test_a_link_is_found(name, released, tmp_path):
    (released / name).rename(tmp_path / "elsewhere")
    (released / name).symlink_to(tmp_path / "elsewhere")
    assert failures(released) != []
    assert not is_release(released)


@pytest.mark.parametrize(
    "names",
    [
        ["a.parquet/part-0.parquet", "b.parquet/part-1.parquet"],
        ["table.parquet/part-0.parquet", "more.parquet"],
        ["table.parquet/deep/part-0.parquet"],
        ["../part-0.parquet"],
        ["table.parquet/../../part-0.parquet"],
        ["/part-0.parquet"],
    ],
)
def test_certificates_that_name_other_files_are_refused(names, released):
    certify(released, dict.fromkeys(names, released / "table.parquet" / "part-00000.parquet"))
    assert failures(released) != []
    with pytest.raises(la.InvalidInput, match="the certificate names"):
        la.attack(released, released)
