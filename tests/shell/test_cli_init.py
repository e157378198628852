"""``lookalike init``: what it prints, what it writes, and what it asks."""

import json
import random
import shutil
from pathlib import Path

import pytest

import lookalike
from lookalike.shell.commands import init

DATA = Path(lookalike.__file__).parent / "shell" / "data"


@pytest.fixture
def place(tmp_path, monkeypatch):
    """A folder with the hospital table only, as the working folder."""
    shutil.copy(DATA / "hospital" / "hospital.csv", tmp_path)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "80")
    return tmp_path


def test_init_writes_a_specification_and_names_the_next_command(place, type_in):
    code, shown, complaint = type_in("init hospital.csv")
    assert (code, complaint) == (0, "")
    assert "record_no" in shown
    assert "lookalike release hospital.toml --dry-run" in shown
    assert 'person = "record_no"' in (place / "hospital.toml").read_text(encoding="utf-8")


def test_no_value_is_printed_unless_standard_output_is_a_terminal(place, type_in):
    _, shown, _ = type_in("init hospital.csv")
    assert "Müller" not in shown
    assert "e.g." not in shown


def test_init_refuses_to_overwrite(place, type_in):
    (place / "hospital.toml").write_text("mine")
    code, _, complaint = type_in("init hospital.csv")
    assert code == 6
    assert "--replace" in complaint
    assert (place / "hospital.toml").read_text() == "mine"
    assert type_in("init hospital.csv --replace")[0] == 0
    assert (place / "hospital.toml").read_text() != "mine"


def test_the_specification_may_be_elsewhere(place, type_in):
    (place / "specs").mkdir()
    assert type_in("init hospital.csv --out specs/h.toml --k 7")[0] == 0
    text = (place / "specs" / "h.toml").read_text(encoding="utf-8")
    assert 'path = "../hospital.csv"' in text
    assert "k = 7" in text


def test_json_is_one_object_without_values(place, answer):
    printed = answer("init hospital.csv --yes")
    assert [one["name"] for one in printed["columns"]][:2] == ["visit_no", "record_no"]
    assert printed["undecided"] == []
    assert printed["files"][0] == "hospital.toml"
    assert "Müller" not in json.dumps(printed, ensure_ascii=False)


def make_doubtful(place):
    """Write a table with a column that nobody can decide on but its holder."""
    lines = [f"{'fm'[number % 2]},t{number % 40}" for number in range(100)]
    (place / "things.csv").write_text("\n".join(["sex,thing", *lines]) + "\n")


@pytest.fixture
def at_terminal(place, monkeypatch):
    """Lets init believe that it runs at a terminal, and answers its questions."""
    make_doubtful(place)

    def answers(*lines):
        given = iter(lines)

        def read(question):
            if "Who receives" in question and lines[:1] not in (("p",), ("?",)):
                return ""  # for tests that ask for something else
            line = next(given)
            if line is KeyboardInterrupt:
                raise KeyboardInterrupt
            return line

        for console in (init.out, init.err):
            monkeypatch.setattr(type(console), "is_terminal", property(lambda _: True))
        monkeypatch.setattr(init.err, "input", read)

    return answers


def test_init_asks_about_doubtful_columns_at_a_terminal(place, at_terminal, type_in):
    at_terminal("x", "o")
    assert type_in("init things.csv")[0] == 0
    text = (place / "things.toml").read_text()
    assert 'role = "?"' not in text
    assert 'role = "other"' in text
    assert "decided by the holder" in text


def make_unknown(place, columns):
    """Write a table with so many columns, not recognized, with more values than answers."""
    names = [f"thing{number}" for number in range(columns)]
    lines = [
        ",".join(["fm"[row % 2], *(f"t{row % (13 + number)}" for number in range(columns))])
        for row in range(400)
    ]
    (place / "things.csv").write_text("\n".join([",".join(["sex", *names]), *lines]) + "\n")


def test_one_answer_may_decide_on_all_unknown_columns(place, at_terminal, type_in):
    make_unknown(place, 30)
    at_terminal("o", "")
    code, _, asked = type_in("init things.csv")
    assert code == 0
    assert "30 columns are not recognized: thing0, thing1" in " ".join(asked.split())
    assert (place / "things.toml").read_text().count('role = "other"') == 30


def test_one_answer_may_decide_on_all_but_some_columns(place, at_terminal, type_in):
    make_unknown(place, 6)
    at_terminal("o", "thing1, thing9", "thing1, thing4", "d", "")
    code, _, asked = type_in("init things.csv")
    assert code == 0
    assert "thing9" in asked
    text = (place / "things.toml").read_text()
    assert text.count('role = "other"') == 4
    assert text.partition("[attributes.thing1]")[2].startswith('\nrole = "drop"')
    assert text.partition("[attributes.thing4]")[2].startswith('\nrole = "quasi-identifier"')


@pytest.mark.parametrize("columns", [3, 4])
def test_enter_asks_about_unknown_columns_one_by_one(place, at_terminal, type_in, columns):
    make_unknown(place, columns)
    at_terminal(*([""] * (columns >= 4)), "s", *["d"] * (columns - 1))
    assert type_in("init things.csv")[0] == 0
    text = (place / "things.toml").read_text()
    assert (text.count('role = "sensitive"'), text.count('role = "drop"')) == (1, columns - 1)


def test_the_draft_says_how_to_decide_on_many_columns(place, type_in):
    make_unknown(place, 2)
    assert type_in("init things.csv")[0] == 0
    spec = place / "things.toml"
    head, _, rest = spec.read_text().partition("[source]")
    assert "[defaults]" in head
    kept = rest.partition("[attributes.thing0]")[0]
    by_pattern = '[attributes."thing*"]\nrole = "other"\n'
    spec.write_text(f"{head}[source]{kept}{by_pattern}")
    assert type_in("release things.toml --dry-run")[0] == 0


