"""Which rows an attacker finds: against brute force over the rows, and over earlier releases."""

import random
from collections import Counter
from itertools import pairwise

import numpy as np
import pytest

from lookalike.risk.releases.seen_release import SeenRelease
from lookalike.studio.editing.project import Project
from lookalike.studio.releases.candidates import Attacker, EarlierRelease
from lookalike.studio.releases.release_summary import compare_release, publish_release
from lookalike.studio.work import TaskLine

from .conftest import TABLE
from .test_ledger_history import TOWN

SPECIFICATION = """\
[source]
path = "people.csv"

[release]
k = 3
{more}

[attributes.zip]
role = "quasi-identifier"
hierarchy = {{ kind = "mask" }}

[attributes.age]
role = "quasi-identifier"
hierarchy = {{ kind = "intervals", widths = [10, 20, 40], bottom = 0, top = 80 }}

[attributes.no]
role = "identifier"

[attributes.ill]
role = "sensitive"
"""
MORE = {
    "cells": "max_suppressed = 0.1",
    "suppressed cells": 'method = "mu-argus"\nrepair = true',
    "levels": 'method = "mingen"\nmax_suppressed = 0.1',
    "blank": 'method = "mingen"\nmax_suppressed = 0.1\nsuppressed_rows = "blank"',
    "persons": 'method = "mingen"\nmax_suppressed = 0.1',
}


@pytest.fixture(scope="module", params=MORE)
def compared(request, tmp_path_factory):
    """Dry runs of a table in which an attacker finds rows in different ways."""
    folder, drawn = tmp_path_factory.mktemp(request.param), random.Random(5)
    rows = [(drawn.choice("012"), drawn.choice("ab")) for _ in range(60)]
    lines = [f"{n // 2},{code * 3},{10 * n % 80},{ill}" for n, (code, ill) in enumerate(rows)]
    (folder / "people.csv").write_text("\n".join(["no,zip,age,ill", *lines]))
    text = SPECIFICATION.format(more=MORE[request.param])
    if request.param == "persons":
        text = text.replace('"people.csv"', '"people.csv"\nperson = "no"')
    return compare_release(TaskLine(), Project(folder, "people.toml", text), None)


def find_by_hand(table, known):
    """Count the released rows that show what somebody with these values may have become."""
    rows = 0
    for entry, count in enumerate(table.counts.tolist()):
        shown = {
            place: table.columns[place].shown[table.columns[place].released[entry]]
            for place in known
        }
        fits = all(
            shown[place] == "*"
            or shown[place] in [at[code] for at in table.columns[place].texts]
            or (
                not table.columns[place].texts and shown[place] == table.columns[place].labels[code]
            )
            for place, code in known.items()
        )
        rows += count * (fits and not table.is_left_out[entry])
    return rows


def test_possible_rows_are_those_that_show_what_the_values_may_become(compared):
    table = compared.table
    for row in range(table.rows):
        own = {at: int(one.private[table.entry_of[row]]) for at, one in enumerate(table.columns)}
        for known in (own, {0: own[0]}, {1: own[1], 2: own[2]}, {}):
            *_, left = Attacker(table, known).list_narrowings()
            assert left.released == find_by_hand(table, known)
            alike = [
                all(
                    one.private[entry] == known.get(at, one.private[entry])
                    for at, one in enumerate(table.columns)
                )
                for entry in table.entry_of
            ]
            assert left.private == sum(alike)


def test_k_rows_or_persons_remain_for_everybody_in_the_release(compared):
    table = compared.table
    for row in range(table.rows):
        entry = table.entry_of[row]
        attacker = Attacker(table, {at: int(table.columns[at].private[entry]) for at in (0, 1)})
        *_, left = attacker.list_narrowings()
        if not table.is_left_out[entry]:
            assert (attacker.count_persons() or left.released) >= 3
            assert attacker.possible[entry]


