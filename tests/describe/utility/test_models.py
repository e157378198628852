"""Models that are trained on a release and tested on private rows that were held out."""

import sys

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

import lookalike as la
from lookalike.describe.utility.models import score_answers
from lookalike.describe.utility.trial import draw_test_rows

from ...effort import examples
from ...roles import IDENTIFIER, LINKABLE, MASKED, SENSITIVE

ROLES = {"zip": MASKED, "sex": LINKABLE, "ill": SENSITIVE}


def draw_people(rows=200):
    """Draw people whose illness depends on the first digit of the ZIP code."""
    random = np.random.default_rng(1)
    zips = random.choice(["11", "12", "13", "21", "22"], rows)
    ill = ["flu" if code < "2" else "cold" for code in zips]
    return pa.table({"zip": zips, "sex": random.choice(["f", "m"], rows), "ill": ill})


PEOPLE = draw_people()


def release(table=PEOPLE, k=2, **fields):
    asked = {"attributes": ROLES, "max_suppressed": 0, "method": "mingen"}
    return la.release(table, k=k, **asked | fields)


def accuracies(found, training):
    return {model: one.accuracy for model, one in found.models.trained_on(training).items()}


class TestScores:
    def test_a_release_that_changes_nothing_trains_as_the_original_does(self):
        made = release()
        assert made.measures.precision == 1
        found = la.utility(made, "ill", repeats=2)
        for model, score in found.models.trained_on("released").items():
            original = found.models.trained_on("original")[model]
            assert (score.accuracy, score.auc) == (original.accuracy, original.auc)
        assert accuracies(found, "original")["gradient_boosting"] == 1

    def test_nothing_is_learned_if_every_value_is_generalized_to_the_top(self):
        made = release(k=200)
        assert made.measures.precision == 0
        models = la.utility(made, "ill").models
        [majority] = models.trained_on("majority").values()
        for score in models.trained_on("released").values():
            assert (score.accuracy, score.balanced_accuracy) == (majority.accuracy, 0.5)

    def test_a_model_learns_from_generalized_values(self):
        made = release(constraints=["zip = 1"])
        assert set(made.table["zip"].to_pylist()) == {"1*", "2*"}
        assert min(accuracies(la.utility(made, "ill"), "released").values()) > 0.95

    def test_suppressed_rows_train_nothing_and_are_counted(self):
        rows = pa.concat_tables([PEOPLE, pa.table({"zip": ["99"], "sex": ["f"], "ill": ["flu"]})])
        models = la.utility(release(rows, max_suppressed=1), "ill", test_share=0.01).models
        assert models.rows_suppressed <= 1
        assert models.rows_training + models.rows_test == 201
        assert models.rows_generalized == 0

    def test_the_target_may_be_an_attribute_that_is_generalized(self):
        made = release(constraints=["sex = 1"])
        found = la.utility(made, "sex")
        assert found.models.rows_generalized == found.models.rows_training
        assert set(accuracies(found, "released").values()) == {None}

    def test_missing_values_are_values_also_of_the_target(self):
        table = pa.table(
            {
                "zip": ["11", None] * 40,
                "sex": ["f", "f", None, "m"] * 20,
                "ill": pa.array(["flu", None] * 40),
            }
        )
        assert set(accuracies(la.utility(release(table), "ill"), "released").values()) == {1.0}

    def test_numbers_with_missing_values_predict(self):
        ages = [20, 30, 40, None] * 30
        table = pa.table({"age": ages, "ill": ["a" if age == 30 else "b" for age in ages]})
        hierarchy = {"kind": "intervals", "widths": [10, 40]}
        roles = {"age": {"role": "quasi-identifier", "hierarchy": hierarchy}, "ill": SENSITIVE}
        found = la.utility(release(table, attributes=roles), "ill")
        assert accuracies(found, "released")["gradient_boosting"] == 1

    def test_the_order_of_the_rows_does_not_matter(self):
        order = np.random.default_rng(2).permutation(PEOPLE.num_rows)
        first = la.utility(release(), "sex").to_dict()
        assert la.utility(release(PEOPLE.take(order)), "sex").to_dict() == first

    def test_the_tidy_table_has_the_scores(self):
        rows = la.utility(release(), "ill").to_table().to_pylist()
        names = {(row["name"], row["other"]) for row in rows if row["subject"] == "model"}
        models = {"logistic_regression", "gradient_boosting"}
        trained = {(model, rows) for model in models for rows in ("released", "original")}
        assert names == trained | {("majority", "majority")}

    def test_areas_and_balanced_accuracy_agree_with_scikit_learn(self):
        from sklearn.metrics import balanced_accuracy_score, roc_auc_score

        random = np.random.default_rng(4)
        truth = random.integers(0, 2, 60)
        chance = np.round(random.random(60), 1)
        answers = np.column_stack([1 - chance, chance])
        _, balanced, area = score_answers(answers, truth)
        assert area == pytest.approx(roc_auc_score(truth, chance))
        assert balanced == pytest.approx(balanced_accuracy_score(truth, answers.argmax(axis=1)))


