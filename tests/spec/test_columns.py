"""Patterns and defaults: which columns they stand for, and the role that is not decided yet."""

import pytest

from lookalike import InvalidInput, Specification

from ..roles import IDENTIFIER, LINKABLE, MASKED, SENSITIVE

OTHER = {"role": "other"}


def build(attributes, **tables):
    return Specification.build({"release": {"k": 2}, "attributes": attributes, **tables})


def roles(specification, columns):
    completed = specification.completed(columns)
    return {name: one.role for name, one in completed.attributes.items()}


class TestRules:
    def test_the_name_goes_before_the_longest_pattern_and_defaults_come_last(self):
        asked = build(
            {"lab_*": SENSITIVE, "lab_sex": LINKABLE, "lab_id_?": IDENTIFIER},
            defaults=OTHER,
        )
        columns = ["day", "lab_id_1", "lab_sex", "lab_id_12", "LAB_X"]
        assert roles(asked, columns) == {
            "lab_sex": "quasi-identifier",
            "day": "other",
            "lab_id_1": "identifier",
            "lab_id_12": "sensitive",
            "LAB_X": "other",
        }

    def test_named_columns_come_first_then_the_others_as_in_the_table(self):
        asked = build({"zip": MASKED, "b*": LINKABLE, "a": LINKABLE})
        assert list(roles(asked, ["b2", "a", "b1", "zip"])) == ["zip", "a", "b2", "b1"]

    def test_other_characters_than_star_and_question_mark_stand_for_themselves(self):
        asked = build({"zip": MASKED, "x[1]*": SENSITIVE}, defaults=OTHER)
        assert roles(asked, ["zip", "x1a", "x[1]a"])["x1a"] == "other"
        assert roles(asked, ["zip", "x1a", "x[1]a"])["x[1]a"] == "sensitive"

    def test_a_column_may_have_a_name_that_looks_like_a_pattern(self):
        asked = build({"zip": MASKED, "ill?": SENSITIVE})
        completed = asked.completed(["zip", "ill?"])
        assert completed.attributes["ill?"].role == "sensitive"
        assert completed.by_rule == {}
        assert completed.is_complete

    def test_all_fields_of_a_rule_apply(self):
        asked = build({"zip*": {**MASKED, "weight": 3}})
        assert asked.completed(["zip1", "zip2"]).options().weights == (3, 3)

    def test_who_names_every_column_has_nothing_to_complete(self):
        asked = build({"zip": MASKED})
        assert asked.is_complete
        assert asked.completed(["anything"]) is asked

    def test_it_is_known_which_rule_gave_a_role(self):
        completed = build({"z*": MASKED}, defaults=OTHER).completed(["zip", "day"])
        assert completed.by_rule == {"zip": "z*", "day": "[defaults]"}


class TestMisfits:
    def test_without_defaults_nothing_is_released_by_omission(self):
        asked = build({"zip": MASKED, "lab_*": SENSITIVE})
        with pytest.raises(InvalidInput, match="no role is given for 'day', 'age'"):
            asked.completed(["zip", "lab_1", "day", "age"])

    def test_two_patterns_of_equal_length_are_not_chosen_from(self):
        asked = build({"zip": MASKED, "lab_*": SENSITIVE, "*_min": OTHER})
        with pytest.raises(InvalidInput, match="column 'lab_min' matches 'lab_\\*' and '\\*_min'"):
            asked.completed(["zip", "lab_min"])

    def test_every_misfit_is_listed_with_the_nearest_name(self):
        asked = build({"zip": MASKED, "lab_*": SENSITIVE, "a*": OTHER, "*b": OTHER, "sexx": OTHER})
        with pytest.raises(InvalidInput) as refused:
            asked.completed(["zip", "labs_1", "ab", "sex"])
        assert str(refused.value).splitlines() == [
            "the specification does not fit the table: 4 problems:",
            "- column 'ab' matches 'a*' and '*b', which are equally long; name the column, or make "
            "one pattern longer",
            "- no column matches 'lab_*'; did you mean 'labs_1'?",
            "- the table has no column 'sexx' (did you mean 'sex'?); its columns are 'zip', "
            "'labs_1', 'ab', 'sex'",
            "- no role is given for 'labs_1', 'sex'; name each column under [attributes] with a "
            'role: "identifier", "quasi-identifier", "sensitive", "other" or "drop"',
        ]

    def test_names_are_not_shown_if_they_may_be_values(self):
        asked = build({"zip": MASKED, "lab_*": SENSITIVE}, defaults=OTHER)
        with pytest.raises(InvalidInput) as refused:
            asked.completed(["lab 7 Smith", "12345"])
        assert "Smith" not in str(refused.value)

    def test_tables_are_compared_again_when_the_columns_are_known(self):
        groups = [{"name": "a", "attributes": ["zip", "lab_1"]}]
        asked = build({"zip": MASKED, "lab_*": LINKABLE}, quasi_identifiers=groups)
        assert asked.completed(["zip", "lab_1"]).requirement(10).quasi_identifiers
        with pytest.raises(InvalidInput, match="'lab_2' is in none of them"):
            asked.completed(["zip", "lab_1", "lab_2"])

    def test_a_name_that_no_rule_stands_for_is_a_problem_at_once(self):
        with pytest.raises(InvalidInput, match="'age' is neither a quasi-identifier attribute"):
            build({"z*": MASKED}, release={"k": 2, "constraints": ["zip <= 1", "age <= 1"]})


ASKED = {
    "release": {"k": 2, "recipient": "press"},
    "attributes": {"zip": MASKED, "lab_*": SENSITIVE, "qi_*": MASKED},
    "defaults": OTHER,
}
COLUMNS = ("day", "zip", "lab_1", "lab_2", "qi_1", "qi_2", "age")


class TestRecipients:
    def test_only_the_columns_of_the_recipient_are_released(self):
        recipient = {"columns": ["lab_1", "qi_2", "age"], "weights": {"qi_2": 3}}
        asked = Specification.build({**ASKED, "recipients": {"press": recipient}})
        found = roles(asked, COLUMNS)
        assert {name for name, role in found.items() if role != "drop"} == {"lab_1", "qi_2", "age"}
        assert asked.completed(COLUMNS).options().weights == (3,)

    def test_a_recipient_of_all_columns_keeps_the_rules(self):
        asked = Specification.build({**ASKED, "recipients": {"press": {"k": 3}}})
        assert roles(asked, COLUMNS)["lab_2"] == "sensitive"


class TestUndecided:
    def test_a_specification_loads_with_any_field(self):
        column = {"role": "?", "hierarchy": {"kind": "mask"}, "unique": True}
        asked = build({"zip": MASKED, "age": column})
        assert list(asked.hierarchies()) == ["zip"]

    def test_it_may_become_what_other_tables_need(self):
        source = {"path": "a.csv", "person": "name", "row_key": "name"}
        groups = [{"name": "a", "attributes": ["zip", "age"]}]
        attributes = {"zip": MASKED, "age": {"role": "?"}, "name": {"role": "?"}}
        release = {"k": 2, "constraints": ["age <= 1"]}
        build(attributes, source=source, quasi_identifiers=groups, release=release)

    def test_all_undecided_columns_are_listed_with_the_roles(self):
        asked = build({"zip": MASKED, "x*": {"role": "?"}}, defaults={"role": "?"})
        with pytest.raises(InvalidInput, match=r"'x1', 'day' is not decided; .*identifier, quasi"):
            asked.completed(["x1", "day", "zip"]).decided_roles()
