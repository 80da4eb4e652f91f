"""The physically consistent parameters that fit best: consistent bodies, non-negative friction and rotor inertias."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from leverarm.arrays import Array, BoolArray
from leverarm.errors import NotFiniteError
from leverarm.identification.estimation import interior_point as ip

LEAST_REGULARISATION = 1e-10
"""Of what the data could gain: a weaker regularisation is raised to it, since rounding would decide below."""
ROUNDING = 1e-12
"""Of the largest curvature of the data: the same, for data that gain little."""
RAISED = 100.0
"""Factor on the regularisation where rounding decides even so: data that contradict every sensible body."""
MOST_STEPS = 80
"""Ten to twenty are usual."""
SETTLED = 0.1
"""Step length, relative to the bodies, below which convergence is quadratic until rounding stops it."""
OFF_CENTRE = 0.01
"""Centrality below which a step only returns to the central path."""
SHORT = 0.1
"""Fraction of a step below which the next one only returns to the central path."""
STUCK = 4
"""Consecutive short steps that indicate rounding."""
OF_THE_WAY = 0.98
"""To the boundary of the cone, at most."""


@dataclass(frozen=True, slots=True)
class ConsistentFit:
    """The fitted parameters, the strength of regularisation that was used, and those that ended at exactly zero."""

    values: Array
    regularisation: float
    on_floor: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class _Point:
    """Scaled parameters z, the duals S of the links' M = 1 + X, and which bounded parameters are at their bound."""

    z: Array
    S: Array
    held: BoolArray


def consistent_fit(
    H: Array, b: Array, cad: Array, links: Sequence[slice], nonnegative: Sequence[int], regularisation: float
) -> ConsistentFit:
    """The physically consistent parameters phi that fit best, near the nominal ones where the data leave them open.

    Minimises phi H phi / 2 - b phi + lambda (sum over links of D(P || P0)) with every link's pseudo-inertia P > 0 and
    phi_j >= 0 for the `nonnegative` j; with H = W^T W / s^2 and b = W^T tau / s^2 the first part is half of chi
    squared. D(P || P0) = tr(P0^-1 P) - log det(P0^-1 P) - 4 is the entropic divergence from the nominal body (Lee, Park
    2018), of what both have beyond a small share of P0 (`ScaledProblem`): the same in every frame and unit.

    H (p, p) is positive semidefinite and may be singular: parameters without data stay at `cad` (p,), combinations
    without data where D is least. Each of `links` is the slice of a link's ten numbers, in the order of the regressor's
    columns. lambda is `regularisation`; zero means the least that rounding allows, which is also used where data and
    bodies contradict each other so much that the given one cannot be reached.

    Primal-dual path following with predictor and corrector steps (Mehrotra 1992; Nesterov, Todd 1997) down to
    M S = lambda 1, the lower bounds by active sets. O(p^3) per step. Raises InputError for data that are not finite
    and for nominal bodies that are not consistent, NotFiniteError for data beyond the range of floats.
    """
    problem = ip.ScaledProblem.of(H, b, cad, links, nonnegative)
    z, held = problem.without_links()
    if not len(problem.links):
        return ConsistentFit(problem.unscaled(z, held), regularisation, problem.on_floor(held))
    gain = problem.gain(z)
    curvature = float(np.abs(problem.H).max(initial=0.0))
    target = max(regularisation, LEAST_REGULARISATION * gain, ROUNDING * curvature) or 1.0
    strongest = 1e6 * max(target, gain)
    while target <= strongest:
        start = _Point(z, np.tile(max(target, gain) * np.eye(4), (len(problem.links), 1, 1)), held)
        if (found := _followed(problem, start, target)) is not None:
            return ConsistentFit(problem.unscaled(found.z, found.held), target, problem.on_floor(found.held))
        target *= RAISED
    remedy = "Divide the torques and the regressor by the noise of the torques."
    raise NotFiniteError(f"the consistent fit overflows: the data reach {np.abs(H).max():.3g}. {remedy}")


def _followed(problem: ip.ScaledProblem, point: _Point, target: float) -> _Point | None:
    """Where M S = target 1; None where rounding prevents it."""
    part, before, short = 1.0, np.inf, 0
    for _ in range(MOST_STEPS):
        try:
            point, part, length, is_aimed = _step(problem, point, target, part)
        except np.linalg.LinAlgError:
            return None
        if is_aimed and part == 1 and (length < 1e-10 or before / 2 < length < SETTLED):
            return point
        before = length if is_aimed and length < SETTLED else np.inf
        short = short + 1 if part < SHORT else 0
        if short == STUCK:
            return None
    return None


def _step(problem: ip.ScaledProblem, point: _Point, target: float, part: float) -> tuple[_Point, float, float, bool]:
    """The next point, the fraction of the step taken, the full step length, and whether it aimed at the target."""
    z, S = point.z, point.S
    pairs = ip.ScaledPairs.of(np.eye(4) + ip.matrices(z[problem.links]), S)
    K = problem.H.copy()
    K[problem.links[:, :, None], problem.links[:, None, :]] += pairs.curvature()
    quadratic = ip.BoundedQuadratic.of(K, problem.free, problem.bounded)
    g = problem.H @ z - problem.b
    g[problem.links] += ip.coordinates(target * np.eye(4) - S)

    def steps(both: Array, held: BoolArray) -> tuple[Array, Array, Array, BoolArray, float]:
        """The step of z, the scaled ones of M and S with this sum, what lies on its floor, and the step's length."""
        slope = g.copy()
        slope[problem.links] -= ip.coordinates(pairs.unscaled(both))
        step, held = quadratic.lowest(slope, problem.floor - z[problem.bounded], held)
        dM = pairs.scaled(ip.matrices(step[problem.links]))
        square = max(float(step @ (problem.H @ step)), 0.0) + float(np.sum(dM * dM))
        return step, dM, both - dM, held, square**0.5

    mu = pairs.mu
    if pairs.centrality < OFF_CENTRE or part < SHORT:
        aim = max(target, mu)
        step, dM, dS, held, length = steps(pairs.towards(aim), point.held)
    else:
        aim = target
        step, dM, dS, held, length = steps(pairs.towards(target), point.held)
        if mu > 1.01 * target or pairs.centrality < 0.9:
            reached = min(1.0, pairs.longest(dM), pairs.longest(dS))
            aim = max(target, mu * min(1.0, max(pairs.mu_after(reached, dM, dS) / mu, 0.0) ** 3))
            step, dM, dS, held, length = steps(pairs.towards_corrected(aim, dM, dS), held)
    part = min(1.0, OF_THE_WAY * pairs.longest(dM), OF_THE_WAY * pairs.longest(dS))
    moved = _Point(z + part * step, S + part * pairs.unscaled(dS), held)
    return moved, part, length / aim**0.5, aim == target
