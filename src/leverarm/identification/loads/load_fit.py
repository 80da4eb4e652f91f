"""The ten inertial parameters of a load, from the torques of the loaded arm and what is known of the arm without it.

The loaded arm has the base parameters beta + K phi. beta is known to be near beta_1, with a covariance C that holds
what the log without load leaves open and what friction may have changed since: beta = beta_1 + L z, C = L L^T, z of
unit variance. The torques with the load give phi, on which there is no prior, and z at the same time, so that a motion
with more information about the arm than the first one is not wasted (prior knowledge as observations).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from leverarm.arrays import Array, BoolArray
from leverarm.identification.fitting.covariance import covariance
from leverarm.identification.fitting.rows import Samples
from leverarm.identification.fitting.weighted_fit import NormalEquations, normal_equations, weighted_fit
from leverarm.identification.loads.load_body import ArmAlone

CHANGES = (0.0, 0.02, 0.1, 0.5)
"""Of its own size: by how much friction may have changed between the logs. Tried on blocks left out."""
ROUNDING = 1e-11
"""Relative information below which a combination of parameters is not identifiable."""
NOTHING = 1e-20
"""Of the square of the largest torque per unit of a parameter: one with less has no effect."""
VAST = 1e3
"""[kg, kg m, kg m^2]: the standard error of what is not identifiable."""
AS_GOOD = 1.002
"""A left-out error within this ratio of the least is as good; of those the largest change is taken, to be safe."""


@dataclass(frozen=True, slots=True)
class LoadFit:
    """phi (10,), how the arm's own parameters `moved` (b,), and the fraction by which friction may `change`.

    `covariance` (10, 10) is vast where a combination of phi is not identifiable, `precision` its inverse, zero there.
    `left_out` (k, n) are torques of every block predicted by the others, `alone` (k, n) of the arm without its load.
    """

    numbers: Array
    covariance: Array
    precision: Array
    moved: Array
    change: float
    left_out: Array
    alone: Array


def load_fit(W: Array, samples: Samples, used: BoolArray, alone: ArmAlone, K: Array) -> LoadFit:
    """Fits the columns W (k, n, b) of the base parameters to the loaded arm's torques in the `used` samples."""
    motion, block = samples.motion, samples.block
    free = weighted_fit(W, motion.tau, used)
    spread = covariance(W, free.residuals, free.roots, motion.piece)
    held_down = free.roots * free.noise
    equations = normal_equations(W * held_down[:, :, None], motion.tau * held_down, motion.raw * held_down, used, block)
    weights = 1 / free.noise**2
    problems = [_Problem(equations, weights / _excess(equations, weights, spread), alone, K, part) for part in CHANGES]
    errors = [problem.left_out_error(weights) for problem in problems]
    problem = problems[max(i for i, error in enumerate(errors) if error <= AS_GOOD * min(errors))]
    every = np.ones(equations.blocks, dtype=bool)
    numbers, moved = problem.solved(every)
    each = np.array([problem.without(b) for b in range(equations.blocks)])
    spread_of_load, precision = problem.certainty(spread)
    left_out, without_load = np.einsum("knb,kb->kn", W, each[block]), np.asarray(W @ alone.values)
    return LoadFit(numbers, spread_of_load, precision, moved, problem.change, left_out, without_load)


