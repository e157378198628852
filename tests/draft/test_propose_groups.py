"""Proposed hierarchies of codes and categories."""

import csv
import random
from itertools import pairwise
from pathlib import Path

import pytest

import lookalike.shell
from lookalike.draft.propose_hierarchy import propose_hierarchy
from lookalike.draft.starter import STARTER_FOLDER, STARTERS, read_starter, spell_plainly
from lookalike.errors import InvalidInput
from lookalike.hierarchy import File, Suppress

from .columns import paths, profile

DRAW = random.Random(15)
ADULT = Path(lookalike.shell.__file__).parent / "data" / "adult" / "adult.csv"


def adult(name):
    with ADULT.open(encoding="utf-8") as file:
        return profile(*(row[name] for row in csv.DictReader(file, delimiter=";")), name=name)


# Starters


@pytest.mark.parametrize("name", STARTERS)
def test_a_starter_is_one_hierarchy_in_which_each_spelling_occurs_once(name):
    parents, spelled = {}, {}
    text = (STARTER_FOLDER / f"{name.replace(' ', '-')}.csv").read_text(encoding="utf-8")
    for line in text.splitlines():
        spellings, *groups = line.split(";")
        assert len(groups) == read_starter(name).height
        for label, above in pairwise(groups):
            assert parents.setdefault(label, above) == above
        for one in spellings.split("|"):
            assert spelled.setdefault(spell_plainly(one), spellings) == spellings
            assert one == one.strip() != ""


def test_every_file_of_a_starter_is_listed_with_its_source():
    files = {path.name for path in STARTER_FOLDER.glob("*.csv")}
    assert files == {f"{name.replace(' ', '-')}.csv" for name in STARTERS}
    readme = (STARTER_FOLDER / "README.md").read_text(encoding="utf-8")
    assert all(f"`{name}`" in readme for name in files)


def test_there_are_50_states_the_district_and_five_territories():
    groups = read_starter("us state").groups
    assert len([name for name in groups if len(name) == 2]) == 56
    regions = {path[1] for path in groups.values()} - {"U.S. territories"}
    assert regions == {"Northeast", "Midwest", "South", "West"}
    assert len({path[0] for path in groups.values()}) == 10


def test_there_are_the_249_countries_of_iso_3166():
    groups = read_starter("country").groups
    assert len([name for name in groups if len(name) == 2]) == 249 + len(("UK", "XK"))
    assert {path[1] for path in groups.values()} == {
        "Africa", "Americas", "Antarctica", "Asia", "Europe", "Oceania",
    }  # fmt: skip


@pytest.mark.parametrize(
    ("column", "value", "path"),
    [
        ("education", "HS-grad", ("high school diploma", "high school, no bachelor's degree")),
        ("marital-status", "Divorced", ("separated or divorced",)),
        ("occupation", "Sales", ("service and sales workers",)),
        ("native-country", "United-States", ("Northern America", "Americas")),
        ("native-country", "South", ("*", "*")),
        ("workclass", "State-gov", ("government", "employed")),
    ],
)
def test_the_columns_of_adult_get_their_starter(column, value, path):
    proposed = propose_hierarchy(adult(column))
    assert proposed.hierarchy.ancestors(value)[1 : 1 + len(path)] == path
    assert [line[0] for line in proposed.lines] == list(adult(column).values)


def test_unknown_values_are_counted_and_go_to_the_top():
    proposed = propose_hierarchy(adult("native-country"), "country")
    assert "; 2 values would go to the top directly" in proposed.reason


def test_a_starter_that_knows_too_few_rows_is_not_used():
    states = profile(*["NY"] * 5, *["NJ"] * 5, *["TX"] * 5, *["Mars"] * 3)
    assert propose_hierarchy(states, "us state").hierarchy == Suppress()


def test_single_letters_are_recognized_only_where_they_are_expected():
    letters = profile(*"MMMDDWWM")
    assert propose_hierarchy(letters).hierarchy == Suppress()
    assert propose_hierarchy(letters, "marital status").hierarchy.ancestors("D")[1] != "*"


def test_a_group_with_the_name_of_a_value_is_renamed():
    islands = profile("Micronesia", "Palau", "Guam", "Fiji", "Samoa", "France", "Italy")
    proposed = propose_hierarchy(islands, "country")
    assert proposed.hierarchy.ancestors("Micronesia")[1] == "Micronesia (group)"
    assert proposed.hierarchy.ancestors("Palau")[1] == "Micronesia (group)"


