"""Roles and Levels show how many bits labels can carry, and what the chosen columns cost."""

import re

from lookalike.studio.editing.project import rewrite, undo_change

from .leveled_people import open_people

ROLES = ("quasi-identifier",) * 5 + ("sensitive",)


def read_budget(page):
    """Return the bits that are spent and those that there are, as a page shows them."""
    found = re.search(r'id="budget".*?([\d.]+) of ([\d.]+) bits</b>', page, re.DOTALL)
    return None if found is None else tuple(map(float, found.groups()))


def assign(folk, **changed):
    roles = {f"role-{place}": role for place, role in enumerate(ROLES)}
    folk.post(
        "/roles/assign", roles | {name.replace("_", "-"): one for name, one in changed.items()}
    )
    return folk.get("/roles").text


def test_the_bar_fills_as_columns_are_chosen(folk):
    every = read_budget(folk.get("/roles").text)
    fewer = read_budget(assign(folk, role_1="drop", role_3="drop"))
    assert every[1] == fewer[1]
    assert every[0] > fewer[0] > 0


def test_no_budget_without_a_quasi_identifier_a_table_or_a_right_k(folk):
    none = dict.fromkeys([f"role_{place}" for place in range(5)], "drop")
    assert read_budget(assign(folk, **none)) is None
    assert read_budget(assign(folk)) is not None
    for wrong in ("k = 1", 'k = "many"', 'preset = "none"'):
        text = folk.project.text.replace("k = 3", wrong)
        folk.session.store.change(lambda project, text=text: rewrite(project, text, "k"))
        assert read_budget(folk.get("/roles").text) is None
        folk.session.store.change(undo_change)
    folk.session.facts = None
    assert read_budget(folk.get("/roles").text) is None


def test_levels_cost_less_the_higher_they_are(studio, people):
    open_people(studio, people)
    low, high = (
        read_budget(studio.get(f"/levels?vector={one}").text) for one in ("0,0,0", "1,1,0")
    )
    assert low[1] == high[1]
    assert low[0] > high[0]
    other = read_budget(studio.get("/levels?k=6&vector=0,0,0").text)
    assert (other[0], other[1] < low[1]) == (low[0], True)
