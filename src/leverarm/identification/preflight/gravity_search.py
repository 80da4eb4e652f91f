"""How much of the torques free parameters leave under any gravity, from sums over the log that are made once."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from leverarm.arrays import Array
from leverarm.identification.preflight.readings import gravity_columns, masses_of
from leverarm.identification.preflight.samples import (
    Thinned,
    coefficients,
    left_over,
    span,
    spread_of_mean,
    unexplained,
    weighted,
)
from leverarm.model import bind
from leverarm.model.arm import STANDARD_GRAVITY

SAMPLES = 300
CLOSE = float(np.deg2rad(0.2))
"""Steps on the sphere smaller than this [rad] end the search."""
SEEN = 5.0
"""Standard errors from zero at which the masses of the arm that was given decide a sign."""


@dataclass(frozen=True, slots=True)
class GravitySearch:
    """Sums over the log from which the residual of any gravity follows: columns W(0) and G_k, friction taken out."""

    rows: Array
    """Columns of the inertial numbers at rest, then those that one unit of gravity along x, y and z adds."""
    target: Array
    gram: Array
    moments: Array
    seen: NDArray[np.int64]
    """The inertial numbers that gravity acts on at all."""
    scale: Array
    total: float
    given: Array
    masses: Array
    blocks: NDArray[np.int64]

    @staticmethod
    def of(rows: Thinned) -> GravitySearch:
        """From a thinned motion; friction, rotors and offsets take out what they can of columns and torques."""
        mechanism = bind(rows.arm)
        count = 10 * len(mechanism.links)
        some = np.unique(np.linspace(0, len(rows.at) - 1, min(SAMPLES, len(rows.at))).astype(np.int64))
        G = gravity_columns(rows.arm, rows.motion.q[rows.at[some]])
        given = np.array([float(part) for part in mechanism.gravity])
        still = rows.W[some][:, :, :count] - np.tensordot(given, G, 1)
        seen = np.flatnonzero(np.abs(G).max(axis=(0, 1, 2)) > 0)
        everything = np.concatenate([rows.W[some][:, :, count:], still, *(g[:, :, seen] for g in G)], axis=2)
        # joints count by what not even three gravities at once can explain of them, which no direction can bias
        weights = rows.moves[some] / unexplained(everything, rows.tau[some], rows.moves[some])
        columns = weighted(everything, weights)
        others, columns = span(columns[:, : rows.W.shape[2] - count]), columns[:, rows.W.shape[2] - count :]
        target = (rows.tau[some] * weights).reshape(-1)
        lengths = np.linalg.norm(columns, axis=0)
        columns, left = left_over(others, columns), left_over(others, target)
        columns[:, np.linalg.norm(columns, axis=0) < 1e-9 * lengths] = 0.0
        norms = np.linalg.norm(columns[:, :count], axis=0)
        for k in range(3):
            part = columns[:, count + k * len(seen) : count + (k + 1) * len(seen)]
            norms[seen] = np.hypot(norms[seen], STANDARD_GRAVITY * np.linalg.norm(part, axis=0))
        return GravitySearch(
            columns,
            left,
            columns.T @ columns,
            columns.T @ left,
            seen,
            1 / np.where(norms > 0, norms, 1),
            float(target @ target),
            given,
            masses_of(rows.arm),
            np.repeat(rows.blocks[some], weights.shape[1]),
        )

    def percent(self, squares: float) -> float:
        """Error of the torques, each joint's counted in its own size [%]."""
        return 100 * float(np.sqrt(max(squares, 0) / max(self.total, 1e-300)))

    def _mixing(self, g: Array) -> Array:
        """The matrix that makes columns at gravity g from those at rest and those of each axis."""
        count, seen = len(self.scale), len(self.seen)
        mixing = np.zeros((count + 3 * seen, count))
        mixing[np.arange(count), np.arange(count)] = self.scale
        for k in range(3):
            mixing[count + k * seen + np.arange(seen), self.seen] = g[k] * self.scale[self.seen]
        return mixing

    def left(self, g: Array) -> float:
        """Sum of squares that free parameters leave at gravity g."""
        mixing = self._mixing(g)
        normal = mixing.T @ self.gram @ mixing
        normal[np.diag_indices_from(normal)] += 1e-10
        right = mixing.T @ self.moments
        answer = np.linalg.solve(normal, right)
        whole = float(self.target @ self.target)
        return max(whole - 2 * float(right @ answer) + float(answer @ normal @ answer), 1e-12 * self.total)

    def refined(self, size: float, starts: list[Array]) -> tuple[Array, float]:
        """The best direction near the best of the starts, by Newton steps on the sphere, and what it leaves."""
        down = min(starts, key=lambda axis: self.left(size * axis))
        best = self.left(size * down)
        reach = 0.3
        for _ in range(6):
            across = np.linalg.svd(down[None])[2][1:]
            h = 0.05 * reach
            plus, minus = ([self.left(size * unit(down + s * h * a)) for a in across] for s in (1, -1))
            both = self.left(size * unit(down + h * (across[0] + across[1])))
            slope = (np.array(plus) - minus) / (2 * h)
            bend = np.diag((np.array(plus) - 2 * best + minus) / h**2)
            bend[0, 1] = bend[1, 0] = (both - plus[0] - plus[1] + best) / h**2
            values, vectors = np.linalg.eigh(bend)
            step = -vectors @ ((vectors.T @ slope) / np.maximum(np.abs(values), 1e-12 * self.total))
            step *= min(1.0, reach / max(float(np.linalg.norm(step)), 1e-12))
            new = unit(down + step @ across)
            if float(np.linalg.norm(step)) < CLOSE:
                break
            if (left := self.left(size * new)) < best:
                down, best = new, left
            else:
                reach /= 4
        return size * down, best

    def by_masses(self) -> Array | None:
        """Gravity as the given arm's masses see it [m/s^2]; None if they explain little or torques are reversed."""
        count, seen = len(self.scale), len(self.seen)
        along = self.rows[:, count:].reshape(len(self.rows), 3, seen) @ self.masses[self.seen]
        columns = np.column_stack([self.rows[:, :count] @ self.masses, along])
        factors = coefficients(columns, self.target)
        rest = self.target - columns @ factors
        inverse = np.linalg.pinv(columns.T @ columns, rcond=1e-10)
        spread = inverse @ spread_of_mean(columns * rest[:, None], self.blocks) @ inverse
        down: Array = factors[1:]
        length = float(np.linalg.norm(down))
        explains = float(rest @ rest) < 0.5 * float(self.target @ self.target)
        is_reversed = factors[0] < -SEEN * float(np.sqrt(max(float(spread[0, 0]), 0.0)))
        if length == 0 or not explains or is_reversed:
            return None
        error = float(np.sqrt(max(float(down @ spread[1:, 1:] @ down), 0.0))) / length
        return down if length > SEEN * error else None


def unit(v: Array) -> Array:
    """The direction of a vector."""
    answer: Array = v / np.linalg.norm(v)
    return answer
