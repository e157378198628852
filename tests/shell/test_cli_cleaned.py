"""Every command reads a table with markers, blanks and lost zeros as if it had none of them."""

import shutil

import pytest

DIRTY = """number,zip,age,ill
1,2138,31, flu
2,2138 ,31,cold
3,02139,NA,flu
4,2139,-9,NA
5,?,31,flu
6,NA,31,?
"""
CLEAN = """number,zip,age,ill
1,02138,31,flu
2,02138,31,cold
3,02139,,flu
4,02139,,
5,,31,flu
6,,31,
"""
SPECIFICATION = """
[source]
path = "people.csv"
row_key = "number"
{source}
[release]
k = 2
method = "mingen"
max_suppressed = 0
max_sequences = 1000
out = "released/people.csv"
{release}
[attributes.number]
role = "identifier"
[attributes.zip]
role = "quasi-identifier"
hierarchy = {{ kind = "mask" }}
{zip}
[attributes.age]
role = "quasi-identifier"
hierarchy = {{ kind = "intervals", origin = 0, widths = [10, 50] }}
{age}
[attributes.ill]
role = "sensitive"
{ill}
"""
OWN = {
    "source": 'missing = ["NA", "?"]\ntrim = true',
    "zip": "zero_pad = 5",
    "age": 'missing = ["-9", "NA"]',
    "ill": 'missing = ["?", "NA"]',
}
OPTIONS = '--missing NA --missing "?" --missing=-9 --trim'


@pytest.fixture
def both(tmp_path, monkeypatch, answer):
    """Runs a command on the dirty table and on the clean one; returns what each answers."""
    for name, rows in (("dirty", DIRTY), ("clean", CLEAN)):
        (tmp_path / name).mkdir()
        (tmp_path / name / "people.csv").write_text(rows)
        write_specification(tmp_path / name)
        (tmp_path / name / "register.csv").write_text(rows)
        (tmp_path / name / "shown.csv").write_text(CLEAN)
        narrow = [line.split(",")[2:] for line in rows.splitlines()]
        (tmp_path / name / "narrow.csv").write_text("\n".join(map(",".join, narrow)))

    def run(command, code=0, options=""):
        found = []
        for name, more in (("dirty", options), ("clean", "")):
            monkeypatch.chdir(tmp_path / name)
            found.append(answer(f"{command} {more}", code))
        return found

    return run


def write_specification(folder, **parts):
    fields = OWN if folder.name == "dirty" else dict.fromkeys(OWN, "")
    text = SPECIFICATION.format(**{"release": "", **fields, **parts})
    (folder / "spec.toml").write_text(text)


def without_time(answered):
    """Return an answer without the seconds that it took, also inside of lists."""
    if isinstance(answered, list):
        return [without_time(one) for one in answered]
    if not isinstance(answered, dict):
        return answered
    return {
        name: without_time(one) for name, one in answered.items() if not name.startswith("seconds")
    }


@pytest.mark.parametrize(
    ("command", "code"),
    [
        ("check people.csv -q age,ill -k 2", 1),
        ("risk people.csv -q age,ill --sensitive number", 0),
        ("risk narrow.csv", 0),
        ("risk people.csv -q age --population register.csv", 0),
        ("link shown.csv people.csv --on age,ill", 0),
    ],
)
def test_a_table_is_read_with_markers_and_trimmed(both, command, code):
    dirty, clean = both(command, code, options=OPTIONS)
    assert without_time(dirty) == without_time(clean)


@pytest.mark.parametrize(
    ("command", "code"),
    [
        ("check --spec spec.toml", 0),
        ("minimal spec.toml", 0),
        ("hierarchy show spec.toml zip", 0),
        ("hierarchy check spec.toml", 0),
        ("minimal spec.toml --search matrix", 0),
        ("release spec.toml --explain", 0),
        ("compare spec.toml --method datafly --method mingen", 0),
    ],
)
def test_a_specification_says_how_its_table_is_read(both, command, code):
    dirty, clean = both(command, code)
    assert without_time(dirty) == without_time(clean)


