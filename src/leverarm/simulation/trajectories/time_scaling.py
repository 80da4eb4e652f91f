"""Uniform time scaling: a motion made as fast as its joints' limits allow, or slowed down to keep them.

Run s times as fast, a motion has velocities s qd, accelerations s^2 qdd, and, since C is linear in qd, the torque

    tau(s) = g + tau_d - J^T w + F(s qd) + s^2 (M qdd + C qd)

(Hollerbach 1984, Dynamic scaling of manipulator trajectories; with friction added). The largest s is where many
quadratics of s still keep their bounds.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from leverarm.arrays import Array
from leverarm.control.signals import Signal, scaled_in_time, shifted
from leverarm.control.signals.checked import positive
from leverarm.errors import InputError
from leverarm.model import Arm
from leverarm.simulation.trajectories.limits import JointLimits, ratio_to
from leverarm.simulation.trajectories.motions import Motion, MotionRows, motion_rows
from leverarm.simulation.trajectories.torques import InTime, Loads, force_parts, friction_along, trajectory_along
from leverarm.simulation.trajectories.trajectory import Trajectory


def largest_within(a: Array, b: Array, c: Array, bound: Array, most: float) -> float:
    """The largest s in (0, most] with |a + b s + c s^2| <= bound for all; 0 where there is none, perhaps infinite.

    Each quadratic is out of bounds on intervals of s. Beyond the first that never ends there is nothing to find;
    from there on down, every interval that s is inside of is left at its lower end. A quadratic that comes back
    between its bounds counts, so the answer need not be connected to s = 0.
    """
    a, b, c, bound = (np.ravel(x) for x in np.broadcast_arrays(a, b, c, bound))
    is_bounded = np.isfinite(bound)
    a, b, c, bound = (x[is_bounded] for x in (a, b, c, bound))
    above, below = _positive(a - bound, b, c), _positive(-a - bound, -b, -c)
    low, high = np.concatenate([above, below], axis=1)
    is_there = high > np.maximum(low, 0)
    low, high = np.maximum(low[is_there], 0.0), high[is_there]
    is_endless = np.isinf(high)
    s = float(min(most, low[is_endless].min(initial=np.inf)))
    low, high = low[~is_endless], high[~is_endless]
    while (around := (low < s) & (s < high)).any():
        s = float(low[around].min())
    return s


def _positive(a: Array, b: Array, c: Array) -> Array:
    """Where a + b s + c s^2 > 0: two intervals each, as lower ends and upper ends (2, 2 K); empty ones end first."""
    root = np.sqrt(np.maximum(b * b - 4 * a * c, 0.0))
    has_roots = b * b - 4 * a * c > 0
    # The sum of terms of one sign; the other root is the quotient (no digits cancel).
    k = -(b + np.where(b >= 0, root, -root)) / 2
    with np.errstate(divide="ignore", invalid="ignore"):
        r1, r2 = k / c, a / k
    first, second = np.minimum(r1, r2), np.maximum(r1, r2)
    nowhere, everywhere = np.full_like(a, np.inf), np.full_like(a, -np.inf)
    is_line = c == 0
    line = np.divide(-a, b, out=np.zeros_like(a), where=b != 0)
    opens_up = c > 0
    is_constant = is_line & (b == 0)
    kinds = [is_constant, is_line, ~has_roots, opens_up]
    low = np.select(kinds, [np.where(a > 0, everywhere, nowhere), np.where(b > 0, line, everywhere),
                            np.where(opens_up, everywhere, nowhere), second], first)  # fmt: skip
    high = np.select(kinds, [np.where(a > 0, -everywhere, -nowhere), np.where(b > 0, -everywhere, line),
                             np.where(opens_up, -everywhere, -nowhere), -everywhere], second)  # fmt: skip
    # An upward parabola with roots is positive on a second interval, below the first root.
    other_high = np.where(opens_up & has_roots, first, everywhere)
    return np.stack([np.concatenate([low, everywhere]), np.concatenate([high, other_high])])


SETTLED = 1e-14
"""The relative change of a speed at which it has converged."""
MOST_ROUNDS = 60

NEAR_A_LIMIT = 0.99
"""Next to rows that use this fraction of the most used limit, a signal is sampled more finely."""
MOST_PEAKS = 64
FINER = 16
REFINEMENTS = 4
"""Four times 16 times finer than a millisecond: what a smooth peak still hides is less than rounding."""


class Fit(NamedTuple):
    """A motion that keeps the limits, and how many times as fast as the given one it is."""

    motion: Signal | Trajectory
    speed: float


def fit_to_limits(
    arm: Arm,
    motion: Motion,
    margin: float = 1.0,
    *,
    wrench: InTime | None = None,
    disturbance: InTime | None = None,
    frame: str | None = None,
    rate: float = 1000.0,
) -> Fit:
    """The same path in the shortest time in which no joint exceeds `margin` times its velocity and effort limits.

    The whole motion is run faster or slower by one factor, from the same start time. A signal stays a signal; it is
    checked `rate` times a second [1/s], and finer where it comes near a limit. Recorded motions become a trajectory and
    are checked at their rows. Loads belong to the path: they are stretched with it. Positions do not depend on speed:
    see `check_limits` for them. Raises InputError where the arm cannot carry the load at any speed, or nothing bounds
    the speed.
    """
    part = positive("margin", margin, "(of the limits)")
    rows = motion_rows(arm, motion, rate)
    loads = Loads.of(arm, rows.t, wrench, disturbance, frame)
    if isinstance(motion, Signal):
        speed = largest_speed(arm, rows, loads, part)
    else:
        speed = _scaling(arm, rows, rows.t, loads, part).largest_speed()
    if not np.isfinite(speed):
        raise InputError(
            f"no limit of velocity or effort of arm {arm.name!r} bounds the speed of this motion. Give its joints "
            "limits = { velocity = ..., effort = ... }, or a motion that moves."
        )
    begin = float(rows.t[0])
    if isinstance(motion, Signal):
        return Fit(shifted(scaled_in_time(shifted(motion, -begin), 1 / speed), begin), speed)
    about = {"method": "inverse dynamics", "derivatives": rows.derivatives, "speed": speed}
    stretched = loads.with_clock(lambda t: begin + (t - begin) * speed)
    return Fit(trajectory_along(arm, rows.faster(speed), stretched, about), speed)


def largest_speed(arm: Arm, rows: MotionRows, loads: Loads, margin: float) -> float:
    """How many times as fast the motion may be, checked between the rows too; perhaps infinite."""
    t = np.union1d(rows.knots, np.nextafter(rows.knots[1:], -np.inf))  # where pieces meet, accelerations may jump
    for _ in range(REFINEMENTS):
        scaling = _scaling(arm, rows, t, loads, margin)
        speed = scaling.largest_speed()
        if not np.isfinite(speed):
            return speed
        t = _refined(t, scaling.used(speed))
    return _scaling(arm, rows, t, loads, margin).largest_speed()


@dataclass(frozen=True, slots=True, eq=False)
class Scaling:
    """The efforts that N rows of a motion need at any speed s: fixed + F(s qd) + s^2 inertial, in m joints."""

    arm: Arm
    limits: JointLimits
    t: Array
    q: Array
    qd: Array
    loads: Loads
    fixed: Array
    """(N, m): weight and outside loads [N m or N]."""
    inertial: Array
    """(N, m): at the given speed [N m or N]."""
    velocity: Array
    effort: Array
    """(m,): the limits to be kept, infinite where there are none."""

    def friction(self, speed: float) -> Array:
        return self.limits.efforts(friction_along(self.arm, self.t, (self.q, speed * self.qd), self.loads))

    def used(self, speed: float) -> Array:
        """The greater part of its two limits that each joint uses in each row, (N, m)."""
        effort = self.fixed + self.friction(speed) + speed**2 * self.inertial
        velocity = speed * self.limits.velocities(self.qd)
        return np.maximum(ratio_to(self.effort, effort), ratio_to(self.velocity, velocity))

    def largest_speed(self) -> float:
        """The largest s at which all limits are kept, in closed form where friction is linear in s; perhaps infinite.

        Smooth friction is linearised in s iteratively until the speed converges.
        """
        used = float(ratio_to(self.velocity, self.limits.velocities(self.qd)).max())
        fastest = 1 / used if used > 0 else np.inf
        speed = 1.0
        for _ in range(MOST_ROUNDS):
            value, slope = self._tangent_of_friction(speed)
            found = largest_within(self.fixed + value - speed * slope, slope, self.inertial, self.effort, fastest)
            if found <= 0:
                raise self._overloaded()
            if not np.isfinite(found):
                return found
            change, speed = abs(found - speed), found
            if change <= SETTLED * speed:
                return speed
        return self._bisected(speed)

    def _tangent_of_friction(self, speed: float) -> tuple[Array, Array]:
        step = 1e-3 * speed
        slope = (self.friction(speed + step) - self.friction(speed - step)) / (2 * step)
        return self.friction(speed), slope

    def _bisected(self, high: float) -> float:
        """The boundary between kept and exceeded limits below a speed, where the iteration did not converge."""
        low = high
        while self.used(low).max() > 1:
            high, low = low, low / 2
            if low < 1e-12:
                raise self._overloaded()
        while high - low > SETTLED * high:
            middle = (low + high) / 2
            low, high = (middle, high) if self.used(middle).max() <= 1 else (low, middle)
        return low

    def _overloaded(self) -> InputError:
        load = self.fixed + self.friction(1e-9)
        row, joint = (int(i) for i in np.unravel_index(np.argmax(ratio_to(self.effort, load)), load.shape))
        unit = self.limits.unit(joint, "N m", "N")
        return InputError(
            f"no speed keeps the limits of arm {self.arm.name!r}: at t = {self.t[row]:.6g} s the load on joint "
            f"{self.limits.names[joint]!r} is {load[row, joint]:.4g} {unit} however slow it moves, and it may bear "
            f"{self.effort[joint]:.4g} {unit}. Choose another path, a lighter load, or a stronger joint."
        )


def _scaling(arm: Arm, rows: MotionRows, t: Array, loads: Loads, margin: float) -> Scaling:
    state = (rows.q, rows.qd, rows.qdd) if t is rows.t else rows.between(t)
    parts, limits = force_parts(arm, t, state, loads), JointLimits.of(arm)
    return Scaling(
        arm,
        limits,
        t,
        state[0],
        state[1],
        loads,
        limits.efforts(parts.weight + parts.disturbance - parts.wrench),
        limits.efforts(parts.inertial),
        margin * limits.velocity,
        margin * limits.effort,
    )


def _refined(t: Array, used: Array) -> Array:
    """The times, and more of them on both sides of the highest peaks of what is used of the limits, (N, m)."""
    beside = np.pad(used, ((1, 1), (0, 0)), constant_values=-1.0)
    is_peak = (used >= beside[:-2]) & (used >= beside[2:]) & (used >= NEAR_A_LIMIT * used.max())
    peaks = np.where(is_peak, used, 0.0).max(axis=1)
    rows = np.argsort(peaks, kind="stable")[-MOST_PEAKS:]
    rows = rows[peaks[rows] > 0]
    intervals = np.unique(np.concatenate([rows[rows > 0] - 1, rows[rows < len(t) - 1]]))
    shares = np.arange(1, FINER) / FINER
    return np.union1d(t, (t[intervals, None] + np.diff(t)[intervals, None] * shares).ravel())
