"""Changing one field of a TOML text."""

from decimal import Decimal

import pytest

from lookalike.errors import InvalidInput
from lookalike.studio.editing.edit_toml import parse_toml, set_field

TEXT = '''\
# head
top = 1

[release]  # the release
k = 5  # few
note = """
[attributes.zip]
k = 7
"""
constraints = [
  "zip <= 2",  # a comment with ] and [
]

[attributes."a ]b"]
role = "other"

[attributes.zip]
role = "quasi-identifier"
# why so
hierarchy = { kind = "mask" }
'''


def test_a_value_is_replaced_and_the_rest_stays():
    changed = set_field(TEXT, ("release",), "k", 3)
    assert changed == TEXT.replace("k = 5  # few", "k = 3  # few")


def test_a_value_of_several_lines_is_replaced():
    changed = set_field(TEXT, ("release",), "constraints", [])
    assert parse_toml(changed)["release"]["constraints"] == []
    assert "a comment with" not in changed
    assert changed.startswith(TEXT[: TEXT.index("constraints")])


COMMENTED = [
    ("k = 5  # agreed with the ethics board", 3, "k = 3  # agreed with the ethics board"),
    ("k = 5\t#tight", 3, "k = 3\t#tight"),
    ("k = 'a # b'", 3, "k = 3"),
    ("k = 'a # b' # c 'd'", 3, "k = 3 # c 'd'"),
    (r'k = "a \" # b"  # c # d', 3, "k = 3  # c # d"),
    (r"k = 'a \'  # c", 3, "k = 3  # c"),
    ('k = ""  # c', 3, "k = 3  # c"),
    ('k = """\n# a\n" # b ""\n"""  # c', 3, "k = 3  # c"),
    ('k = """a""""" # c', 3, "k = 3 # c"),
    ("k = '''\n# a '' # b\n'''  # c", 3, "k = 3  # c"),
    ("k = '''a''''  # c", 3, "k = 3  # c"),
    ('k = ["#", \'#\', "]"]  # c', ["#"], 'k = ["#"]  # c'),
    ('k = [\n  "a", # why a\n]  # c', 3, "k = 3  # c"),
    ('k = [\n  "a", # why a ]\n]  # c', [], "k = []  # c"),
    ("k = { a = \"#\", b = '}' }  # c", {"a": "}"}, 'k = { a = "}" }  # c'),
    ("k = { a = [\n  1, # one\n] }  # c", {"a": [2]}, "k = { a = [2] }  # c"),
    ("k = 5  # c", "# d", 'k = "# d"  # c'),
    ("k = 5  # c", None, ""),
]


@pytest.mark.parametrize(("written", "value", "expected"), COMMENTED)
def test_the_comment_behind_a_value_stays(written, value, expected):
    text = f"[release]\nfirst = 1\n{written}\nlast = 2  # kept\n"
    changed = set_field(text, ("release",), "k", value)
    assert changed == text.replace(f"{written}\n", f"{expected}\n" if expected else "")


LISTED = """\
accept = [
  # The board has seen these.
  # On 3 May.
  "a", "b",  # minutes, page 3
  'c',
  # more to come
]  # see the minutes
"""


def test_elements_that_stay_in_an_array_keep_their_comments():
    changed = set_field(LISTED, (), "accept", ["d # d", "b", "a"])
    assert (
        changed
        == """\
accept = [
  "d # d",
  "b",  # minutes, page 3
  # The board has seen these.
  # On 3 May.
  "a",
  # more to come
]  # see the minutes
"""
    )


def test_an_element_that_leaves_an_array_takes_its_comments_with_it():
    changed = set_field(LISTED, (), "accept", ["c"])
    assert changed == "accept = [\n  'c',\n  # more to come\n]  # see the minutes\n"


def test_one_comment_belongs_to_one_element():
    changed = set_field("x = [\n  1, # one\n]\n", (), "x", [1, 1, Decimal("1.0")])
    assert changed == "x = [\n  1,  # one\n  1,\n  1.0,\n]\n"


def test_nested_arrays_keep_the_comments_of_what_stays():
    text = """\
ranges = [
  [[0, 17], # minors, "]"
   [18, 64]],
  [[0, 64]], # all below the age of retirement
]
"""
    changed = set_field(text, (), "ranges", [[[0, 17], [18, 64]], [[0, 99]]])
    assert changed == text.replace("  [[0, 64]], # all below the age of retirement", "  [[0, 99]],")