def test_enter_takes_the_stricter_role(place, at_terminal, type_in):
    at_terminal("")
    assert type_in("init things.csv")[0] == 0
    assert (place / "things.toml").read_text().count('role = "quasi-identifier"') == 2


def test_ctrl_c_writes_nothing(place, at_terminal, type_in):
    at_terminal(KeyboardInterrupt)
    assert type_in("init things.csv")[0] == 130
    assert not (place / "things.toml").exists()


def test_without_a_terminal_a_doubtful_column_stays_undecided(place, type_in):
    make_doubtful(place)
    code, shown, _ = type_in("init things.csv")
    assert code == 0
    assert 'role "?": thing' in shown
    assert 'role = "?"' in (place / "things.toml").read_text()
    code, _, complaint = type_in("release things.toml --dry-run")
    assert code == 2
    assert "'thing' is not decided" in complaint


def test_with_yes_no_column_stays_undecided(place, type_in):
    make_doubtful(place)
    assert type_in("init things.csv --yes")[0] == 0
    text = (place / "things.toml").read_text()
    assert 'role = "?"' not in text
    assert "releases less" in text


def test_a_missing_table_and_an_empty_one_are_refused(place, type_in):
    assert type_in("init nothing.csv")[0] == 2
    (place / "empty.csv").write_text("sex,zip\n")
    code, _, complaint = type_in("init empty.csv")
    assert code == 2
    assert "no rows" in complaint
    assert not (place / "empty.toml").exists()


def test_the_drafted_hospital_passes_the_checks_that_need_no_release(place, type_in):
    assert type_in("init hospital.csv --yes")[0] == 0
    assert type_in("check --spec hospital.toml")[0] == 0


@pytest.mark.slow
@pytest.mark.parametrize("table", ["hospital", "adult"])
def test_a_drafted_specification_is_released_without_an_edit(table, place, type_in):
    if table == "adult":
        shutil.copy(DATA / "adult" / "adult.csv", place)
    assert type_in(f"init {table}.csv --yes")[0] == 0
    code, _, complaint = type_in(f"release {table}.toml --effort quick")
    assert (code, complaint) == (0, "")
    assert len([*place.glob(f"released/*/{table}.csv")]) == 1


def make_costly(place):
    """Write a table of columns that others know, for which there is no room together."""
    names = ["sex", "married", "race", "education", "language", "insurance", "country", "employed"]
    lines = [
        ",".join(f"v{row * (7 + number) // 3 % (2 + number)}" for number in range(len(names)))
        for row in range(120)
    ]
    (place / "things.csv").write_text("\n".join([",".join(names), *lines]) + "\n")


def test_init_asks_which_columns_matter_most_if_some_have_no_room(place, at_terminal, type_in):
    make_costly(place)
    at_terminal("zip", "insurance, language")
    code, shown, asked = type_in("init things.csv")
    assert code == 0
    assert "column to keep" in asked
    assert shown.count("Budget: 120 rows at k = 5 form at most 24 classes") == 2
    text = (place / "things.toml").read_text()
    assert text.count("kept, as asked") == 2
    assert text.partition("[attributes.insurance]")[2].startswith('\nrole = "quasi-identifier"')


def test_columns_that_matter_are_named_without_a_question(place, at_terminal, type_in):
    make_costly(place)
    at_terminal()
    assert type_in("init things.csv --keep insurance,language")[0] == 0
    assert (place / "things.toml").read_text().count("kept, as asked") == 2


def test_a_wide_survey_is_shown_on_one_screen_and_in_full_with_verbose(place, type_in):
    names = [*(f"Q{number}" for number in range(1, 61)), "age", "sex"]
    draw = random.Random(3)
    lines = [
        ",".join([*draw.choices("abcd", k=60), str(draw.randrange(20, 70)), draw.choice("fm")])
        for _ in range(300)
    ]
    (place / "survey.csv").write_text("\n".join([",".join(names), *lines]) + "\n")
    code, shown, _ = type_in("init survey.csv --yes")
    assert code == 0
    assert len(shown.splitlines()) < 40
    assert "Q* (" in shown
    assert "age (age), sex (sex)" in shown
    assert "columns are answers" in shown
    _, every, _ = type_in("init survey.csv --yes --replace --verbose")
    assert "answer, one of" in every
    assert len(every.splitlines()) > 60


def test_init_asks_who_receives_the_release(place, at_terminal, type_in):
    at_terminal("?", "p", "o")
    code, _, asked = type_in("init things.csv")
    assert code == 0
    assert "the public (ema, k = 12)" in asked
    assert "Answer p, c, t, or Enter." in asked
    text = (place / "things.toml").read_text()
    assert 'preset = "ema"' in text
    assert "k = 12 meets the figures of ons (k = 10)" in text


def test_init_asks_nothing_where_it_is_told(place, at_terminal, type_in):
    at_terminal("?")
    assert type_in("init things.csv --yes")[0] == 0
    assert type_in("init things.csv --yes --k 20 --replace")[0] == 0


def test_the_safe_default_says_which_rules_it_meets(place, type_in):
    _, shown, _ = type_in("init hospital.csv --yes")
    said = " ".join(shown.split())
    assert "k = 5 is below the figures of all rules: ons (k = 10), cms (k = 11)" in said
    assert "--preset ema suits a release to the public" in said
    text = (place / "hospital.toml").read_text(encoding="utf-8")
    assert "k = 5 is below the figures of all rules" in text
