"""``--preset`` asks for the figure of a rule, ``release --rules`` shows what is reached."""

import json

import pytest

SPECIFICATION = """
[source]
path = "people.csv"
[release]
method = "mingen"
out = "released/people.csv"
[attributes]
zip = { role = "quasi-identifier", hierarchy = { kind = "mask" } }
sex = { role = "quasi-identifier", hierarchy = { kind = "suppress" } }
ill = { role = "sensitive" }
"""


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A folder with a table of 48 people, 12 of each combination, and its specification."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "80")
    rows = [f"0213{row % 2},{'fm'[row // 2 % 2]},{'ab'[row // 4 % 2]}" for row in range(48)]
    (tmp_path / "people.csv").write_text("\n".join(["zip,sex,ill", *rows]) + "\n")
    (tmp_path / "people.toml").write_text(SPECIFICATION)
    return tmp_path


def test_a_preset_is_the_k_of_a_release_and_stands_in_its_certificate(folder, answer):
    assert answer("release people.toml --preset ema")["k"] == 12
    certificate = json.loads((folder / "released" / "certificate.json").read_text())
    assert certificate["parameters"] == {"preset": "ema", "highest_risk": "0.09"}


def test_the_released_folder_is_verified_with_the_preset(folder, type_in):
    asked = SPECIFICATION.replace("[release]", '[release]\npreset = "cms"')
    (folder / "people.toml").write_text(asked)
    assert type_in("release people.toml")[0] == 0
    assert type_in("verify released --spec people.toml")[0] == 0


def test_a_weaker_k_of_the_command_line_is_refused(folder, type_in):
    exit_code, _, error = type_in("release people.toml --preset cms --k 5 --dry-run")
    assert (exit_code, "k = 5 is weaker" in error, "k = 11" in error) == (2, True, True)


@pytest.mark.parametrize(("preset", "k"), [("cms", 11), ("health-canada", 12)])
def test_other_commands_take_presets(folder, answer, preset, k):
    compared = answer(f"compare people.toml --preset {preset} --method datafly")
    assert [one["k"] for one in compared["methods"]] == [k]
    assert answer(f"check people.csv -q zip,sex --preset {preset}")["holds"] is True
    explored = answer(f"explore people.toml --preset {preset} --method datafly --max-suppressed 0")
    assert explored["points"][0]["k"] == k


def test_check_compares_with_the_k_of_the_preset(folder, type_in):
    assert type_in("check people.csv -q zip,sex,ill --preset cms")[0] == 1
    assert type_in("check people.csv -q zip,sex,ill")[0] == 0


def test_init_writes_the_preset_and_a_stricter_k(folder, answer):
    assert answer("init people.csv --out a.toml --yes --preset cms")["k"] == 11
    answer("init people.csv --out b.toml --yes --preset cms --k 20")
    plain, strict = ((folder / name).read_text() for name in ("a.toml", "b.toml"))
    assert 'preset = "cms"\nmax_suppressed' in plain
    assert 'preset = "cms"\nk = 20\n' in strict
    assert answer("release a.toml --dry-run")["k"] == 11


def test_rules_are_shown_on_request_within_80_columns(folder, type_in, answer):
    _, shown, error = type_in("release people.toml --preset cms --dry-run --rules")
    assert error == ""
    assert max(map(len, shown.splitlines())) <= 80
    assert "Met: CMS cell size" in shown
    assert "no\nlegal advice" in shown or "no legal advice" in shown
    assert "CMS" not in type_in("release people.toml --preset cms --dry-run")[1]
    rules = answer("release people.toml --preset cms --dry-run --rules")["rules"]
    verdicts = {one["rule"]: one["verdict"] for one in rules}
    assert (verdicts["CMS cell size"], verdicts["EMA Policy 0070"]) == ("met", "met")
    assert "rules" not in answer("release people.toml --preset cms --dry-run")


def test_rules_of_a_published_release_are_those_of_its_file(folder, answer):
    made = answer("release people.toml --preset cms --rules")
    assert made["files"]
    assert len(made["rules"]) == 15
