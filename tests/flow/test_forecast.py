"""A forecast: who is simulated, what is counted, and what is left behind."""

import csv
import json
import stat
from collections import Counter
from itertools import pairwise
from types import SimpleNamespace

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

import lookalike as la
from lookalike.errors import Infeasible, InvalidInput, Unavailable
from lookalike.flow.forecast import forecast as module
from lookalike.flow.forecast.simulate import SIMULATED, begin_policy
from lookalike.flow.forecast.simulated_people import (
    PERSON_KEY,
    ROW_KEY,
    PrivatePeople,
    Rates,
    describe_simulated,
    draw_population,
    simulate_months,
)

from ..effort import examples

ZIP = {"role": "quasi-identifier", "hierarchy": {"kind": "mask"}}
COLUMNS = {"zip": ZIP, "ill": {"role": "sensitive"}}
SICK = pa.table(
    {
        "zip": [f"0213{number % 4}" for number in range(60)],
        "ill": [("flu", "gout", "pox")[number % 3] for number in range(60)],
    }
)
FEW = {"k": 2, "attributes": COLUMNS, "method": "datafly"}


def ahead(table=SICK, **fields):
    return la.forecast(table, **(FEW | fields))


def by_policy(found):
    return {one.policy: one for one in found.policies}


def people_of(sizes):
    """A population whose persons have so many rows each."""
    person = np.repeat(np.arange(len(sizes)), sizes)
    rows = pa.table({"zip": person, "ill": np.arange(len(person))})
    begins = np.concatenate([[0], np.cumsum(sizes)])
    return PrivatePeople(rows, np.arange(len(person)), begins, ("ill",), len(person))


shares = st.floats(0, 1)
populations = st.lists(st.integers(1, 3), min_size=1, max_size=12)


