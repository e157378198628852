"""`--max-sequences` and `lookalike release --explain` on the command line."""

import pytest


def test_json_holds_the_plan(folder, answer):
    assert answer("release patients.toml --explain --max-sequences 5 --method mingen") == {
        "engine": "DuckDB",
        "rows": 12,
        "sequences": 12,
        "max_sequences": 5,
        "place": "engine",
        "least_levels": None,
        "collected": 7,
        "megabytes": 0,
        "method": "mingen",
        "method_reason": None,
        "vectors": 3 * 6 * 3 * 4,
        "refused": None,
    }


def test_json_holds_the_levels_at_which_a_shorter_list_begins(folder, answer):
    bounds = "--constraint 'birth_date >= 2' --constraint 'zip >= 1'"
    told = answer(f"release patients.toml --explain --max-sequences 9 --method mingen {bounds}")
    assert (told["place"], told["vectors"]) == ("memory", 3 * 4 * 3 * 3)
    assert told["least_levels"] == {"race": 0, "birth_date": 2, "gender": 0, "zip": 1}


@pytest.mark.parametrize("method", ["datafly", "mingen-cells"])
@pytest.mark.parametrize("most", [5, 100])
def test_a_person_reads_it_at_80_columns_and_nothing_is_written(folder, type_in, method, most):
    before = sorted(folder.iterdir())
    command = f"release patients.toml --explain --max-sequences {most} --method {method}"
    code, told, complaint = type_in(command)
    assert (code, complaint) == (0, "")
    assert max(map(len, told.splitlines())) <= 80
    assert ("in DuckDB, because it does not fit" in told) == (most == 5)
    assert ("refused" in told) == (most == 5 and method == "mingen-cells")
    assert [value for value in ("black", "02138", "1965") if value in told] == []
    assert sorted(folder.iterdir()) == before


def test_a_release_is_the_same_wherever_the_list_is_kept(folder, answer):
    """What would keep more of a column is searched in memory only."""
    whole, kept = (
        answer(f"release patients.toml --method mingen --dry-run {most}")
        for most in ("", "--max-sequences 2")
    )
    ways = ("without column 'birth_date'", "to keep half of it")
    for told, way in zip((whole, kept), ways, strict=True):
        [little] = [one for one in told["preflight"] if one["name"] == "little-kept"]
        assert way in little.pop("remedy")
        del told["seconds"]
    assert whole == kept


def test_check_counts_where_the_rows_are(folder, answer):
    columns = "check patients.csv -q race,birth_date,gender,zip"
    assert answer(f"{columns} --max-sequences 1", 1) == answer(columns, 1)
