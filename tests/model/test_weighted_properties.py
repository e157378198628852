"""Properties of releases with any levels of anonymity, linking weights and tolerances."""

from collections import Counter
from decimal import Decimal
from fractions import Fraction
from itertools import pairwise

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import lookalike as la
from lookalike import Infeasible, Specification
from lookalike.model.lattice import raise_level
from lookalike.search.methods import ALGORITHMS, datafly
from lookalike.search.options import SearchOptions
from lookalike.search.takes import keep_taken

from ..effort import examples
from ..invented import tables
from ..small_tables import KNOW_SEVERAL, rows_of

few = examples(50)
levels = st.sampled_from([Decimal(text) for text in ("0", "0.1", "0.3", "0.5", "0.75", "1")])
weights = st.one_of(st.just(Decimal(1)), levels)
tolerances = st.sampled_from([Decimal(text) for text in ("0", "0", "0.3", "0.75", "1")])
perhaps = st.one_of(st.none(), levels)


@st.composite
def specifications(draw):
    """Generate a table and the fields of a specification for it."""
    invented = draw(tables(min_rows=4))
    names = list(invented.hierarchies)
    attributes = {
        name: fields | {"linking": draw(weights), "tolerance": draw(tolerances)}
        for name, fields in invented.attributes.items()
    }
    for fields in attributes.values():
        if (level := draw(perhaps)) is not None:
            fields["anonymity"] = level
    groups = []
    for number in range(draw(st.integers(0, 2))):
        parts = draw(st.lists(st.sampled_from(names), min_size=1, unique=True))
        linking = {name: draw(weights) for name in parts if draw(st.booleans())}
        group = {"name": f"group {number}", "attributes": parts, "linking": linking}
        group |= draw(st.sampled_from([{}, {"k": 3}, {"anonymity": Decimal("0.3")}]))
        groups.append(group)
    for group in groups or [{"attributes": names, "linking": {}}]:
        group.setdefault("linking", {})
        sure = [n for n in group["attributes"] if weight(attributes, group, n) == 1]
        if not sure:
            attributes[group["attributes"][0]]["linking"] = Decimal(1)
            group["linking"].pop(group["attributes"][0], None)
    assume(not groups or {name for group in groups for name in group["attributes"]} == set(names))
    release = {"anonymity_constant": draw(st.sampled_from([Decimal("0.1"), Decimal("0.5"), 1]))}
    release |= draw(st.sampled_from([{"k": 2}, {"k": 4}, {"anonymity": Decimal("0.3")}]))
    release |= draw(st.sampled_from([{}, {"max_suppressed": 0}, {"max_suppressed": 5}]))
    fields = {"release": release, "attributes": attributes, "quasi_identifiers": groups}
    return invented, fields


def weight(attributes, group, name):
    return group["linking"].get(name, attributes[name]["linking"])


