"""No sequence of releases that a policy allows exposes a person, in all worlds of tiny tables."""

import tempfile
from dataclasses import replace
from itertools import permutations
from pathlib import Path

import pyarrow as pa
import pyarrow.csv
import pytest

import lookalike as la

from ..effort import draw_cases
from .every_world import Attacker, Person, Release, Row
from .sequences import KEEP, POLICIES, Office
from .stories import BITS, Asked, Story, invent, protect

FEW, MANY = 300, 20_000
"""How many sequences the tests and ``make fuzz`` try under each policy."""
FEW_WHOLE, MANY_WHOLE = 4, 300
"""How many of them go through files and a ledger."""


COMING = {"increments": 0.7}
"""How likely somebody comes who is not in the source, where nothing else happens."""


def attack(story, policy):
    """Return who is exposed by the releases that a policy lets pass, and how many those are."""
    attacker = Office(story, policy).publish_all()
    return attacker.exposed(story.k), len(attacker.releases)


@pytest.mark.parametrize("policy", POLICIES)
def test_nobody_is_exposed_by_releases_that_follow_each_other(policy):
    passed = 0
    for seed, draw in draw_cases(FEW, MANY):
        story = invent(draw, COMING.get(policy, 0))
        exposed, releases = attack(story, policy)
        assert exposed is None, f"seed {seed}: {exposed}\n{story}"
        passed += releases > 1
    assert passed > FEW / 5, "hardly a sequence passes, so nothing is tested"


@pytest.mark.parametrize("policy", POLICIES)
def test_no_value_is_surer_than_a_protection_allows(policy):
    passed = 0
    for seed, draw in draw_cases(FEW, MANY):
        story = protect(draw, invent(draw, COMING.get(policy, 0)))
        attacker = Office(story, policy).publish_all()
        given_away = attacker.find_given_away()
        assert given_away is None, f"seed {seed}: {given_away}\n{story}"
        assert attacker.exposed(story.k) is None, f"seed {seed}\n{story}"
        promised = [release.protected for release in attacker.releases]
        passed += len(promised) > 1 and any(promised)
    assert passed > FEW / 20, "hardly a sequence passes, so nothing is tested"


@pytest.mark.parametrize("policy", sorted({*POLICIES} - {"increments"}))
def test_releases_that_are_judged_one_by_one_give_values_away(policy):
    found = 0
    for _, draw in draw_cases(FEW, FEW):
        story = protect(draw, invent(draw))
        found += Office(story, policy, one_by_one=True).publish_all().find_given_away() is not None
    assert found


def people(*values, numbers=None, present=None):
    """Return persons with values of their columns, in one class unless given otherwise."""
    numbers, present = numbers or [0] * len(values), present or [True] * len(values)
    rows = zip(values, numbers, present, strict=True)
    return tuple(Person(here, (number,), value) for value, number, here in rows)


def ills(*values, **fields):
    return people(*({"ill": value, "tag": 100 + who} for who, value in enumerate(values)), **fields)


def ask(level=0, **names):
    return Asked((level,), names or {"ill": "ill", "tag": "tag"})


BROKEN = {
    "one value changed": Story(2, (ills(1, 2, 3, 4), ills(5, 2, 3, 4)), (ask(), ask())),
    "one value did not change": Story(2, (ills(1, 2, 3, 4), ills(1, 6, 7, 8)), (ask(), ask())),
    "one left": Story(
        2, (ills(1, 2, 3, 4), ills(1, 2, 3, 4, present=[False, True, True, True])), (ask(), ask())
    ),
    "one came": Story(
        2, (ills(1, 2, 3, 4, present=[False, True, True, True]), ills(1, 2, 3, 4)), (ask(), ask())
    ),
    "classes cross": Story(
        2,
        (
            ills(1, 2, 3, 4, numbers=[0, 0, 1, 1]),
            ills(1, 2, 3, 4, numbers=[0, 1, 1, 0]),
        ),
        (ask(), ask()),
    ),
    "a release in between shows another column": Story(
        2,
        tuple(
            people(*({"ill": one, "job": 50 + who} for who, one in enumerate(values)))
            for values in ((1, 2, 3, 4), (1, 2, 3, 4), (5, 2, 3, 4))
        ),
        (ask(ill="ill"), ask(job="job"), ask(ill="ill")),
    ),
    "a column has another name": Story(
        2,
        (ills(1, 2, 3, 4), ills(5, 2, 3, 4)),
        (ask(), ask(ill="problem", tag="tag")),
    ),
}


def tell(k, first, second, numbers, left):
    """Return a story of two releases: a column under another name, some rows have left."""
    present = [who != left for who in range(len(first))]
    times = (ills(*first, numbers=numbers), ills(*second, numbers=numbers, present=present))
    return Story(k, times, (ask(1, ill="ill renamed"), ask(2, ill="ill", tag="tag")))


