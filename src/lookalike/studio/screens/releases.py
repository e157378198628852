"""The screen *Releases*: past releases, attacks on them, and links with a register."""

import shlex
from collections.abc import Sequence
from typing import Any

from starlette.datastructures import FormData

from lookalike.errors import InvalidInput
from lookalike.publish.certificate_sentences import summarize_certificate
from lookalike.spec.specification import Specification
from lookalike.studio.editing.form_fields import read_field_number
from lookalike.studio.editing.project import Project
from lookalike.studio.folder import find_file, list_files, receive_table
from lookalike.studio.releases import release_attacks as attacks
from lookalike.studio.releases.past_releases import PastRelease, list_past_releases, recall_ledger
from lookalike.studio.screens.screen import Query, Screen, read_text, read_upload
from lookalike.studio.session import Refused, Session, beside

MOST_LINKING_FIELDS = 60
"""How many columns of a release have a field to link by."""


def _show(session: Session, query: Query) -> dict[str, Any]:
    """Return the releases of the folder, and what was found out about them."""
    project, history = session.project, recall_ledger(session.project)
    past = list_past_releases(project.folder, history)
    attacked = session.find_result(attacks.AttackReport)
    recorded = session.find_result(attacks.LedgerAttackReport)
    return {
        "past": past,
        "history": history,
        "attacked": attacked,
        "attack_command": "" if attacked is None else write_attack(project, attacked),
        "recorded": recorded,
        "ledger_command": "" if recorded is None else write_ledger_attack(project, recorded),
        "tables": list_files(project.folder, "table"),
        "chosen": None,
        **(_show_chosen(session, past.find(query["release"])) if query.get("release") else {}),
    }


def _show_chosen(session: Session, chosen: PastRelease) -> dict[str, Any]:
    """Return what is known of the release that the query names."""
    project, register = session.project, session.find_result(attacks.ReadRegister)
    verified = session.find_result(attacks.PastVerification)
    linked = session.find_result(attacks.LinkReport)
    verified = verified if verified is not None and verified.key == chosen.key else None
    linked = linked if linked is not None and linked.asked.key == chosen.key else None
    stated = [] if chosen.certificate is None else summarize_certificate(chosen.certificate)
    if chosen.linked is not None:
        stated = [chosen.linked.statement]
    columns = () if register is None else register.columns
    known = {name.lower(): name for name in reversed(columns)}  # proposed: those of equal names
    return {
        "chosen": chosen,
        "sentences": stated,
        "verified": verified,
        "verify_command": _write(
            *("verify", chosen.place),
            spec=project.name if verified is not None and verified.is_against_source else None,
        ),
        "register": register,
        "pairs": [(name, known.get(name.lower(), "")) for name in _list_linkable(chosen)],
        "linked": linked,
        "link_command": "" if linked is None else write_link(project, chosen.place, linked),
    }


def _list_linkable(chosen: PastRelease) -> Sequence[str]:
    """List the columns of a release that have a field to link by, generalized ones first."""
    certificate = chosen.certificate
    if certificate is None:
        return ()
    return [*dict.fromkeys((*certificate.generalized, *certificate.columns))][:MOST_LINKING_FIELDS]


def _find_chosen(session: Session, form: FormData) -> PastRelease:
    """Return the release that a form is about."""
    past = list_past_releases(session.project.folder, None)
    chosen = past.find(read_text(form, "release"))
    if chosen.problem:
        raise InvalidInput(f"{chosen.place} cannot be used: {chosen.problem}")
    return chosen


def _find_specification(session: Session, form: FormData, field: str) -> Specification | None:
    """Return the open specification if a form asks for it."""
    if field not in form:
        return None
    if not session.project.text:
        raise Refused({field: "no specification is open; choose a table under Data first"})
    if session.project.problems:
        raise Refused({field: "the open specification has errors; fix them first"})
    return session.project.specification()


def _read_count(form: FormData, name: str, least: int) -> int | None:
    """Read a whole number of at least so much; nothing if the field is empty."""
    with beside(name):
        number = read_field_number(read_text(form, name))
    if number is not None and (not isinstance(number, int) or number < least):
        raise Refused({name: f"must be a whole number of at least {least}"})
    return number


def _verify(session: Session, form: FormData) -> None:
    """Verify a release, alone or against the source of the open specification."""
    chosen = _find_chosen(session, form)
    asked = _find_specification(session, form, "against_source")
    session.begin("verify", attacks.verify_past, chosen.key, chosen.folder, asked)


def _attack(session: Session, form: FormData) -> None:
    """Attack the releases that are ticked."""
    past = list_past_releases(session.project.folder, None)
    places = tuple(one.place for one in past.listed if f"release-{one.key}" in form)
    if len(places) < 2:
        raise Refused({"releases": "select at least two releases"})
    k, people = _read_count(form, "attack.k", 2), _read_count(form, "attack.people", 1)
    specification = _find_specification(session, form, "hierarchies")
    asked = attacks.AskedAttack(specification, k, people, "show" in form)
    session.begin("attack", attacks.attack_past, session.project.folder, places[::-1], asked)


