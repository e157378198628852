"""A share of a column that must be kept: released, certified, recounted from the file, refused."""

import json
from decimal import Decimal
from pathlib import Path
from random import Random
from types import SimpleNamespace

import pyarrow as pa
import pytest

import lookalike as la
from lookalike.flow.method import refuse_lacking
from lookalike.model.recoding import recode_at
from lookalike.model.requirement import Requirement
from lookalike.tables.files.file_format import CERTIFICATE

METHODS = ["mingen", "samarati", "mingen-cells", "k-similar"]


def _draw_people() -> pa.Table:
    random = Random(5)
    zips = [
        f"{random.choice(['021', '022', '945'])}{random.randint(0, 30):02d}" for _ in range(300)
    ]
    ages = [random.choice([None, *map(str, range(20, 60))]) for _ in zips]
    return pa.table({"zip": zips, "age": ages, "sex": [random.choice("mf") for _ in zips]})


PEOPLE = _draw_people()


def ask(**keep):
    rules = {
        "zip": {"kind": "mask"},
        "age": {"kind": "intervals", "widths": [5, 10, 20]},
        "sex": {"kind": "suppress"},
    }
    return {
        "k": 4,
        "max_suppressed": 0.1,
        "attributes": {
            name: {"role": "quasi-identifier", "hierarchy": rule, "keep": keep.get(name, 0)}
            for name, rule in rules.items()
        },
    }


def test_a_balanced_release_says_so_and_not_which_share_it_reached(tmp_path):
    made = la.release(PEOPLE, method="mingen-cells", objective="loss", keep="balanced", **ask())
    plain = la.release(PEOPLE, method="mingen-cells", objective="loss", **ask())
    assert min(made.kept.values()) > min(plain.kept.values())
    made.publish(tmp_path / "out" / "people.csv", dossier=tmp_path / "private")
    certificate = la.Certificate.read(tmp_path / "out")
    assert certificate.parameters == {"keep": "balanced"}
    assert {one.keep for one in certificate.generalized.values()} == {"0"}
    assert la.verify(tmp_path / "out", spec=made.specification, table=PEOPLE).complete


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("keep", [{"age": 0.95}, {"zip": 0.7}, {"zip": 0.2, "sex": 0.3}])
def test_a_release_keeps_what_is_asked_and_verification_recounts_it(method, keep, tmp_path):
    made = la.release(PEOPLE, method=method, **ask(**keep))
    assert all(made.kept[name] >= share for name, share in keep.items())
    made.publish(tmp_path / "out" / "people.csv")
    found = la.verify(tmp_path / "out", spec=made.specification, table=PEOPLE)
    assert found.holds
    claims = {one.claim: one.found for one in found.findings}
    for name, share in keep.items():
        shown = float(claims[f"at least {100 * share:.0f} % of {name} is kept"].split()[0])
        assert shown == pytest.approx(100 * made.kept[name], abs=0.1)


def test_small_steps_of_the_weights_find_what_large_ones_miss():
    asked = ask(zip=0.5, age=0.5, sex=0.5) | {"k": 30}
    made = la.release(PEOPLE, method="mingen-cells", objective="loss", effort="quick", **asked)
    assert min(made.kept.values()) >= 0.5


def test_more_than_the_file_keeps_is_found(tmp_path):
    made = la.release(PEOPLE, method="mingen", **ask(zip=0.3))
    made.publish(tmp_path / "out" / "people.csv")
    place = tmp_path / "out" / CERTIFICATE
    content = json.loads(place.read_text())
    content["generalized"]["zip"]["keep"] = "0.99"
    place.write_text(json.dumps(content))
    asked = made.specification.changed({}, {}, {"attributes": ask(zip=0.99)["attributes"]})
    found = la.verify(tmp_path / "out", spec=asked, table=PEOPLE)
    [finding] = [one for one in found.findings if one.claim == "at least 99 % of zip is kept"]
    assert not finding.holds


def test_what_no_release_keeps_is_an_error_and_nothing_is_written(tmp_path):
    for method in METHODS:
        with pytest.raises(la.Infeasible, match=r"of zip"):
            la.release(PEOPLE, method=method, **ask(zip=1, age=1, sex=1)).publish(tmp_path / "out")
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("method", ["datafly", "mu-argus"])
def test_a_method_that_cannot_keep_refuses_by_name(method):
    with pytest.raises(la.InvalidInput, match=f"keep: method {method} does not take a share"):
        la.release(PEOPLE, method=method, **ask(zip=0.5))


def test_a_release_that_keeps_less_is_refused():
    made = la.release(PEOPLE, method="mingen", **ask())
    frequency = made.plan.frequency
    top = recode_at(frequency, frequency.heights, Requirement(4), 0)
    keep = SimpleNamespace(keep=(Decimal("0.5"), Decimal(0), Decimal(0)))
    with pytest.raises(la.RequirementNotMet, match=r"at least 50 % of zip, and .* keeps 0 % of it"):
        refuse_lacking(frequency, top, keep)


def test_a_release_based_on_earlier_ones_takes_no_keep(tmp_path):
    table = PEOPLE.append_column("id", pa.array([str(n) for n in range(len(PEOPLE))]))
    ledger = {"ledger": str(tmp_path / "ledger"), "ledger_key": str(tmp_path / "key")}
    source = {"name": "people", "row_key": "id"}

    def publish(**keep):
        asked = ask(**keep)
        asked["attributes"]["id"] = {"role": "identifier"}
        out = Path(tmp_path / f"out {len(keep)}" / "people.csv")
        la.release(table, source=source, **asked, **ledger).publish(out)

    publish()
    with pytest.raises(la.InvalidInput, match="keep: a release that is based on earlier ones"):
        publish(zip=0.5)