AGREEING_BY_CHANCE = [
    tell(2, (1, 2, 2, 1, 2), (2, 1, 2, 1, 2), [0, 1, 0, 1, 0], left=2),
    tell(2, (3, 3, 1, 3, 1), (3, 1, 1, 1, 1), [1, 0, 1, 0, 1], left=2),
]
"""Found at random: the rows that are drawn to be shown agree with a column that others do not."""
SHOWN_UNDER_TWO_NAMES = Story(
    2,
    (
        people(
            *({"ill": ill} for ill in (1, 1, 2, 1, 1, 2)),
            numbers=[1, 1, 0, 0, 1, 0],
            present=[True, False, True, True, False, True],
        ),
        people(*({"ill": ill} for ill in (2, 2, 1, 1, 2, 1)), numbers=[1, 1, 0, 0, 1, 0]),
        people(
            *({"ill": ill} for ill in (2, 2, 1, 2, 2, 2)),
            numbers=[1, 1, 0, 0, 1, 0],
            present=[False, True, True, True, True, True],
        ),
    ),
    (ask(2, ill="ill renamed"), ask(1, ill="ill"), ask(0, ill="ill renamed")),
)
"""Found at random: a value is new under one name of its column and old under the other."""


class TestAPlanIsNeverRefused:
    """What is planned by based-on passes the check before publishing, whatever is drawn."""

    @pytest.mark.parametrize("policy", ["based-on", KEEP])
    @pytest.mark.parametrize("coming", [0, 0.7])
    def test_in_invented_stories(self, policy, coming):
        for seed, draw in draw_cases(FEW, MANY):
            office = Office(invent(draw, coming), policy)
            office.publish_all()
            assert not office.refused_plans, f"seed {seed}"

    @pytest.mark.parametrize("story", [*AGREEING_BY_CHANCE, SHOWN_UNDER_TWO_NAMES])
    def test_where_it_was_found_to_be(self, story):
        for _ in range(30):
            office = Office(story, "based-on")
            office.publish_all()
            assert not office.refused_plans


class TestTheAttackerHasTeeth:
    """What the policies keep out is there to be found."""

    @pytest.mark.parametrize("name", BROKEN)
    def test_naive_releases_expose_people(self, name):
        assert attack(BROKEN[name], "naive")[0] is not None

    @pytest.mark.parametrize("policy", POLICIES)
    @pytest.mark.parametrize("name", BROKEN)
    def test_no_policy_lets_them_pass_as_they_are(self, name, policy):
        exposed, _ = attack(BROKEN[name], policy)
        assert exposed is None

    def test_many_invented_releases_without_a_ledger_expose_people(self):
        found = sum(attack(invent(draw), "naive")[0] is not None for _, draw in draw_cases(90, 90))
        assert found > 20

    def test_a_column_that_changed_for_everybody_exposes_nobody(self):
        story = Story(2, (ills(1, 2, 3, 4), ills(5, 6, 7, 8)), (ask(), ask()))
        assert attack(story, "naive")[0] is None
        assert attack(story, "check-only") == (None, 2)

    def test_it_finds_what_permutations_find(self):
        """Two releases of everybody: a world is a pair of permutations."""
        for seed, draw in draw_cases(40, 400):
            story = invent(draw)
            attacker = Office(story, "naive").publish_all()
            if len(attacker.releases) == 2 and attacker.people <= 5:
                assert (attacker.exposed(story.k) is None) == is_safe(attacker, story.k), seed


def is_safe(attacker, k):
    """Check by permutations whether every row has k owners and every person k rows."""
    options = [set(some) for some in attacker.options]
    size = attacker.people
    rows = [expand(release, size) for release in attacker.releases]
    owners, having = {}, {}
    for first in set(permutations(rows[0])):
        for second in set(permutations(rows[1])):
            if all(
                pair in options[who] for who, pair in enumerate(zip(first, second, strict=True))
            ):
                for place, world in enumerate((first, second)):
                    for who, kind in enumerate(world):
                        if kind is not None:
                            owners.setdefault((place, kind), set()).add(who)
                            having.setdefault((place, who), set()).add(kind)
    enough = all(len(some) >= k for some in owners.values())
    return enough and all(
        sum(release.counts[kind] for kind in having[place, who]) >= k
        for place, release in enumerate(attacker.releases)
        for who in release.owners
    )


def expand(release, size):
    """List the kind of every row, and nothing for whoever has none."""
    kinds = [kind for kind, number in enumerate(release.counts) for _ in range(number)]
    return [*kinds, *[None] * (size - len(kinds))]