class TestSplit:
    @given(
        st.lists(st.tuples(st.integers(0, 2), st.integers(0, 9)), min_size=1, max_size=40),
        st.sampled_from([0.1, 0.3, 0.5, 0.9]),
        st.integers(0, 5),
    )
    @examples(60)
    def test_rows_of_a_person_stay_together(self, rows, share, seed):
        class_of, person = (np.array(column) for column in zip(*rows, strict=True))
        test = draw_test_rows(class_of, person, share, seed)
        assert all(len(set(test[person == one].tolist())) == 1 for one in person)
        assert np.array_equal(test, draw_test_rows(class_of, person, share, seed))
        first = np.unique(person, return_index=True)[1]
        for kind in np.unique(class_of[first]):
            here = first[class_of[first] == kind]
            assert test[here].sum() == int(share * len(here))

    def test_persons_that_are_named_stay_together(self):
        from lookalike.flow.utility import align_release

        visits = PEOPLE.append_column("no", pa.array([str(n % 50) for n in range(200)]))
        roles = ROLES | {"no": IDENTIFIER}
        made = release(visits, attributes=roles, source={"person": "no"})
        assert len(set(align_release(made).person.tolist())) == 50
        assert len(set(align_release(release()).person.tolist())) == 200


class TestRefusals:
    @pytest.mark.parametrize(
        ("target", "message"),
        [
            ("il", "no column 'il'; did you mean 'ill'?"),
            ("name", "column 'name' is not released; name one of zip, sex, ill"),
            ("one", "2 to 20 different values, and column 'one' has 1;"),
            ("many", "2 to 20 different values, and column 'many' has 25;"),
        ],
    )
    def test_a_target_that_cannot_be_predicted(self, target, message):
        more = {"name": list(map(str, range(200))), "one": ["a"] * 200}
        more["many"] = [str(number % 25) for number in range(200)]
        table = PEOPLE
        for name, values in more.items():
            table = table.append_column(name, pa.array(values))
        roles = ROLES | {"name": IDENTIFIER, "one": SENSITIVE, "many": SENSITIVE}
        made = release(table, attributes=roles)
        with pytest.raises(la.InvalidInput) as refused:
            la.utility(made, target)
        assert message in str(refused.value)

    def test_a_split_that_leaves_nothing(self):
        with pytest.raises(la.InvalidInput, match="too few to train and to test"):
            la.utility(release(), "ill", test_share=0.001)
        with pytest.raises(la.InvalidInput, match="test_share is between 0 and 1"):
            la.utility(release(), "ill", test_share=1)
        with pytest.raises(la.InvalidInput, match="repeats is a number of splits"):
            la.utility(release(), "ill", repeats=0)

    def test_scikit_learn_is_needed_for_models_only(self, monkeypatch):
        monkeypatch.setitem(sys.modules, "sklearn", None)
        assert la.utility(release()).models is None
        with pytest.raises(la.InvalidInput, match=r"pip install 'lookalike\[utility\]'"):
            la.utility(release(), "ill")

    def test_a_release_that_is_based_on_earlier_ones(self, tmp_path):
        table = PEOPLE.append_column("no", pa.array([str(n) for n in range(200)]))
        asked = {
            "attributes": ROLES | {"no": IDENTIFIER},
            "source": {"row_key": "no", "name": "people"},
            "ledger": str(tmp_path / "ledger.db"),
            "policy": "based-on",
            "accept": ["one-sensitive-value"],
        }
        release(table, **asked).publish(tmp_path / "first" / "people.csv")
        with pytest.raises(la.InvalidInput, match="based on earlier ones"):
            la.utility(release(table, **asked))


