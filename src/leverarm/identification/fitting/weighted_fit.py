"""Base parameters by weighted least squares: joints by their noise, single wild samples held down (Huber 1964)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from leverarm.arrays import Array
from leverarm.identification.fitting.tall_factors import triangle

Mask = NDArray[np.bool_]
Solved = tuple[Array, Array]
"""Values (b,), and the singular values (b,) of the weighted columns at unit length."""

ROUNDS = 6
SETTLED = 1e-3
"""Relative change of the joints' noise at which the weights are left as they are."""
HUBER = 2.5
"""Standard deviations beyond which a sample counts less."""
SMALLEST_NOISE = 1e-13
"""Of a joint's torque: no joint is taken to be more exact than rounding."""


@dataclass(frozen=True, slots=True)
class WeightedFit:
    """Values (b,), noise of each joint (n,) [N m or N], residuals (k, n), and the roots of the samples' weights (k, n).

    `singular` are the singular values of the weighted columns, each scaled to length 1.
    """

    values: Array
    noise: Array
    residuals: Array
    roots: Array
    singular: Array

    @property
    def condition(self) -> float:
        """The condition number of the weighted columns at unit length: how near they are to dependence."""
        return float(self.singular[0] / max(self.singular[-1], 1e-300))


def weighted_fit(W: Array, y: Array, used: Mask, wild: float = HUBER) -> WeightedFit:
    """The values of the columns W (k, n, b) that explain torques y (k, n) in the `used` samples.

    Samples further off than `wild` standard deviations count less; infinity holds none down.
    """
    return reweighted(W, y, used, lambda roots: _solved(W, y, roots), wild)


def ordinary_fit(W: Array, y: Array, used: Mask) -> WeightedFit:
    """The same by plain least squares: a newton metre of any joint counts like one of any other."""
    values, singular = _solved(W, y, used.astype(np.float64))
    residuals = y - W @ values
    size = _size(y, used)
    least = np.where(size > 0, SMALLEST_NOISE * size, 1.0)
    noise = np.maximum(_noise(residuals, used, np.ones_like(y), W.shape[2]), least)
    together = np.sqrt(np.mean(noise**2))
    return WeightedFit(values, noise, residuals, used / together, singular)


def reweighted(W: Array, y: Array, used: Mask, solve: Callable[[Array], Solved], wild: float = HUBER) -> WeightedFit:
    """What `solve` finds with roots of weights (k, n) that follow from the residuals it left the round before."""
    size = _size(y, used)
    least = np.where(size > 0, SMALLEST_NOISE * size, 1.0)
    noise = np.where(size > 0, size, 1.0)
    downweight = np.ones_like(y)
    for _ in range(ROUNDS):
        roots = used * np.sqrt(downweight) / noise
        values, singular = solve(roots)
        residuals = y - W @ values
        before, noise = noise, np.maximum(_noise(residuals, used, downweight, W.shape[2]), least)
        downweight = np.minimum(1.0, wild * noise / np.maximum(np.abs(residuals), 1e-300))
        if np.all(np.abs(noise - before) <= SETTLED * before):
            break
    return WeightedFit(values, noise, residuals, roots, singular)


def _size(y: Array, used: Mask) -> Array:
    """Root mean square torque of each joint (n,) in the samples used."""
    return np.asarray(np.sqrt(np.sum(y**2 * used, axis=0) / np.maximum(used.sum(axis=0), 1)))


def _solved(W: Array, y: Array, roots: Array) -> Solved:
    A = (W * roots[:, :, None]).reshape(-1, W.shape[2])
    lengths = np.sqrt(np.einsum("ki,ki->i", A, A))
    A /= np.where(lengths > 0, lengths, 1.0)
    target = (y * roots).reshape(-1)
    R = triangle(A)
    found = _by_reflections(A, target) if R is None else _by_products(A, target, R)
    return found[0] / np.where(lengths > 0, lengths, 1.0), found[1]


def _by_products(A: Array, target: Array, R: Array) -> Solved:
    """Least squares with R^T R = A^T A; a second round on what is left makes up for the squared condition."""
    inverse = np.linalg.inv(R)
    values = inverse @ (inverse.T @ (A.T @ target))
    values += inverse @ (inverse.T @ (A.T @ (target - A @ values)))
    return values, np.asarray(np.linalg.svd(R, compute_uv=False), dtype=np.float64)


def _by_reflections(A: Array, target: Array) -> Solved:
    """Least squares of columns that may be dependent: of all that fit alike, the smallest values."""
    Q, R = np.linalg.qr(A)
    U, singular, Vt = np.linalg.svd(R)
    told = singular > 1e-13 * singular[0]
    projected = U.T @ (Q.T @ target)
    return Vt.T[:, told] @ (projected[told] / singular[told]), singular


def _noise(residuals: Array, used: Mask, downweight: Array, parameters: int) -> Array:
    """Root mean square residual of each joint, wild samples held down, as many samples off as parameters fitted."""
    weights = used * downweight
    count = np.maximum(weights.sum(axis=0), 1.0)
    free = np.maximum(1 - parameters / max(count.sum(), parameters + 1.0), 0.05)
    return np.asarray(np.sqrt(np.sum(weights * residuals**2, axis=0) / count / free))
