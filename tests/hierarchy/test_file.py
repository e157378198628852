import dataclasses
from pathlib import Path

import pytest

from lookalike.errors import InvalidInput, UnknownValue
from lookalike.hierarchy import File

RACES = "asian;person;*\nblack;person;*\nwhite;person;*\n"


@pytest.fixture
def write(tmp_path):
    def write_file(content, **fields):
        path = tmp_path / "race.csv"
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return File(path, **fields)

    return write_file


def test_a_line_lists_a_value_and_its_ancestors(write):
    file = write(RACES)
    assert file.ancestors("black") == ("black", "person", "*")
    assert file.height == 2
    assert file.domain() == ("asian", "black", "white")


def test_a_path_may_be_text():
    assert File("race.csv").path == Path("race.csv")


def test_the_file_is_read_when_it_is_first_needed_and_only_then(write):
    file = write(RACES)
    assert file.height == 2
    file.path.unlink()
    assert file.ancestors("asian") == ("asian", "person", "*")


def test_a_path_can_be_resolved_before_the_file_is_read(tmp_path):
    (tmp_path / "race.csv").write_text(RACES)
    file = File("race.csv")
    assert dataclasses.replace(file, path=tmp_path / file.path).height == 2


def test_the_ground_domain_counts_all_its_leaves(write):
    bound = write(RACES).bind("race", ["asian", None])
    assert bound.leaves[1].tolist() == [3, 1]
    assert bound.leaves[2].tolist() == [4]


def test_a_column_of_missing_values_has_the_top_of_the_file(write):
    bound = write("a;person\nb;person\n").bind("race", [None])
    assert bound.labels == ((None,), ("person",))
    assert bound.leaves[1].tolist() == [3]


@pytest.mark.parametrize(
    ("content", "path"),
    [
        ("a,x;y\n", ("a,x", "y")),
        ("a,x,y\n", ("a", "x", "y")),
        ('"a;b",x\n', ("a;b", "x")),
        ('\n\n"a,b";x\n', ("a,b", "x")),
        ('"two\nlines";x\n', ("two\nlines", "x")),
        ('"say ""hi""";x\n', ('say "hi"', "x")),
        ('5" pipe;x\n', ('5" pipe', "x")),
        ("a;b\r\n", ("a", "b")),
        ("a;b", ("a", "b")),
        (" a ; b \n", (" a ", " b ")),
        ('"";x\n', ("", "x")),
        ("\ufeffa;b\n", ("a", "b")),
        ('\ufeff"a";b\n', ("a", "b")),
    ],
)
def test_lines_are_csv(write, content, path):
    file = write(content)
    assert file.ancestors(path[0]) == path
    assert file.domain() == (path[0],)


def test_a_delimiter_can_be_given(write):
    assert write("a;1\tx\n", delimiter="\t").ancestors("a;1") == ("a;1", "x")


def test_an_encoding_can_be_given(write):
    assert write("é;x\n".encode("latin-1"), encoding="latin-1").ancestors("é") == ("é", "x")
    assert write("é;x\n".encode("utf-16"), encoding="utf-16").ancestors("é") == ("é", "x")


def test_blank_lines_and_repeated_lines_are_skipped(write):
    assert write("a;x\n\n\na;x\nb;x\n").domain() == ("a", "b")


def test_one_value_is_its_own_top(write):
    assert write("only\n").height == 0


def test_a_value_that_the_file_lacks_is_unknown(write):
    file = write(RACES)
    with pytest.raises(UnknownValue, match=r"add a line for it to race\.csv"):
        file.climb("Asian")
    with pytest.raises(UnknownValue, match=r"'race': 1 value .*'Asian'; .*race\.csv, or set"):
        file.bind("race", ["asian", "Asian"])


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("", r"race\.csv: the file is empty"),
        ("\n\n", r"race\.csv: the file is empty"),
        ("a;x;*\nb;*\n", r"race\.csv, line 2: has 2 labels, but .*race\.csv, line 1 has 3"),
        ("a;x;*\n\na;y;*\n", r"race\.csv, line 3: 'a' at level 0 is under 'y', but under 'x' at"),
        ("a;x;y;*\nb;x;z;*\n", r"race\.csv, line 2: 'x' at level 1 is under 'z', but under 'y'"),
        ("a;x\nb;x\nc;y\n", r"line 3: the top must be one value, .*'y' and 'x' at .*line 1"),
        ('a;x\n"b;x\n', r"race\.csv, line \d: not valid CSV"),
        ('a;x\n"b"c;x\n', r"race\.csv, line 2: not valid CSV"),
        (b"a;x\n\xe9;x\n", r"race\.csv, line 2: not in the encoding utf-8; set encoding"),
    ],
)
def test_a_file_that_is_no_hierarchy_is_refused(write, content, message):
    file = write(content)
    with pytest.raises(InvalidInput, match=message):
        file.domain()


def test_several_tops_are_allowed_below_a_suppression_level(write):
    assert write("a;x\nb;y\n", suppression_level=True).ancestors("b") == ("b", "y", "*")


def test_a_suppression_level_above_the_suppressed_value_is_refused(write):
    file = write(RACES, suppression_level=True)
    with pytest.raises(InvalidInput, match=r"race\.csv, line 1: .*leave suppression_level out"):
        _ = file.height


def test_a_file_that_does_not_exist_is_refused(tmp_path):
    with pytest.raises(InvalidInput, match=r"lost\.csv: No such file"):
        File(tmp_path / "lost.csv").domain()


def test_a_directory_is_refused(tmp_path):
    with pytest.raises(InvalidInput, match="Is a directory"):
        File(tmp_path).domain()


@pytest.mark.parametrize("delimiter", ["", ";;", '"', "\n"])
def test_a_delimiter_is_one_character(delimiter):
    with pytest.raises(InvalidInput, match="delimiter must be one character"):
        File("race.csv", delimiter=delimiter)


@pytest.mark.parametrize("encoding", ["utf-9", "hex"])
def test_an_encoding_is_known(encoding):
    with pytest.raises(InvalidInput, match=f"encoding '{encoding}' is not known"):
        File("race.csv", encoding=encoding)
