"""A table with one column for each kind of hierarchy, and hostile values."""

from lookalike.studio.table_facts import profile

EVIL = '<script>alert("x")</script>'
JOBS = ["nurse", "doctor", "baker", "cook"]
TOWNS = ["Rome", "Paris", EVIL, 'a "b"', "line\nend", "Zürich"]
SPECIFICATION = """\
[source]
path = "folk.csv"

[release]
k = 3
out = "released/folk.csv"

[attributes.zip]
role = "quasi-identifier"
hierarchy = { kind = "mask" }

[attributes.age]
role = "quasi-identifier"
hierarchy = { kind = "intervals", widths = [5, 10] }

# what others know
[attributes.job]
role = "quasi-identifier"
hierarchy = { kind = "taxonomy", tree = { any = { health = ["nurse", "doctor"], \
trade = ["baker", "cook"] } } }

[attributes.town]
role = "quasi-identifier"
hierarchy = { kind = "file", path = "towns.csv" }

[attributes.gone]
role = "quasi-identifier"
hierarchy = { kind = "suppress" }

[attributes.ill]
role = "sensitive"
"""
ZIP, AGE, JOB, TOWN, GONE, ILL = map(str, range(6))


def quote(text):
    """Write a field of CSV."""
    return '"' + text.replace('"', '""') + '"'


def write_folk(folder):
    """Write the table, a hierarchy file, and the specification."""
    rows = [
        (f"021{n % 9}{n % 5}", str(17 + n % 60), JOBS[n % 4], TOWNS[n % 6], "flu" if n % 2 else "")
        for n in range(120)
    ]
    lines = ["zip,age,job,town,ill", *(",".join(map(quote, row)) for row in rows)]
    (folder / "folk.csv").write_text("\n".join(lines) + "\n", encoding="utf-8")
    towns = [f'{quote(town)};"{"south" if n < 3 else "north"}";"*"' for n, town in enumerate(TOWNS)]
    (folder / "towns.csv").write_text("\n".join(towns) + "\n", encoding="utf-8")
    (folder / "folk.toml").write_text(SPECIFICATION, encoding="utf-8")


def profile_folk(folder):
    """Write the table, and return its profile."""
    write_folk(folder)
    return profile(lambda _: None, folder / "folk.csv", {})