@examples(60)
@given(populations, shares, shares, shares, st.integers(0, 99))
def test_people_leave_come_and_change_at_their_rates(sizes, leave, come, change, seed):
    population, draw = people_of(sizes), np.random.default_rng(seed)
    first = max(1, len(sizes) // 2)
    months = [*simulate_months(population, first, Rates(leave, come, change), 4, draw)]

    assert len(np.unique(months[0].person)) == first
    for before, after in pairwise(months):
        then, now = set(before.person), set(after.person)
        assert len(then - now) == round(leave * len(then))
        assert len(now - then) == round(come * len(then))
        stayed = {key: place for place, key in enumerate(before.keys)}
        pairs = [(stayed[key], n) for n, key in enumerate(after.keys) if key in stayed]
        assert all(before.linkable[b] == after.linkable[a] for b, a in pairs)
        changed = {after.person[a] for b, a in pairs if before.values[b] != after.values[a]}
        assert len(changed) <= round(change * len(now))
    for month in months:
        assert len(set(month.keys)) == len(month.keys)
        rows_of = Counter(month.person.tolist())
        shown = {
            person: {population.rows["zip"][place].as_py() for place in month.linkable[at]}
            for person in rows_of
            for at in [month.person == person]
        }
        assert all(len(places) == 1 for places in shown.values())  # one person of the table each
        assert all(rows_of[one] == sizes[place] for one, (place,) in shown.items())


def test_those_who_come_are_new_people_as_long_as_there_are_some():
    population, draw = people_of([1] * 10), np.random.default_rng(1)
    months = [*simulate_months(population, 5, Rates(0, 0.4, 0), 5, draw)]

    assert [len(month.keys) for month in months] == [5, 7, 10, 14, 20]
    assert [month.copies for month in months] == [0, 0, 0, 4, 10]
    assert sorted(months[2].linkable) == [*range(10)]


def test_a_sample_has_whole_people(monkeypatch):
    monkeypatch.setattr("lookalike.flow.forecast.simulated_people.PEOPLE_AT_FIRST", 5)
    table = pa.table({"who": [f"p{row // 3}" for row in range(90)], "zip": ["02138"] * 90})
    spec = la.Specification.build(
        {
            "source": {"person": "who"},
            "release": {"k": 2},
            "attributes": {"who": {"role": "identifier"}, "zip": ZIP},
        }
    )
    frame = module.describe_table(table, spec, None, {})[1]
    drawn = draw_population(spec, frame, None, np.random.default_rng(3))

    assert (drawn.people, drawn.rows_in_source, len(drawn.rows)) == (10, 90, 30)
    assert drawn.rows.column_names == ["zip"]


def test_the_first_month_is_the_release_of_the_table():
    found, made = by_policy(ahead(months=1)), la.release(SICK, **FEW)

    assert [*found] == [*SIMULATED]
    for one in found.values():
        [month] = one.months
        assert (month.rows, month.rows_shown) == (60, made.table.num_rows)
        assert month.precision == pytest.approx(made.measures.precision)
        assert month.loss == pytest.approx(made.measures.loss)


@pytest.mark.parametrize("policy", SIMULATED)
def test_the_figures_are_those_of_the_written_files(policy, tmp_path):
    """Counted again from what was published: each month, and all increments together."""
    spec = la.Specification.build({"release": {"k": 2, "method": "datafly"}, "attributes": COLUMNS})
    frame = module.describe_table(SICK, spec, None, {})[1]
    draw = np.random.default_rng(5)
    population = draw_population(spec, frame, None, draw)
    one = begin_policy(policy, describe_simulated(spec), tmp_path)
    shown = 0
    for number, month in enumerate(
        simulate_months(population, 60, Rates(0.1, 0.15, 0.1), 4, draw), 1
    ):
        one.release(month.to_table(population))
        with (tmp_path / policy / str(number) / "table.csv").open() as file:
            rows = len([*csv.DictReader(file)])
        shown = shown + rows if "increments" in SIMULATED[policy].values() else rows
        figures = one.months[-1]
        assert figures.rows_shown == shown
        assert figures.released
        if policy in ("no-ledger", "based-on"):
            assert figures.rows_withheld == len(month.keys) - rows
    assert one.refused is None


def test_a_month_in_which_too_few_came_has_no_release():
    rates = {"leave": 0.0, "come": 0.02, "change": 0.0}
    [found] = ahead(**rates, months=3, method="mingen", policies=["increments"]).policies

    assert [month.released for month in found.months] == [True, False, True]
    first, second, third = found.months
    assert (second.rows_shown, second.rows_withheld) == (first.rows_shown, 1)
    assert (second.precision, third.rows_withheld) == (first.precision, 0)
    assert third.rows_shown == first.rows_shown + 2


def test_leavers_cost_based_on_rows_and_nobody_else():
    found = by_policy(ahead(k=5, leave=0.1, come=0.0, change=0.0, months=2))

    withheld = {name: one.last.rows_withheld for name, one in found.items()}
    assert withheld["based-on"] > 0
    assert withheld["keep"] == withheld["increments"] == withheld["no-ledger"] == 0


def test_who_comes_is_decided_by_the_seed():
    def outdated(seed):
        [found] = ahead(policies=["increments"], months=2, change=0.5, seed=seed).policies
        return found.last.rows_outdated

    assert outdated(1) == outdated(1)
    assert len({outdated(seed) for seed in range(3)}) > 1


def test_persons_are_simulated_with_all_their_rows():
    table = pa.table(
        {
            "who": [f"p{row // 2}" for row in range(80)],
            "zip": [f"0213{row // 2 % 2}" for row in range(80)],
            "ill": ["flu", "gout"] * 40,
        }
    )
    columns = COLUMNS | {"who": {"role": "identifier"}}
    source = {"person": "who"}
    asked = {"k": 3, "attributes": columns, "source": source, "months": 2, "come": 0.2}
    found = la.forecast(table, **asked, policies=["no-ledger", "increments"], leave=0.1, change=0)

    assert (found.people, found.rows) == (40, 80)
    for one in found.policies:
        assert one.refused is None
        assert [month.rows for month in one.months] == [80, 2 * (40 - 4 + 8)]


def test_values_are_cleaned_once():
    """A text that a map makes of another one is not mapped again."""
    table = pa.table({"sex": ["1", "2", "x"] * 20, "age": [17, 44, 93] * 20})
    columns = {
        "sex": {
            "role": "quasi-identifier",
            "hierarchy": {"kind": "suppress"},
            "map": {"2": "1", "1": "2"},
        },
        "age": {"role": "sensitive", "round": 10, "top": 75},
    }
    spec = la.Specification.build({"release": {"k": 2}, "attributes": columns})
    frame = module.describe_table(table, spec, None, {})[1]
    population = draw_population(spec, frame, None, np.random.default_rng(0))
    simulated = describe_simulated(spec)

    found = population.rows.to_pydict()
    assert {*zip(found["sex"], found["age"], strict=True)} == {("2", 20), ("1", 40), ("x", 75)}
    assert not simulated.cleaning.columns
    assert simulated.attributes["sex"].hierarchy is not None


def test_a_specification_with_a_ledger_leaves_it_alone(tmp_path):
    table = SICK.append_column("number", pa.array([str(row) for row in range(60)]))
    columns = COLUMNS | {"number": {"role": "identifier"}}
    own = {"ledger": str(tmp_path / "own.db"), "ledger_key": str(tmp_path / "key")}
    source = {"row_key": "number", "name": "sick", "person": "row"}
    asked = {"attributes": columns, "source": source, "policies": ["increments"]}
    [found] = ahead(table, **asked, months=2, **own).policies

    assert len(found.months) == 2
    assert [*tmp_path.iterdir()] == []


def test_simulated_tables_are_private_and_removed(monkeypatch):
    seen = []

    def note(name, spec, folder):
        seen.append((folder, stat.S_IMODE(folder.stat().st_mode)))
        return begin_policy(name, spec, folder)

    monkeypatch.setattr(module, "begin_policy", note)
    ahead(months=1, policies=["increments"])
    with pytest.raises(Infeasible):
        ahead(months=1, k=61, policies=["increments"])
    with pytest.raises(KeyboardInterrupt):
        ahead(months=2, policies=["increments"], announce=interrupt)

    assert [mode for _, mode in seen] == [0o700] * 3
    assert not any(folder.exists() for folder, _ in seen)


def interrupt(step):
    """Stop in the second month."""
    if step.startswith("month 2"):
        raise KeyboardInterrupt


def test_no_value_of_the_table_is_in_a_forecast():
    rows = {"zip": ["90210", "90211"] * 20, "ill": ["zoster", "quinsy"] * 20}
    found = ahead(pa.table(rows), months=2, policies=["based-on", "patience"])
    shown = json.dumps(found.as_json()) + repr(found) + str(found.draw())

    assert not any(value in shown for values in rows.values() for value in values)


def test_months_for_which_there_was_no_time_are_named(monkeypatch):
    clock = iter([0.0, *[1.0] * 5, 99.0])
    monkeypatch.setattr(module, "time", SimpleNamespace(monotonic=lambda: next(clock)))
    found = ahead(months=12, seconds=50, policies=["no-ledger", "increments"])

    assert (found.months, found.months_asked) == (2, 12)
    assert [len(one.months) for one in found.policies] == [2, 2]
    assert "2 of 12 months" in found.notes[0]


def test_no_time_for_one_month_is_an_error(monkeypatch):
    clock = iter([0.0, 1.0, 99.0])
    monkeypatch.setattr(module, "time", SimpleNamespace(monotonic=lambda: next(clock)))
    with pytest.raises(Unavailable, match="single month"):
        ahead(months=2, seconds=50, policies=["no-ledger", "increments"])


def test_a_policy_that_cannot_be_used_is_named_and_the_others_go_on():
    two = [
        {"name": "place", "attributes": ["zip"], "k": 2},
        {"name": "illness", "attributes": ["ill"], "k": 2},
    ]
    columns = {"zip": ZIP, "ill": {"role": "quasi-identifier", "hierarchy": {"kind": "suppress"}}}
    found = by_policy(
        la.forecast(
            SICK,
            attributes=columns,
            quasi_identifiers=two,
            months=2,
            policies=["no-ledger", "based-on"],
        )
    )

    assert "single quasi-identifier" in found["based-on"].refused
    assert len(found["based-on"].months) < 2
    assert len(found["no-ledger"].months) == 2


def test_what_holds_for_every_policy_is_an_error():
    with pytest.raises(Infeasible):
        ahead(k=61, months=2)
    with pytest.raises(InvalidInput, match=r'person = "\?"'):
        ahead(source={"person": "?"}, months=1)


def test_a_respondent_is_refused_by_name():
    table = SICK.append_column("doctor", pa.array(["d1", "d2", "d3"] * 20))
    columns = COLUMNS | {"doctor": {"role": "identifier"}}
    two = [{"name": "d", "attributes": ["zip"], "k": 2, "respondent": "doctor"}]
    with pytest.raises(InvalidInput, match="respondent"):
        la.forecast(table, attributes=columns, quasi_identifiers=two, months=1)


@pytest.mark.parametrize(
    ("asked", "why"),
    [
        ({"months": 0}, "months is from 1 to 120"),
        ({"months": 121}, "months is from 1 to 120"),
        ({"leave": 1.01}, "leave is a share"),
        ({"come": -0.1}, "come is a share"),
        ({"change": float("nan")}, "change is a share"),
        ({"people": 0}, "people is at least 1"),
        ({"people": 61}, "60 people, fewer than 61"),
        ({"seed": -1}, "seed is at least 0"),
        ({"seconds": 0}, "seconds is more than 0"),
        ({"policies": ["increment"]}, "increments"),
    ],
)
def test_what_cannot_be_simulated_is_refused(asked, why):
    with pytest.raises(InvalidInput, match=why):
        ahead(**({"months": 1} | asked))


def test_the_columns_of_the_simulation_are_never_shown(tmp_path):
    spec = la.Specification.build({"release": {"k": 2}, "attributes": COLUMNS})
    frame = module.describe_table(SICK, spec, None, {})[1]
    draw = np.random.default_rng(0)
    population = draw_population(spec, frame, None, draw)
    [month] = simulate_months(population, 60, Rates(0, 0, 0), 1, draw)
    one = begin_policy("increments", describe_simulated(spec), tmp_path)
    one.release(month.to_table(population))

    header = (tmp_path / "increments" / "1" / "table.csv").read_text().splitlines()[0]
    assert header == "zip,ill"
    assert {ROW_KEY, PERSON_KEY} <= {*month.to_table(population).column_names}
