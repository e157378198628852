"""Searches refuse unknown names and constraints that cannot be satisfied."""

import pytest

from lookalike import Infeasible, InvalidInput
from lookalike.search.lattice.constraints import Constraint
from lookalike.search.methods import mingen, samarati
from lookalike.search.options import SearchOptions


def parse(constraints):
    return tuple(Constraint.parse(" ".join(parts)) for parts in constraints)


class TestNames:
    @pytest.mark.parametrize("method", [samarati, mingen])
    def test_an_unknown_policy_is_refused(self, method, small):
        with pytest.raises(InvalidInput, match=r"prefer is one of .*, not 'luck'"):
            method(*small, SearchOptions(prefer=("luck",)))

    @pytest.mark.parametrize("method", [samarati, mingen])
    def test_an_unknown_quantity_is_refused(self, method, small):
        with pytest.raises(InvalidInput, match="'luck' is neither"):
            method(*small, SearchOptions(constraints=parse([("luck", "<=", "2")])))

    def test_an_unknown_objective_is_refused(self, small):
        with pytest.raises(InvalidInput, match=r"objective is one of .*, not 'luck'"):
            mingen(*small, SearchOptions(objective="luck"))

    def test_mingen_takes_no_conditions(self, small):
        with pytest.raises(InvalidInput, match="mingen does not take conditions"):
            mingen(*small, SearchOptions(constraints=parse([("suppressed", "<=", "2")])))

    @pytest.mark.parametrize("method", [samarati, mingen])
    def test_constraints_that_contradict_each_other_are_infeasible(self, method, small):
        bounds = [("letter", "<", "1"), ("letter", ">", "0")]
        with pytest.raises(Infeasible, match="contradict each other"):
            method(*small, SearchOptions(constraints=parse(bounds)))
