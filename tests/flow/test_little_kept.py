"""Columns of which little is kept are named, with what was computed to keep more of them."""

import re
from random import Random

import pyarrow as pa
import pytest

import lookalike as la
from lookalike.flow.preflight import kept as checked
from lookalike.spec.preflight_names import COLUMN_LITTLE_KEPT


def _draw_people() -> pa.Table:
    random = Random(1)
    zips = [
        f"{random.choice(['021', '022', '945'])}{random.randint(0, 99):02d}" for _ in range(400)
    ]
    ages, jobs = ([random.choice(some) for _ in zips] for some in (range(20, 80), "abcdefgh"))
    return pa.table({"zip": zips, "age": [*map(str, ages)], "job": jobs})


PEOPLE = _draw_people()


def ask(method, k=20, **keep):
    rules = {
        "zip": {"kind": "mask"},
        "age": {"kind": "intervals", "widths": [5, 10, 20]},
        "job": {"kind": "suppress"},
    }
    attributes = {
        name: {"role": "quasi-identifier", "hierarchy": rule, "keep": keep.get(name, 0)}
        for name, rule in rules.items()
    }
    return la.release(PEOPLE, k=k, method=method, max_suppressed=0.05, attributes=attributes)


def find_named(made):
    return [one for one in made.preflight if one.name == COLUMN_LITTLE_KEPT]


@pytest.mark.parametrize("method", ["mingen", "mingen-cells"])
def test_a_poor_column_is_named_with_figures_of_releases_that_can_be_made(method):
    made = ask(method)
    named = find_named(made)
    poor = sorted((name for name, share in made.kept.items() if share < 0.2), key=made.kept.get)
    assert poor
    assert [re.findall("'(.*)'", one.sentence) for one in named] == [[name] for name in poor]
    assert f"{100 * made.kept[poor[0]]:.0f} % is kept" in named[0].sentence
    other = ask(method, **{poor[0]: 0.5})
    assert f"keep = 0.5 keeps {100 * other.kept[poor[0]]:.0f} % of it" in named[0].remedy
    for name, share in other.kept.items():
        change = f"{100 * share:.0f} % instead of {100 * made.kept[name]:.0f} % of '{name}'"
        mentioned = name != poor[0] and abs(share - made.kept[name]) >= 0.01
        assert (change in named[0].remedy) == mentioned
    assert f"write keep = 0.5 under [attributes.{poor[0]}]" in named[0].remedy
    assert not find_named(other) or poor[0] not in find_named(other)[0].sentence


def test_the_column_that_frees_most_is_left_out_on_trial():
    made = ask("mingen")
    [first, *_] = find_named(made)
    [name], [(column, share)] = (
        re.findall("'(.*)'", first.sentence),
        re.findall(r"without column '(\w+)', (\d+) % is kept", first.remedy),
    )
    fewer = {one: rule for one, rule in made.specification.attributes.items() if one != column}
    table = PEOPLE.drop_columns([column])
    without = la.release(table, k=20, method="mingen", max_suppressed=0.05, attributes=fewer)
    assert f"{100 * without.kept[name]:.0f}" == share


@pytest.mark.parametrize("method", ["k-similar", "datafly"])
def test_every_method_names_it(method):
    made = ask(method)
    assert [name for name, share in made.kept.items() if share < 0.2]
    assert find_named(made)
    named = find_named(made)[0].remedy
    assert ('method = "mingen"' in named) == (method == "datafly")


def test_nothing_is_searched_if_every_column_keeps_enough(monkeypatch):
    made = ask("mingen-cells", k=2)
    assert min(made.kept.values()) >= 0.2
    monkeypatch.setattr(checked, "_Trials", None)
    assert not find_named(made)


@pytest.mark.parametrize("method", ["mingen", "mingen-cells"])
def test_what_the_budget_does_not_afford_is_left_out(method, monkeypatch):
    monkeypatch.setattr(checked, "_WORK", 1)
    [first, *_] = find_named(ask(method))
    assert first.remedy.startswith("to keep half of it, write keep = 0.5 under [attributes.")


def test_a_share_that_was_asked_for_is_a_decision():
    poor = next(name for name, share in ask("mingen").kept.items() if share < 0.2)
    made = ask("mingen", **{poor: 0.00001})
    named = [one.sentence for one in find_named(made)]
    assert not any(f"'{poor}'" in one for one in named)
