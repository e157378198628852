"""Settings that are pinned and compared, and vectors that keep enough and lose few enough rows."""

import itertools
import re
from urllib.parse import urlencode

import pytest

from lookalike.studio.levels import level_work, wanted_vectors

from .leveled_people import HEIGHTS, count_classes, draw_rows, open_people, read_page

ROWS = draw_rows()


@pytest.fixture
def counted(studio, people):
    open_people(studio, people)
    return studio


def measure(vector, heights=HEIGHTS):
    """Return the precision and the rows in small classes, in plain Python."""
    lost = sum(size for size in count_classes(ROWS, vector).values() if size < 3)
    level = sum(map(float.__truediv__, map(float, vector), map(float, heights))) / len(heights)
    return 1 - (level * (len(ROWS) - lost) + lost) / len(ROWS), lost


def test_pinned_settings_stand_beside_those_that_are_tried(counted):
    begin = counted.get("/levels?k=5").text
    pin = re.search(r'id="pin" href="([^"]+)"', begin)[1].replace("&amp;", "&")
    pinned = read_page(counted.get(f"/levels{pin}&k=8").text)
    table = pinned.partition("Compared")[2].partition("Best levels")[0]
    alone = read_page(begin)
    five = re.search(r"precision (0\.\d+)", alone)[1]
    eight = re.search(r"precision (0\.\d+)", pinned)[1]
    these, _, earlier = table.partition("k 5")
    assert f"These settings {eight}" in these
    assert five in earlier
    assert five != eight


def test_a_pin_can_be_tried_and_taken_off(counted):
    page = counted.get("/levels?pin-0=k%3D5&pin-1=same&k=8&weight-0=2").text
    back = re.search(r'id="load-pin-0" href="([^"]+)"', page)[1].replace("&amp;", "&")
    assert "k=5" in back.partition("pin-0")[0]
    assert "weight-0" not in back
    off = re.search(r'id="unpin-0" href="([^"]+)"', page)[1].replace("&amp;", "&")
    assert "pin-0" not in off
    assert "pin-1=same" in off


def test_a_pin_that_does_not_exist_is_refused(counted):
    assert counted.get("/levels?pin-0=k%3D1").status_code == 422


@pytest.mark.parametrize(("kept", "lost"), [(30, "0.05"), (0, "0"), (40, ""), (100, "")])
def test_the_diagram_marks_what_keeps_too_little_or_loses_too_much(counted, kept, lost):
    page = counted.get(f"/levels?kept={kept}&lost={lost}").text
    said = dict(re.findall(r'aria-label="Levels ([\d,]+): ([^"]+)"><title>', page))
    wanted = {one for one, words in said.items() if "not wanted" not in words}
    expected = set()
    for vector in itertools.product(*(range(height + 1) for height in HEIGHTS)):
        precision, gone = measure(vector)
        if precision >= kept / 100 and (not lost or gone <= float(lost) * len(ROWS)):
            expected.add(",".join(map(str, vector)))
    assert wanted == expected


@pytest.mark.parametrize("bad", ["kept=101", "kept=x", "lost=2", "lost=x"])
def test_a_filter_that_does_not_exist_is_refused(counted, bad):
    assert counted.get(f"/levels?{bad}").status_code == 422


def test_a_large_lattice_lists_the_wanted_vectors_of_all_heights(studio, people, monkeypatch):
    open_people(studio, people, extra=2)
    monkeypatch.setattr(wanted_vectors, "WANTED_SECONDS", 60.0)
    page = studio.get("/levels?kept=20&lost=0.05").text
    listed = page.partition('id="listed"')[2].partition("</table>")[0]
    seen = re.findall(
        r'</span> ([\d,]+)<span class="unseen">.*?number">(\d+)</td><td class="number">(0\.\d+)',
        listed,
    )
    assert 0 < len(seen) <= wanted_vectors.MOST_WANTED
    work = studio.session.counted.levels
    frequency = work.frequency
    every = []
    for vector in itertools.product(*(range(height + 1) for height in frequency.heights)):
        _, sizes = frequency.count_classes(vector, range(len(vector)))
        lost = int(sizes[sizes < 3].sum())
        level = sum(one / most for one, most in zip(vector, frequency.heights, strict=True))
        rows = frequency.rows
        precision = 1 - (level / len(vector) * (rows - lost) + lost) / rows
        if precision >= 0.2 - 1e-9 and lost <= 0.05 * rows:
            every.append((precision, lost))
    best = sorted(every, reverse=True)[: wanted_vectors.MOST_WANTED]
    assert [one for _, _, one in seen] == [f"{precision:.4f}" for precision, _ in best]
    assert "time ran out, more may be wanted" not in page
    monkeypatch.setattr(wanted_vectors, "WANTED_SECONDS", -1.0)
    assert "time ran out, more may be wanted" in studio.get("/levels?kept=20").text


def test_another_map_keeps_what_else_the_address_asks_for(studio, people):
    open_people(studio, people, extra=2)
    asked = {"k": "4", "pin-0": "same", "kept": "20", "lost": "0.05", "height": "3"}
    page = studio.get(f"/levels?{urlencode(asked)}&x=1&y=2&vector=1,1,1,1,1").text
    form = page.partition('class="map-form"')[2].partition("</form>")[0]
    sent = re.findall('<input type="hidden" name="([^"]+)" value="([^"]*)">', form)
    assert dict(sent) == asked | {"at-1": "1", "at-2": "1"}


def test_a_move_searches_for_a_shorter_time(studio, people, monkeypatch):
    open_people(studio, people)
    monkeypatch.setattr(level_work, "HASTY_SECONDS", 0.0)
    assert "so far" in read_page(studio.get("/levels?k=4&moving=1").text)
    assert "so far" not in read_page(studio.get("/levels?k=4").text)
