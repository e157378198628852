"""Columns that were released before join the quasi-identifier."""

from lookalike.ledger.policies.policy import join_quasi_identifier

ROLES = {
    "name": "identifier",
    "zip": "quasi-identifier",
    "Straße": "other",
    "problem": "sensitive",
}


def test_at_first_nothing_joins():
    assert join_quasi_identifier(ROLES, []) == ()


def test_what_any_earlier_release_showed_joins_in_the_order_of_the_table():
    assert join_quasi_identifier(ROLES, [{"problem"}, {"zip", "Straße"}]) == ("Straße", "problem")


def test_what_is_not_released_now_does_not():
    assert join_quasi_identifier(ROLES, [{"name", "ward"}]) == ()


def test_sensitive_columns_that_were_released_join():
    roles = {"name": "identifier", "zip": "quasi-identifier", "problem": "sensitive"}
    assert join_quasi_identifier(roles, [{"zip", "problem"}, {"zip", "ward"}]) == ("problem",)
