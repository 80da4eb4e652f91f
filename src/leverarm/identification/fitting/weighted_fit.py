"""Base parameters by weighted least squares: each joint by its noise, outliers downweighted (Huber 1964).

`NormalEquations` are sums of products per block of time and joint, from which fits that leave blocks out are made.
`tall_qr` factors tall matrices from sums of products: several times faster than Householder's method, and as exact.
A = Q R with R from Cholesky's R^T R = A^T A loses twice the digits that A's condition takes; a second round restores
them (Yamamoto, Nakatsukasa, Yanagisawa and Fukaya 2015). Nearly dependent columns go to Householder's QR.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from leverarm.arrays import Array, BoolArray, IntArray

RIDGE = 1e-10
"""Of a column's own size: regularises blocks that do not determine a parameter."""
ROUNDING = 1e-12
"""Of a sum of squares: the precision of a difference of two of them."""


@dataclass(frozen=True, slots=True)
class NormalEquations:
    """WW (blocks, n, p, p), Wy and Wz (blocks, n, p), yy, zz, count (blocks, n) of columns W, torques y, raw ones z."""

    WW: Array
    Wy: Array
    yy: Array
    Wz: Array
    zz: Array
    count: Array

    @property
    def blocks(self) -> int:
        return len(self.zz)

    def weighted(self, weights: Array, blocks: BoolArray) -> tuple[Array, Array]:
        """Sums of W^T W (p, p) and W^T y (p,) over some blocks, joints weighted (n,)."""
        return np.tensordot(weights, self.WW[blocks].sum(axis=0), axes=1), weights @ self.Wy[blocks].sum(axis=0)

    def squares(self, values: Array, block: int | slice = slice(None)) -> tuple[Array, Array]:
        """Sums of squared errors of each joint (n,), filtered and raw torque, of parameter values in some blocks."""
        WW, Wy, Wz = (_summed(x, block) for x in (self.WW, self.Wy, self.Wz))
        modelled = (WW @ values) @ values
        yy, zz = _summed(self.yy, block), _summed(self.zz, block)
        filtered = yy - 2 * Wy @ values + modelled
        raw = zz - 2 * Wz @ values + modelled
        return np.maximum(filtered, ROUNDING * yy), np.maximum(raw, ROUNDING * zz)


def _summed(x: Array, block: int | slice) -> Array:
    return np.asarray(x[block] if isinstance(block, int) else np.sum(x[block], axis=0))


def normal_equations(W: Array, y: Array, z: Array, used: BoolArray, block: IntArray) -> NormalEquations:
    """The sums over the `used` samples (k, n) of columns W (k, n, p), torques y filtered and z raw (k, n)."""
    _, n, p = W.shape
    count = int(block.max()) + 1
    WW = np.zeros((count, n, p, p))
    Wy, Wz = np.zeros((2, count, n, p))
    yy, zz, number = np.zeros((3, count, n))
    bounds = np.searchsorted(block, np.arange(count + 1))
    for j in range(n):
        kept = np.flatnonzero(np.abs(W[:, j]).max(axis=0) > 0)
        Wj = np.ascontiguousarray(W[:, j, kept]) * used[:, j, None]
        yj, zj = y[:, j] * used[:, j], z[:, j] * used[:, j]
        for b in range(count):
            at = slice(bounds[b], bounds[b + 1])
            WW[b, j][np.ix_(kept, kept)] = Wj[at].T @ Wj[at]
            Wy[b, j, kept], Wz[b, j, kept] = Wj[at].T @ yj[at], Wj[at].T @ zj[at]
            yy[b, j], zz[b, j], number[b, j] = yj[at] @ yj[at], zj[at] @ zj[at], used[at, j].sum()
    return NormalEquations(WW, Wy, yy, Wz, zz, number)


def solved(equations: NormalEquations, left_out: int | None, weights: Array) -> Array:
    """Least-squares values of the parameters, joints weighted (n,), all blocks but one (or none) used."""
    blocks = np.arange(equations.blocks) != (-1 if left_out is None else left_out)
    return ridge_solution(*equations.weighted(weights, blocks), RIDGE)


def ridge_solution(A: Array, b: Array, ridge: float) -> Array:
    """The solution of A x = b, with A scaled to a unit diagonal and `ridge` added to it."""
    size = np.sqrt(np.maximum(np.diag(A), 1e-300))
    scaled = A / np.outer(size, size)
    scaled[np.diag_indices_from(scaled)] += ridge
    return np.asarray(np.linalg.solve(scaled, b / size) / size)


def weights_of(equations: NormalEquations, rounds: int = 2) -> Array:
    """1 / (variance of the filtered error) of each joint (n,), from fits that use the variances found before."""
    total = np.maximum(equations.count.sum(axis=0), 1)
    squares = equations.yy.sum(axis=0)
    variance = np.where(squares > 0, squares / total, 1.0)
    smallest = 1e-20 * variance
    weights = 1 / variance
    for _ in range(rounds):
        squares, _ = equations.squares(solved(equations, None, weights))
        weights = 1 / np.maximum(squares / total, smallest)
    return weights


