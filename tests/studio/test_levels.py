"""The screen Levels: what it shows of a lattice, what it refuses, and what it changes."""

import html
import itertools
import re

import pytest

from lookalike.studio.screens import levels as screen

from .leveled_people import (
    HEIGHTS,
    SPECIFICATION,
    count_classes,
    draw_rows,
    generalize,
    open_people,
    open_renamed,
    read_page,
)

ROWS = draw_rows()
VECTORS = list(itertools.product(*(range(height + 1) for height in HEIGHTS)))


def text_of(vector):
    return ",".join(map(str, vector))


def count_outliers(vector, k=3):
    """Count the rows in small classes, in plain Python."""
    return sum(size for size in count_classes(ROWS, vector).values() if size < k)


@pytest.fixture
def counted(studio, people):
    open_people(studio, people)
    return studio


@pytest.fixture
def large(studio, people):
    open_people(studio, people, extra=2)
    return studio


def test_a_table_must_be_counted_first(studio):
    assert 'action="/levels/count"' in studio.get("/levels").text


def test_the_diagram_says_of_every_vector_what_a_recount_says(counted):
    page = counted.get("/levels").text
    said = dict(re.findall(r'<a id="node-[\d-]+"[^>]* aria-label="Levels ([\d,]+): (\w+)', page))
    fits = {text_of(one): count_outliers(one) <= 4 for one in VECTORS}
    assert said == {one: "satisfies" if fit else "fails" for one, fit in fits.items()}
    assert {"satisfies", "fails"} == set(said.values())


def test_minimal_vectors_and_the_best_one_are_marked(counted):
    page = counted.get("/levels").text
    fitting = [one for one in VECTORS if count_outliers(one) <= 4]
    below = lambda one, two: one != two and all(map(int.__le__, one, two))  # noqa: E731
    lowest = {text_of(v) for v in fitting if not any(below(u, v) for u in fitting)}
    marks = dict(re.findall(r'aria-label="Levels ([\d,]+): ([^"]+)"><title>', page))
    assert {one for one, said in marks.items() if "k-minimal" in said} == lowest
    loss = {
        one: (
            sum(level / height for level, height in zip(one, HEIGHTS, strict=True))
            * (len(ROWS) - count_outliers(one))
            + len(HEIGHTS) * count_outliers(one)
        )
        for one in fitting
    }
    [best] = [one for one, said in marks.items() if "best" in said]
    least = min(loss.values())
    assert loss[tuple(map(int, best.split(",")))] == pytest.approx(least)
    precision = 1 - least / len(HEIGHTS) / len(ROWS)
    assert f"{precision:.4f}" in read_page(page)


@pytest.mark.parametrize("vector", [(0, 0, 0), (1, 0, 1), (2, 1, 0), (3, 1, 2)])
def test_why_a_vector_fails_is_what_a_recount_says(counted, vector):
    page = read_page(counted.get(f"/levels?vector={text_of(vector)}").text)
    sizes = [*count_classes(ROWS, vector).values()]
    outliers = count_outliers(vector)
    verdict = "satisfy the requirement" if outliers <= 4 else "fail"
    assert f"Levels {text_of(vector)}: {verdict}" in page
    if outliers:
        assert f"{outliers} rows are in classes of fewer than 3 rows; at most 4 may be." in page
        small = [size for size in sizes if size < 3]
        assert f"by {len(small)} classes with {outliers} rows" in page
        assert f"{small.count(1)} class{'es' * (small.count(1) != 1)} of 1 row" in page
    else:
        assert "No row must be suppressed; at most 4 may be." in page
    released = [size for size in sizes if size >= 3]
    assert f"Rows released {sum(released)} of {len(ROWS)}" in page
    assert f"{sum(released) / len(released):.1f} rows on average" in page


