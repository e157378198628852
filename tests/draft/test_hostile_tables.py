"""Column names and values of any kind break neither the output of init nor its TOML."""

import tomllib

import pyarrow as pa
import pytest
from hypothesis import given, strategies

import lookalike as la
from lookalike.draft.column import ColumnProfile
from lookalike.draft.draft import assign_hierarchy
from lookalike.draft.propose_role import propose_column
from lookalike.shell.console import SafeConsole
from lookalike.shell.views.draft import show_draft, show_next
from lookalike.spec.specification import Specification

HOSTILE = (
    "\x1b[2J\x1b]0;title\x07",
    "line\nbreak\r\n# comment",
    'quote " and \\ backslash \\u0041',
    "]\n[release]\nk = 1",
    "\u202egnp.exe",
    "اسم المريض",
    "\x00\x7f\x9b1m",
    "x" * 10_000,
    "[bold red]markup[/]",
    "a.b",
    "=1+1",
    "𝒳",
)


def capture(draft, path, *, examples):
    """Return what a terminal of 80 columns shows."""
    console = SafeConsole(width=80, force_terminal=False, color_system=None)
    with console.capture() as shown:
        console.print(show_draft(draft, examples=examples), highlight=False)
        console.print(show_next(draft, [path]), highlight=False)
    return shown.get()


def propose(name, values):
    """Return the proposal for a column with each value ten times."""
    profile = ColumnProfile(name, 10 * len(values), values, (10,) * len(values), len(values))
    return assign_hierarchy(propose_column(profile, 5))


@pytest.fixture(scope="module")
def hostile():
    """A draft with names that no table can have, should one get through."""
    columns = tuple(propose(name, HOSTILE) for name in HOSTILE)
    return la.Draft(10 * len(HOSTILE), 5, columns, {}, {})


def test_hostile_names_and_values_do_not_reach_the_terminal(hostile, tmp_path):
    shown = capture(hostile, tmp_path / "x.toml", examples=True)
    assert all(line.isprintable() for line in shown.splitlines())
    assert max(map(len, shown.splitlines())) <= 80
    assert len(shown.splitlines()) < 30 * len(HOSTILE)
    assert "[bold red]markup[/]" in shown


def test_hostile_names_are_valid_toml(hostile):
    fields = tomllib.loads(hostile.toml())
    assert list(fields["attributes"]) == list(HOSTILE)
    assert fields["release"]["k"] == 5
    assert all(line.isprintable() for line in hostile.toml().splitlines())


def test_hostile_names_are_one_json_object(hostile, tmp_path):
    names = [one["name"] for one in hostile.as_json()["columns"]]
    assert names == list(HOSTILE)


@given(
    names=strategies.lists(
        strategies.text(min_size=1).filter(lambda name: not name.lower().startswith("lookalike ")),
        min_size=1,
        max_size=5,
        unique_by=lambda name: name.lower(),
    )
)
def test_any_column_names_survive_the_round_trip(names):
    try:
        "".join(names).encode()
    except UnicodeEncodeError:
        return
    proposed = tuple(propose(name, ("a", "b")) for name in names)
    drafted = la.Draft(20, 5, proposed, {"person": names[0]}, {"missing": names[0]})
    fields = tomllib.loads(drafted.toml())
    assert {name: one["role"] for name, one in fields["attributes"].items()} == drafted.roles
    assert fields["source"] == {"person": names[0]}


@pytest.mark.parametrize("rows", [1, 2, 3])
@pytest.mark.parametrize("columns", [1, 2])
def test_tiny_tables_are_drafted(rows, columns, tmp_path):
    names = ["sex", "note"][:columns]
    drafted = la.draft(pa.table({name: ["f", "m", "f"][:rows] for name in names}))
    assert list(drafted.roles) == names
    assert capture(drafted, tmp_path / "x.toml", examples=True)


def test_a_file_with_hostile_values_is_drafted(tmp_path):
    path = tmp_path / "odd.csv"
    lines = ["sex,[bold]\u202e", *("f,\x1b[2J\x07", "m,\u202eabc") * 20]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    drafted = la.draft(path)
    shown = capture(drafted, tmp_path / "odd.toml", examples=True)
    assert all(line.isprintable() for line in shown.splitlines())
    [written] = drafted.write(tmp_path / "odd.toml")
    assert set(Specification.load(written).attributes) == {"sex", "[bold]\u202e"}


def test_a_name_with_control_characters_is_refused_without_showing_it(tmp_path):
    path = tmp_path / "odd.csv"
    path.write_text("sex,\x1b[31mred\nf,1\n", encoding="utf-8")
    with pytest.raises(la.InvalidInput, match="column 2") as refused:
        la.draft(path)
    assert str(refused.value).isprintable()
