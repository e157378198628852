"""Recipients with other columns who put their releases together, by enumeration of all worlds.

Each recipient gets some columns of the quasi-identifier and one other column. The attackers know
everybody's whole quasi-identifier, who is shown, and which rows of two releases are of one person.
A *world* gives each person who is shown another pair of rows that fits in both releases.
"""

import pyarrow as pa
import pyarrow.csv
import pytest

import lookalike as la

from ..effort import draw_cases

K = 2
NUMBERS = ["00", "01", "10", "11"]
SHOWN = {"insurer": ["a", "b", "ill"], "registry": ["b", "c", "job"], "press": ["a", "c"]}
LINKABLE = {"role": "quasi-identifier", "hierarchy": la.Mask(length=2)}
ATTRIBUTES = {
    "id": {"role": "identifier"},
    **dict.fromkeys("abc", LINKABLE),
    "ill": {"role": "other", "unique": True},
    "job": {"role": "other", "unique": True},
}


def invent(draw, people):
    """Invent people, each with values that nobody else has in the columns that are not linkable."""
    columns = {name: [draw.choice(NUMBERS) for _ in range(people)] for name in "abc"}
    ids = [str(one) for one in range(people)]
    return pa.table(
        {"id": ids, **columns, "ill": [f"i{n}" for n in ids], "job": [f"j{n}" for n in ids]}
    )


def publish(table, folder, recipient, *, ledger=True, method="mingen", **fields):
    """Publish what one recipient gets; return its rows as texts."""
    known = {}
    if ledger:
        known = {"ledger": str(folder / "ledger.db"), "ledger_key": str(folder / "key")}
    made = la.release(
        table,
        k=K,
        method=method,
        max_suppressed=0.5,
        attributes=ATTRIBUTES,
        recipients={name: {"columns": columns} for name, columns in SHOWN.items()},
        recipient=recipient,
        source={"row_key": "id", "name": "people"},
        **known,
        **fields,
    )
    file = folder / recipient / "table.csv"
    made.publish(file)
    names = file.read_text().splitlines()[0].split(",")
    options = pa.csv.ConvertOptions(column_types={name: pa.string() for name in names})
    return pa.csv.read_csv(file, convert_options=options).to_pylist()


def number_of(row):
    """Return whose row it is, which the attackers do not know."""
    return int(next(value[1:] for name, value in row.items() if name in ("ill", "job")))


def fits(person, row):
    """Return whether the quasi-identifier of a row generalizes that of a person."""
    return all(
        row[name] == "*"
        or all(one in ("*", own) for own, one in zip(person[name], row[name], strict=True))
        for name in "abc"
        if name in row
    )


def fewest(people, releases):
    """Return the least number of pairs of rows of one person, or of persons of one pair."""
    rows = [{number_of(row): row for row in each} for each in releases]
    shown = sorted(rows[0].keys() & rows[1].keys())
    options = [
        {who for who in shown if all(fits(people[who], each[pair]) for each in rows)}
        for pair in shown
    ]
    worlds = list_worlds(options)
    assert tuple(shown) in worlds, "what is true is not possible"
    owners = [{world[at] for world in worlds} for at in range(len(shown))]
    pairs = [{world.index(who) for world in worlds} for who in shown]
    return min(map(len, (*owners, *pairs)))


def list_worlds(options):
    """List all ways to give each pair of rows an owner of its own, one of its options."""
    worlds = [()]
    for some in options:
        worlds = [(*world, who) for world in worlds for who in some if who not in world]
    return worlds


@pytest.mark.parametrize("method", ["mingen", "mingen-cells"])
def test_no_two_recipients_together_single_out_anybody(method, tmp_path):
    joined = 0
    for seed, draw in draw_cases(8, 2000):
        folder = tmp_path / str(seed)
        table = invent(draw, draw.randint(4, 6))
        try:
            rows = [publish(table, folder, name, method=method) for name in ("insurer", "registry")]
        except la.Infeasible:
            continue
        assert {*map(number_of, rows[0])} == {*map(number_of, rows[1])}, f"seed {seed}"
        assert fewest(table.to_pylist(), rows) >= K, f"seed {seed}"
        joined += 1
    assert joined > 3, "hardly anything is released, so nothing is tested"


@pytest.mark.parametrize("method", ["mingen", "mingen-cells"])
def test_classes_that_are_chosen_for_each_recipient_single_people_out(method, tmp_path):
    exposed = 0
    for seed, draw in draw_cases(8, 100):
        folder = tmp_path / str(seed)
        table = invent(draw, draw.randint(4, 6))
        try:
            rows = [
                publish(table, folder, name, method=method, ledger=False)
                for name in ("insurer", "registry")
            ]
        except la.Infeasible:
            continue
        assert all(fewest(table.to_pylist(), [one, one]) >= K for one in rows), f"seed {seed}"
        exposed += fewest(table.to_pylist(), rows) < K
    assert exposed


def test_a_third_recipient_gets_the_same_rows_and_classes(tmp_path):
    table = pa.table(
        {
            "id": [str(n) for n in range(6)],
            "a": ["00", "00", "01", "10", "10", "10"],
            "b": ["00", "00", "11", "01", "01", "01"],
            "c": ["11", "10", "11", "00", "00", "01"],
            "ill": list("uvwxyz"),
            "job": list("UVWXYZ"),
        }
    )
    sizes = []
    for name in SHOWN:
        rows = publish(table, tmp_path, name)
        linkable = [tuple(row[column] for column in "abc" if column in row) for row in rows]
        sizes.append((len(rows), min(map(linkable.count, linkable))))
    assert len({rows for rows, _ in sizes}) == 1
    assert min(least for _, least in sizes) >= K
