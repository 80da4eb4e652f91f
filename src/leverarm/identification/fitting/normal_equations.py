"""Sums of products of columns and torques per block of time and joint: fits that leave blocks out add them up."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from leverarm.arrays import Array

Mask = NDArray[np.bool_]

RIDGE = 1e-10
"""Of a column's own size: what decides where the data of some blocks do not."""
ROUNDING = 1e-12
"""Of a sum of squares: what is left of it by subtraction is not known any better."""


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

    def part(self, columns: NDArray[np.int64]) -> NormalEquations:
        """The same sums of some of the columns."""
        WW = self.WW[:, :, columns[:, None], columns[None, :]]
        return NormalEquations(WW, self.Wy[..., columns], self.yy, self.Wz[..., columns], self.zz, self.count)

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


def normal_equations(W: Array, y: Array, z: Array, used: Mask, block: NDArray[np.int64]) -> NormalEquations:
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
    A = np.tensordot(weights, equations.WW[blocks].sum(axis=0), axes=1)
    b = weights @ equations.Wy[blocks].sum(axis=0)
    size = np.sqrt(np.maximum(np.diag(A), 1e-300))
    scaled = A / np.outer(size, size)
    scaled[np.diag_indices_from(scaled)] += RIDGE
    answer: Array = np.linalg.solve(scaled, b / size) / size
    return answer


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
