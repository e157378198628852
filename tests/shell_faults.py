"""Faults in the commands and in what a terminal shows."""

_PRINTING = ("tests/shell/test_printing.py",)
_CLI = ("tests/shell/test_cli.py",)
_CONSOLE = ("tests/shell/test_console.py",)

SHELL_FAULTS = (
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
        ("tests/shell/test_help.py", "tests/shell/test_cli.py"),
    ),
    (
        "shell: a check that was not made is shown as passed",
        "shell/views/check.py::_mark",
        '("✓ ", "bold green") if finding.checked else ("? ", "bold yellow")',
        '("✓ ", "bold green")',
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
        "hidden > 0",
        "hidden > 1",
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
        "shell/views/release_json.py",
        "k_reached=measures.smallest_class",
        "k_reached=plan.requirement.k",
        ("tests/shell/test_cli_cells.py", "tests/shell/test_cli_argus.py"),
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
        "flow/check.py::Checked.as_json",
        "self.persons is None",
        "self.persons is not None",
        _CLI,
    ),
)
