"""Faults in what pipelines use: recoding new tables, databases, files of SPSS and Stata."""

_APPLY = ("tests/shell/test_cli_apply.py",)
_STATISTICS = ("tests/tables/test_released_statistics_file.py",)

PIPELINE_FAULTS = (
    (
        "pipelines: small classes of a recoded table are written",
        "flow/apply.py::_refuse_small_classes",
        "if failing:\n    raise _not_kept(failing, plan.frequency.rows)",
        "pass",
        _APPLY,
    ),
    (
        "pipelines: the k of the certificate is not counted",
        "flow/apply.py::_write_verified",
        "if below and not recode_only:\n    raise _not_kept(below, plan.frequency.rows)",
        "pass",
        _APPLY,
    ),
    (
        "pipelines: levels of another hierarchy are applied",
        "flow/apply.py::_match_levels",
        "(rules[name].name, height) != (done.hierarchy, done.height)",
        "rules[name].name != done.hierarchy",
        _APPLY,
    ),
    (
        "pipelines: a new table keeps what another specification promises",
        "flow/apply.py::_check_specification",
        "not promised.holds",
        "not promised.checked",
        _APPLY,
    ),
    (
        "pipelines: a mask takes its length from the new table",
        "flow/apply.py::_check_specification",
        "not rule.hides_one_by_one",
        "rule.hides_one_by_one and rule.steps",
        _APPLY,
    ),
    (
        "pipelines: unknown values of a new table are shown",
        "flow/apply.py::apply_levels",
        "raise InvalidInput(problem.discreet) from None",
        "raise",
        _APPLY,
    ),
    (
        "pipelines: a recoded table is written into a release",
        "flow/apply.py::_check_request",
        'refuse_inside_release("out", out)',
        "pass",
        _APPLY,
    ),
    (
        "pipelines: the password of a database is written to the specification",
        "tables/databases/database.py::remove_password",
        'not name.endswith("password")',
        "name",
        ("tests/shell/test_cli_init_database.py",),
    ),
    (
        "pipelines: a query may write to a DuckDB file's surroundings",
        "tables/databases/read_database.py",
        'database.sql(f"SELECT * FROM ({query}\\n)")',
        "database.sql(query)",
        ("tests/tables/test_duckdb_source.py",),
    ),
    (
        "pipelines: values that are not released keep their labels",
        "tables/files/statistics_file.py",
        "{one: texts[text] for one in found if (text := str(label(one))) in texts}",
        "{int(one): text for one, text in texts.items() if found}",
        _STATISTICS,
    ),
    (
        "pipelines: generalized values have labels of the source",
        "flow/source.py::list_labels",
        "name in changed or source.value_labels",
        "source.value_labels",
        _STATISTICS,
    ),
    (
        "pipelines: text that Stata would cut off is written",
        "tables/files/statistics_file.py::_refuse_ambiguous",
        "(most or 0) > longest",
        "False",
        _STATISTICS,
    ),
    (
        "pipelines: numbers beyond the precision of a format are written as numbers",
        "tables/files/statistics_file.py::_write_columns",
        "None if holds is False else exact",
        "exact",
        _STATISTICS,
    ),
)
