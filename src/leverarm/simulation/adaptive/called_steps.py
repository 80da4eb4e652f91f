"""The steps of the adaptive method in Python, where torques come from a Python function.

The same operations in the same order as the compiled step: the same torques give the same motion, bit for bit.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import reduce

import numpy as np

from leverarm.compiler.llvm.march_layout import alike
from leverarm.simulation.acting.feeds import Feeds, Floats
from leverarm.simulation.adaptive.dormand_prince import METHOD
from leverarm.simulation.compiled.evaluation import Attempt, AttemptPlaces, StagedEvaluation
from leverarm.simulation.fixed_step.called_torque import moved

Curves = tuple[list[Floats], list[Floats], list[Floats]]
"""The coefficients of q, qd and the sums."""


class CalledSteps:
    """What `CompiledStages` does, for rates that are asked for stage by stage."""

    def __init__(self, rates: StagedEvaluation) -> None:
        self._rates = rates
        self._places = AttemptPlaces.of(rates.layout)

    def attempt(self, state: Floats, t: float, h: float, feeds: Feeds, rtol: float, atol: float) -> Attempt:
        """A step of length h."""
        layout, tableau = self._rates.layout, METHOD.tableau
        n, sums = layout.coordinates, slice(2 * layout.coordinates, 2 * layout.coordinates + layout.sums)
        a, powers, shown = self._rates.stages(tableau, state, t, h, feeds)
        after = state.copy()
        q, qd = moved(state, n, a, h, 1.0, tableau.last_position, tableau.last_velocity)
        after[:n], after[n : 2 * n] = q, qd
        for weight, stages in alike(tableau.last_velocity):
            after[sums] += (h * weight) * reduce(np.add, [powers[j] for j in stages])
        sizes = np.maximum(np.abs(state), np.abs(after))
        errors = (h * h) * _weighted(METHOD.error_position, a), h * _weighted(METHOD.error_velocity, a)
        shares = np.concatenate(errors) / (atol + rtol * sizes[: 2 * n])
        allowed = (atol + rtol * sizes[sums].max(initial=0.0)) * METHOD.sums
        in_sums = h * _weighted(METHOD.error_velocity, powers) / allowed
        error = max(_norm(shares), _norm(in_sums))
        numbers = np.concatenate([after, a[0], powers[0], shown, a[-1], powers[-1], shares])
        return Attempt(t, h, state, feeds, error, numbers, self._places)

    def inside(self, attempt: Attempt, parts: Floats) -> Floats:
        """The states at some parts of a step, 0 its begin and 1 its end, each with all its rates, (N, entries)."""
        entries, curves = self._rates.layout.state, self._curves(attempt)
        rows = np.empty((len(parts), self._places.row))
        place = np.empty(entries)
        for row, part in zip(rows, parts.tolist(), strict=True):
            place[...] = attempt.after if part == 1 else attempt.state
            if 0 < part < 1:
                moving = np.concatenate([METHOD.interpolant.value(curve, part) for curve in curves])
                place[: moving.size] = moving
            row[:entries] = place
            row[entries:] = self._rates.at(place, attempt.t + attempt.h * part, attempt.feeds)
        return rows

    def _curves(self, step: Attempt) -> Curves:
        interpolant, h, n = METHOD.interpolant, step.h, self._rates.layout.coordinates
        sums = slice(2 * n, 2 * n + self._rates.layout.sums)
        rates = [step.first[: n + self._rates.layout.sums], step.last]
        rates[1:1] = [self._inner_rates(step, part) for part in interpolant.nodes]
        before, after = step.state, step.after
        speed = interpolant.integral(h, [x[:n] for x in rates], before[n : 2 * n], after[n : 2 * n])
        energy = interpolant.integral(h, [x[n:] for x in rates], before[sums], after[sums])
        return interpolant.position(h, speed, before[:n], after[:n]), speed, energy

    def _inner_rates(self, step: Attempt, part: float) -> Floats:
        n, place = self._rates.layout.coordinates, step.state.copy()
        ends = [(x[:n], x[n : 2 * n], rates[:n]) for x, rates in ((step.state, step.first), (step.after, step.last))]
        place[:n], place[n : 2 * n] = METHOD.interpolant.inner(part, step.h, *ends)
        rates = self._rates.at(place, step.t + step.h * part, step.feeds)
        return rates[: n + self._rates.layout.sums].copy()


def _weighted(weights: Sequence[float], rows: Floats) -> Floats:
    return reduce(np.add, [row * weight for row, weight in zip(rows, weights, strict=True) if weight])


def _norm(shares: Floats) -> float:
    """The worst share, with the method's caution; infinite where it is no number."""
    worst = float(np.abs(shares).max(initial=0.0))
    return worst * METHOD.caution if math.isfinite(worst) else math.inf
