"""An LN-Net as a scikit-learn classifier: it fits every labelling, and says so with a certificate."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from flint import arb, fmpq

from constructions.errors import InputError
from constructions.network import LNNet
from constructions.rational import to_rational
from proofs.certificate import Certificate
from proofs.checker import enclose

try:
    from sklearn.base import BaseEstimator, ClassifierMixin
    from sklearn.utils import check_random_state
    from sklearn.utils.multiclass import check_classification_targets
    from sklearn.utils.validation import check_is_fitted, validate_data
except ImportError:
    raise InputError(
        "LNNetClassifier needs scikit-learn 1.6 or later: install it with  pip install 'lnnet[datasets]'."
    ) from None

#: Precision, in bits, beyond which an output that may be zero counts as zero.
_MAX_BITS = 1 << 14


class LNNetClassifier(ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """A width-3 LN-Net that gives every training point its label, provably.

    It memorises: the training accuracy is 1 by construction, whatever the labels, and nothing is promised about
    other points. Use it to study memorisation, not to generalise.

    Args:
        method: as for `lnnet.build`.
        arithmetic: as for `lnnet.build`; ``"dyadic"`` finds the precision that is needed.
        projection: as for `lnnet.build`; ``"few-runs"`` favours shallow networks.
        epsilon: smoothing of LN, an exact number such as ``"1e-5"``.
        random_state: seed of the random directions among the projections.

    Attributes:
        classes_: the labels, sorted.
        n_features_in_: the number d of coordinates.
        net_: the network, an `lnnet.LNNet`; its classes are 0, 1, …, the positions in ``classes_``.
        certificate_: its `lnnet.Certificate` on the training points; ``certificate_.verdict`` is ``"certified"`` unless
            a fixed arithmetic was too coarse.

    >>> LNNetClassifier().fit([[0, 0], [0, 1], [1, 0], [1, 1]], ["no", "yes", "yes", "no"]).predict([[0, 1], [1, 1]])
    array(['yes', 'no'], dtype='<U3')
    """

    def __init__(
        self,
        method: str = "auto",
        arithmetic: str = "dyadic",
        projection: str | Sequence[Any] = "few-runs",
        epsilon: Any = 0,
        random_state: Any = 0,
    ):
        self.method = method
        self.arithmetic = arithmetic
        self.projection = projection
        self.epsilon = epsilon
        self.random_state = random_state

    def fit(self, X: Any, y: Any) -> LNNetClassifier:
        """Build the network.

        Args:
            X: finite numbers of shape (m, d), taken as the exact dyadic rationals that they store.
            y: m labels.

        Raises:
            ConflictingLabelsError: equal points with different labels, which no function classifies.
            UndecidedError: a fixed arithmetic is too coarse.
        """
        from lnnet.building import build_certified

        X, y = validate_data(self, X, y)
        check_classification_targets(y)
        self.classes_, positions = np.unique(y, return_inverse=True)
        seed = int(check_random_state(self.random_state).randint(2**31 - 1))
        built = build_certified(
            X,
            [int(k) for k in positions],
            method=self.method,
            arithmetic=self.arithmetic,
            projection=self.projection,
            epsilon=self.epsilon,
            seed=seed,
        )
        self.certificate_: Certificate = built.certificate
        self.net_: LNNet = built.network
        return self

    def decision_function(self, X: Any) -> Any:
        """The network's outputs, each with its exact sign.

        Returns:
            Shape (n,) for two classes, positive for ``classes_[1]``; shape (n, K) of logits otherwise.
        """
        check_is_fitted(self)
        rows = self._rows(X)
        values = np.array([[float(v.mid()) for v in outputs] for outputs in self._outputs(rows)])
        return values[:, 0] if self.net_.readout == "threshold" else values

    def predict(self, X: Any) -> Any:
        """The labels that the network gives, over the real numbers."""
        check_is_fitted(self)
        places = {label: k for k, label in enumerate(self.net_.classes)}
        chosen = [places[_chosen(self.net_, outputs)] for outputs in self._outputs(self._rows(X))]
        return self.classes_[np.array(self.net_.classes)[chosen]]

    def _rows(self, X: Any) -> list[list[fmpq]]:
        return [[to_rational(v) for v in row] for row in validate_data(self, X, reset=False)]

    def _outputs(self, rows: list[list[fmpq]]) -> list[list[arb]]:
        """Balls around the outputs that are narrow enough to tell which is the largest (or the sign)."""
        result: dict[int, list[arb]] = {}
        pending = list(range(len(rows)))
        bits = max(64, self.certificate_.bits)
        while True:
            outputs = enclose(self.net_, [rows[k] for k in pending], bits)
            result |= dict(zip(pending, outputs, strict=True))
            pending = [k for k in pending if not _settled(self.net_, result[k])]
            if not pending or bits >= _MAX_BITS:
                return [result[k] for k in range(len(rows))]
            bits *= 2


def _settled(net: LNNet, outputs: Sequence[arb]) -> bool:
    if not all(v.is_finite() for v in outputs):
        return False
    if net.readout == "threshold":
        return bool(outputs[0] > 0) or bool(outputs[0] < 0)
    return any(all(v > w for j, w in enumerate(outputs) if j != k) for k, v in enumerate(outputs))


def _chosen(net: LNNet, outputs: Sequence[arb]) -> Any:
    middles = [v.mid() for v in outputs]
    if net.readout == "threshold":
        return net.classes[int(bool(middles[0] > 0))]
    best = 0
    for k, value in enumerate(middles):
        if value > middles[best]:
            best = k
    return net.classes[best]
