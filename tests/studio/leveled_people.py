"""Invented people, their levels in plain Python, and a studio that has counted them."""

import html
import random
import re
import tempfile
from collections import Counter
from functools import cache
from pathlib import Path

from lookalike.studio.counted_list import CountedList, count_list, find_counting_key
from lookalike.studio.editing.project import Project

ZIPS = ["021", "022", "031", "032", "039"]
JOBS = {"nurse": "health", "doctor": "health", "clerk": "office", "boss": "office"}
HEIGHTS = (3, 1, 2)
SPECIFICATION = """\
[source]
path = "workers.csv"

[release]
k = 3
max_suppressed = 4
method = "mingen"
out = "released/workers.csv"

[attributes.zip]
role = "quasi-identifier"
hierarchy = { kind = "mask" }

[attributes.sex]
role = "quasi-identifier"
hierarchy = { kind = "suppress" }

[attributes.job]
role = "quasi-identifier"
[attributes.job.hierarchy]
kind = "taxonomy"
tree = { any = { health = ["nurse", "doctor"], office = ["clerk", "boss"] } }

[attributes.ill]
role = "sensitive"
"""
MASKED = '\n[attributes.{}]\nrole = "quasi-identifier"\nhierarchy = {{ kind = "mask" }}\n'


def draw_rows(number=70, seed=4):
    """Return rows of zip, sex, job and illness; some values are missing."""
    draw = random.Random(seed)

    def some(values):
        return None if draw.random() < 0.08 else draw.choice(values)

    return [(some(ZIPS), some("fm"), some([*JOBS]), draw.choice("abc")) for _ in range(number)]


def generalize(row, vector):
    """Return the values of a row at a vector; a missing value changes at the top only."""
    (place, sex, job, _), (zip_level, sex_level, job_level) = row, vector
    shown_zip = place and place[: 3 - zip_level] + "*" * zip_level
    shown_job = job and [job, JOBS[job]][min(job_level, 1)]
    return (
        "***" if zip_level == 3 else shown_zip,
        "*" if sex_level else sex,
        "any" if job_level == 2 else shown_job,
    )


def count_classes(rows, vector):
    """Return the size of each class at a vector."""
    return Counter(generalize(row, vector) for row in rows)


def write_people(folder, text=SPECIFICATION, extra=0):
    """Write the table and its specification; with extra columns, the lattice is large."""
    draw = random.Random(8)
    rows = [
        [*("" if one is None else one for one in row), *(draw.choice(ZIPS) for _ in range(extra))]
        for row in draw_rows()
    ]
    names = ["zip", "sex", "job", "ill", *(f"more{n}" for n in range(extra))]
    lines = [",".join(line) for line in (names, *rows)]
    (folder / "workers.csv").write_text("\n".join(lines) + "\n")
    text += "".join(MASKED.format(f"more{n}") for n in range(extra))
    (folder / "workers.toml").write_text(text)


@cache
def count_people(text, extra):
    """Return the frequency list of the people, counted once."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        write_people(folder, text, extra)
        project = Project(folder, "workers.toml", (folder / "workers.toml").read_text())
        return count_list(lambda _: None, project).frequency


def open_people(studio, folder, text=SPECIFICATION, extra=0):
    """Open the people in a studio, and count them."""
    write_people(folder, text, extra)
    studio.session.store.open("workers.toml")
    frequency = count_people(text, extra)
    studio.session.keep_result(CountedList(find_counting_key(studio.project), frequency))


def open_renamed(studio, folder, before, after):
    """Open the people with other text in their table and specification, and count them."""
    write_people(folder, SPECIFICATION.replace(f"attributes.{before}", f"attributes.{after!r}"))
    table = folder / "workers.csv"
    quoted = '"' + after.replace('"', '""') + '"'
    table.write_text(table.read_text().replace(before, quoted).replace(",f,", ",<b>f,"))
    studio.session.store.open("workers.toml")
    studio.session.keep_result(count_list(lambda _: None, studio.project))


def read_page(page):
    """Return the text of a page, without its marks."""
    apart = page.replace("</dt>", " ").replace("</dd>", " ")
    return html.unescape(re.sub(r"\s+", " ", re.sub(r"<[^>]+>", "", apart)))
