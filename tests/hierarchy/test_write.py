import pytest

from lookalike.errors import InvalidInput, UnknownValue
from lookalike.hierarchy import File, Intervals, Mask, Taxonomy, write_hierarchy


def test_every_value_is_a_line_of_its_ancestors(tmp_path):
    write_hierarchy(Mask(), ["02", None, "13"], tmp_path / "zip.csv")
    assert (tmp_path / "zip.csv").read_text() == '"02";"0*";"*"\n"13";"1*";"*"\n'


def test_the_listed_domain_is_written_too(tmp_path):
    write_hierarchy(Taxonomy({"person": ["asian", "black"]}), ["black"], tmp_path / "race.csv")
    assert set(File(tmp_path / "race.csv").domain()) == {"asian", "black"}


def test_another_delimiter_is_read_back(tmp_path):
    write_hierarchy(Intervals([10]), ["5"], tmp_path / "age.csv", delimiter=",")
    assert File(tmp_path / "age.csv").ancestors("5") == ("5", "0-9", "*")


def test_a_height_of_0_is_read_back_whatever_the_value_holds(tmp_path):
    write_hierarchy(Taxonomy({"a,b;c": []}), [], tmp_path / "one.csv")
    assert File(tmp_path / "one.csv").ancestors("a,b;c") == ("a,b;c",)


def test_a_value_that_the_hierarchy_does_not_know_is_refused(tmp_path):
    with pytest.raises(UnknownValue, match="does not know 'x', 'y'; write them as plain numbers"):
        write_hierarchy(Intervals([10]), ["y", "5", "x"], tmp_path / "age.csv")
    assert not (tmp_path / "age.csv").exists()


def test_unknown_values_that_are_to_be_suppressed_are_left_out(tmp_path):
    write_hierarchy(Intervals([10], unknown="suppress"), ["5", "x"], tmp_path / "age.csv")
    assert File(tmp_path / "age.csv").domain() == ("5",)


def test_nothing_to_write_is_refused(tmp_path):
    with pytest.raises(InvalidInput, match="no value to write"):
        write_hierarchy(Mask(), [None], tmp_path / "zip.csv")


def test_a_hierarchy_without_one_top_is_refused(tmp_path):
    with pytest.raises(InvalidInput, match="the top must be one value"):
        write_hierarchy(Mask(steps=1), ["02", "13"], tmp_path / "zip.csv")
    assert not (tmp_path / "zip.csv").exists()
