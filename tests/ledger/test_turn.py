"""While the lock of a source is held, a release is judged, written and renamed, nothing else."""

import sys
from contextlib import contextmanager

import pytest

from lookalike.ledger.store import ledger as ledger_module

from ..flow.monthly_releases import MARCH, ROLES, Steward

pytestmark = pytest.mark.reports

ROOMS_THAT_WORK = {
    *("hierarchy", "model", "search", "tables", "spec", "verify", "risk"),
    *("draft", "describe", "flow", "studio", "shell"),
}
"""Rooms that search, count, recode, verify, measure or describe."""
DRAWING = {"report.chart", "report.class_sizes", "report.holder.draw"}
MAY_BE_CALLED = {
    "flow.documents": {"complete_documents"},
    "model.proved_bound": {"name_stricter", "state_bound"},
    "model.protections.class_values": {"count_values"},
    "model.protections.diversity": {"failing", "state"},
    "model.protections.protection": {"check", "_is_within", "list_parameters"},
    "spec.presets": {"find_least_k"},
    "spec.protect": {"read_protect", "model_protect"},
    "tables.files.file_format": {"format_of", "released_format_of"},
    "tables.private_folders": ...,
}
"""What adds what only the turn knows, judges hashes, copies what was asked, writes sentences, and
moves files."""
ENGINES = ("duckdb", "_duckdb", "vl_convert", "highspy", "narwhals")


class Turns:
    """What is called while the lock of a source is held."""

    def __init__(self):
        self.number, self.ours, self.engines = 0, set(), set()

    def hear(self, frame, event, argument):
        code = frame.f_code
        if event == "call" and not self._reads_a_value(code):
            self.ours.add((frame.f_globals.get("__name__", ""), code.co_name))
        self._note_engine(frame.f_globals.get("__name__", ""))
        if event == "c_call":
            self._note_engine(str(getattr(argument, "__module__", None)))
            self._note_engine(type(getattr(argument, "__self__", None)).__module__)

    def _reads_a_value(self, code):
        """Return whether code is an attribute of a value, or a part of another function."""
        return code.co_name.startswith(("<", "__")) or (
            code.co_argcount == 1 and code.co_varnames[0] == "self"
        )

    def _note_engine(self, module):
        if module.startswith(ENGINES):
            self.engines.add(module)

    @property
    def work(self):
        """The functions of ours that do more than the turn needs."""
        called = {(name.removeprefix("lookalike."), function) for name, function in self.ours}
        return {
            (module, function)
            for module, function in called
            if module.partition(".")[0] in ROOMS_THAT_WORK or module in DRAWING
            if MAY_BE_CALLED.get(module) is not ...
            if function not in MAY_BE_CALLED.get(module, ())
        }


@pytest.fixture
def turns(monkeypatch):
    found, locked = Turns(), ledger_module.locked_source

    @contextmanager
    def heard(*arguments):
        with locked(*arguments):
            found.number += 1
            sys.setprofile(found.hear)
            try:
                yield
            finally:
                sys.setprofile(None)

    monkeypatch.setattr(ledger_module, "locked_source", heard)
    return found


@pytest.mark.parametrize("method", ["mingen", "mingen-cells"])
@pytest.mark.parametrize("protect", [None, {"distinct": 2}])
def test_nothing_is_searched_counted_recoded_or_drawn_in_the_turn(method, protect, turns, tmp_path):
    steward, judges = Steward(tmp_path), "lookalike.ledger.policies.protections_over_time"
    ill = {"role": "sensitive"} if protect is None else {"role": "sensitive", "protect": protect}
    asked = {"method": method, "attributes": {**ROLES, "ill": ill}, "secrecy": "search"}
    for month in ("march", "april"):
        made = steward.prepare(MARCH, **asked)
        turns.number = 0
        made.publish(tmp_path / month / "table.csv", dossier=tmp_path / f"private-{month}")
        assert turns.number == 1
        for folder in (month, f"private-{month}"):
            assert (tmp_path / folder / "report.html").exists()
    assert ("lookalike.ledger.policies.policy", "judge_candidate") in turns.ours
    assert ((judges, "_see_rows") in turns.ours) == (protect is not None)
    assert ("lookalike.publish.place", "put_in_place") in turns.ours
    assert turns.work == set()
    assert turns.engines == set()
