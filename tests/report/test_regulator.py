"""The file for a regulator: what the certificate, the dossier and tests say, and blanks."""

import json
import re
import stat

import pytest

pytestmark = pytest.mark.reports

LINK = "link released voters.csv --on zip,birth_date=dob,gender=sex --spec patients.toml"
WRITE = "report released --dossier private --regulator file.html"


@pytest.fixture
def released(folder, after):
    """The release of the twelve patients, with its dossier."""
    after("release patients.toml --dossier private")
    return folder


def read_text(page):
    """Return the text of a page."""
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", page.read_text(encoding="utf-8")))


def test_it_states_variables_initial_risk_thresholds_and_residual_risk(released, answer):
    made = answer(WRITE)
    assert made["regulator"] == "file.html"
    page = released / "file.html"
    assert stat.S_IMODE(page.stat().st_mode) == 0o600
    text = read_text(page)
    assert "name direct identifier left out, as an identifier" in text
    assert "birth_date quasi-identifier birth_date was generalized 2 of 5 steps (dates)" in text
    assert "problem not protected released as it is" in text
    assert "maximum 1.0000 0.5000" in text
    assert "unique rows 12 0" in text
    assert "asked for 1/2 at most as high" in text
    for rule, figure in {"EMA Policy 0070": 0.09, "CIHI public use file": 0.05}.items():
        assert f"{rule} {figure} higher" in text
    assert "No test was handed over." in text
    assert page.read_text().count('class="blank"') == 14


def test_it_names_its_sources_with_their_years(released, answer):
    answer(WRITE)
    text = read_text(released / "file.html")
    for named in (
        "version 1.5",
        "(2019)",
        "11:53, methods (2011)",
        "clauses 6 to 9 (2022)",
        "(2025)",
    ):
        assert named in text.split("Sources")[-1]


def test_it_has_no_private_value(released, answer):
    answer(WRITE)
    text = read_text(released / "file.html")
    assert not [one for one in ("Adams", "9/20/1965", "02141", "obesity") if one in text]


def test_what_tests_found_is_shown_without_the_persons_whom_they_list(released, answer):
    found = answer(f"{LINK} --show")
    assert found["shown"] == [] or "name" in json.dumps(found["shown"])
    found["shown"] = [{"name": "P. Kelton"}]
    (released / "link.json").write_text(json.dumps(found))
    same = answer("attack released released --spec patients.toml")
    (released / "attack.json").write_text(json.dumps({**same, "holds": False}))
    answer(f"{WRITE} --test link.json --test attack.json")
    text = read_text(released / "file.html")
    assert "lookalike link: held" in text
    assert f"{found['persons']['total']} persons of another table were matched" in text
    assert "0 of them match exactly one released row" in text
    assert "lookalike attack: did not hold" in text
    assert "No rows exposed." in text
    assert "Kelton" not in text


REFUSED = {
    "no dossier": ("report released --regulator file.html", "the dossier of the release"),
    "no file": ("report released --dossier private", "name the file"),
    "no test": (f"{WRITE} --test patients.csv", "is not what lookalike link --json"),
    "a missing test": (f"{WRITE} --test no.json", "no.json cannot be read"),
    "another folder": (WRITE.replace("private", "elsewhere"), "cannot be read"),
    "in the release": (f"{WRITE.replace('file', 'released/file')}", "released"),
}


@pytest.mark.parametrize("case", REFUSED)
def test_what_is_missing_or_wrong_is_named(case, released, type_in):
    command, named = REFUSED[case]
    code, _, said = type_in(command)
    assert code == 2
    assert named in " ".join(said.split())
    assert not list(released.rglob("file.html"))


@pytest.mark.parametrize(
    ("change", "named"),
    [
        ({"release_sha256": "0" * 64}, "is about another release"),
        ({"risks": []}, "states no risk"),
        ({"findings": 3}, "is not a record of the checks"),
    ],
)
def test_a_dossier_that_does_not_belong_to_the_release_is_refused(change, named, released, type_in):
    path = released / "private" / "preflight.json"
    path.write_text(json.dumps(json.loads(path.read_text()) | change))
    code, _, said = type_in(WRITE)
    assert code == 2
    assert named in " ".join(said.split())