def test_a_release_of_a_dirty_table_verifies_against_it(both, tmp_path):
    for made in both("release spec.toml --keep-order"):
        assert (made["rows_in"], made["rows_suppressed"]) == (6, 0)
    released = [(tmp_path / name / "released" / "people.csv") for name in ("dirty", "clean")]
    assert released[0].read_text() == released[1].read_text()
    for verified in both("verify released --spec spec.toml"):
        assert verified["holds"]
    for verified in both("verify released --spec spec.toml --table register.csv"):
        assert verified["holds"]
    for measured in both("minimal spec.toml --of released"):
        assert measured["k_minimal"]


def test_exposure_reads_the_population_like_the_table(both):
    both("release spec.toml")
    dirty, clean = both("risk released --spec spec.toml --population register.csv")
    assert dirty == clean


def test_a_register_is_read_like_the_table(both, tmp_path):
    for name in ("dirty", "clean"):
        asked = 'k_map = { k = 2, population = "register.csv" }'
        write_specification(tmp_path / name, release=asked)
    dirty, clean = both("release spec.toml")
    assert dirty["levels"] == clean["levels"] == {"zip": 0, "age": 0}
    assert all(verified["holds"] for verified in both("verify released --spec spec.toml"))


@pytest.mark.slow
@pytest.mark.parametrize("policy", ["based-on", "all-released-attributes"])
def test_the_next_release_recognizes_what_was_read_before(both, tmp_path, policy):
    for name in ("dirty", "clean"):
        asked = f'ledger = "l.db"\nledger_key = "l.key"\npolicy = "{policy}"'
        write_specification(tmp_path / name, release=asked)
    both("release spec.toml")
    for name in ("dirty", "clean"):
        shutil.move(tmp_path / name / "released", tmp_path / name / "first")
    dirty, clean = both("release spec.toml")
    assert dirty["basis"] == clean["basis"]
    assert (dirty["levels"], dirty["rows_out"]) == (clean["levels"], clean["rows_out"])
    assert all(verified["holds"] for verified in both("verify released --spec spec.toml"))


def test_a_specification_names_its_markers_itself(type_in, folder):
    code, _, complaint = type_in("check --spec patients.toml --missing NA")
    assert code == 2
    assert "--missing" in complaint


@pytest.mark.parametrize(
    "option", ["--encoding utf-8", "--last-rows 0", "--delimiter ,", "--trim", "--person zip"]
)
@pytest.mark.parametrize("command", ["check --spec patients.toml", "risk out --spec patients.toml"])
def test_what_would_be_ignored_beside_a_specification_is_refused(type_in, folder, command, option):
    """An option that would be ignored is refused by name, even if it gives the default."""
    code, _, complaint = type_in(f"{command} {option}")
    assert code == 2
    assert option.split()[0] in " ".join(complaint.split()).partition("leave out")[2]


def test_k_replaces_that_of_the_specification_that_is_checked(type_in, folder):
    code, _, complaint = type_in("check --spec patients.toml -k 13")
    assert (code, "13" in complaint) == (3, True)


def test_rows_that_are_no_data_are_left_out_by_every_command(
    tmp_path, monkeypatch, type_in, answer
):
    monkeypatch.chdir(tmp_path)
    rows = [f"{20 + n % 3},f,0213{n % 2},flu" for n in range(24)]
    lines = ["People of 2025", "", "age,sex,zip,ill", "years,,,", *rows, "Total,,,", ""]
    (tmp_path / "people.csv").write_text("\n".join(lines))
    around = "--header-row 3 --skip-rows 1 --last-rows 1"
    for command in ("init", "check -q zip", "risk -q zip", "hierarchy propose"):
        column = " zip" if command.startswith("hierarchy") else ""
        code, _, complaint = type_in(f"{command} people.csv{column}")
        assert (code, "--header-row 3" in complaint, "2025" in complaint) == (2, True, False)
    assert answer(f"check people.csv -q zip,age {around}")["rows"] == len(rows)
    assert answer(f"risk people.csv -q zip,age {around}")["rows"] == len(rows)
    assert type_in(f"hierarchy propose people.csv zip {around}")[0] == 0
    (tmp_path / "released.csv").write_text("zip\n02130\n02130\n")
    linked = type_in(f"link released.csv people.csv --on zip {around} --json")
    assert linked[0] == 0
    assert answer(f"init people.csv {around}")["rows"] == len(rows)
    assert (
        "last_rows" in answer("init people.csv --header-row 3 --skip-rows 1 --replace")["remarks"]
    )
    code, _, complaint = type_in("check --spec people.toml --header-row 3")
    assert (code, "--header-row" in complaint) == (2, True)
