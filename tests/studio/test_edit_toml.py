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
    assert changed == TEXT.replace("k = 5  # few", "k = 3")


def test_a_value_of_several_lines_is_replaced():
    changed = set_field(TEXT, ("release",), "constraints", [])
    assert parse_toml(changed)["release"]["constraints"] == []
    assert "a comment with" not in changed
    assert changed.startswith(TEXT[: TEXT.index("constraints")])


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


@pytest.mark.parametrize("text", ["release = { k = 5 }\n", "release.k = 5\n"])
def test_what_cannot_be_changed_alone_is_refused(text):
    with pytest.raises(InvalidInput, match=r"not TOML|release\.k is written in a way"):
        set_field(text, ("release",), "k", 3)


def test_a_table_with_a_table_in_it_is_changed():
    text = "[release]\nk = 5\n[release.deep]\nx = 1\n"
    assert set_field(text, ("release",), "k", 3) == text.replace("5", "3")


def test_text_that_is_not_toml_is_refused():
    with pytest.raises(InvalidInput, match="not TOML"):
        parse_toml("[release\n")
