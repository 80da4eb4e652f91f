"""Which parameters the samples leave open altogether: those that another choice would fit just as well."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from leverarm.arrays import Array

Mask = NDArray[np.bool_]

NOTHING = 1e-10
"""Of the largest singular value: a combination of columns that is shorter changes no torque."""
PART = 1e-6
"""Of such a combination: what has a smaller part in it is fixed by the data."""


def left_open(W: Array, roots: Array, singular: Array) -> Mask:
    """Whether each of the columns W (k, n, b), weighted by `roots`^2 (k, n), is part of a combination without effect.

    `singular` are the singular values of the weighted columns at unit length. Least squares gives such parameters
    values, the least that will do, and no spread; they mean nothing.
    """
    b = W.shape[2]
    if singular[-1] > NOTHING * singular[0]:
        return np.zeros(b, dtype=bool)
    X = (W * roots[:, :, None]).reshape(-1, b)
    lengths = np.linalg.norm(X, axis=0)
    R = np.linalg.qr(X / np.where(lengths > 0, lengths, 1.0), mode="r")
    _, sizes, Vt = np.linalg.svd(R)
    without_effect = np.concatenate([Vt[: len(sizes)][sizes <= NOTHING * sizes[0]], Vt[len(sizes) :]])
    answer: Mask = np.abs(without_effect).max(axis=0, initial=0.0) > PART
    return answer
