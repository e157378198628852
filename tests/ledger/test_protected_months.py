"""Releases that protect a sensitive column, month by month, based on each other."""

from collections import Counter
from random import Random

import pyarrow as pa
import pyarrow.csv
import pytest

import lookalike as la
from lookalike.ledger.policies.protections_over_time import find_broken_protections

from .steward import reopen

ILL = ["flu", "gout", "HIV", "pox"]
ROLES = {
    "id": {"role": "identifier"},
    "zip": {"role": "quasi-identifier", "hierarchy": {"kind": "mask", "length": 5}},
    "ill": {"role": "sensitive", "unique": True, "protect": {"distinct": 2}},
    "days": {"role": "other"},
}
FOUR = {"a": ("02138", "HIV", 1), "b": ("02138", "HIV", 1), "c": ("02138", "flu", 1)}
FOUR |= {"d": ("02138", "gout", 1)}


def table_of(people):
    columns = zip(*((key, *row) for key, row in people.items()), strict=True)
    return pa.table(dict(zip(ROLES, map(list, columns), strict=True)))


class Steward:
    """Publishes a table each month, and reads what was published."""

    def __init__(self, place, folder, **fields):
        source = {"row_key": "id", "name": "people"}
        asked = {"k": 2, "method": "mingen", "max_suppressed": 0.5, "secrecy": "search"}
        asked |= {"attributes": ROLES, "accept": ["one-sensitive-value", "as-is-unique"]}
        self.asked = {**asked, **place, **fields}
        self.source, self.place, self.folder, self.month = source, place, folder, 0

    def publish(self, people, *, from_file=False):
        self.month += 1
        table = table_of(people)
        if from_file:
            pa.csv.write_csv(table, self.folder / "source.csv")
            table = self.folder / "source.csv"
        made = la.release(table, source=self.source, **self.asked)
        made.publish(self.out)
        return made

    @property
    def out(self):
        return self.folder / str(self.month) / "table.csv"

    @property
    def rows(self):
        options = pa.csv.ConvertOptions(column_types={"zip": pa.string()})
        shown = pa.csv.read_csv(self.out, convert_options=options)
        return Counter(zip(*(column.to_pylist() for column in shown.columns), strict=True))

    @property
    def entries(self):
        return reopen(self.place).releases("people")


def draw_row(draw):
    return f"0213{draw.randrange(4)}", draw.choice(ILL), draw.randrange(3)


def next_month(draw, people):
    """Let some leave, come, move, and have other values."""
    after = {key: row for key, row in people.items() if draw.random() > 0.1}
    for key, (code, ill, days) in list(after.items()):
        moved, changed = draw.random() < 0.05, draw.random() < 0.2
        new_ill, new_days = draw.choice(ILL), draw.randrange(3)
        changes = (draw_row(draw)[0] if moved else code), (new_ill if changed else ill)
        after[key] = (*changes, new_days if changed else days)
    return after | {f"{draw.random()}": draw_row(draw) for _ in range(10)}


@pytest.mark.parametrize("leavers", ["withdraw", "keep"])
@pytest.mark.parametrize("from_file", [False, True])
@pytest.mark.parametrize("seed", [1, 2])
def test_a_plan_never_meets_its_own_refusal(place, tmp_path, leavers, from_file, seed):
    draw = Random(seed)
    steward = Steward(place, tmp_path, leavers=leavers)
    people = {f"{who}": draw_row(draw) for who in range(60)}
    for _ in range(3):
        made = steward.publish(people, from_file=from_file)
        people = next_month(draw, people)
    assert made.basis.rows_joined
    assert find_broken_protections(steward.entries) == ()


def test_a_class_is_withdrawn_whole_before_it_shows_who_had_one_value(place, tmp_path):
    steward = Steward(place, tmp_path)
    steward.publish({**FOUR, **{f"{who}": ("02139", ILL[who % 4], 1) for who in range(8)}})
    others = {f"{who}": ("02139", ILL[who % 4], 1) for who in range(8)}
    made = steward.publish({"c": FOUR["c"], "d": FOUR["d"], **others})
    assert made.basis.rows_withdrawn == 2
    assert {code for code, *_ in steward.rows} == {"02139"}


def test_nobody_is_withdrawn_where_those_who_left_are_kept(place, tmp_path):
    steward = Steward(place, tmp_path, leavers="keep")
    steward.publish(FOUR)
    before = steward.rows
    made = steward.publish({"c": FOUR["c"], "d": FOUR["d"]})
    assert steward.rows == before
    assert (made.basis.rows_left, made.basis.rows_withdrawn) == (2, 0)


def test_new_values_of_a_protected_column_are_not_shown_of_rows_that_stay(place, tmp_path):
    """Whether they would keep the protection is not known to recipients, so it decides nothing."""
    steward = Steward(place, tmp_path)
    steward.publish(FOUR)
    after = {key: (code, "pox" if key == "a" else "flu", 2) for key, (code, *_) in FOUR.items()}
    made = steward.publish(after)
    assert Counter(ill for _, ill, _ in steward.rows.elements()) == Counter(["HIV"] * 2 + ILL[:2])
    assert {days for *_, days in steward.rows} == {2}
    assert made.basis.rows_partly_renewed == 3


def test_nothing_is_left_to_show(place, tmp_path):
    steward = Steward(place, tmp_path)
    steward.publish(FOUR)
    with pytest.raises(la.Infeasible, match="too few to keep the protections"):
        steward.publish({"c": FOUR["c"], "d": FOUR["d"]})


def test_an_earlier_promise_lasts_where_the_next_release_asks_for_nothing(place, tmp_path):
    steward = Steward(place, tmp_path)
    others = {f"{who}": ("02139", ILL[who % 4], 1) for who in range(8)}
    steward.publish({**FOUR, **others})
    plain = {**ROLES, "ill": {"role": "sensitive", "unique": True}}
    steward.asked = {**steward.asked, "attributes": plain}
    steward.publish({"c": FOUR["c"], "d": FOUR["d"], **others})
    assert find_broken_protections(steward.entries) == ()
