"""Faults in the forecast of what each policy would release."""

_TESTS = "tests/flow/test_forecast.py::"
_PEOPLE = "flow/forecast/simulated_people.py"
_POLICY = "flow/forecast/simulate.py"
_VERB = "flow/forecast/forecast.py"

FORECAST_FAULTS = (
    (
        "forecast: those who left stay",
        f"{_PEOPLE}::simulate_months",
        "~np.isin(now.person, gone)",
        "np.ones(len(now.person), dtype=bool)",
        (f"{_TESTS}test_people_leave_come_and_change_at_their_rates",),
    ),
    (
        "forecast: those who come are copies at once",
        f"{_PEOPLE}::simulate_months",
        "waiting[:coming], waiting[coming:]",
        "waiting[:0], waiting",
        (f"{_TESTS}test_those_who_come_are_new_people_as_long_as_there_are_some",),
    ),
    (
        "forecast: who changes gets another quasi-identifier",
        f"{_PEOPLE}::_change",
        "replace(now, values=values)",
        "replace(now, linkable=values)",
        (f"{_TESTS}test_people_leave_come_and_change_at_their_rates",),
    ),
    (
        "forecast: a sample cuts people in half",
        f"{_PEOPLE}::_sample",
        "person is None",
        "True",
        (f"{_TESTS}test_a_sample_has_whole_people",),
    ),
    (
        "forecast: persons are rows",
        f"{_PEOPLE}::describe_simulated",
        "PERSON_KEY if counts_persons else EACH_ROW",
        "EACH_ROW",
        (f"{_TESTS}test_persons_are_simulated_with_all_their_rows",),
    ),
    (
        "forecast: values are cleaned again",
        f"{_PEOPLE}::describe_simulated",
        "specification.attributes[name].model_copy(update=_CLEANED)",
        "specification.attributes[name]",
        (f"{_TESTS}test_values_are_cleaned_once",),
    ),
    (
        "forecast: increments are not added up",
        f"{_POLICY}::SimulatedPolicy._measure",
        "self.shown += made.plan.rows_out",
        "self.shown = made.plan.rows_out",
        (f"{_TESTS}test_a_month_in_which_too_few_came_has_no_release",),
    ),
    (
        "forecast: rows that wait count as shown",
        f"{_POLICY}::SimulatedPolicy._wait",
        "len(table) - self._count_shown(table)",
        "0",
        (f"{_TESTS}test_a_month_in_which_too_few_came_has_no_release",),
    ),
    (
        "forecast: the ledger of the specification is used",
        f"{_POLICY}::begin_policy",
        "fields = plain | (place | settings if settings else {})",
        "fields = plain | place | settings | {'ledger': specification.release.ledger}",
        (f"{_TESTS}test_a_specification_with_a_ledger_leaves_it_alone",),
    ),
    (
        "forecast: months go on after the time",
        f"{_VERB}::_run_months",
        "time.monotonic() >= until",
        "time.monotonic() < 0",
        (f"{_TESTS}test_months_for_which_there_was_no_time_are_named",),
    ),
    (
        "forecast: a month that only some policies have is shown",
        f"{_VERB}::_conclude",
        "tuple(one.months[:months])",
        "tuple(one.months)",
        (f"{_TESTS}test_months_for_which_there_was_no_time_are_named",),
    ),
)
