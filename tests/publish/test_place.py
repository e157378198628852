"""The place of a release: which folders can become a release, and which are left alone."""

import pytest

import lookalike as la

from .nine_people import make, names


def test_an_empty_folder_becomes_the_release(tmp_path):
    (tmp_path / "released").mkdir()
    make().publish(tmp_path / "released" / "table.csv")

    assert la.verify(tmp_path / "released").holds


def test_a_release_is_replaced_on_request_only(tmp_path):
    make().publish(tmp_path / "released" / "table.csv")
    before = (tmp_path / "released" / "table.csv").read_bytes()
    with pytest.raises(la.AlreadyExists, match="holds a release already; replace it"):
        make().publish(tmp_path / "released" / "table.csv")
    assert (tmp_path / "released" / "table.csv").read_bytes() == before
    make(keep_order=True).publish(tmp_path / "released" / "other.parquet", replace=True)

    assert names(tmp_path) == ["released"]
    assert names(tmp_path / "released") == ["certificate.json", "other.parquet"]
    assert la.verify(tmp_path / "released").holds


def test_replace_does_not_need_a_release(tmp_path):
    make().publish(tmp_path / "released" / "table.csv", replace=True)

    assert names(tmp_path) == ["released"]
    assert la.verify(tmp_path / "released").holds


@pytest.mark.parametrize("replace", [False, True])
@pytest.mark.parametrize(
    "found", ["notes.txt", "certificate.json", "table.csv", ".hidden", "sub/x"]
)
def test_a_folder_with_other_files_is_left_alone(found, replace, tmp_path):
    (tmp_path / "released" / found).parent.mkdir(parents=True)
    (tmp_path / "released" / found).write_text("mine")
    with pytest.raises(la.InvalidInput, match="holds other files"):
        make().publish(tmp_path / "released" / "table.csv", replace=replace)

    assert (tmp_path / "released" / found).read_text() == "mine"
    assert names(tmp_path) == ["released"]


def test_a_release_with_a_file_more_is_left_alone(tmp_path):
    make().publish(tmp_path / "released" / "table.csv")
    (tmp_path / "released" / "notes.txt").write_text("mine")
    with pytest.raises(la.InvalidInput, match="holds other files"):
        make().publish(tmp_path / "released" / "table.csv", replace=True)

    assert names(tmp_path / "released") == ["certificate.json", "notes.txt", "table.csv"]


def test_a_file_in_its_place_is_left_alone(tmp_path):
    (tmp_path / "released").write_text("mine")
    with pytest.raises(la.InvalidInput, match="is a file; choose another folder"):
        make().publish(tmp_path / "released" / "table.csv", replace=True)
    with pytest.raises(la.InvalidInput, match="cannot be written: File exists"):
        make().publish(tmp_path / "released" / "below" / "table.csv", replace=True)

    assert (tmp_path / "released").read_text() == "mine"
    assert names(tmp_path) == ["released"]


@pytest.mark.parametrize("out", ["table.csv", "./table.csv", "/table.csv", "released/../table.csv"])
def test_a_release_needs_a_folder_of_its_own(out, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(la.InvalidInput, match="a release needs a folder of its own"):
        make().publish(out)

    assert names(tmp_path) == []


@pytest.mark.parametrize("out", ["released/table", "released/table.txt", "released/.csv"])
def test_a_suffix_that_is_no_format_is_refused(out, tmp_path):
    with pytest.raises(la.InvalidInput, match="the suffix chooses the format"):
        make().publish(tmp_path / out)

    assert names(tmp_path) == []


def test_a_release_is_not_inside_another(tmp_path):
    make().publish(tmp_path / "released" / "table.csv")
    with pytest.raises(la.InvalidInput, match="is inside the release"):
        make().publish(tmp_path / "released" / "inner" / "table.csv")

    assert la.verify(tmp_path / "released").holds


def test_a_link_to_a_release_is_not_replaced(tmp_path):
    make().publish(tmp_path / "released" / "table.csv")
    before = (tmp_path / "released" / "table.csv").read_bytes()
    (tmp_path / "link").symlink_to(tmp_path / "released")
    with pytest.raises(la.InvalidInput, match=r"link is a symbolic link.*name its target"):
        make().publish(tmp_path / "link" / "table.csv", replace=True)
    assert names(tmp_path) == ["link", "released"]
    assert (tmp_path / "released" / "table.csv").read_bytes() == before


@pytest.mark.parametrize("replace", [False, True])
def test_a_link_to_nothing_does_not_become_a_release(replace, tmp_path):
    (tmp_path / "link").symlink_to(tmp_path / "nothing")
    with pytest.raises(la.InvalidInput, match="is a symbolic link"):
        make().publish(tmp_path / "link" / "table.csv", replace=replace)
    assert names(tmp_path) == ["link"]


@pytest.mark.parametrize("name", ["table.csv", "certificate.json"])
def test_a_folder_with_a_link_is_no_release(name, tmp_path):
    make().publish(tmp_path / "released" / "table.csv")
    (tmp_path / "released" / name).rename(tmp_path / f"moved {name}")
    (tmp_path / "released" / name).symlink_to(tmp_path / f"moved {name}")
    with pytest.raises(la.InvalidInput, match="holds other files"):
        make().publish(tmp_path / "released" / "table.csv", replace=True)
    assert (tmp_path / "released" / name).is_symlink()


def test_a_release_is_not_inside_another_by_a_link(tmp_path):
    make().publish(tmp_path / "released" / "table.csv")
    (tmp_path / "link").symlink_to(tmp_path / "released")
    with pytest.raises(la.InvalidInput, match="is inside the release"):
        make().publish(tmp_path / "link" / "more" / "table.csv")
    assert names(tmp_path / "released") == ["certificate.json", "table.csv"]
