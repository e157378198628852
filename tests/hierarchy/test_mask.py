import pytest

from lookalike.errors import InvalidInput, UnknownValue
from lookalike.hierarchy import Mask


def test_every_level_hides_one_more_of_the_last_characters():
    assert Mask(length=3).ancestors("abc") == ("abc", "ab*", "a**", "*")


def test_from_left_hides_the_first_characters():
    assert Mask(length=3, from_left=True).ancestors("abc") == ("abc", "*bc", "**c", "*")


def test_steps_stop_early():
    assert Mask(length=5, steps=2).ancestors("02138") == ("02138", "0213*", "021**")


def test_a_suppression_level_comes_above_the_steps():
    mask = Mask(length=5, steps=2, suppression_level=True)
    assert mask.ancestors("02138") == ("02138", "0213*", "021**", "*")
    assert mask.height == 3


def test_a_shorter_value_keeps_its_characters_as_long_as_there_is_room():
    assert Mask(length=4).ancestors("ab") == ("ab", "ab*", "ab**", "a***", "*")
    assert Mask(length=4, from_left=True).ancestors("ab") == ("ab", "*ab", "**ab", "***b", "*")


def test_an_empty_value_has_nothing_to_keep_and_is_suppressed_from_level_1_on():
    assert Mask(length=3).ancestors("") == ("", "*", "*", "*")


def test_characters_count_and_not_bytes():
    assert Mask(length=2).ancestors("łé") == ("łé", "ł*", "*")


def test_the_length_is_taken_from_the_values():
    bound = Mask().bind("zip", ["02138", "02139", "", None])
    assert bound.height == 5
    assert bound.labels[1] == ("0213*", "*", None)


@pytest.mark.parametrize("from_left", [False, True])
def test_values_of_different_lengths_are_refused_and_counted(from_left):
    """1013* is not true of the ZIP code 01013 that lost its zero."""
    with pytest.raises(InvalidInput, match=r"'zip': .*2 have 5, 1 have 4 characters") as refused:
        Mask(from_left=from_left).bind("zip", ["02138", "02139", "1013", None, ""])
    assert "length = 5 if different lengths are intended" in str(refused.value)
    assert "1013" not in str(refused.value)


def test_at_most_five_lengths_are_counted():
    with pytest.raises(
        InvalidInput, match=r"1 have 5 characters, and others have 2 further lengths"
    ):
        Mask().bind("code", ["a" * length for length in range(1, 8)])


@pytest.mark.parametrize("fields", [{"length": 5}, {"steps": 5}])
def test_different_lengths_may_be_meant(fields):
    bound = Mask(**fields).bind("code", ["I21.4", "I21", None])
    assert bound.labels[1] == ("I21.*", "I21*", None)
    assert bound.labels[2] == ("I21**", None)


def test_a_value_of_length_1_is_kept_or_suppressed():
    assert Mask().fit(["a"]).ancestors("a") == ("a", "*")


@pytest.mark.parametrize("values", [[], [""], [None]])
def test_a_column_without_characters_has_the_height_1(values):
    assert Mask().bind("zip", values).height == 1


def test_a_column_without_values_leaves_the_steps_as_they_are():
    assert Mask(steps=2, suppression_level=True).bind("zip", [None]).height == 3


def test_a_given_length_is_not_taken_from_the_values():
    assert Mask(length=5).bind("zip", ["1"]).height == 5


def test_steps_without_a_length_tell_the_height():
    assert Mask(steps=2).height == 2


def test_a_value_longer_than_the_length_is_unknown():
    with pytest.raises(UnknownValue, match="raise length, they have more than 3 characters"):
        Mask(length=3).climb("abcd")


def test_unknown_values_are_suppressed_beside_an_empty_one():
    bound = Mask(length=3, unknown="suppress").bind("zip", ["", "abcd", "abc"])
    assert [bound.labels[0][code] for code in bound.ground] == ["", "*", "abc"]
    assert bound.labels[2] == ("*", "a**")


