"""`lookalike minimal --search`: Samarati's searches on the command line."""

import pytest


def levels(*numbers):
    return dict(zip(("race", "birth_date", "gender", "zip"), numbers, strict=True))


def test_json_tells_each_step(folder, answer):
    told = answer("minimal patients.toml --max-suppressed 0 --search find-vector")
    assert list(told) == [
        "search",
        "k",
        "max_suppressed",
        "lattice",
        "steps_total",
        "steps",
        "local",
        "found",
        "evaluated",
        "complete",
        "matrix",
    ]
    first = told["steps"][0]
    assert (first["low"], first["high"], first["try"]) == (0, 12, 6)
    assert first["evaluated"][-1] == {
        "levels": levels(0, 3, 1, 2),
        "outliers": 0,
        "satisfies": True,
    }
    assert (first["found"], told["found"]) == (levels(0, 3, 1, 2), [levels(1, 2, 0, 1)])


def test_json_holds_the_matrix_and_its_bounds(folder, answer):
    matrix = answer("minimal patients.toml --max-suppressed 0 --search matrix")["matrix"]
    assert len(matrix["distances"]) == len(matrix["distances"][0]) == 12
    assert matrix["least_upper_bound"] == [1, 4, 1, 2]
    assert matrix["lowest_height"] == 4


def test_json_holds_no_more_steps_than_asked_for_but_says_how_many_there_are(folder, answer):
    told = answer("minimal patients.toml --max-suppressed 0 --search halving --most 2")
    assert (len(told["steps"]), told["steps_total"]) == (2, 395)


@pytest.mark.parametrize("search", ["find-vector", "halving", "strategies", "matrix"])
def test_a_person_reads_it_at_80_columns_and_sees_no_private_value(folder, type_in, search):
    command = f"minimal patients.toml --search {search} --constraint 'gender <= 1' --most 3"
    code, told, complaint = type_in(command)
    assert (code, complaint) == (0, "")
    assert max(map(len, told.splitlines())) <= 80
    assert [value for value in ("black", "02138", "1965") if value in told] == []


def test_heights_count_from_the_ground_also_where_constraints_lift_the_bottom(folder, type_in):
    told = type_in("minimal patients.toml --search find-vector --constraint 'zip >= 2'")[1]
    assert "A solution lies at heights 2 to 12: try 7." in told


def test_a_search_that_is_stopped_says_so(folder, type_in):
    told = type_in("minimal patients.toml --search halving --time-limit 1e-9")[1]
    assert "Stopped before the end: 0 of 216 vectors evaluated in 0 steps." in told


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ("--search guess", "search is one of find-vector, halving"),
        ("--search halving --prefer minimum-suppression", "leave it out with --of and --search"),
    ],
)
def test_mistakes_are_answered(folder, type_in, options, message):
    code, told, complaint = type_in(f"minimal patients.toml {options}")
    assert (code, told) == (2, "")
    assert message in complaint
