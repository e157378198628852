"""MinGen at the cell level from the command line and from Python."""

import json
from collections import Counter
from pathlib import Path

import pandas as pd
import pytest

import lookalike as la

PATIENTS = Path(la.__file__).parent / "shell" / "data" / "patients"
RELEASE = "release patients.toml --method mingen-cells"
LINKABLE = ["race", "birth_date", "gender", "zip"]
MASKED = {"role": "quasi-identifier", "hierarchy": {"kind": "mask"}}


@pytest.fixture(autouse=True)
def _at_work(folder):
    """Works in the folder of the patients."""


class TestCommand:
    def test_it_tells_what_it_reached_and_a_bound(self, folder, type_in):
        code, told, complaint = type_in(f"{RELEASE} --json")
        assert (code, complaint) == (0, "")
        answer = json.loads(told)
        assert (answer["method"], answer["k_reached"], answer["rows_out"]) == (
            "mingen-cells",
            2,
            12,
        )
        assert (answer["levels"], answer["k_minimal"]) == (None, None)
        assert round(answer["precision"], 4) == 0.8486
        assert answer["precision"] <= answer["precision_bound"] <= 1

    @pytest.mark.parametrize("method", ["mingen-cells", "mingen"])
    def test_a_search_that_the_time_limit_stops_is_told_apart(self, method, type_in):
        command = f"release patients.toml --method {method} --dry-run"
        for limit, in_time in (("1e-9", False), ("1e9", True)):
            limited = f"{command} --time-limit {limit}"
            assert json.loads(type_in(f"{limited} --json")[1])["in_time"] is in_time
            assert ("stopped by the time limit" not in type_in(limited)[1]) is in_time

    def test_what_it_publishes_is_k_anonymous_and_true(self, folder, type_in):
        assert type_in(RELEASE)[0] == 0
        code, told, _ = type_in("verify released --spec patients.toml --json")
        proof = json.loads(told)
        assert (code, proof["holds"]) == (0, True)
        claims = [finding["claim"] for finding in proof["findings"]]
        assert f"every combination of {', '.join(LINKABLE)} occurs at least 2 times" in claims
        assert "every released row generalizes a private row of its own" in claims
        released = pd.read_csv(folder / "released" / "patients.csv", dtype=str)
        assert released.groupby(LINKABLE, dropna=False).size().min() >= 2

    def test_a_bound_on_a_level_is_kept(self, folder, type_in):
        assert type_in(f"{RELEASE} --constraint 'birth_date <= 2'")[0] == 0
        released = pd.read_csv(folder / "released" / "patients.csv", dtype=str)
        assert not {"*", "1960-1969"} & set(released["birth_date"])

    @pytest.mark.parametrize(
        ("extra", "complaint"),
        [
            ("--prefer minimum-suppression", "does not take preferences; use mingen or samarati"),
            ("--constraint 'suppressed <= 1'", "does not take conditions"),
            (
                "--objective entropy",
                "does not take an objective other than precision or loss; use mingen",
            ),
        ],
    )
    def test_what_it_does_not_take_is_refused(self, type_in, extra, complaint):
        code, _, said = type_in(f"{RELEASE} {extra}")
        assert code == 2
        assert complaint in " ".join(said.split())


class TestLibrary:
    def test_a_frame_of_pandas_is_released(self):
        table = pd.DataFrame({"zip": ["02138", "02139", "02141", "02142", "90210"]})
        made = la.release(table, k=2, attributes={"zip": MASKED}, effort="standard")
        assert type(made.table) is pd.DataFrame
        sizes = Counter(made.table["zip"])
        assert min(sizes.values()) >= 2
        assert sizes.total() == 5
        assert made.levels is None
        # 90210 takes one row with it to the top; the other three are alike at 2 of 5 levels.
        assert made.measures.precision == pytest.approx(1 - (2 + 3 * 2 / 5) / 5)

    def test_several_quasi_identifiers_are_refused(self):
        table = pd.DataFrame({"a": ["1", "1"], "b": ["2", "2"]})
        with pytest.raises(la.InvalidInput, match="mingen-cells does not take several"):
            la.release(
                table,
                attributes={"a": MASKED, "b": MASKED},
                quasi_identifiers=[
                    {"name": "one", "attributes": ["a"], "k": 2},
                    {"name": "other", "attributes": ["b"], "k": 2},
                ],
                method="mingen-cells",
            )