def _attack_ledger(session: Session, form: FormData) -> None:
    """Attack all releases of a source that the ledger remembers."""
    history = recall_ledger(session.project)
    if history is None:
        raise InvalidInput("the specification names no ledger; name one under Publish")
    source, recipient = read_text(form, "ledger.source"), read_text(form, "ledger.recipient")
    if source and source not in history.sources:
        raise Refused({"ledger.source": "the ledger does not know this source"})
    k, specification = _read_count(form, "ledger.k", 2), session.project.specification()
    asked = attacks.AskedAttack(specification, k, show="show" in form)
    named = source or None, recipient.strip() or None
    session.begin("attack", attacks.attack_recorded, *named, asked)


def _choose_register(session: Session, form: FormData) -> None:
    """Read the columns of a table of the folder."""
    with beside("register"):
        path = find_file(session.project.folder, read_text(form, "register"), "table")
    session.begin("read register", attacks.read_register_columns, path)


def _upload_register(session: Session, form: FormData) -> None:
    """Receive a table, and read its columns."""
    with beside("file"):
        path = receive_table(session.project.folder, *read_upload(form))
    session.begin("read register", attacks.read_register_columns, path)


def _link(session: Session, form: FormData) -> None:
    """Link a release with the register."""
    chosen, register = _find_chosen(session, form), session.find_result(attacks.ReadRegister)
    if register is None:
        raise Refused({"register": "choose a register first"})
    fields = {f"on-{place}": name for place, name in enumerate(_list_linkable(chosen))}
    given = {field: read_text(form, field) for field in (*fields, "identity")}
    wrong = {
        field: f"{register.path.name} has no column {column!r}; choose one of the list"
        for field, column in given.items()
        if column and column not in register.columns
    }
    if wrong:
        raise Refused(wrong)
    on = {name: given[field] for field, name in fields.items() if given[field]}
    if not on:
        raise Refused({"on-0": "name at least one column of the register to link by"})
    asked = attacks.AskedLink(
        chosen.key,
        chosen.folder,
        register,
        on=on,
        identity=given["identity"] or None,
        k=_read_count(form, "link.k", 2) or 2,
        as_written="as_written" in form,
        show="show" in form,
        specification=_find_specification(session, form, "hierarchies"),
    )
    session.begin("link", attacks.link_past, asked)


def _command(session: Session) -> str:
    """Return a command for the releases of the folder."""
    past = list_past_releases(session.project.folder, None).listed
    places = [one.place for one in past if not one.problem][:2]
    return shlex.join(["lookalike", "attack", *(places[::-1] or ["RELEASE", "RELEASE"])])


RELEASES_SCREEN = Screen(
    name="releases",
    title="Releases",
    show=_show,
    command=_command,
    actions={
        "verify": _verify,
        "attack": _attack,
        "attack-ledger": _attack_ledger,
        "register": _choose_register,
        "upload": _upload_register,
        "link": _link,
    },
    needs_table=False,
    takes_linked=True,
    state=lambda _session: "open",
)


def write_attack(project: Project, found: attacks.AttackReport) -> str:
    """Write the command that attacks several releases."""
    return _write("attack", *found.releases, **_list_options(project, found.asked))


def write_ledger_attack(project: Project, found: attacks.LedgerAttackReport) -> str:
    """Write the command that attacks all releases of a ledger."""
    return _write(
        *("ledger", "attack"),
        ledger=project.table("release").get("ledger", "LEDGER"),
        source=found.source,
        recipient=found.recipient,
        **_list_options(project, found.report.asked),
    )


def _list_options(project: Project, asked: attacks.AskedAttack) -> dict[str, object]:
    """Return the options of a command that attacks."""
    spec = None if asked.specification is None else project.name
    return {"spec": spec, "k": asked.k, "people": asked.people, "show": asked.show}


def write_link(project: Project, place: str, found: attacks.LinkReport) -> str:
    """Write the command that links a release with a register."""
    asked = found.asked
    pairs = (name if name == other else f"{name}={other}" for name, other in asked.on.items())
    return _write(
        *("link", place, asked.register.path.name),
        on=",".join(pairs),
        k=asked.k,
        identity=asked.identity,
        as_written=asked.as_written,
        spec=None if asked.specification is None else project.name,
        show=asked.show,
    )


def _write(*words: str, **options: object) -> str:
    """Write a command of lookalike; an option that is None or false is left out."""
    given = list(words)
    for name, value in options.items():
        if value is not None and value is not False:
            given += [f"--{name.replace('_', '-')}", *([] if value is True else [str(value)])]
    return shlex.join(("lookalike", *given))
