"""Faults in the commands and in what a terminal shows."""

_PRINTING = ("tests/shell/test_printing.py",)
_CLI = ("tests/shell/test_cli.py",)
_CONSOLE = ("tests/shell/test_console.py",)

SHELL_FAULTS = (
    (
        "Ctrl-C may wait for a thread that writes a file",
        "tables/connection.py",
        "duckdb.connect(config=SYNCHRONOUS)",
        "duckdb.connect(config={})",
        ("tests/shell/test_cli_terminal.py::test_ctrl_c_waits_for_no_thread_that_writes_files",),
    ),
    (
        "shell: Ctrl-C outside of a command is an ordinary failure",
        "shell/cli.py::main",
        "_report(INTERRUPTION, INTERRUPTED, as_json=as_json)",
        "_report(INTERRUPTION, 1, as_json=as_json)",
        ("tests/shell/test_cli_terminal.py",),
    ),
    (
        "shell: percentages are shares",
        "shell/views/printing.py::percent",
        "100 * share",
        "share",
        _PRINTING,
    ),
    (
        "shell: a bar of more than everything is too long",
        "shell/views/printing.py::draw_bar",
        "min(1.0, share)",
        "share",
        _PRINTING,
    ),
    (
        "shell: a text that just fits is cut",
        "shell/views/printing.py::shorten",
        "len(text) <= width and cell_len(shown) <= width",
        "len(text) < width and cell_len(shown) < width",
        _PRINTING,
    ),
    (
        "shell: a wide text is not cut",
        "shell/views/printing.py::shorten",
        "len(text) <= width and cell_len(shown) <= width",
        "len(text) <= width",
        _PRINTING,
    ),
    (
        "shell: a check that fails ends with 0",
        "shell/commands/check.py::check_command",
        "0 if checked.holds else 1",
        "0",
        _CLI,
    ),
    (
        "shell: errors in JSON end with 0",
        "shell/cli.py::main",
        "sys.exit(code)",
        "sys.exit(0 if as_json else code)",
        _CLI,
    ),
    (
        "shell: control characters go out in JSON",
        "shell/console.py::_escape_in_json",
        "one.isprintable()",
        "one",
        _CONSOLE,
    ),
    (
        "shell: control characters go to the terminal",
        "shell/console.py::SafeConsole.render",
        "escape_controls(segment.text)",
        "segment.text",
        _CONSOLE,
    ),
    (
        "shell: quiet commands print results",
        "shell/console.py::ResultConsole.print",
        "not display.quiet",
        "objects",
        ("tests/shell/test_console.py", "tests/shell/test_cli_terminal.py"),
    ),
    (
        "shell: one command is as quiet as the one before",
        "shell/display.py::Display.reset",
        "setattr(self, one.name, one.default)",
        "getattr(self, one.name)",
        ("tests/shell/test_console.py", "tests/shell/test_cli_terminal.py"),
    ),
    (
        "shell: an option given twice counts once",
        "shell/display.py::StrictCommand.parse_args",
        "given.count(option) > 1",
        "given.count(option) > 2",
        ("tests/shell/test_bad_input.py",),
    ),
    (
        "shell: an option that a specification makes ignored is accepted",
        "shell/commands/arguments.py::pick_beside_spec",
        "name not in taken",
        "not taken",
        ("tests/shell/test_cli_cleaned.py",),
    ),
    (
        "shell: a refusal names options that were not given",
        "shell/commands/arguments.py::pick_beside_spec",
        "value not in (None, [])",
        "True",
        ("tests/shell/test_cli_exposure.py",),
    ),
    (
        "shell: an option that gives the default counts as not given",
        "shell/commands/arguments.py::_is_given",
        'source.name == "COMMANDLINE"',
        'source.name == "COMMANDLINE" and ctx.params[option] not in ("utf-8", 0)',
        ("tests/shell/test_cli_cleaned.py",),
    ),
    (
        "shell: a protection that cannot be met is not named",
        "model/recoding.py::check_most_general",
        "requirement.protections",
        "()",
        ("tests/conformance/test_declared_once.py",),
    ),
    (
        "shell: the schema of an output lets undeclared keys pass",
        "json_result.py::_describe_keys",
        """{
            "type": "object",
            "properties": {
                key.removesuffix("?"): _describe(one, parts)
                | ({"description": meaning} if meaning else {})
                for key, (one, meaning) in found.items()
            },
            "required": [key for key in found if not key.endswith("?")],
            "additionalProperties": False,
        }""",
        '{"type": "object"}',
        ("tests/shell/test_schemas.py",),
    ),
    (
        "shell: a check that was not made is shown as passed",
        "shell/views/check.py::show_verification",
        '("✓ ", "green") if one.checked else ("? ", "yellow")',
        '("✓ ", "green")',
        ("tests/shell/test_cli_verify.py",),
    ),
    (
        "shell: an incomplete verification is a match",
        "shell/views/check.py::show_verification",
        "not verification.complete",
        "not verification.findings",
        ("tests/shell/test_cli_verify.py",),
    ),
    (
        "shell: one vector more than is shown goes unmentioned",
        "shell/views/minimal.py::show_minimal",
        "len(ordered) > most",
        "len(ordered) > most + 1",
        ("tests/shell/test_cli_lattice.py",),
    ),
    (
        "shell: preferred vectors are listed last",
        "shell/views/minimal.py::show_minimal",
        "one not in found.preferred",
        "one in found.preferred",
        ("tests/shell/test_cli_lattice.py",),
    ),
    (
        "shell: JSON states the k that was asked for as reached",
        "flow/result.py",
        "k_reached=measures.smallest_class",
        "k_reached=plan.requirement.k",
        ("tests/shell/test_cli_cells.py", "tests/shell/test_cli_argus.py"),
    ),
    (
        "shell: a method is suggested whose exposure may be refused",
        "flow/suggest_method.py::suggest_method",
        "release.specification.release.max_exposure is not None",
        "False",
        ("tests/flow/test_suggest_method.py",),
    ),
    (
        "shell: complementary rows are counted as released",
        "shell/views/release.py::_state_rows",
        "recoding.rows_suppressed + recoding.rows_complementary",
        "recoding.rows_suppressed",
        ("tests/shell/test_cli_lattice.py", "tests/shell/test_cli_terminal.py"),
    ),
    (
        "shell: persons are not stated",
        "flow/check.py",
        "holds persons? k_persons?",
        "holds",
        _CLI,
    ),
)