def test_several_tops_are_refused_and_the_way_out_is_told():
    with pytest.raises(InvalidInput, match=r"'zip': .*'021\*\*', '941\*\*'.*suppression_level"):
        Mask(steps=2).bind("zip", ["02138", "94142"])


def test_one_top_below_the_full_length_is_allowed():
    bound = Mask(steps=2).bind("zip", ["94138", "94142"])
    assert bound.labels[-1] == ("941**",)


def test_the_height_is_not_known_before_the_length():
    with pytest.raises(InvalidInput, match="give length, or bind"):
        _ = Mask().height


def test_values_cannot_be_masked_before_the_length_is_known():
    with pytest.raises(InvalidInput, match="give length, or bind"):
        Mask(steps=2).ancestors("02138")


@pytest.mark.parametrize("fields", [{"steps": 0}, {"length": 0}, {"steps": -1}])
def test_steps_and_length_are_at_least_1(fields):
    with pytest.raises(InvalidInput, match=f"{next(iter(fields))} must be at least 1"):
        Mask(**fields)


def test_more_steps_than_characters_are_refused():
    with pytest.raises(InvalidInput, match=r"steps = 6 .* 5 characters .* at most 5"):
        Mask(steps=6, length=5)


def test_more_steps_than_the_longest_value_has_characters_are_refused_with_the_column():
    with pytest.raises(InvalidInput, match="column 'zip': mask hierarchy: steps = 6"):
        Mask(steps=6).bind("zip", ["02138"])


@pytest.mark.parametrize("fields", [{}, {"length": 5}, {"steps": 5, "length": 5}])
def test_a_suppression_level_above_a_full_mask_is_refused(fields):
    with pytest.raises(InvalidInput, match="leave suppression_level out"):
        Mask(**fields, suppression_level=True)


def test_a_suppression_level_above_a_full_mask_is_refused_once_the_length_is_known():
    mask = Mask(steps=5, suppression_level=True)
    with pytest.raises(InvalidInput, match=r"column 'zip': .*leave suppression_level out"):
        mask.bind("zip", ["02138"])


def test_keep_names_the_levels_and_the_suppressed_value_comes_above_them():
    mask = Mask(keep=[5, 3], length=10)
    assert mask.ancestors("02138-1234") == ("02138-1234", "02138*****", "021*******", "*")
    assert (mask.height, mask.ends_suppressed) == (3, True)
    assert Mask(keep=[1], length=3, from_left=True).ancestors("abc") == ("abc", "**c", "*")


def test_keep_takes_the_length_from_the_values():
    assert Mask(keep=[3]).bind("zip", ["02138", "02139"]).labels[1] == ("021**",)


@pytest.mark.parametrize("from_left", [False, True])
def test_a_label_of_keep_descends_to_a_value_with_the_same_ancestors(from_left):
    mask = Mask(keep=[4, 1], length=6, from_left=from_left)
    for level, label in enumerate(mask.ancestors("abcdef")[:-1]):
        assert (
            mask.ancestors(mask.descend(label, level))[level:] == mask.ancestors("abcdef")[level:]
        )


@pytest.mark.parametrize(
    ("fields", "problem"),
    [
        ({"keep": []}, "fewer and fewer"),
        ({"keep": [3, 3]}, "fewer and fewer"),
        ({"keep": [2, 0]}, "fewer and fewer"),
        ({"keep": [3], "steps": 1}, "either steps or keep"),
        ({"keep": [5], "length": 5}, "would hide nothing"),
        ({"keep": [2], "length": 5, "suppression_level": True}, "leave suppression_level out"),
    ],
)
def test_keep_is_checked(fields, problem):
    with pytest.raises(InvalidInput, match=problem):
        Mask(**fields)


def test_keep_that_hides_nothing_of_the_values_names_the_column():
    with pytest.raises(InvalidInput, match=r"column 'zip': .*would hide nothing"):
        Mask(keep=[5]).bind("zip", ["02138"])
