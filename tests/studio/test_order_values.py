"""A tree of neighbours: on the screen, as a change, and with values that lines cannot hold."""

import html
import re
from itertools import pairwise

import pytest

from lookalike.studio.hierarchies.edit_tree import list_leaves, walk_nodes
from lookalike.studio.hierarchies.order_values import group_neighbours
from lookalike.studio.session import Refused

from .folk import AGE, JOB, TOWN, TOWNS

VALUES = [f"{place:02}" for place in range(20)]


@pytest.mark.parametrize("sizes", [[2], [3, 3], [7, 2, 2], [20], [50]])
def test_groups_are_neighbours_of_the_asked_number(sizes):
    [top] = group_neighbours(VALUES, {"sizes": sizes})
    assert list_leaves((top,)) == VALUES
    above = [node for spot, node in walk_nodes((top,)) if node.children and spot != (0,)]
    lowest = [node for node in above if not node.children[0].is_group]
    for node in lowest[:-1]:
        assert len(node.children) == sizes[0]
    if lowest:
        assert 2 <= len(lowest[-1].children) <= sizes[0] + 1
    for node in above:
        leaves = list_leaves((node,))
        assert node.label == f"{leaves[0]} – {leaves[-1]}"
        places = [VALUES.index(one) for one in leaves]
        assert all(after == before + 1 for before, after in pairwise(places))


def test_the_asked_order_comes_first_and_nothing_is_lost():
    [top] = group_neighbours(VALUES, {"sizes": [2], "order": ["07", "03"]})
    assert list_leaves((top,))[:2] == ["07", "03"]
    assert sorted(list_leaves((top,))) == VALUES


@pytest.mark.parametrize(
    ("asked", "field"),
    [
        ({"sizes": [2], "order": ["99"]}, "order"),
        ({"sizes": []}, "sizes"),
        ({"sizes": [1]}, "sizes"),
    ],
)
def test_what_is_no_order_is_refused_beside_its_field(asked, field):
    with pytest.raises(Refused) as refused:
        group_neighbours(VALUES, asked)
    assert [*refused.value.reasons] == [field]


def test_an_order_is_previewed_and_becomes_a_tree(folk):
    before = folk.project.text
    page = folk.get(f"/hierarchies?column={JOB}&kind=ordering").text
    order = re.search(r'<textarea id="f-order"[^>]*>\n?([^<]*)</textarea>', page)[1]
    assert html.unescape(order).split() == ["baker", "cook", "doctor", "nurse"]
    asked = "&defined=1&sizes=2&order=nurse%0Acook"
    page = html.unescape(folk.get(f"/hierarchies?column={JOB}&kind=ordering{asked}").text)
    assert "nurse – cook" in page
    assert "baker – doctor" in page
    assert folk.project.text == before
    fields = {"column": JOB, "kind": "ordering", "sizes": "2", "order": "nurse\r\ncook"}
    assert folk.post("/hierarchies/apply", fields).status_code == 303
    tree = folk.project.attributes["job"]["hierarchy"]
    groups = {"nurse – cook": ["nurse", "cook"], "baker – doctor": ["baker", "doctor"]}
    assert tree == {"kind": "taxonomy", "tree": {"*": groups}}


def test_values_that_no_line_can_hold_follow_the_others(folk):
    fields = {"column": TOWN, "kind": "ordering", "sizes": "2", "order": "Rome"}
    assert folk.post("/hierarchies/apply", fields).status_code == 303
    page = folk.get(f"/hierarchies?column={TOWN}&kind=ordering").text
    assert "<script>alert" not in page
    [groups] = folk.project.attributes["town"]["hierarchy"]["tree"].values()
    assert sorted(one for group in groups.values() for one in group) == sorted(TOWNS)


def test_numbers_are_in_the_order_of_their_size(folk):
    page = folk.get(f"/hierarchies?column={AGE}&kind=ordering").text
    order = re.search(r'<textarea id="f-order"[^>]*>\n?([^<]*)</textarea>', page)[1].split()
    assert order == sorted(order, key=int)


def test_frequent_values_are_shown_at_every_level(folk):
    page = folk.get(f"/hierarchies?column={JOB}").text
    ladders = page.partition('class="scroll ladders"')[2].partition("</table>")[0]
    rows = re.findall(r"<tr>(.*?)</tr>", ladders.partition("<tbody>")[2])
    seen = {tuple(re.findall(r'<span class="value">([^<]*)</span>', row)) for row in rows}
    groups = {"nurse": "health", "doctor": "health", "baker": "trade", "cook": "trade"}
    assert seen == {(job, group, "any") for job, group in groups.items()}