def left_out_errors(equations: NormalEquations, weights: Array) -> tuple[Array, Array]:
    """Sums of squared errors (blocks, n) of every block predicted by the others: of filtered and of raw torque."""
    filtered, raw = np.zeros((2, *equations.zz.shape))
    for b in range(equations.blocks):
        filtered[b], raw[b] = equations.squares(solved(equations, b, weights), b)
    return filtered, raw


WORST = 1e-5
"""Least singular value of columns of length 1, of the largest, down to which sums of products are trusted."""


def unit_columns(A: Array) -> tuple[Array, Array]:
    """Columns of length 1, and the lengths they had; columns of zeros as they are."""
    lengths = np.sqrt(np.sum(A**2, axis=0))
    lengths = np.where(lengths > 0, lengths, 1.0)
    return A / lengths, lengths


def tall_qr(A: Array) -> tuple[Array, Array]:
    """Q (m, b) with orthonormal columns and R (b, b) with A = Q R, of columns A (m, b) of about the same length."""
    if (first := triangle(A)) is not None:
        Q = A @ np.linalg.inv(first)
        if (second := triangle(Q)) is not None:
            return Q @ np.linalg.inv(second), second @ first
    Q, R = np.linalg.qr(A)
    return Q, R


def triangle(A: Array) -> Array | None:
    """R (b, b) with R^T R = A^T A, of columns A (m, b); None where they are nearly dependent."""
    try:
        R: Array = np.asarray(np.linalg.cholesky(A.T @ A).T, dtype=np.float64)
    except np.linalg.LinAlgError:
        return None
    singular = np.linalg.svd(R, compute_uv=False)
    return R if singular[-1] > WORST * singular[0] else None


Solved = tuple[Array, Array]
"""Values (b,), and the singular values (b,) of the weighted columns at unit length."""

ROUNDS = 6
SETTLED = 1e-3
"""Relative change of the joints' noise at which the weights have converged."""
HUBER = 2.5
"""Standard deviations beyond which a sample is downweighted."""
SMALLEST_NOISE = 1e-13
"""Of a joint's torque: no joint is assumed more precise than rounding."""


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


def weighted_fit(W: Array, y: Array, used: BoolArray, wild: float = HUBER) -> WeightedFit:
    """The values of the columns W (k, n, b) that explain torques y (k, n) in the `used` samples.

    Samples beyond `wild` standard deviations are downweighted; infinity downweights none.
    """
    return reweighted(W, y, used, lambda roots: _solved(W, y, roots), wild)


def ordinary_fit(W: Array, y: Array, used: BoolArray) -> WeightedFit:
    """The same by ordinary least squares: all joints weighted alike."""
    values, singular = _solved(W, y, used.astype(np.float64))
    residuals = y - W @ values
    noise = np.maximum(_noise(residuals, used, np.ones_like(y), W.shape[2]), _sizes(y, used)[1])
    together = np.sqrt(np.mean(noise**2))
    return WeightedFit(values, noise, residuals, used / together, singular)


def reweighted(
    W: Array, y: Array, used: BoolArray, solve: Callable[[Array], Solved], wild: float = HUBER
) -> WeightedFit:
    """Iteratively reweighted fit: `solve` with roots of weights (k, n) from the residuals of the last round."""
    noise, least = _sizes(y, used)
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


def _sizes(y: Array, used: BoolArray) -> tuple[Array, Array]:
    """Root mean square torque of each joint (n,) in the samples used, 1 where it is zero, and the least noise (n,)."""
    size = np.sqrt(np.sum(y**2 * used, axis=0) / np.maximum(used.sum(axis=0), 1))
    return np.where(size > 0, size, 1.0), np.where(size > 0, SMALLEST_NOISE * size, 1.0)


def _solved(W: Array, y: Array, roots: Array) -> Solved:
    A = (W * roots[:, :, None]).reshape(-1, W.shape[2])
    lengths = np.sqrt(np.einsum("ki,ki->i", A, A))
    A /= np.where(lengths > 0, lengths, 1.0)
    target = (y * roots).reshape(-1)
    R = triangle(A)
    if R is None:
        values, singular = _by_reflections(A, target)
    else:
        # R^T R = A^T A; a second round on the residual compensates the squared condition number
        inverse = np.linalg.inv(R)
        values = inverse @ (inverse.T @ (A.T @ target))
        values += inverse @ (inverse.T @ (A.T @ (target - A @ values)))
        singular = np.asarray(np.linalg.svd(R, compute_uv=False), dtype=np.float64)
    return values / np.where(lengths > 0, lengths, 1.0), singular


def _by_reflections(A: Array, target: Array) -> Solved:
    """Least squares of columns that may be dependent: the minimum-norm solution."""
    Q, R = np.linalg.qr(A)
    U, singular, Vt = np.linalg.svd(R)
    kept = singular > 1e-13 * singular[0]
    projected = U.T @ (Q.T @ target)
    return Vt.T[:, kept] @ (projected[kept] / singular[kept]), singular


def _noise(residuals: Array, used: BoolArray, downweight: Array, parameters: int) -> Array:
    """Root mean square residual of each joint, outliers downweighted, corrected for the fitted parameters."""
    weights = used * downweight
    count = np.maximum(weights.sum(axis=0), 1.0)
    free = np.maximum(1 - parameters / max(count.sum(), parameters + 1.0), 0.05)
    return np.asarray(np.sqrt(np.sum(weights * residuals**2, axis=0) / count / free))