def test_neighbours_have_their_rows(counted):
    page = counted.get("/levels?vector=1,0,1").text
    for place, name in enumerate(("zip", "sex", "job")):
        for words, step in (("lower", -1), ("higher", 1)):
            other = [1, 0, 1]
            other[place] += step
            found = re.search(rf'<a id="{words}-{place}"[^>]*><span[^<]*</span>([^<]*)</a>', page)
            if not 0 <= other[place] <= HEIGHTS[place]:
                assert found is None, name
                continue
            assert found[1].split()[-1] == str(count_outliers(tuple(other))), name


def test_the_step_that_helps_most_is_named(counted):
    page = read_page(counted.get("/levels?vector=0,0,0").text)
    after = {
        name: count_outliers(tuple(int(n == place) for n in range(3)))
        for place, name in enumerate(("zip", "sex", "job"))
    }
    name = min(after, key=after.get)
    assert f"One level of {name} more helps most: {after[name]} rows" in page


BAD = [
    "vector=0,1",
    "vector=0,1,2,3",
    "vector=4,0,0",
    "vector=-1,0,0",
    "vector=a,b,c",
    "vector=",
    "vector=1.5,0,0",
    "at-0=9",
    "at-0=x",
    "k=1",
    "k=x",
    "k=2.5",
    "k=",
    "k=-3",
    "limit=-1",
    "limit=x",
    "limit=0.5",
    "weight-0=-1",
    "weight-0=x",
    "weight-1=",
    "weight-0=1e9",
    "low-0=4",
    "low-0=x",
    "high-2=3",
    "high-2=-1",
]


@pytest.mark.parametrize("query", BAD)
def test_an_address_that_asks_for_what_does_not_exist_is_refused(counted, query):
    answer = counted.get(f"/levels?{query}")
    assert answer.status_code == 422
    assert 'role="alert"' in answer.text
    assert "must be" in answer.text or "must have" in answer.text
    assert 'id="outcome"' in answer.text


BAD_LARGE = ["x=5", "y=a", "x=1&y=1", "height=99", "height=x", "page=x", "page=-1"]


@pytest.mark.parametrize("query", BAD_LARGE)
def test_a_map_that_does_not_exist_is_refused(large, query):
    assert large.get(f"/levels?{query}").status_code == 422


INLINE = {
    "low-0=2&high-0=1": "The lowest level is above the highest one for zip",
    "weight-0=0&weight-1=0&weight-2=0": "every weight is 0",
    "k=999": "fewer than k = 999",
    "high-0=0&high-1=0&high-2=0": "loosen the constraints on levels",
}


@pytest.mark.parametrize(("query", "why"), INLINE.items())
def test_settings_that_leave_nothing_say_so_in_their_place(counted, query, why):
    answer = counted.get(f"/levels?{query}")
    assert answer.status_code == 200
    outcome = answer.text.partition('id="tried"')[2].partition('id="lattice"')[0]
    assert why in outcome
    assert re.search(r'id="apply"[^>]*disabled', outcome)


def test_other_weights_lead_to_other_levels(counted):
    weighed = {}
    for place in range(3):
        page = counted.get(f"/levels?weight-{place}=9&limit=0").text
        weighed[place] = re.search(r'<a id="best"[^>]*>([\d,]+)</a>', page)[1]
    assert len(set(weighed.values())) > 1


def test_bounds_exclude_vectors_and_are_named(counted):
    page = counted.get("/levels?low-0=2&vector=1,0,1")
    assert "Excluded by <code>zip &gt;= 2</code>" in page.text
    assert 'aria-label="Levels 1,0,1: excluded, described below"' in page.text
    assert "12 vectors within the bounds, of 24" in read_page(page.text)


def test_a_large_lattice_is_shown_by_height_and_as_a_map(large):
    page = large.get("/levels?x=0&y=3").text
    assert '<svg class="hasse' not in page
    heights = re.findall(
        r'id="height-(\d+)".*?<td class="number">(\d+)</td><td class="number">(\d+)</td>'
        r'<td class="number">(\d+)</td>',
        page,
        re.DOTALL,
    )
    assert sum(int(good) + int(bad) + int(left) for _, good, bad, left in heights) == 4 * 2 * 3 * 16
    assert page.count('id="cell-') == 16
    assert re.search(r'<option value="3" selected>more0', page)


