r"""What an IEEE evaluation of a first layer that folds a circle may err by.

The layer computes three neurons :math:`h_k` of zero sum, and reads :math:`a=v\cdot z` off the normed row
:math:`z=h/s`. To first order it errs by :math:`\sum_k|g_k|e_k + u(15.2\,|a| + 2\sum_k|v_k z_k|)`, where
:math:`g=(v-a z/3)/s` is the gradient of the read-off and :math:`e_k` bounds the errors of the neuron: of its products,
and of its sums in any order. The two numbers are fitted to what `proofs.ieee_checker` has to concede; on uniform points
the sum is within three per cent of its bound.
"""

from __future__ import annotations

import numpy as np

from constructions.trial_folds import Array

#: The read-off of three neurons, and the amplitude of what it reads.
_READ, AMPLITUDE = np.array([0.5, 0.5, -1.0]), np.sqrt(4.5)
#: What the norm adds relative to the read-off, and what every output of LN adds on its own, in units u.
_SCALE, _OWN = 15.2, 2.0


def first_blur(forms: Array, points: Array, entry: Array) -> Array:
    """Errors of the read-off of first layers, relative to its amplitude, in units u.

    Args:
        forms: (n, 2, d + 1) coefficients of U and V, the constant last.
        points: (n, d + 1) coordinates, the last of them 1; one point for each of the layers.
        entry: (n, d + 1) what rounding the coordinates moves them by, in units u.
    """
    first, second = forms[:, 0], forms[:, 1]
    weights = np.stack([second + first, second - first, -2 * second], axis=1)
    terms = weights * points[:, None, :]
    total = terms.sum(axis=2)
    size = np.abs(terms).sum(axis=2)
    products = size - np.abs(terms[:, :, -1])  # the constant is not multiplied
    partial = (size + np.abs(total)) / 2 * (terms.shape[2] - 2)
    error = products + partial + np.abs(total) + (np.abs(weights) * entry[:, None, :]).sum(axis=2)
    deviation = np.sqrt((total * total).mean(axis=1, keepdims=True))
    outputs = total / deviation
    value = outputs @ _READ
    gradient = np.abs(_READ - value[:, None] * outputs / 3) / deviation
    own = np.abs(outputs) @ np.abs(_READ)
    return np.asarray(((gradient * error).sum(axis=1) + _SCALE * np.abs(value) + _OWN * own) / AMPLITUDE)