# Masks


def test_zip_codes_lose_digits():
    zips = profile(*(f"{DRAW.randint(501, 99950):05}" for _ in range(3000)))
    assert propose_hierarchy(zips, "postal code").table == '{ kind = "mask" }'
    assert propose_hierarchy(zips).table == '{ kind = "mask" }'


def test_levels_that_merge_nothing_are_left_out():
    zips = profile("02138", "02139", "02141", "02142")
    proposed = propose_hierarchy(zips, "postal code")
    assert proposed.table == '{ kind = "mask", length = 5, keep = [4] }'


def test_what_follows_a_separator_is_hidden_at_once():
    codes = profile(*(f"{DRAW.randint(10, 90)}138-{DRAW.randint(0, 9999):04}" for _ in range(999)))
    assert propose_hierarchy(codes, "postal code").hierarchy.keep == (5, 1)


def test_canadian_codes_keep_the_sorting_area():
    draw = lambda letters: DRAW.choice(letters)  # noqa: E731
    codes = profile(
        *(
            f"{draw('KMV')}{draw('123')}{draw('ABC')} {draw('789')}{draw('XYZ')}1"
            for _ in range(999)
        )
    )
    assert propose_hierarchy(codes, "postal code").hierarchy.keep == (3, 2, 1)


def test_british_codes_are_grouped_by_sector_district_and_area():
    codes = profile("SW1A 1AA", "SW1A 1AB", "SW1A 2AA", "SW2 1AA", "M1 1AE", "M2 1AE", "M2 1AF")
    proposed = propose_hierarchy(codes, "postal code")
    path = ("SW1A 1AA", "SW1A 1**", "SW1A ***", "SW* ***", "*")
    assert proposed.hierarchy.ancestors("SW1A 1AA") == path


def test_digits_of_different_lengths_may_have_lost_their_zeros():
    zips = profile("1013", "1014", "94112", "94113", "94201")
    assert "leading zeros" in propose_hierarchy(zips, "postal code").reason


def test_a_few_values_that_are_too_long_for_codes_are_suppressed():
    column = profile(*["I21.4", "I21.0", "E11.9"] * 20, "a comment of a doctor")
    proposed = propose_hierarchy(column, "code")
    assert proposed.hierarchy.unknown == "suppress"
    assert paths(column, proposed)[-2] == ("*", "*", "*")


# Other categories


def test_rare_categories_are_put_together_at_two_levels():
    texts = [*["a"] * 500, *["b"] * 400, *["c"] * 30, *["d"] * 30, *map(str, range(40))]
    proposed = propose_hierarchy(profile(*texts), "category")
    assert proposed.hierarchy.ancestors("a") == ("a", "a", "a", "*")
    assert proposed.hierarchy.ancestors("c") == ("c", "c", "other", "*")
    assert proposed.hierarchy.ancestors("7") == ("7", "other, rare", "other", "*")


@pytest.mark.parametrize(("rare", "path"), [(300, ("7", "other, rare", "*")), (500, ("7", "*"))])
def test_rare_categories_are_put_together_only_below_a_third_of_the_rows(rare, path):
    texts = [*["a"] * 400, *["b"] * 400, *map(str, range(rare))]
    proposed = propose_hierarchy(profile(*texts), "category").hierarchy.fit(texts)
    assert proposed.ancestors("7") == path


@pytest.mark.parametrize("values", [list("aabbbc"), [f"name {number}" for number in range(50)]])
def test_few_categories_and_categories_that_are_all_rare_are_suppressed(values):
    assert propose_hierarchy(profile(*values), "category").hierarchy == Suppress()


def test_sex_is_suppressed():
    assert propose_hierarchy(profile(*"fmfm"), "sex").table == '{ kind = "suppress" }'


def test_a_kind_that_does_not_exist_is_refused():
    with pytest.raises(InvalidInput, match=r"kind is one of date, postal code, .*not 'zip'"):
        propose_hierarchy(profile("1"), "zip")


def test_the_file_of_a_proposal_can_be_read_back(tmp_path):
    column = profile(*['a;"b', "c\nd", "é"] * 50, *map(str, range(20)), name="../we ird\x1b")
    proposed = propose_hierarchy(column, "category")
    assert proposed.path == "we-ird-hierarchy.csv"
    (tmp_path / proposed.path).write_text(proposed.file_text, encoding="utf-8", newline="")
    listed = File(tmp_path / proposed.path).listing
    assert listed == {line[0]: line for line in proposed.lines}
