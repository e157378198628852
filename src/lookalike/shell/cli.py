"""The command line: which verbs there are, and how errors become messages and exit codes."""

import os
import sys
from importlib.metadata import version
from pathlib import Path
from typing import Annotated

import typer
from typer.exceptions import TyperException

from lookalike.errors import InternalError, InvalidInput, LookalikeError
from lookalike.shell.commands.attack import attack_command
from lookalike.shell.commands.check import check_command
from lookalike.shell.commands.compare import compare_command
from lookalike.shell.commands.console import err, out, print_json
from lookalike.shell.commands.demo import demo_command
from lookalike.shell.commands.ledger import ledger_app
from lookalike.shell.commands.link import link_command
from lookalike.shell.commands.minimal import minimal_command
from lookalike.shell.commands.once import Command
from lookalike.shell.commands.release import release_command
from lookalike.shell.commands.risk import risk_command
from lookalike.shell.commands.verify import verify_command
from lookalike.shell.views import release as render

USAGE = InvalidInput.exit_code
INTERRUPTED = 130
app = typer.Typer(
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
    epilog="Exit codes: 0 done, 1 the requirement does not hold, 2 wrong usage or input, "
    "3 infeasible, 4 a fault in lookalike.",
)


def _print_version(asked: bool) -> None:
    """Print the version and stop, if that was asked for."""
    if asked:
        out.print(f"lookalike {version('lookalike')}", highlight=False)
        raise typer.Exit


@app.callback()
def common_options(
    _version: Annotated[
        bool,
        typer.Option(
            "--version", help="Print the version and stop.", callback=_print_version, is_eager=True
        ),
    ] = False,
) -> None:
    """Every record you release has at least k − 1 lookalikes."""


for name, command in (
    ("demo", demo_command),
    ("check", check_command),
    ("release", release_command),
    ("minimal", minimal_command),
    ("compare", compare_command),
    ("verify", verify_command),
    ("risk", risk_command),
    ("link", link_command),
    ("attack", attack_command),
):
    app.command(name=name, cls=Command)(command)
app.add_typer(ledger_app, name="ledger")


def main() -> None:
    """Run the command line and turn errors into messages and exit codes."""
    as_json = "--json" in sys.argv
    try:
        code = app(standalone_mode=False)
        sys.stdout.flush()
        if code == INTERRUPTED:
            _report("stopped; no half release is left behind", code, as_json=as_json)
    except LookalikeError as error:
        code = _report(str(error), error.exit_code, as_json=as_json)
    except TyperException as error:
        message = error.format_message() or "name a command"
        code = _report(f"{message.rstrip('.')}; see lookalike --help", USAGE, as_json=as_json)
    except OSError as error:
        code = _report_files(error, as_json=as_json)
    except Exception as error:
        fault = InternalError(f"{type(error).__name__} at {_origin(error)}")
        code = _report(str(fault), fault.exit_code, as_json=as_json)
    sys.exit(code)


def _report(message: str, code: int, *, as_json: bool) -> int:
    """Say what went wrong, on standard error or as JSON."""
    if as_json:
        print_json({"error": message, "exit": code})
    else:
        render.print_error(err, message)
    return code


def _report_files(error: OSError, *, as_json: bool) -> int:
    """Say which file cannot be used; an error without one is mostly of what we print to."""
    if error.filename is not None:
        message = f"{error.filename} cannot be used: {error.strerror}"
        return _report(message, USAGE, as_json=as_json)
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    message = (
        f"the answer cannot be printed: {error.strerror}; what was asked may be done, so look "
        "before you ask again"
    )
    return _report(message, USAGE, as_json=False)


def _origin(error: BaseException) -> str:
    """Name the line of ours that an unforeseen error came from."""
    trace, place = error.__traceback__, "an unknown place"
    while trace is not None:
        file = Path(trace.tb_frame.f_code.co_filename)
        if "lookalike" in file.parts:
            place = f"{file.name}:{trace.tb_lineno}"
        trace = trace.tb_next
    return place
