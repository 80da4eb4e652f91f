"""The cost that is minimised: minus the information, a barrier at every limit, a penalty on joints that dwell.

cost = -log det A - mu/N sum of log(1 - (y / most)^2) over rows and limits + penalty on dwelling

y is a position from the middle of its range, a velocity, an acceleration or an effort of a joint; for a plane to stay
above, the barrier is -mu/N sum of log(height / reach). Inside all limits the cost is smooth, outside it is infinite.
`downhill` is the limited-memory BFGS method with steps that stay where the cost is finite (Nocedal and Wright,
Numerical Optimization, 2006, Algorithms 7.4 and 7.5).
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from leverarm.arrays import Array
from leverarm.identification.excitation.harmonics import PER_WAVE, Bounds, Harmonics
from leverarm.identification.excitation.information import Heights, Information
from leverarm.model import Arm
from leverarm.simulation.trajectories.torques import compiled

MEMORY = 24
ENOUGH = 1e-4
"""Fraction of the decrease predicted by the gradient that a step must achieve (Armijo)."""
MOST_HALVINGS = 30
FIRST_STEP = 0.05


class Cost(NamedTuple):
    """A cost, its gradient, and the cost without barriers."""

    value: float
    slope: Array
    plain: float


def downhill(cost: Callable[[Array], Cost | None], x: Array, least: float) -> Iterator[tuple[Array, Cost]]:
    """Descending points with their costs, until a step gains less than `least` or none is found.

    `cost` is None outside the limits; a descent that begins there is empty.
    """
    at = cost(x)
    if at is None:
        return
    yield x, at
    pairs: deque[tuple[Array, Array]] = deque(maxlen=MEMORY)
    while True:
        direction = _direction(at.slope, pairs)
        if direction @ at.slope >= 0:
            pairs.clear()
            direction = _direction(at.slope, pairs)
        step, promised = 1.0, float(direction @ at.slope)
        for _ in range(MOST_HALVINGS):
            there = cost(x + step * direction)
            if there is not None and there.value <= at.value + ENOUGH * step * promised:
                break
            step /= 2
        else:
            return
        moved, turned = step * direction, there.slope - at.slope
        if moved @ turned > 1e-12 * np.linalg.norm(moved) * np.linalg.norm(turned):
            pairs.append((moved, turned))
        gained = at.value - there.value
        x, at = x + moved, there
        yield x, at
        if gained < least:
            return


def _direction(slope: Array, pairs: deque[tuple[Array, Array]]) -> Array:
    """The quasi-Newton direction from the last steps; steepest descent where there are none."""
    d = -slope
    if not pairs:
        return np.asarray(d * FIRST_STEP / max(float(np.linalg.norm(d)), 1e-300))
    parts = []
    for s, y in reversed(pairs):
        part = (s @ d) / (s @ y)
        d = d - part * y
        parts.append(part)
    s, y = pairs[-1]
    d = d * ((s @ y) / (y @ y))
    for (s, y), part in zip(pairs, reversed(parts), strict=True):
        d = d + s * (part - (y @ d) / (s @ y))
    return np.asarray(d)


EFFORT_ROOM = 0.98
"""Fraction of the effort that the coarse grid may use: between its samples there may be a little more."""
ROOM_ABOVE = 0.002
"""Height [m] above the plane that the coarse grid keeps."""
SHARE = 0.25
"""Fraction of the time that each joint should move faster than the speed floor, in each direction."""
PRICE = 400.0
"""Penalty on a joint that dwells: a tenth of the time too little costs as much as four parameters' information."""

State = tuple[Array, Array, Array]