@dataclass(frozen=True, slots=True)
class _Problem:
    """Sums of the data with weights of the joints, the arm alone, K (b, 10), and how much friction may change."""

    equations: NormalEquations
    weights: Array
    alone: ArmAlone
    K: Array
    change: float

    @property
    def L(self) -> Array:
        """(b, z) with L L^T the covariance of the arm's own parameters while the load is carried."""
        C = self.alone.covariance + np.diag((self.change * self.alone.friction) ** 2)
        size = np.sqrt(np.maximum(np.diag(C), 1e-300))
        values, vectors = np.linalg.eigh(C / np.outer(size, size))
        kept = values > 1e-14 * max(values[-1], 1e-300)
        return np.asarray(size[:, None] * vectors[:, kept] * np.sqrt(values[kept]))

    def solved(self, blocks: BoolArray) -> tuple[Array, Array]:
        """phi (10,) and L z (b,) from some of the blocks."""
        H, g = self.equations.weighted(self.weights, blocks)
        normal = _Normal.of(H, self.K, self.L)
        phi, z = normal.solved(g - H @ self.alone.values)
        return phi, normal.L @ z

    def without(self, block: int) -> Array:
        """Base parameters (b,) of the loaded arm, from all other blocks."""
        numbers, moved = self.solved(np.arange(self.equations.blocks) != block)
        return np.asarray(self.alone.values + moved + self.K @ numbers)

    def certainty(self, spread: Array) -> tuple[Array, Array]:
        """Covariance and precision (10, 10) of phi, `spread` (b, b) being that of base parameters of this log alone."""
        H, _ = self.equations.weighted(self.weights, np.ones(self.equations.blocks, dtype=bool))
        normal = _Normal.of(H, self.K, self.L)
        of_torques = normal.slopes @ H
        of_arm = of_torques @ normal.L
        covariance = of_torques @ spread @ of_torques.T + of_arm @ of_arm.T
        among_identifiable = normal.identifiable.T @ covariance @ normal.identifiable
        precision = normal.identifiable @ np.linalg.inv(among_identifiable) @ normal.identifiable.T
        return covariance + VAST**2 * normal.unidentifiable @ normal.unidentifiable.T, precision

    def left_out_error(self, weights: Array) -> float:
        """Root of the sum of weighted squares of the blocks' errors, each predicted by the others."""
        total = 0.0
        for b in range(self.equations.blocks):
            total += float(weights @ self.equations.squares(self.without(b), b)[0])
        return float(np.sqrt(total))


@dataclass(frozen=True, slots=True)
class _Normal:
    """[K L]^T H [K L] + diag(0, 1) with z eliminated: S phi = slopes-weighted torques, in the identifiable directions.

    `slopes` (10, b) takes right-hand sides to phi. Columns of `identifiable` (10, t) weight the parameters in those
    that are identifiable, columns of `unidentifiable` (10, u) unit directions in which phi changes nothing.
    """

    L: Array
    across: Array
    inverse_z: Array
    slopes: Array
    identifiable: Array
    unidentifiable: Array

    @staticmethod
    def of(H: Array, K: Array, L: Array) -> _Normal:
        HK, HL = H @ K, H @ L
        inverse_z: Array = np.asarray(np.linalg.inv(L.T @ HL + np.eye(L.shape[1])), dtype=np.float64)
        across = K.T @ HL
        N = K.T @ HK
        # parameters without effect are scaled by those that have one, and so come out as not identifiable
        size = np.sqrt(np.where(np.diag(N) > NOTHING * np.max(np.diag(N)), np.diag(N), np.max(np.diag(N)) or 1.0))
        S = (N - across @ inverse_z @ across.T) / np.outer(size, size)
        values, vectors = np.linalg.eigh((S + S.T) / 2)
        is_identifiable = values > ROUNDING
        identifiable, unidentifiable = vectors[:, is_identifiable], vectors[:, ~is_identifiable] / size[:, None]
        inverse = (identifiable / values[is_identifiable]) @ identifiable.T / np.outer(size, size)
        slopes = inverse @ (K.T - across @ inverse_z @ L.T)
        unidentifiable = unidentifiable / np.maximum(np.linalg.norm(unidentifiable, axis=0), 1e-300)
        return _Normal(L, across, inverse_z, slopes, identifiable * size[:, None], unidentifiable)

    def solved(self, g: Array) -> tuple[Array, Array]:
        """phi (10,) and z from the right-hand side g (b,)."""
        phi = self.slopes @ g
        return phi, self.inverse_z @ (self.L.T @ g - self.across.T @ phi)


def _excess(equations: NormalEquations, weights: Array, spread: Array) -> float:
    """Median ratio of the parameters' variances under coloured noise to those under white noise."""
    H, _ = equations.weighted(weights, np.ones(equations.blocks, dtype=bool))
    size = np.sqrt(np.maximum(np.diag(H), 1e-300))
    white = np.diag(np.linalg.pinv(H / np.outer(size, size), rcond=1e-14, hermitian=True)) / size**2
    return float(np.clip(np.median(np.diag(spread) / np.maximum(white, 1e-300)), 1.0, 1e3))