class TestComparison:
    METHODS = ("datafly", "mingen")

    def test_a_target_adds_columns_and_two_rows(self):
        asked = {"attributes": ROLES, "k": 2, "max_suppressed": 0, "methods": self.METHODS}
        plain = la.compare(PEOPLE, **asked)
        rows = la.compare(PEOPLE, target="ill", **asked)
        added = ["column_distance", "pair_distance", "logistic_regression", "gradient_boosting"]
        assert rows.column_names == [*plain.column_names, *added]
        assert rows["method"].to_pylist() == [*self.METHODS, "original", "majority"]
        alone = la.utility(release(), "ill")
        [*_, mingen, original, majority] = rows.to_pylist()
        assert mingen["column_distance"] == alone.column_distance == 0
        assert mingen["gradient_boosting"] == original["gradient_boosting"] == 1
        assert majority["logistic_regression"] == majority["gradient_boosting"] < 1
        assert original["precision"] is original["pair_distance"] is None

    def test_the_command_shows_them_in_80_columns(self, folder, type_in, answer):
        asked = "compare patients.toml --target gender --method datafly --method mingen"
        code, printed, complaint = type_in(asked)
        assert (code, complaint) == (0, "")
        assert max(len(line.rstrip()) for line in printed.splitlines()) <= 80
        lines = {line.split()[0]: line.split() for line in printed.splitlines() if line.strip()}
        assert "columns" in lines["method"]
        assert "boosting" in lines["method"]
        methods = {one["method"]: one["utility"] for one in answer(asked)["methods"]}
        assert lines["mingen"][-4] == f"{methods['mingen']['column_distance']:.4f}"
        assert len(lines["original"]) == len(lines["majority"]) == 3
        assert "predict gender" in " ".join(printed.split())
        assert methods["mingen"]["models"]["target"] == "gender"

    def test_a_target_with_too_many_values_is_refused_before_the_search(self):
        many = [str(number) for number in range(21)] * 3
        roles = {"zip": MASKED, "ill": SENSITIVE}
        announced = []
        for ill, values in ((many, 21), (["a"] * 63, 1)):
            table = pa.table({"zip": ["11"] * 63, "ill": ill})
            with pytest.raises(la.InvalidInput, match=f"column 'ill' has {values};"):
                la.compare(table, attributes=roles, k=2, target="ill", announce=announced.append)
        assert "datafly" not in announced

    def test_missing_counts_as_a_value_of_the_target(self):
        table = pa.table({"zip": ["11", "12"] * 10, "ill": ["flu", None] * 10})
        roles = {"zip": MASKED, "ill": SENSITIVE}
        asked = {"attributes": roles, "k": 2, "methods": ["mingen"], "target": "ill"}
        assert la.compare(table, **asked)["logistic_regression"].to_pylist()[0] == 1

    def test_a_wrong_target_is_refused_before_the_table_is_read(self, folder, type_in):
        (folder / "patients.csv").unlink()
        code, _, complaint = type_in("compare patients.toml --target name")
        assert code == 2
        assert "column 'name' is not released" in " ".join(complaint.split())
