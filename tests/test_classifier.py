import pickle
import random

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.datasets import load_iris
from sklearn.model_selection import cross_val_score
from sklearn.utils.estimator_checks import parametrize_with_checks

from constructions.errors import ConflictingLabelsError, UndecidedError
from lnnet import LNNetClassifier, certify


@parametrize_with_checks([LNNetClassifier()])
def test_scikit_learns_own_checks(estimator, check):
    check(estimator)


@pytest.mark.parametrize("classes", [2, 3])
@pytest.mark.parametrize("options", [{}, {"epsilon": "1e-5"}, {"method": "chord"}, {"projection": "spread"}])
def test_random_labels_are_memorised_and_certified(classes, options):
    rng = np.random.default_rng(classes)
    X, y = rng.normal(size=(14, 3)), np.array(["ash", "birch", "cedar"])[rng.integers(0, classes, 14)]
    model = LNNetClassifier(**options).fit(X, y)
    assert (model.predict(X) == y).all()
    assert model.certificate_.verdict == "certified"
    assert model.net_.width == 3
    assert certify(model.net_, X, [list(model.classes_).index(v) for v in y])
    values = model.decision_function(X)
    assert values.shape == ((14,) if classes == 2 else (14, 3))
    order = (values > 0).astype(int) if classes == 2 else values.argmax(axis=1)
    assert (model.classes_[order] == y).all()


def test_a_deep_network_predicts_what_floats_would_get_wrong():
    """Predictions follow the network over the reals, not a float64 shadow that loses points merged one by one."""
    rng = random.Random(0)
    X = [[rng.random()] for _ in range(200)]
    y = [rng.randrange(2) for _ in X]
    model = LNNetClassifier(method="pma").fit(X, y)
    assert [model.net_.predict(x) for x in X] != y
    assert list(model.predict(X)) == y


def test_it_is_a_scikit_learn_estimator():
    X, y = load_iris(return_X_y=True)
    X, keep = np.unique(X, axis=0, return_index=True)
    model = LNNetClassifier(random_state=3).fit(X, y[keep])
    assert model.score(X, y[keep]) == 1.0
    again = pickle.loads(pickle.dumps(model))
    assert again.net_ == model.net_
    assert again.certificate_.verdict == "certified"
    assert clone(model).get_params() == model.get_params()
    assert cross_val_score(LNNetClassifier(), X, y[keep], cv=3).mean() > 0.8


def test_contradictory_labels_and_coarse_arithmetic_are_errors():
    with pytest.raises(ConflictingLabelsError, match="0 and 2"):
        LNNetClassifier().fit([[1.0], [2.0], [1.0]], [0, 1, 1])
    rng = np.random.default_rng(0)
    with pytest.raises(UndecidedError):
        LNNetClassifier(method="pma", arithmetic="float32", projection="spread").fit(
            rng.random((100, 2)), rng.integers(0, 2, 100)
        )


def test_a_point_on_the_boundary_is_predicted_all_the_same():
    model = LNNetClassifier().fit([[0.0], [1.0]], [5, 7])
    cut = -model.net_.layers[0].bias[0] / model.net_.layers[0].weight[0][0]
    assert model.decision_function([[float(int(cut.p) / int(cut.q))]]) == [0.0]
    assert model.predict([[float(int(cut.p) / int(cut.q))]]) in ([5], [7])