def test_fields_that_stay_in_a_table_keep_the_comments_inside_of_them():
    text = 'hierarchy = { kind = "dates", "steps" = [\n  "year", # as agreed\n], century = 1930 }\n'
    changed = set_field(
        text, (), "hierarchy", {"kind": "dates", "steps": ["year", "5 years"], "fixed_day": 1}
    )
    kept = '[\n  "year",  # as agreed\n  "5 years",\n]'
    assert changed == f'hierarchy = {{ kind = "dates", steps = {kept}, fixed_day = 1 }}\n'


def test_a_table_of_dotted_keys_is_replaced_as_a_whole():
    text = "[release]\ndeep.x = [\n  1, # one\n]  # c\n"
    changed = set_field(text, ("release",), "deep", {"y": [1]})
    assert changed == "[release]\ndeep = { y = [1] }  # c\n"


@pytest.mark.parametrize("mark", ["\u2028", "\x85", "\u2029"])
def test_only_line_feeds_end_lines(mark):
    text = f'note = "a{mark}b"  # c{mark}d\nk = 5\n'
    assert set_field(text, (), "k", 3) == text.replace("5", "3")
    assert set_field(text, (), "note", "e") == f'note = "e"  # c{mark}d\nk = 5\n'


def test_lines_of_another_system_are_changed():
    text = '[release]\r\nk = 5  # c\r\nnote = """\r\na"""\r\n'
    changed = set_field(text, ("release",), "k", 3)
    assert changed == '[release]\nk = 3  # c\nnote = """\na"""\n'


def test_a_field_is_added_at_the_end_of_its_table():
    changed = set_field(TEXT, ("attributes", "a ]b"), "unique", True)
    assert changed == TEXT.replace('role = "other"\n', 'role = "other"\nunique = true\n')


def test_a_removed_field_takes_its_comment_with_it():
    changed = set_field(TEXT, ("attributes", "zip"), "hierarchy", None)
    assert changed == TEXT[: TEXT.index("# why so")]


def test_a_table_is_added():
    changed = set_field(TEXT, ("source",), "person", 'a "b"\n')
    assert parse_toml(changed)["source"] == {"person": 'a "b"\n'}
    assert changed.startswith(TEXT)


def test_a_field_outside_of_tables_is_changed():
    assert set_field(TEXT, (), "top", 2) == TEXT.replace("top = 1", "top = 2")


def test_nothing_changes_if_the_value_is_the_same():
    assert set_field(TEXT, ("release",), "k", 5) is TEXT
    assert set_field(TEXT, ("release",), "none", None) is TEXT


def test_a_number_of_rows_and_a_share_of_them_are_different():
    text = set_field(TEXT, ("release",), "max_suppressed", 1)
    changed = set_field(text, ("release",), "max_suppressed", Decimal("1.0"))
    assert changed == text.replace("max_suppressed = 1", "max_suppressed = 1.0")


def test_decimals_are_exact():
    changed = set_field(TEXT, ("release",), "max_suppressed", Decimal("0.010"))
    assert "max_suppressed = 0.010" in changed


INLINE = """\
[records.visits.attributes]
no = { role = "identifier" }
day = { role = "other", hierarchy = { kind = "dates" } }  # of the visit
"""


def test_a_field_of_a_table_on_one_line_is_changed():
    day = ("records", "visits", "attributes", "day")
    changed = set_field(INLINE, day, "role", "drop")
    assert changed == INLINE.replace('"other"', '"drop"')
    gone = set_field(changed, day, "hierarchy", None)
    assert gone == changed.replace(', hierarchy = { kind = "dates" }', "")
    assert set_field("release = { k = 5 }\n", ("release",), "k", 3) == "release = { k = 3 }\n"


@pytest.mark.parametrize("text", ["release.a = {}\nrelease.k = 5\n", "release.k = 5\n"])
def test_what_cannot_be_changed_alone_is_refused(text):
    with pytest.raises(InvalidInput, match=r"not TOML|release\.k is written in a way"):
        set_field(text, ("release",), "k", 3)


def test_a_table_with_a_table_in_it_is_changed():
    text = "[release]\nk = 5\n[release.deep]\nx = 1\n"
    assert set_field(text, ("release",), "k", 3) == text.replace("5", "3")


def test_text_that_is_not_toml_is_refused():
    with pytest.raises(InvalidInput, match="not TOML"):
        parse_toml("[release\n")


def test_who_changes_what_was_read_changes_nothing_for_others():
    parse_toml(TEXT)["release"]["constraints"].append("zip <= 9")
    assert "zip <= 9" not in parse_toml(TEXT)["release"]["constraints"]