@dataclass(frozen=True, slots=True, eq=False)
class Objective:
    """The cost of free coefficients x (2K - 1, n), in units of `scale` (n,) from the middle of the range."""

    arm: Arm
    harmonics: Harmonics
    bounds: Bounds
    information: Information
    floor: Array
    """The speed [rad/s or m/s] of each coordinate above which friction is identifiable, (n,)."""
    scale: Array
    middle: Array
    heights: Heights | None
    lowest: float
    """Height [m] that frames stay above, where there are heights."""

    def free(self, x: Array) -> Array:
        """The free coefficients of the series [rad or m]."""
        given = x.reshape(-1, self.arm.dof) * self.scale
        given[0] += self.middle
        return given

    def motion(self, x: Array, per_wave: int = PER_WAVE) -> State:
        """q, qd and qdd on an even grid of one period."""
        free = self.free(x)
        q, qd, qdd = (shape @ free for shape in self.harmonics.shapes(self.harmonics.times(per_wave)))
        return q, qd, qdd

    def broken(self, x: Array) -> list[str]:
        """The kinds of limits that are violated on the coarse grid, cheap ones first."""
        state = self.motion(x)
        found = [what for what, y, most in self._limited(state) if (np.abs(y) >= most).any()]
        if self.heights is not None and (self.heights.at(state[0]) <= self.lowest + ROOM_ABOVE).any():
            found.append("height")
        return found

    def cost(self, x: Array, mu: float) -> Cost | None:
        """The cost of a motion inside all limits; None outside."""
        state = self.motion(x)
        rows, n = state[0].shape
        value, pushes = 0.0, []
        for _, y, most in self._limited(state):
            if (np.abs(y) >= most).any():
                return None
            wall, push = _barrier(y, most, mu / rows)
            value += wall
            pushes.append(push)
        slopes = [np.zeros((rows, n)) + push @ self.bounds.joints.ratios for push in pushes[:3]]
        if pushes[3].any():
            force = pushes[3] @ self.bounds.joints.shares
            for order, change in enumerate(compiled(self.arm).inverse_dynamics_derivatives(*state)):
                slopes[order] += np.einsum("ki,kij->kj", force, change)
        if self.heights is not None:
            room = self.heights.at(state[0]) - self.lowest - ROOM_ABOVE
            if (room <= 0).any():
                return None
            value -= mu / rows * float(np.log(room).sum())
            slopes[0] -= mu / rows * np.einsum("kf,kfn->kn", 1 / room, self.heights.slopes(state[0]))
        fastest = self.bounds.within(self.bounds.velocity, self.bounds.velocity)
        dwelling, slowness = _dwelling(state[1], self.floor, fastest)
        log_det, gains = self.information.gain(*state)
        slopes = [slope - gain for slope, gain in zip(slopes, gains, strict=True)]
        slopes[1] += slowness
        plain = dwelling - log_det
        shapes = self.harmonics.shapes(self.harmonics.times())
        slope = sum(shape.T @ by_row for shape, by_row in zip(shapes, slopes, strict=True)) * self.scale
        return Cost(plain + value, np.asarray(slope).ravel(), plain)

    def _limited(self, state: State) -> Iterator[tuple[str, Array, Array]]:
        """Positions, velocities, accelerations and efforts (N, m), and their maxima (m,), cheap ones first.

        The maxima of the first three on the grid are reduced by as much as a series may exceed them between samples.
        """
        bounds = self.bounds
        share = bounds.share / self.harmonics.excess(PER_WAVE)
        q, qd, qdd = state
        yield "position", bounds.joints.positions(q) - bounds.centre, share * bounds.half
        yield "velocity", bounds.joints.velocities(qd), share * bounds.velocity
        yield "acceleration", bounds.joints.velocities(qdd), share * bounds.acceleration
        efforts = bounds.joints.efforts(compiled(self.arm).inverse_dynamics(*state))
        yield "effort", efforts, bounds.effort * bounds.share * EFFORT_ROOM


def _barrier(y: Array, most: Array, weight: float) -> tuple[float, Array]:
    """-weight sum of log(1 - (y / most)^2) and its slopes; zero where a limit is infinite."""
    part = y / most
    return -weight * float(np.log1p(-(part**2)).sum()), 2 * weight * part / (1 - part**2) / most


def _dwelling(qd: Array, floor: Array, fastest: Array) -> tuple[float, Array]:
    """The penalty on joints that move faster than the floor for less than SHARE of the time in some direction.

    Whether a sample is fast is a smooth step at the floor, wide enough for the coarse grid.
    """
    width = fastest / 20
    price, slopes = 0.0, np.zeros_like(qd)
    for sign in (1, -1):
        fast = 0.5 * (1 + np.tanh((sign * qd - floor - 3 * width) / (2 * width)))
        lacking = np.maximum(SHARE - fast.mean(axis=0), 0)
        price += PRICE * float((lacking**2).sum())
        slopes -= PRICE * 2 * lacking * sign * fast * (1 - fast) / width / len(qd)
    return price, slopes
