"""Faults in what recipients with other columns are shown, and in plans for the next release."""

from .mutant import Mutant

RECIPIENT_FAULTS = (
    Mutant(
        "classes are chosen over the columns of one recipient",
        "ledger/policies/shared_classes.py",
        "    sharing = list_sharing(general, chosen).values()\n",
        "    sharing = [general.recipients[chosen]]\n",
        ("tests/ledger/test_shared_classes.py",),
    ),
    Mutant(
        "recipients without a contract have classes of their own",
        "spec/recipients.py",
        "if name == chosen or not (bound and one.contract is not None)",
        "if name == chosen",
        ("tests/ledger/test_shared_classes.py",),
    ),
    Mutant(
        "a recipient who catches up is shown further rows",
        "ledger/policies/shared_classes.py",
        "    if recipient in had:",
        "    if True:",
        ("tests/ledger/test_shared_classes.py",),
    ),
    Mutant(
        "columns that are recognized among the rows shown are not planned for",
        "ledger/policies/further_renamed.py",
        "for one in judged} - planned",
        "for one in judged if False} - planned",
        ("tests/attacks/test_every_policy.py",),
    ),
    Mutant(
        "a value is new under one name of its column and old under the other",
        "ledger/policies/new_values.py",
        "return some < whole and gone.isdisjoint(names[one] for one in some)",
        "return some < whole",
        ("tests/attacks/test_every_policy.py",),
    ),
    Mutant(
        "a dry run is not judged",
        "flow/make_release.py",
        "            _rehearse(release)\n",
        "            pass\n",
        ("tests/shell/test_months.py",),
    ),
)