class Files:
    """Publishes a story through the whole library, with files and a ledger."""

    def __init__(self, folder, story, policy):
        self.folder, self.story, self.policy = Path(folder), story, policy
        self.releases = []

    def publish_all(self):
        for time in range(len(self.story.times)):
            self._publish(time)
        columns = {n: c for asked in self.story.asked for c, n in asked.names.items()}
        return Attacker(self.story.times, self.releases, columns)

    def _publish(self, time):
        asked, folder = self.story.asked[time], self.folder / str(time)
        policy = asked.policy if self.policy == "mixed" else self.policy
        source = {
            str(who): person for who, person in enumerate(self.story.times[time]) if person.present
        }
        if not source:
            return
        try:
            made = la.release(
                self._table(source, asked),
                k=self.story.k,
                method="mingen",
                max_suppressed=0.9,
                attributes=self._attributes(asked),
                constraints=[f"n{place} = {level}" for place, level in enumerate(asked.levels)],
                source={"row_key": "id", "name": "people"},
                ledger=str(self.folder / "ledger.db"),
                ledger_key=str(self.folder / "key"),
                policy=policy.partition(",")[0],
                leavers="keep" if policy == KEEP else "withdraw",
            )
            made.publish(folder / "table.csv")
        except (la.Infeasible, la.RequirementNotMet, la.InvalidInput):
            return
        shown = self._read(time, folder / "table.csv", keeps_old=policy in ("based-on", KEEP))
        keeps = policy == KEEP and bool(self.releases)
        self.releases.append(replace(shown, keeps_leavers=keeps, only_new=policy == "increments"))

    def _table(self, source, asked):
        columns = {"id": list(source)}
        for place in range(len(asked.levels)):
            columns[f"n{place}"] = [f"{one.numbers[place]:0{BITS}b}" for one in source.values()]
        for column, name in asked.names.items():
            columns[name] = [str(one.values[column]) for one in source.values()]
        return pa.table(columns)

    def _attributes(self, asked):
        linkable = {
            f"n{place}": {"role": "quasi-identifier", "hierarchy": la.Mask(length=BITS)}
            for place in range(len(asked.levels))
        }
        other = {name: {"role": "other", "unique": True} for name in asked.names.values()}
        return {"id": {"role": "identifier"}, **linkable, **other}

    def _read(self, time, file, *, keeps_old):
        options = pa.csv.ConvertOptions(column_types={n: pa.string() for n in header(file)})
        table = pa.csv.read_csv(file, convert_options=options)
        rows = tuple(sorted((self._row(row) for row in table.to_pylist()), key=repr))
        ledger = la.open_ledger(str(self.folder / "ledger.db"), key=str(self.folder / "key"))
        return Release(time, rows, self._owners(ledger.releases()[-1], ledger.secret()), keeps_old)

    def _row(self, row):
        labels = tuple(meaning(text) for name, text in row.items() if name.startswith("n"))
        values = [(n, int(t)) for n, t in row.items() if not n.startswith("n") and t != "*"]
        return Row(labels, tuple(sorted(values)))

    def _owners(self, entry, secret):
        """Look into the ledger who is shown."""
        from lookalike.ledger.store.row_map import KEY, hash_rows

        names = [str(who) for who in range(len(self.story.times[0]))]
        hashes = hash_rows(pa.table({"id": names}), ["id"], secret=secret, kind=KEY).to_pylist()
        shown = {
            row["key"] for row in entry.files.read_rows().to_pylist() if row["class"] is not None
        }
        return frozenset(who for who, one in enumerate(hashes) if one in shown)


def header(file):
    return file.read_text().splitlines()[0].replace('"', "").split(",")


def meaning(label):
    """Return the level and the code of a masked number."""
    kept = label.rstrip("*")
    return BITS - len(kept), int(kept, 2) if kept else 0


@pytest.mark.slow
@pytest.mark.parametrize("policy", POLICIES)
def test_nobody_is_exposed_by_published_files(policy):
    passed = 0
    for seed, draw in draw_cases(FEW_WHOLE, MANY_WHOLE):
        story = invent(draw, COMING.get(policy, 0))
        with tempfile.TemporaryDirectory() as folder:
            attacker = Files(folder, story, policy).publish_all()
        assert attacker.exposed(story.k) is None, f"seed {seed}\n{story}"
        passed += len(attacker.releases) > 1
    assert passed, "no sequence passes, so nothing is tested"


def test_files_of_different_sources_expose_people(tmp_path):
    """Published as if of two sources, a story is broken: what is read from files shows it."""
    story = BROKEN["one value changed"]
    first, second = (
        Files(tmp_path / str(time), Story(2, (story.times[time],), (ask(),)), "check-only")
        for time in (0, 1)
    )
    releases = [files.publish_all().releases[0] for files in (first, second)]
    both = [releases[0], Release(1, releases[1].rows, releases[1].owners)]
    assert Attacker(story.times, both).exposed(2) is not None