def test_every_fact_leaves_fewer_rows_and_guesses_add_up(compared):
    table = compared.table
    attacker = Attacker(table, {at: int(table.columns[at].private[0]) for at in (0, 2)})
    steps = [*attacker.list_narrowings()]
    assert [one.column for one in steps] == [None, "zip", "ill"]
    assert steps[0].private == 60
    assert steps[0].released == table.rows_out
    assert all(one.released >= other.released for one, other in pairwise(steps))
    [guess] = attacker.list_guesses()
    assert (guess.column, guess.is_generalized) == ("age", True)
    found = Counter[str]()
    for entry in np.flatnonzero(attacker.possible):
        found[table.columns[1].shown[table.columns[1].released[entry]]] += int(table.counts[entry])
    shares = {label: rows / found.total() for label, rows in found.items()}
    assert dict(guess.values).items() <= shares.items()
    assert guess.values_left_out == len(shares) - len(guess.values)
    assert guess.sure == max(shares.values())


@pytest.fixture(scope="module")
def increment(tmp_path_factory):
    """The dry run of a table with three more rows, based on a release of the first four."""
    folder = tmp_path_factory.mktemp("increment")
    (folder / "people.csv").write_text(TABLE)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_CONFIG_HOME", str(tmp_path_factory.mktemp("settings")))
        publish_release(TaskLine(), Project(folder, "people.toml", TOWN), False)
        (folder / "people.csv").write_text(f"{TABLE}5,02138,cold\n6,03141,cold\n7,09999,cold\n")
        again = Project(folder, "people.toml", TOWN.replace("released/", "again/"))
        yield compare_release(TaskLine(), again, None), folder, again


def test_a_person_is_looked_for_in_earlier_releases_too(increment):
    """Row 1 (02138, flu) is in both releases, row 5 (02138, cold) in the second only."""
    compared, _, _ = increment
    table, [earlier] = compared.table, compared.earlier
    zip_of_both = int(table.columns[0].private[table.entry_of[0]])
    attacker = Attacker(table, {0: zip_of_both})
    *_, alone = attacker.list_narrowings()
    [found] = attacker.compare_earlier([earlier])
    assert (found.rows, found.possible, found.shared, found.unused) == (4, 2, ("ill",), ())
    assert alone.released > found.together == 2


def test_blank_rows_of_an_earlier_release_show_what_is_released_as_it_is(increment):
    """Three blank rows with flu and two with cold: whoever knows flu has three candidates."""
    table = increment[0].table
    seen = SeenRelease(
        name="earlier",
        columns=("zip", "ill"),
        labels=(("*",), ("flu", "cold")),
        codes=np.array([[0, 0], [0, 1]], dtype=np.int32),
        counts=np.array([3, 2]),
        levels={"zip": 1},
        known=(),
        rows_in=5,
        suppresses="rows",
    )
    earlier = EarlierRelease("earlier", seen, {"zip": table.columns[0].height})
    place, flu = int(table.columns[0].private[0]), table.columns[1].labels.index("flu")
    for known, fitting in (({0: place}, 5), ({1: flu}, 3), ({0: place, 1: flu}, 3)):
        [found] = Attacker(table, known).compare_earlier([earlier])
        assert found.possible == fitting


def test_nobody_new_is_found_in_an_earlier_release(increment):
    compared, _, _ = increment
    table, [earlier] = compared.table, compared.earlier
    attacker = Attacker(table, {0: table.columns[0].labels.index("09999")})
    [found] = attacker.compare_earlier([earlier])
    assert (found.possible, found.together) == (0, 0)


def test_rows_with_values_of_earlier_releases_are_not_compared(increment):
    _, folder, again = increment
    (folder / "people.csv").write_text(TABLE.replace("02138,flu", "02138,cold"))
    compared = compare_release(TaskLine(), again, None)
    assert compared.table is None
    assert "shows values that they have shown" in compared.remark
