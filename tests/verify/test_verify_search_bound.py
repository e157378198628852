"""Verifying a bound that a search proved: the search is repeated with another algorithm."""

import pytest

from lookalike.verify.bound import search_again

from .kept_release import BOUND, GROUPS, SEARCHED, Kept, starts

pytestmark = pytest.mark.slow

EXACT_CELLS = {"method": "mingen-cells", "effort": "exact"}


class TestSearched:
    """What a search proved beyond the values is searched again."""

    @pytest.fixture
    def kept(self, tmp_path):
        return Kept(tmp_path, **EXACT_CELLS)

    def test_it_holds_and_says_what_the_values_prove(self, kept):
        assert kept.failures() == {}
        assert kept.proof["searched"] > kept.proof["bound"]
        found = {one.claim.split(" 1")[0]: one for one in kept.findings()}
        assert all(one.checked for one in found.values())
        searched = next(one for claim, one in found.items() if claim.startswith(SEARCHED))
        assert searched.found == "searched again with another algorithm: no release costs less"
        assert kept.findings()[-1].claim == "no release is better"

    @pytest.mark.parametrize(
        "fields",
        [
            {"max_suppressed": 1},
            {"max_suppressed": 2, "suppressed_rows": "blank"},
            {"constraints": ["zip <= 4"], "max_suppressed": 3},
            {"constraints": ["job >= 1"], "k": 3},
            {"constraints": ["job <= 2"], "max_suppressed": 3, "suppressed_rows": "blank"},
        ],
    )
    def test_it_holds_whatever_was_asked(self, fields, tmp_path):
        assert Kept(tmp_path, **EXACT_CELLS | fields).failures() == {}

    def test_a_search_that_claims_more_is_found(self, kept):
        kept.change(searched=kept.proof["searched"] + 1)
        failed = kept.failures()
        assert starts([*failed], SEARCHED, BOUND)
        assert (
            failed[next(iter(failed))]
            == "searched again with another algorithm: a release costs less"
        )

    def test_a_search_that_claims_less_contradicts_the_certificate(self, kept):
        kept.change(searched=None)
        assert starts(kept.failed(), BOUND, "no release is better")

    def test_values_too_low_to_be_added_up_leave_it_unchecked(self, kept):
        """Sums in 64 bits would go around, and prove what is not so."""
        by = -(2**59)
        kept.change_value(0, by)
        kept.change(bound=kept.proof["bound"] + by, searched=kept.proof["searched"] + 1)
        searched = next(one for one in kept.findings() if one.claim.startswith(SEARCHED))
        assert not searched.checked

    @pytest.mark.parametrize("limit", ["MOST_LISTED", "MOST_ENTRIES_READ"])
    def test_a_table_that_is_too_large_is_said_to_be(self, limit, kept, monkeypatch):
        monkeypatch.setattr(search_again, limit, 1)
        assert kept.failures() == {}
        unchecked = [one for one in kept.findings() if not one.checked]
        assert starts([one.claim for one in unchecked], SEARCHED, "no release is better")
        assert unchecked[0].found.startswith("not checked: the table is too large")
        assert "according to the search; by the values alone it is 0." in unchecked[1].found


@pytest.mark.parametrize("fields", [{}, {"max_suppressed": 1}, {"effort": "quick"}])
def test_k_similar_carries_a_bound_when_asked(fields, tmp_path):
    kept = Kept(tmp_path, method="k-similar", bound=True, **fields)
    assert kept.failures() == {}
    assert kept.proof["method"] == "k-similar"
    kept.change_value(0, 10**7)
    assert GROUPS in kept.failed()