def ceiling(number):
    return -((-number.numerator) // number.denominator)


def list_asked(fields, names, rows):
    """Return the protected attributes and their k, as the documentation defines them."""
    release, attributes = fields["release"], fields["attributes"]

    def size(level):
        return ceiling(Fraction(level) * Fraction(release["anonymity_constant"]) * rows)

    def k_of(table):
        return table["k"] if "k" in table else max(2, size(table["anonymity"]))

    for group in fields["quasi_identifiers"] or [{"attributes": names, "linking": {}}]:
        k = k_of(group if {"k", "anonymity"} & set(group) else release)
        yield [n for n in group["attributes"] if weight(attributes, group, n) == 1], k
        for name in group["attributes"]:
            level = attributes[name].get("anonymity")
            own = k if level is None else size(level)
            yield [name], ceiling(Fraction(weight(attributes, group, name)) * own)


def count_over(rows, names, chosen):
    """Count the rows over some attributes, one by one."""
    places = [names.index(name) for name in chosen]
    return Counter(tuple(row[place] for place in places) for row in rows)


def list_rows(frequency, vector, counts):
    """List the generalized rows, each as often as its sequence counts."""
    class_of, classes = frequency.classify(vector)
    shown = classes.sequences()
    pairs = zip(class_of, counts.tolist(), strict=True)
    return [shown[position] for position, count in pairs for _ in range(count)]


@pytest.mark.parametrize("name", KNOW_SEVERAL)
@few
@given(specifications())
def test_every_method_gives_what_is_asked(name, drawn):
    invented, fields = drawn
    specification, frequency = Specification.build(fields), invented.frequency
    requirement = specification.requirement(frequency.rows)
    try:
        options = specification.options()
        taken = keep_taken(name, frequency.attributes, requirement, options)
        recoding = ALGORITHMS[name](frequency, requirement, taken)
    except Infeasible:
        default = requirement.k if name == "datafly" else 0
        allowed = requirement.allowance(frequency.rows, default)
        assert frequency.rows < requirement.largest_k or allowed >= frequency.rows
        return
    rows = list_rows(frequency, recoding.vector, frequency.counts - recoding.suppressed)
    names = list(invented.hierarchies)
    assert rows
    for chosen, k in list_asked(fields, names, frequency.rows):
        assert min(count_over(rows, names, chosen).values()) >= k


@few
@given(specifications())
def test_datafly_raises_what_helps_and_is_tolerated_most(drawn):
    invented, fields = drawn
    specification, frequency = Specification.build(fields), invented.frequency
    requirement, names = specification.requirement(frequency.rows), list(invented.hierarchies)
    assume(frequency.rows >= requirement.largest_k)
    assume(requirement.allowance(frequency.rows, default=requirement.k) < frequency.rows)
    tolerated = dict(zip(names, specification.options().tolerances, strict=True))
    asked = [one for one in list_asked(fields, names, frequency.rows) if one[1] > 1]
    for step, following in pairwise(datafly(frequency, requirement, specification.options()).steps):
        rows = list_rows(frequency, step.vector, frequency.counts)
        lacking = [c for c, k in asked if min(count_over(rows, names, c).values()) < k]
        distinct = {name: len(count_over(rows, names, [name])) for name in names}
        open_to = [n for n in names if distinct[n] > 1 and any(n in chosen for chosen in lacking)]
        movable = [name for name in open_to if tolerated[name]]
        if movable:
            best = max(movable, key=lambda name: distinct[name] * Fraction(tolerated[name]))
        else:
            best = max(open_to, key=lambda name: distinct[name])
        assert following.vector == raise_level(step.vector, names.index(best))


@few
@given(specifications(), st.data())
def test_tolerance_changes_nothing_of_what_is_required(drawn, data):
    invented, fields = drawn
    frequency = invented.frequency
    requirement = Specification.build(fields).requirement(frequency.rows)
    others = {
        name: one | {"tolerance": data.draw(levels)} for name, one in fields["attributes"].items()
    }
    assert (
        Specification.build(fields | {"attributes": others}).requirement(frequency.rows)
        == requirement
    )
    number = len(invented.hierarchies)
    drawn_tolerances = tuple(data.draw(st.lists(levels, min_size=number, max_size=number)))
    assume(frequency.rows >= requirement.largest_k)
    allowed = requirement.allowance(frequency.rows, default=requirement.k)
    assume(allowed < frequency.rows)
    recoding = datafly(frequency, requirement, SearchOptions(tolerances=drawn_tolerances))
    assert recoding.rows_suppressed == requirement.outliers(frequency, recoding.vector) <= allowed


@examples(40)
@given(specifications(), st.sampled_from(["drop", "blank"]))
def test_the_certificate_states_what_a_plain_count_finds(drawn, suppressed_rows):
    invented, fields = drawn
    names = list(invented.hierarchies)
    release = fields["release"] | {"suppressed_rows": suppressed_rows}
    try:
        made = la.release(
            invented.table,
            attributes=fields["attributes"],
            quasi_identifiers=fields["quasi_identifiers"],
            **release,
        )
    except Infeasible:
        return
    rows, certificate = rows_of(made.table), made.certificate
    for one in certificate.quasi_identifiers:
        assert one.k <= one.k_reached == min(count_over(rows, names, one.attributes).values())
    for one in certificate.alone:
        assert one.k <= one.k_reached == min(count_over(rows, names, [one.attribute]).values())
    for chosen, k in list_asked(fields, names, invented.frequency.rows):
        assert min(count_over(rows, names, chosen).values()) >= k
    apart = [one for one in certificate.alone if one.linking != "1"]
    assert certificate.k_over_all == (min(Counter(rows).values()) if apart else None)