def test_the_vectors_of_a_height_are_listed_page_by_page(large):
    seen = []
    for number in itertools.count(1):
        page = large.get(f"/levels?height=5&page={number}").text
        listed = page.partition('id="listed"')[2].partition("</table>")[0]
        seen += re.findall(r'</span> ([\d,]+)<span class="unseen">: (\w+)', listed)
        if 'id="page-after"' not in page:
            break
    vectors = [one for one, _ in seen]
    expected = itertools.product(range(4), range(2), range(3), range(4), range(4))
    assert sorted(vectors) == sorted(text_of(one) for one in expected if sum(one) == 5)
    states = [state for _, state in seen]
    assert states == sorted(states, key=["satisfies", "fails"].index)


def test_what_is_not_decided_is_said_and_can_be_decided(large, monkeypatch):
    monkeypatch.setattr(screen, "MOVING_SECONDS", 0.0)
    page = large.get("/levels?moving=1").text
    assert "384 are not decided" in read_page(page)
    assert 'id="decide"' in page
    assert "are not decided" not in read_page(large.get("/levels").text)
    assert "are not decided" not in read_page(large.get("/levels?moving=1").text)


def test_a_lattice_that_is_too_large_has_a_map_alone(large, monkeypatch):
    monkeypatch.setattr(screen, "MOST_DECIDED", 10)
    page = large.get("/levels").text
    assert "too many to decide" in page
    assert 'class="heights"' not in page
    assert page.count('id="cell-') == 16
    assert "not decided" not in page.partition('class="map"')[2].partition("</table>")[0]


PROTECTED = SPECIFICATION + "protect = { distinct = 3 }\n"


def test_protections_that_fail_are_named(studio, people):
    text = PROTECTED.replace("k = 3", 'k = 3\nsecrecy = "search"')
    open_people(studio, people, text)
    page = read_page(studio.get("/levels?vector=1,0,1").text)
    classes = {}
    for row in ROWS:
        classes.setdefault(generalize(row, (1, 0, 1)), []).append(row[3])
    poor = [one for one in classes.values() if len(set(one)) < 3]
    assert f"of 'ill', by {len(poor)} classes with {sum(map(len, poor))} rows" in page
    lost = sum(len(one) for one in classes.values() if len(one) < 3 or len(set(one)) < 3)
    assert f"{lost} rows must be suppressed" in page


def test_blind_choices_are_judged_afterwards(studio, people):
    open_people(studio, people, PROTECTED)
    page = read_page(studio.get("/levels?vector=3,0,1").text)
    assert "chosen without sensitive values" in page
    refused = read_page(studio.get("/levels?vector=1,1,1&limit=70").text)
    assert "A release at these levels is refused." in refused
    answer = studio.post("/levels/use", {"vector": "1,1,1", "limit": "70"})
    assert answer.status_code == 422


def test_hostile_names_and_values_are_text(studio, people):
    open_renamed(studio, people, "sex", '<script>alert("x")</script>')
    for query in ("", "?low-1=1&vector=0,0,0", "?low-1=1&high-1=0"):
        page = studio.get(f"/levels{query}").text
        assert "<script>alert" not in page
        assert "<b>f" not in page
        assert "&lt;script&gt;alert" in page


def test_contradicting_constraints_are_a_problem_of_the_page(counted):
    asked = SPECIFICATION.replace("k = 3", 'k = 3\nconstraints = ["zip <= 1", "zip >= 2"]')
    counted.session.change(asked, "constraints")
    answer = counted.get("/levels")
    assert answer.status_code == 200
    assert "contradict each other" in answer.text


def test_the_command_names_the_levels(counted):
    page = html.unescape(counted.get("/levels?vector=2,1,1").text)
    assert "lookalike minimal workers.toml" in page
    assert "--method mingen --constraint 'zip = 2' --constraint 'sex = 1'" in page
    page = html.unescape(counted.get("/levels?vector=2,1,1&k=4&limit=6").text)
    assert "--method mingen --k 4 --max-suppressed 6 --constraint 'zip = 2'" in page
