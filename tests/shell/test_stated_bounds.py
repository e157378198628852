"""Every output says what a bound is of; what protections and persons cost is no gap of the search.

The bound of the cell level is proved for classes of k rows, whatever else classes must satisfy.
"""

import pytest
from rich.console import Console

import lookalike as la
from lookalike.flow.compare import compare_methods
from lookalike.flow.explore.run_settings import _measure
from lookalike.flow.release import prepare
from lookalike.publish.certificate_sentences import summarize_certificate
from lookalike.shell.views.explore import show_comparison
from lookalike.shell.views.release import show_release
from lookalike.tables.read import read_frame

from ..small_tables import table_of

LINKABLE = {"role": "quasi-identifier"}
ROWS = [
    (f"1{area}", str(20 + age), "flu" if age % 3 else "hiv", str((area + age) % 7))
    for area in range(3)
    for age in range(7)
    for _ in range(1 + area)
]
TABLE = table_of(["zip", "age", "ill", "person"], ROWS)
DUE = "due to the protections of sensitive values"


def specify(protect=None, source=None, **fields):
    asked = {"k": 4, "method": "mingen-cells", "effort": "quick"} | fields
    return la.Specification.build(
        {
            **({"source": source} if source else {}),
            "release": asked,
            "attributes": {
                "zip": LINKABLE | {"hierarchy": {"kind": "mask"}},
                "age": LINKABLE | {"hierarchy": {"kind": "intervals", "widths": [2, 4]}},
                "ill": {"role": "sensitive", **({"protect": protect} if protect else {})},
                "person": {"role": "identifier" if source else "drop"},
            },
        }
    )


def decide(protect=None, source=None, **fields):
    return prepare(specify(protect, source, **fields), frame=read_frame(TABLE))


def said(renderable):
    """Return what a terminal shows, without its line breaks."""
    console = Console(width=400)
    with console.capture() as captured:
        console.print(renderable)
    return " ".join(captured.get().split())


@pytest.fixture(scope="module")
def protected():
    return decide({"distinct": 2}, secrecy="search")


def test_the_costs_of_the_example_are_those_of_the_protections(protected):
    known, plain = protected.recoding.optimality, decide().recoding.optimality
    assert not known.proved
    assert known.reached < known.reached_alone == plain.reached < known.bound == plain.bound
    assert known.gap == plain.gap


def test_a_terminal_tells_the_gap_of_the_search_from_the_cost_of_protections(protected):
    known = protected.recoding.optimality
    expected = (
        f"no release with k = 4 alone reaches more than {known.bound:.4f} (with k = 4 alone "
        f"{known.reached_alone:.4f} was reached; the rest of the difference is {DUE})"
    )
    assert expected in said(show_release(protected))
    plain = said(show_release(decide()))
    assert f"no release reaches more than {known.bound:.4f}" in plain
    assert "difference" not in plain


def test_a_certificate_names_what_its_bound_leaves_out(protected):
    summary = " ".join(summarize_certificate(protected.certificate))
    bound = protected.certificate.precision_bound
    assert f"no release with k = 4 alone exceeds {bound:.4f} (part of the difference" in summary
    assert DUE in summary


def test_json_has_what_was_reached_with_k_alone(protected):
    told = protected.as_json()
    assert told["precision"] < told["precision_with_k_alone"] < told["precision_bound"]
    assert decide().as_json()["precision_with_k_alone"] is None


def test_a_point_of_the_studio_says_what_its_bound_is_of(protected):
    known = protected.recoding.optimality
    stated = _measure(protected, 0.0).stated_bound
    assert f"no release with k = 4 alone keeps more than {100 * known.bound:.1f} %" in stated
    assert DUE in stated
    assert _measure(decide(), 0.0).stated_bound == (
        f"no release keeps more than {100 * known.bound:.1f} %"
    )


def test_a_comparison_calls_only_what_the_search_missed_a_gap(protected):
    asked = specify({"distinct": 2}, secrecy="search")
    compared = compare_methods(asked, ["mingen-cells", "k-similar"], frame=read_frame(TABLE))
    known = protected.recoding.optimality
    assert compared[0].gap == pytest.approx(known.bound - known.reached_alone)
    assert compared[1].gap is None  # what k-similar reached before classes were merged is unknown
    assert "no release with k = 4 alone has more" in said(show_comparison(compared))
    plain = compare_methods(specify(decoys=0.3), ["mingen-cells"], frame=read_frame(TABLE))
    assert plain[0].gap == pytest.approx(known.gap)
    assert "bound: no release has more" in said(show_comparison(plain))


def test_persons_are_named_and_blind_protections_are_not():
    """Classes that were chosen blindly cost nothing beyond k, or are refused."""
    persons = said(show_release(decide(source={"person": "person"})))
    assert "the rest of the difference is due to k persons a class)" in persons
    blind = decide({"share": 1}, secrecy="blind")
    assert "; no release reaches more than" in said(show_release(blind))
    assert "difference" not in " ".join(summarize_certificate(blind.certificate))
