"""The program ``lookalike``: runs a command and turns errors into messages and exit codes."""

import os
import sys
import traceback
from importlib.metadata import version
from typing import Annotated

import typer
from typer.exceptions import TyperException

from lookalike.errors import InvalidInput, LookalikeError, describe_fault
from lookalike.shell.console import err, out, print_json
from lookalike.shell.deferred_group import DeferredGroup
from lookalike.shell.display import display
from lookalike.shell.views.printing import print_error

WRONG_USAGE = InvalidInput.exit_code
INTERRUPTED = 130
app = typer.Typer(
    cls=DeferredGroup,
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
    epilog="Exit codes: 0 done, 1 the requirement does not hold, 2 wrong usage or input, "
    "3 infeasible, 4 a fault in lookalike.",
)


def _print_version(requested: bool) -> None:
    """Print the version and exit, if requested."""
    if requested:
        out.print(f"lookalike {version('lookalike')}", highlight=False)
        raise typer.Exit


@app.callback()
def common_options(
    _version: Annotated[
        bool,
        typer.Option(
            "--version", help="Print the version and exit.", callback=_print_version, is_eager=True
        ),
    ] = False,
) -> None:
    """Make k-anonymous releases of tables: every record has at least k − 1 lookalikes."""


def main() -> None:
    """Run the command line and turn errors into messages and exit codes."""
    as_json = "--json" in sys.argv
    display.reset()
    try:
        code = app(standalone_mode=False)
        sys.stdout.flush()
        if code == INTERRUPTED:
            _report("interrupted; no incomplete release is left", code, as_json=as_json)
    except LookalikeError as error:
        code = _report(str(error), error.exit_code, as_json=as_json)
    except TyperException as error:
        message = error.format_message() or "name a command"
        code = _report(f"{message.rstrip('.')}; see lookalike --help", WRONG_USAGE, as_json=as_json)
    except OSError as error:
        code = _report_file_error(error, as_json=as_json)
    except Exception as error:
        fault = describe_fault(error)
        code = _report(str(fault), fault.exit_code, as_json=as_json)
    sys.exit(code)


def _report(message: str, code: int, *, as_json: bool) -> int:
    """Print an error, on standard error or as JSON, and return its exit code."""
    if display.debug:
        traceback.print_exc()
    if as_json:
        print_json({"error": message, "exit": code})
    else:
        print_error(err, message)
    return code


def _report_file_error(error: OSError, *, as_json: bool) -> int:
    """Report a file that cannot be used; an error without a file is about standard output."""
    if error.filename is not None:
        message = f"{error.filename} cannot be used: {error.strerror}"
        return _report(message, WRONG_USAGE, as_json=as_json)
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    message = (
        f"the result cannot be printed: {error.strerror}; the command may have finished, so check "
        "before you run it again"
    )
    return _report(message, WRONG_USAGE, as_json=False)
